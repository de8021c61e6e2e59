#include "hw/tlb_layout.h"

#include "base/check.h"

namespace tollgate::hw {

TlbLayout::TlbLayout(const DrawnMachine& machine) {
  const int threads = machine.topology.threads_per_core;
  CHECK(threads >= 1 && threads <= int(kMaxThreads), "the loader admits one or two threads a core");
  for (const auto& spec : machine.tlb)
    for (int copy = 0; copy < (spec.per_thread ? threads : 1); ++copy)
      arrays_.push_back({spec, spec.per_thread ? copy : -1});
  CHECK(arrays_.size() < 256, "a core has few TLB arrays");
  const bool fractured = machine.value(FigureId::itlb_fractures_large_pages) >= 0.5;
  for (Side side : {Side::instruction, Side::data})
    for (int level : {1, 2})
      for (std::uint32_t thread = 0; thread < kMaxThreads; ++thread)
        routes_[index(side, level, thread)] =
            make_route(side, level, thread, fractured && side == Side::instruction && level == 1);
}

TlbLayout::Route TlbLayout::make_route(Side side, int level, std::uint32_t thread, bool fractured) const {
  Route route;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const auto& [spec, owner] = arrays_[i];
    if (spec.level != level || (spec.side != side && spec.side != Side::both)) continue;
    if (owner >= 0 && owner != int(thread)) continue;
    for (int size = 0; size < kPageSizes; ++size)
      if (spec.holds[std::size_t(size)]) route.probes.push_back({std::uint8_t(i), static_cast<PageSize>(size)});
  }
  const auto first_holding = [&](PageSize size) {
    for (const Probe& probe : route.probes)
      if (probe.size == size) return Home{probe.array, size};
    return Home{};
  };
  for (int size = 0; size < kPageSizes; ++size) {
    Home& home = route.homes[std::size_t(size)];
    if (!fractured) home = first_holding(static_cast<PageSize>(size));
    if (home.array < 0 && level == 1) home = first_holding(PageSize::k4K);
  }
  return route;
}

}  // namespace tollgate::hw
