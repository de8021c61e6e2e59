// Reading one figure, { low, typical, high, unit, kind, source }, out of a table, with every check a figure must pass.
#pragma once

#include "config/document.h"

namespace tollgate::config {

Result<Figure> read_figure(const Table& table, std::string_view key, Dimension dimension);

}  // namespace tollgate::config
