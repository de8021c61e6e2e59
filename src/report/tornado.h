// A tornado as text: one bar a figure, all on one scale, from the delta with the figure at its low end to that at its
// high end.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tollgate::report {

struct TornadoBar {
  std::optional<double> at_low;
  std::optional<double> at_high;
};

/// One text of `width` characters a bar: 'L' and 'H' its ends ('X' where they meet), '=' between them, '|' the
/// `centre`, '.' elsewhere. Ends that are missing or not finite are left out.
std::vector<std::string> tornado(const std::vector<TornadoBar>& bars, std::optional<double> centre, std::size_t width);

}  // namespace tollgate::report
