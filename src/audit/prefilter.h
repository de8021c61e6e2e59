// The cheap test that spares most mail the reading: which parts of a text may hold published figures at all.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tollgate::audit {

/// Whole lines of a text.
struct Span {
  std::size_t begin = 0, end = 0;
};

/// The whole text when a percentage stands in it; else the paragraphs round each line that looks like a table's, and round
/// each word that heads a column or a row of figures, with figures near. Elsewhere no check can have anything to say. In
/// order, apart from each other.
std::vector<Span> spans_with_figures(std::string_view text);

}  // namespace tollgate::audit
