// Line: one line of a published text as the checks read it: quote marks taken off, tabs expanded, typographic signs in
// ASCII, and the number it has in the file. A mail that somebody flattened to one line is cut back into lines here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/patches.h"

namespace tollgate::audit {

inline constexpr std::size_t kLongestRow = 500;  // characters: a longer sentence is for machines, and has no figures

struct Line {
  std::string text;
  std::size_t number = 0;  // in the file, from 1
  std::size_t depth = 0;   // of quotation
};

/// Takes the raw lines of a text in order.
class LineReader {
 public:
  /// One raw line gives none when it is source code in a patch, more than one when it is flattened or a
  /// whole paragraph.
  void add(std::string_view raw, std::size_t number);

  std::vector<Line> take() { return std::move(lines_); }

 private:
  std::vector<Line> lines_;
  PatchReader patch_;
};

}  // namespace tollgate::audit
