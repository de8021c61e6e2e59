// MmState: the small world in which the x86 mm switch, shootdown and user-PCID flush are explored: a few CPUs with their TLB
// variables, what each is in the middle of, and what its TLB holds; and a few mms of two pages each. Plain and copyable.
#pragma once

#include <array>
#include <cstdint>

#include "kernel/exit_to_user.h"
#include "kernel/shootdown.h"
#include "world/explored/small_cpu_set.h"

namespace tollgate::explored {

inline constexpr std::uint32_t kMostMmCpus = 3;
inline constexpr std::uint32_t kMostMms = 3;  // init_mm is number 0
inline constexpr std::uint32_t kPages = 2;    // two, so that a request for one page can miss the other's edit

enum class Half : std::uint8_t { kernel, user };

/// A cached translation of a page: whose, and as of which edit of the page. The first version is 1; 0 is no entry.
struct CachedPage {
  std::uint8_t mm = 0;
  std::uint8_t version = 0;
  bool operator==(const CachedPage&) const = default;
};

enum class Doing : std::uint8_t { nothing, switching, flushing, exiting };

struct MmCpu {
  kernel::CpuTlbState tlb;
  Half half = Half::kernel;  // of the loaded root; user is user mode
  Doing doing = Doing::nothing;
  kernel::SwitchMm switching;
  kernel::Shootdown<SmallCpuSet> flushing;
  kernel::ExitToUser exiting;
  std::uint8_t edited_page = 0;  // what this CPU's shootdown is for
  std::uint8_t edited_version = 0;
  std::array<kernel::FlushRequest, kMostMmCpus> inbox{};  // a request a sender
  SmallCpuSet senders;                                    // whose requests wait
  std::uint8_t handling = 0;                              // the sender's number + 1
  kernel::FlushHandler handler;
  SmallCpuSet acknowledgements_due;
  std::array<std::array<std::array<CachedPage, kPages>, 2>, kernel::kDynamicSlots> cached{};  // by slot and half
};

struct Mm {
  std::uint8_t tlb_gen = 1;
  SmallCpuSet mask;
  std::array<std::uint8_t, kPages> version{1, 1};
  std::array<std::uint8_t, kPages> settled{1, 1};  // no older translation may be used: its flush has returned
};

struct MmState {
  std::array<MmCpu, kMostMmCpus> cpus{};
  std::array<Mm, kMostMms> mms{};
  std::uint8_t edits = 0;
};

struct MmSetting {
  std::uint32_t cpus = 2;
  std::uint32_t mms = 2;    // beside init_mm
  std::uint32_t edits = 3;  // in all: the bound of the exploration
  kernel::Policy policy = {};
};

}  // namespace tollgate::explored
