// TagState: the small world in which a tag allocator is explored: a few CPUs, each with its part of the allocator's
// variables, its scheduler and its base register; one TLB entry; the contexts (VMs or mms); and what all share. Plain and copyable.
#pragma once

#include <array>
#include <cstdint>

#include "kernel/tag.h"
#include "kernel/tag_bitmap.h"
#include "kernel/tag_counter.h"
#include "kernel/tag_wrapping.h"
#include "world/explored/small_cpu_set.h"

namespace tollgate::explored {

inline constexpr std::uint32_t kMostTagCpus = 6;
inline constexpr std::uint32_t kMostContexts = 16;
inline constexpr std::uint32_t kMostIndices = 32;  // the host's 0 included; wider tags than contexts never roll over
inline constexpr std::uint8_t kNoContext = 0xff;
inline constexpr std::uint8_t kNoCpu = 0xff;

/// Where a CPU is in its loop: load a context, update its tag, enter, run, exit, again or schedule it out.
enum class Phase : std::uint8_t { idle, updating, ready, running, exited };

template <typename Protocol>
struct TagCpu {
  kernel::Tag active = {};
  kernel::Tag reserved = {};
  Protocol update = {};
  Phase phase = Phase::idle;
  std::uint8_t context = kNoContext;       // what the scheduler loaded
  std::uint8_t base_context = kNoContext;  // whose tables the base register holds, where the TLB may fill from it
  std::uint8_t base_index = 0;             // and under which index
  bool interrupts_off = false;
  bool exit_requested = false;  // an IPI is on its way
  bool flush_pending = false;
  bool unflushed =
      false;  // Behaviour::wider: holds anything whatever, until its flush; to enter before that is a clash

  bool operator==(const TagCpu&) const = default;
};

/// The one TLB entry under observation. A clash is two entries of one CPU under one index, of two contexts; TLBs decide nothing
/// that a protocol does. So it is enough to watch one entry from its fill to its flush, and to try every entry as the one to
/// watch (the choice is made at the fill): the exploration finds a clash if and only if one with whole TLBs would, with one
/// entry in the state in place of CPUs x indices.
struct WatchedEntry {
  std::uint8_t cpu = kNoCpu;
  std::uint8_t index = 0;
  std::uint8_t context = kNoContext;
  bool clash = false;  // that CPU has filled the same index for another context; the exploration ends there
  bool operator==(const WatchedEntry&) const = default;
};

/// A reservation that nothing will read again; see TagModel::forget.
inline constexpr kernel::Tag kDeadTag{kernel::kFirstGeneration + 1, 0};

template <typename Protocol>
struct TagState {
  std::uint32_t generation = kernel::kFirstGeneration;
  std::uint32_t cursor = 0;
  std::uint32_t taken = 0;       // a bit an index
  std::uint8_t lock_holder = 0;  // the CPU's number + 1; 0 is free
  WatchedEntry watched = {};
  std::array<TagCpu<Protocol>, kMostTagCpus> cpus{};
  std::array<kernel::Tag, kMostContexts> tags{};  // of each context

  bool operator==(const TagState&) const = default;
};

/// How long the TLB may fill from a context's tables.
enum class Speculation : std::uint8_t {
  guest,  // between entry and exit
  vttbr,  // as long as the base register holds the context, also after exit and schedule-out
};

/// What can happen. The wider behaviour takes in all of the exact one, has far fewer states, and can only add violations.
enum class Behaviour : std::uint8_t {
  exact,  // a TLB holds what it has been filled with; a search for a free index goes on from the cursor
  wider,  // a TLB holds, too, what every owner of an index would leave there; a search finds any free index
};

/// Whether the context's index is its own: its tag is of the current generation, or reserved.
template <typename Protocol>
bool owns_index(const TagState<Protocol>& state, std::uint8_t context) {
  const kernel::Tag tag = state.tags[context];
  if (tag.index == 0) return false;
  if (tag.generation == state.generation) return true;
  for (const TagCpu<Protocol>& cpu : state.cpus)
    if (cpu.reserved == tag) return true;
  return false;
}

struct TagSetting {
  std::uint32_t cpus = 2;
  std::uint32_t contexts = 4;
  std::uint32_t indices = 4;  // the host's 0 included
  Speculation speculation = Speculation::guest;
  Behaviour behaviour = Behaviour::exact;
  kernel::TagPolicy policy = {};
  /// A vCPU may turn back between its update and the guest (a signal, a request); a switch of mms goes through.
  enum class TurnBack : std::uint8_t { never, possible } turn_back = TurnBack::possible;
  std::uint32_t most_generations = 0;  // explore up to this generation only; 0: no bound, generations are renamed
};

}  // namespace tollgate::explored
