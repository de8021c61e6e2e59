// Line: one line of a published text as the checks read it: quote marks taken off, tabs expanded, typographic signs in
// ASCII, and the number it has in the file. A mail that somebody flattened to one line is cut back into lines here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::audit {

struct Line {
  std::string text;
  std::size_t number = 0;  // in the file, from 1
  std::size_t depth = 0;   // of quotation
};

/// Numbers count from `first_number`.
std::vector<Line> read_lines(std::string_view text, std::size_t first_number = 1);

/// One raw line; more than one when it is flattened.
void append_line(std::string_view raw, std::size_t number, std::vector<Line>& out);

}  // namespace tollgate::audit
