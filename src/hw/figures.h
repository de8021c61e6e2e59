// The catalogue of what a machine file must say: every price and property of a machine, with its unit and meaning, once.
// Loader, help, documentation and the timed world all read this list. Adding a figure = one enumerator and one line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "config/dimension.h"

namespace tollgate::hw {

enum class FigureId : std::uint8_t {
  clock_ghz,
  walk_setup,
  walk_fetch_near,
  walk_fetch_far,
  walk_near_lines,
  walk_stlb_hit,
  walk_exposed_instruction,
  walk_exposed_data,
  psc_pde_entries,
  psc_pdpte_entries,
  psc_pml4e_entries,
  psc_intermediate,
  psc_stage2,
  itlb_fractures_large_pages,
  entry_syscall,
  entry_sysret,
  entry_interrupt,
  entry_exception,
  entry_iret,
  cr3_write,
  flush_invlpg,
  flush_invpcid_address,
  flush_invpcid_all,
  flush_pge_toggle,
  flush_broadcast_issue,
  flush_broadcast_sync,
  flush_broadcast_per_cpu,
  flush_local_all,
  ipi_send,
  ipi_latency,
  ipi_handler,
  line_local,
  line_transfer_near,
  line_transfer_far,
  ibpb,
  vm_exit,
  vm_entry,
  vcpu_load,
  vcpu_put,
  count,
};
inline constexpr std::size_t kFigureCount = static_cast<std::size_t>(FigureId::count);

/// A `time` may be written in cycles or ns; the others as named.
using config::Dimension;

struct FigureInfo {
  FigureId id;
  std::string_view name;  // its path in the machine file, "table.key"
  Dimension dimension;
  std::string_view meaning;
};

inline constexpr std::array<FigureInfo, kFigureCount> kFigures{{
    {FigureId::clock_ghz, "clock.reference", Dimension::ghz, "core clock that cycles are counted in"},
    {FigureId::walk_setup, "walk.setup", Dimension::time, "fixed part of a page walk, before its first table fetch"},
    {FigureId::walk_fetch_near, "walk.fetch_near", Dimension::time,
     "one page-table fetch that hits the core's own caches"},
    {FigureId::walk_fetch_far, "walk.fetch_far", Dimension::time,
     "one page-table fetch from the last-level cache or memory"},
    {FigureId::walk_near_lines, "walk.near_lines", Dimension::entries,
     "page-table cache lines that stay in the core's own caches"},
    {FigureId::walk_stlb_hit, "walk.stlb_hit", Dimension::time, "a first-level miss that hits the second-level TLB"},
    {FigureId::walk_exposed_instruction, "walk.exposed_instruction", Dimension::ratio,
     "share of an instruction-side walk that the core does not hide"},
    {FigureId::walk_exposed_data, "walk.exposed_data", Dimension::ratio,
     "share of a data-side walk that the core does not hide"},
    {FigureId::psc_pde_entries, "psc.pde", Dimension::entries, "PDE-cache entries (each skips to the last fetch)"},
    {FigureId::psc_pdpte_entries, "psc.pdpte", Dimension::entries, "PDPTE-cache entries"},
    {FigureId::psc_pml4e_entries, "psc.pml4e", Dimension::entries, "PML4E-cache entries"},
    {FigureId::psc_intermediate, "psc.intermediate", Dimension::entries,
     "intermediate pages (IPAs) whose second-stage translation is kept for walks"},
    {FigureId::psc_stage2, "psc.stage2", Dimension::entries, "upper-level entries of the second stage that are kept"},
    {FigureId::itlb_fractures_large_pages, "itlb.fractures_large_pages", Dimension::ratio,
     "chance that the instruction side keeps large pages as 4K pieces"},
    {FigureId::entry_syscall, "entry.syscall", Dimension::time, "SYSCALL instruction"},
    {FigureId::entry_sysret, "entry.sysret", Dimension::time, "SYSRET instruction"},
    {FigureId::entry_interrupt, "entry.interrupt", Dimension::time,
     "delivery of an interrupt to its first instruction"},
    {FigureId::entry_exception, "entry.exception", Dimension::time,
     "delivery of a page fault to its first instruction"},
    {FigureId::entry_iret, "entry.iret", Dimension::time, "IRET to user mode"},
    {FigureId::cr3_write, "cr3.write", Dimension::time, "MOV to CR3, flushing or not"},
    {FigureId::flush_invlpg, "flush.invlpg", Dimension::time, "INVLPG of one page"},
    {FigureId::flush_invpcid_address, "flush.invpcid_address", Dimension::time,
     "INVPCID type 0: one address in one PCID"},
    {FigureId::flush_invpcid_all, "flush.invpcid_all", Dimension::time, "INVPCID type 2: everything, globals too"},
    {FigureId::flush_pge_toggle, "flush.pge_toggle", Dimension::time,
     "two writes of CR4 that toggle PGE, with interrupts off"},
    {FigureId::flush_broadcast_issue, "flush.broadcast_issue", Dimension::time,
     "issue of one hardware broadcast invalidation"},
    {FigureId::flush_broadcast_sync, "flush.broadcast_sync", Dimension::time,
     "wait until broadcast invalidations are done everywhere"},
    {FigureId::flush_broadcast_per_cpu, "flush.broadcast_per_cpu", Dimension::time,
     "what each CPU of the domain adds to that wait"},
    {FigureId::flush_local_all, "flush.local_all", Dimension::time,
     "TLBI of everything on this CPU alone, with its barrier"},
    {FigureId::ipi_send, "ipi.send", Dimension::time,
     "sender's work for an IPI round: queueing one target's request and writing the interrupt controller"},
    {FigureId::ipi_latency, "ipi.latency", Dimension::time, "from the send to the target taking the interrupt"},
    {FigureId::ipi_handler, "ipi.handler", Dimension::time,
     "target's generic interrupt work, without delivery, return or the flush itself"},
    {FigureId::line_local, "line.local", Dimension::time, "locked operation on a line already owned"},
    {FigureId::line_transfer_near, "line.transfer_near", Dimension::time,
     "a cache line moved between cores of one socket"},
    {FigureId::line_transfer_far, "line.transfer_far", Dimension::time, "a cache line moved between sockets"},
    {FigureId::ibpb, "mitigation.ibpb", Dimension::time, "indirect branch prediction barrier"},
    {FigureId::vm_exit, "vm.exit", Dimension::time, "from a trap in the guest to the host's run loop"},
    {FigureId::vm_entry, "vm.entry", Dimension::time, "from the host's run loop into the guest"},
    {FigureId::vcpu_load, "vm.load", Dimension::time, "loading a vCPU's registers when its task gets the CPU"},
    {FigureId::vcpu_put, "vm.put", Dimension::time, "saving them when the task loses it"},
}};

static_assert(
    [] {
      for (std::size_t i = 0; i < kFigureCount; ++i)
        if (static_cast<std::size_t>(kFigures[i].id) != i) return false;
      return true;
    }(),
    "kFigures lists the figures in the order of FigureId");

}  // namespace tollgate::hw
