#include "simulate/setup.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>

namespace tollgate::simulate {
namespace {

constexpr int kMostEntries = 1 << 20;

int whole(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

void add_array(hw::DrawnMachine& machine, std::string name, int level, hw::Side side, const Geometry& geometry,
               hw::Replacement policy) {
  if (geometry.entries == 0) return;
  machine.tlb.push_back(
      {std::move(name), level, side, {true, true, true}, geometry.sets(), geometry.ways_of_set(), policy, false});
}

Result<void> check_policy(const Geometry& geometry, std::string_view option, hw::Replacement policy) {
  const auto ways = unsigned(geometry.entries == 0 ? 1 : geometry.ways_of_set());
  if (policy != hw::Replacement::plru || (std::has_single_bit(ways) && ways <= 64)) return {};
  return fail(fmt::format("{} {}: tree-PLRU needs a power of two of ways, at most 64", option, geometry.text()));
}

}  // namespace

std::string Geometry::text() const {
  return ways == hw::kFullyAssociative ? fmt::format("{}xfull", entries) : fmt::format("{}x{}", entries, ways);
}

Result<Geometry> parse_geometry(std::string_view text, std::string_view option) {
  const std::size_t cross = text.find('x');
  const std::string_view behind = cross == std::string_view::npos ? "" : text.substr(cross + 1);
  const int entries = whole(text.substr(0, cross));
  const int ways = behind == "full" ? hw::kFullyAssociative : whole(behind);
  if (entries < 1 || ways < 0 || (ways == 0 && behind != "full"))
    return fail(fmt::format("{} '{}' is no geometry: write ENTRIESxWAYS, as 64x4, or 64xfull", option, text));
  if (entries > kMostEntries) return fail(fmt::format("{} '{}': at most {} entries", option, text, kMostEntries));
  if (ways > 0 && entries % ways != 0)
    return fail(fmt::format("{} '{}': {} ways do not divide {} entries (did you mean {}x{}?)", option, text, ways,
                            entries, entries + ways - entries % ways, ways));
  return Geometry{entries, ways};
}

Result<Setup> geometry_setup(const Geometries& geometries, hw::Replacement policy) {
  const auto& [l1d, l1i, l2] = geometries;
  TRY(check_policy(l1d, "--l1d", policy));
  TRY(check_policy(l1i, "--l1i", policy));
  TRY(check_policy(l2, "--l2", policy));
  Setup setup;
  setup.name = fmt::format("l1d {}, l1i {}, l2 {}", l1d.text(), l1i.text(), l2.entries == 0 ? "none" : l2.text());
  setup.machine.name = setup.name;
  add_array(setup.machine, "l1d", 1, hw::Side::data, l1d, policy);
  add_array(setup.machine, "l1i", 1, hw::Side::instruction, l1i, policy);
  add_array(setup.machine, "l2", 2, hw::Side::both, l2, policy);
  return setup;
}

Setup machine_setup(const hw::Machine& machine) {
  Setup setup;
  setup.name = machine.name;
  setup.machine = hw::typical_machine(machine);
  setup.tags = machine.features.pcid ? Tags::pcid : Tags::none;
  setup.globals = machine.features.global_pages ? Globals::kernel : Globals::none;
  const auto entries = [&](hw::FigureId id) { return std::size_t(std::max(0.0, setup.machine.value(id))); };
  setup.walk_caches = {entries(hw::FigureId::psc_pde_entries), entries(hw::FigureId::psc_pdpte_entries),
                       entries(hw::FigureId::psc_pml4e_entries)};
  return setup;
}

}  // namespace tollgate::simulate
