// Reading one figure, { low, typical, high, unit, kind, source }, out of a table, with every check a figure must pass.
#pragma once

#include "config/document.h"

namespace tollgate::config {

Result<Figure> read_figure(const Table& table, std::string_view key, Dimension dimension);

/// The kind and the source of a number that has them beside it instead of inside a figure.
Result<Knowledge> read_knowledge(const Table& table, std::string_view key);
Result<std::string> read_source(const Table& table, std::string_view key);

}  // namespace tollgate::config
