// Record: what a trace is made of. A fetch run, a data run, or a kernel event, in program order within its stream.
//
// Runs are collapsed so that nothing a TLB could see is lost. A fetch run is consecutive fetches from one page in one
// mode; the data runs that follow it, up to the next fetch run, were made by its instructions. A data run is consecutive
// accesses to one page in one mode while the fetch page stayed the same. Every fetch or access that was folded into a run
// follows another of the same side on the same page, so it hits the first level of that side and moves nothing there
// or below. That is exact for machines whose first level is split into fetch and data, which is all we model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tollgate::trace {

enum class Mode : std::uint8_t { user, kernel };

/// The numbers are the file's. Kinds from 16 up are events.
enum class Kind : std::uint8_t {
  fetch = 0,
  data = 1,
  syscall = 16,
  page_fault = 17,
  interrupt = 18,
  kernel_exit = 19,
  context_switch = 20,
  mm_switch = 21,
  pte_map = 22,
  pte_unmap = 23,
  pte_protect = 24,
  flush = 25,
  marker = 26,
  order = 27,
  lost = 28,
};
inline constexpr std::uint8_t kFirstEvent = 16;
inline constexpr std::uint8_t kEventKinds = 13;

struct EventKindInfo {
  Kind kind;
  std::string_view name;
  std::string_view first;   // what Record::page holds
  std::string_view second;  // what Record::value holds
};
/// In the order of Kind, from kFirstEvent.
inline constexpr std::array<EventKindInfo, kEventKinds> kEventKindInfo{{
    {Kind::syscall, "system calls", "number", ""},
    {Kind::page_fault, "page faults", "page", "1 when it was a write"},
    {Kind::interrupt, "interrupts", "vector", ""},
    {Kind::kernel_exit, "returns to user mode", "", ""},
    {Kind::context_switch, "context switches", "task now running", ""},
    {Kind::mm_switch, "mm switches", "address space now loaded", "1 when its tag was kept"},
    {Kind::pte_map, "pages mapped", "first page", "pages"},
    {Kind::pte_unmap, "pages unmapped", "first page", "pages"},
    {Kind::pte_protect, "protection changes", "first page", "pages"},
    {Kind::flush, "TLB flushes", "first page", "pages, 0 for all"},
    {Kind::marker, "markers", "value", ""},
    {Kind::order, "order marks", "number common to all streams", ""},
    {Kind::lost, "losses", "records the recorder lost", ""},
}};

/// The description of an event kind; nothing when `kind` is not one we know.
constexpr std::optional<EventKindInfo> event_kind_info(Kind kind) {
  const int index = static_cast<int>(kind) - kFirstEvent;
  if (index < 0 || index >= kEventKinds) return std::nullopt;
  return kEventKindInfo[static_cast<std::size_t>(index)];
}

struct Record {
  std::uint64_t page = 0;          // fetch, data: number of the 4K page (address >> 12); event: its first value
  std::uint64_t value = 0;         // event: its second value
  std::uint32_t instructions = 0;  // fetch: instructions that begin in the page; 0 when only a tail reaches into it
  std::uint32_t reads = 0;         // data
  std::uint32_t writes = 0;        // data; an access that reads and writes counts in both
  std::uint16_t stream = 0;        // CPU, or thread of a recorded program
  Kind kind = Kind::fetch;
  Mode mode = Mode::user;  // fetch, data

  bool is_event() const { return static_cast<std::uint8_t>(kind) >= kFirstEvent; }
  bool operator==(const Record&) const = default;
};
static_assert(sizeof(Record) == 32);

}  // namespace tollgate::trace
