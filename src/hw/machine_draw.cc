// Drawing one machine out of the ranges of a machine file. Each figure has its own stream, named after it, so a figure that
// is added, overridden or left out moves no other draw. Only + - * / and floor are used: equal on every host.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hw/machine.h"

namespace tollgate::hw {
namespace {

double rounded(double value) { return std::floor(value + 0.5); }

DrawnMachine::Array array_with(const TlbArraySpec& spec, double entries) {
  const bool full = spec.ways == kFullyAssociative;
  const int ways = full ? static_cast<int>(rounded(entries)) : spec.ways;
  const int sets = full ? 1 : std::max(1, static_cast<int>(rounded(entries / spec.ways)));
  DrawnMachine::Array array{spec.name, spec.level, spec.side, {}, sets, ways, spec.replacement, spec.per_thread};
  for (const PageSize size : spec.sizes) array.holds[static_cast<std::size_t>(size)] = true;
  return array;
}

double priced(const config::Figure& figure, Dimension dimension, double value, double clock_ghz) {
  if (dimension == Dimension::entries) return rounded(value);
  return figure.unit == "ns" ? value * clock_ghz : value;
}

/// `pick` gives a figure, by its name, its value inside its range.
template <typename Pick>
DrawnMachine assemble(const Machine& machine, Pick pick) {
  DrawnMachine drawn;
  drawn.name = machine.name;
  drawn.features = machine.features;
  drawn.topology = machine.topology;
  for (const TlbArraySpec& spec : machine.tlb)
    drawn.tlb.push_back(array_with(spec, pick(spec.entries, fmt::format("tlb.{}.entries", spec.name))));
  const auto& clock = kFigures[static_cast<std::size_t>(FigureId::clock_ghz)];
  const double ghz = pick(machine.figure(FigureId::clock_ghz), std::string(clock.name));
  for (const FigureInfo& info : kFigures) {
    const config::Figure& figure = machine.figure(info.id);
    drawn.values[static_cast<std::size_t>(info.id)] =
        priced(figure, info.dimension, pick(figure, std::string(info.name)), ghz);
  }
  return drawn;
}

}  // namespace

DrawnMachine draw_machine(const Machine& machine, std::uint64_t seed, std::uint64_t draw) {
  return assemble(machine, [&](const config::Figure& figure, const std::string& name) {
    RandomStream stream = RandomStream::named(seed, "machine." + name, {draw});
    return figure.draw(stream);
  });
}

DrawnMachine typical_machine(const Machine& machine) {
  return assemble(machine, [](const config::Figure& figure, const std::string&) { return figure.typical; });
}

}  // namespace tollgate::hw
