// Observation: what user mode could reach and what its TLB would still hit, at moments spread evenly over time.
#include <algorithm>

#include "world/timed/world.h"

namespace tollgate::world {

using evidence::MemoryKind;

namespace {

void add(std::array<double, evidence::kMemoryKinds>& sums, MemoryKind kind, double bytes) {
  sums[static_cast<std::size_t>(kind)] += bytes;
}

}  // namespace

// Every CPU is looked at after equal stretches of its time in user mode, so the mean is weighted by that time. A look can
// come at any instruction: looks at entries or exits alone would always find a TLB that was just flushed, or just filled.
void World::observe_if_due(Cpu& cpu) {
  if (cpu.user_time() < cpu.next_observation) return;
  cpu.next_observation += observation_period_;
  if (cpu.now >= window_begin_ && cpu.now < window_end_) observe(cpu);
}

void World::observe(Cpu& cpu) {
  ++observations_;
  const bool isolated = setup_.policy.pti == kernel::Pti::on;
  const Mm& current = mm(cpu.tlb.loaded_mm);
  add(mapped_sum_, MemoryKind::own, double(current.space.present_pages()) * 4096);
  for (const auto& range : kernel_map_.ranges())
    if (!isolated || range.in_user_root) add(mapped_sum_, range.kind, double(range.pages) * 4096);

  // A page may stand in several arrays, and a large page in pieces: each key counts once.
  std::vector<std::pair<std::uint64_t, MemoryKind>> entries;
  cpu.mmu.for_each_usable([&](const hw::TlbArray::Entry& entry) {
    entries.emplace_back(entry.key.bits(), entry.translation.mapping.kind);
  });
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (const auto& [key, kind] : entries) {
    const auto size = static_cast<hw::PageSize>(key >> 37 & 3);
    add(cached_sum_, kind, double(hw::bytes_of(size)));
  }
}

evidence::Exposure World::exposure() const {
  evidence::Exposure exposure;
  const double n = observations_ == 0 ? 1 : double(observations_);
  for (std::size_t kind = 0; kind < evidence::kMemoryKinds; ++kind) {
    exposure.mapped_bytes[kind] = mapped_sum_[kind] / n;
    exposure.cached_bytes[kind] = cached_sum_[kind] / n;
  }
  const hw::Durations& windows = staleness_.windows();
  const double us = setup_.machine->value(hw::FigureId::clock_ghz) * 1e3;  // cycles in a microsecond
  exposure.stale_entries = double(windows.count);
  exposure.stale_mean_us = windows.count == 0 ? 0 : double(windows.total.value) / double(windows.count) / us;
  exposure.stale_max_us = double(windows.max.value) / us;
  return exposure;
}

}  // namespace tollgate::world
