#include "config/figure_reader.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "base/text.h"

namespace tollgate::config {
namespace {

constexpr std::array<Choice<Knowledge>, 4> kKnowledge{{{"measured", Knowledge::measured},
                                                       {"published", Knowledge::published},
                                                       {"derived", Knowledge::derived},
                                                       {"recalled", Knowledge::recalled}}};

constexpr std::string_view kShape = "a figure { low, typical, high, unit, kind, source }";

Result<std::string> read_unit(const Table& figure, const DimensionInfo& dimension) {
  const std::string unit = TRY(figure.text("unit"));
  std::vector<std::string> units;
  for (const auto known : dimension.units) {
    if (unit == known) return unit;
    units.emplace_back(known);
  }
  return fail(fmt::format("'{}' cannot be '{}': a {} is written in {}", figure.path_of("unit"), unit, dimension.name,
                          join(units, " or ")),
              figure.place_of("unit"));
}

Result<double> read_bound(const Table& figure, std::string_view key, const DimensionInfo& dimension) {
  const double value = TRY(figure.number(key));
  const auto refuse = [&](std::string_view why) {
    return fail(fmt::format("'{}' is {}, {}", figure.path_of(key), value, why), figure.place_of(key));
  };
  if (value < dimension.low) return refuse(fmt::format("a {} is at least {}", dimension.name, dimension.low));
  if (value > dimension.high) return refuse(fmt::format("a {} is at most {}", dimension.name, dimension.high));
  if (dimension.granularity == Granularity::whole && value != std::floor(value))
    return refuse(fmt::format("a {} is a whole number", dimension.name));
  return value;
}

/// A number given by --set for a figure the file leaves out.
Result<Figure> bare_figure(const Table& table, std::string_view key, const DimensionInfo& dimension) {
  const double value = TRY(read_bound(table, key, dimension));
  return Figure{
      value, value, value, std::string(dimension.units[0]), Knowledge::recalled, "--set", table.place_of(key)};
}

}  // namespace

std::string_view to_text(Knowledge kind) { return name_of<Knowledge>(kKnowledge, kind); }

Result<Knowledge> read_knowledge(const Table& table, std::string_view key) {
  return table.choice<Knowledge>(key, kKnowledge);
}

Result<std::string> read_source(const Table& table, std::string_view key) {
  const std::string source = TRY(table.text(key));
  if (trim(source).empty())
    return fail(fmt::format("'{}' is empty: say where the figure comes from", table.path_of(key)), table.place_of(key));
  return source;
}

Result<Figure> read_figure(const Table& table, std::string_view key, Dimension dimension) {
  const DimensionInfo& expected = info(dimension);
  if (table.was_set(key) && table.has_number(key)) return bare_figure(table, key, expected);
  if (table.has(key) && !table.has_table(key))
    return fail(fmt::format("'{}' is not {}, which is wanted", table.path_of(key), kShape), table.place_of(key));
  const Table parts = TRY(table.table(key));
  Figure figure;
  figure.place = parts.place();
  figure.low = TRY(read_bound(parts, "low", expected));
  figure.typical = TRY(read_bound(parts, "typical", expected));
  figure.high = TRY(read_bound(parts, "high", expected));
  if (figure.low > figure.typical)
    return fail(fmt::format("'{}': low {} is above typical {}", parts.path(), figure.low, figure.typical),
                parts.place_of("low"));
  if (figure.typical > figure.high)
    return fail(fmt::format("'{}': typical {} is above high {}", parts.path(), figure.typical, figure.high),
                parts.place_of("high"));
  figure.unit = TRY(read_unit(parts, expected));
  figure.kind = TRY(read_knowledge(parts, "kind"));
  figure.source = TRY(read_source(parts, "source"));
  return figure;
}

}  // namespace tollgate::config
