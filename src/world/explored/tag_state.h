// TagState: the small world in which a tag allocator is explored: a few CPUs, each with its part of the allocator's
// variables, its scheduler and its TLB; the contexts (VMs or mms); and what all share. Plain and copyable.
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
  /// Whose translations the TLB holds under each index. One context an index: when a second one comes, `clash` says so and
  /// the exploration ends there.
  std::array<std::uint8_t, kMostIndices> tlb = filled();
  std::uint8_t clash = 0;  // the index with translations of two contexts

  bool operator==(const TagCpu&) const = default;

 private:
  static constexpr std::array<std::uint8_t, kMostIndices> filled() {
    std::array<std::uint8_t, kMostIndices> empty{};
    empty.fill(kNoContext);
    return empty;
  }
};

template <typename Protocol>
struct TagState {
  std::uint32_t generation = kernel::kFirstGeneration;
  std::uint32_t cursor = 0;
  std::uint32_t taken = 0;       // a bit an index
  std::uint8_t lock_holder = 0;  // the CPU's number + 1; 0 is free
  std::array<TagCpu<Protocol>, kMostTagCpus> cpus{};
  std::array<kernel::Tag, kMostContexts> tags{};  // of each context

  bool operator==(const TagState&) const = default;
};

/// How long the TLB may fill from a context's tables.
enum class Speculation : std::uint8_t {
  guest,  // between entry and exit
  vttbr,  // as long as the base register holds the context, also after exit and schedule-out
};

struct TagSetting {
  std::uint32_t cpus = 2;
  std::uint32_t contexts = 4;
  std::uint32_t indices = 4;  // the host's 0 included
  Speculation speculation = Speculation::guest;
  kernel::TagPolicy policy = {};
  /// A vCPU may turn back between its update and the guest (a signal, a request); a switch of mms goes through.
  enum class TurnBack : std::uint8_t { never, possible } turn_back = TurnBack::possible;
  std::uint32_t most_generations = 0;  // explore up to this generation only; 0: no bound, generations are renamed
};

}  // namespace tollgate::explored
