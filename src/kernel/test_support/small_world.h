// SmallWorld: two or three CPUs, a few mms of a few pages, TLBs as sets of entries, and nothing else: small enough to be
// obviously right. It runs the TLB protocols one labelled step at a time under a schedule that the test chooses, and knows
// what a kernel must never let happen (findings in `violation`). A Mutation is one wrong step; the tests of the protocols
// must find each of them, or they could not find anything.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cpu_set.h"
#include "kernel/exit_to_user.h"
#include "kernel/shootdown.h"

namespace tollgate::kernel::testing {

inline constexpr hw::Vpn kUserPages = 4;    // of each mm: pages 0 to 3
inline constexpr hw::Vpn kKernelPages = 4;  // from hw::kKernelHalf on, the same for all

/// One step done wrong.
enum class Mutation : std::uint8_t {
  none,
  gen_read_before_mask_joined,
  gen_bumped_after_mask_read,
  remote_flush_not_sent,
  last_target_not_sent,
  acknowledgements_not_awaited,
  user_pcid_not_queued_at_full_flush,
  user_pcid_not_queued_at_page_flush,
  user_pcid_not_queued_at_switch,
  exit_keeps_despite_mask,
  page_flush_despite_gap,
  page_flush_despite_newer_gen,
  last_page_not_flushed,
  full_flush_forgotten,
  gen_read_again_at_publish,
  switch_never_flushes,
  recycled_slot_not_flushed,
  other_slots_kept_after_kernel_flush,
  kernel_globals_kept_at_full_flush,
  broadcast_to_loaded_slots_only,
  broadcast_publishes_despite_gap,
  count,
};

/// A TLB entry. Pages of the kernel half belong to kInitMm.
struct CachedPage {
  std::uint32_t pcid = 0;
  bool global = false;
  MmId mm;
  hw::Vpn page = 0;
  std::uint32_t version = 0;
  bool operator==(const CachedPage&) const = default;
};

/// A flush that has returned: nobody may use a translation of the page older than this.
struct Settled {
  std::uint32_t version = 0;
  std::uint64_t tlb_gen = 0;
};

/// A page-table entry: always present, and its version grows when it is written.
struct SmallPage {
  std::uint32_t version = 1;
  std::vector<Settled> settled;
};

struct SmallMm {
  std::uint64_t context_id = 0;
  std::uint64_t tlb_gen = 1;
  bool dumpable = true;
  CpuSet mask;
  std::vector<SmallPage> pages;
};

struct SmallCpu {
  CpuTlbState tlb;
  MmId root = kInitMm;  // CR3: whose tables, which half, which PCID
  bool user_half = false;
  std::uint32_t pcid = 0;
  std::vector<CachedPage> cached;
  bool in_user_mode = false;

  // What it is doing; a handler runs on top of a waiting shootdown, all else alone.
  std::optional<SwitchMm> switching;
  std::optional<ExitToUser> leaving;
  std::optional<FlushHandler> handling;
  std::optional<Shootdown<CpuSet>> flushing;
  struct Request {
    CpuId from;
    FlushRequest request;
  };
  Request served = {};
  bool back_to_user_mode = false;
  std::vector<Request> inbox;
  std::uint32_t acknowledgements_due = 0;
  std::vector<std::uint32_t> edited_to;  // the version that each page of the running shootdown got
  MmId late_bump = MmId::none();         // only under a mutation

  bool busy() const { return switching || leaving || handling; }
  bool interrupts_on() const { return !busy() && !(flushing && flushing->interrupts_off()); }
};

struct SmallSetup {
  Policy policy;
  bool invpcid = true;
  int cpus = 3;
  int mms = 3;
  Mutation mutation = Mutation::none;
};

/// How often the paths worth taking were taken.
struct SmallCounts {
  int full = 0, pages = 0, skipped = 0, lazy_leaves = 0, kept = 0, flushed_switches = 0, flushing_exits = 0, sends = 0,
      broadcasts = 0, settled = 0, rechecks = 0;
};

class SmallWorld {
 public:
  explicit SmallWorld(SmallSetup setup) : setup_(std::move(setup)) {
    for (int i = 0; i <= setup_.mms; ++i) {
      mms_.push_back({.context_id = std::uint64_t(i) + 1, .mask = {}, .pages = {}});
      mms_.back().pages.resize(i == 0 ? kKernelPages : kUserPages);
    }
    cpus_.resize(std::size_t(setup_.cpus));
    for (auto& cpu : cpus_) cpu.pcid = tagged() ? kernel_pcid(0) : 0;
  }

  const SmallSetup& setup() const { return setup_; }
  const Policy& policy() const { return setup_.policy; }
  int cpus() const { return setup_.cpus; }
  SmallCpu& cpu(CpuId id) { return cpus_[id.value]; }
  const SmallCpu& cpu(CpuId id) const { return cpus_[id.value]; }
  SmallMm& mm(MmId id) { return mms_[id.value]; }
  const SmallMm& mm(MmId id) const { return mms_[id.value]; }
  bool tagged() const { return policy().pcid == PcidUse::on; }
  bool isolated() const { return policy().pti == Pti::on; }
  bool is(Mutation mutation) const { return setup_.mutation == mutation; }
  static MmId owner_of(hw::Vpn vpn, MmId root) { return vpn >= hw::kKernelHalf ? kInitMm : root; }
  SmallPage& page(MmId owner, hw::Vpn vpn) { return mm(owner).pages[vpn & (hw::kKernelHalf - 1)]; }
  const SmallPage& page(MmId owner, hw::Vpn vpn) const { return mm(owner).pages[vpn & (hw::kKernelHalf - 1)]; }

  /// The first thing that went wrong; empty while all is well.
  std::string violation;
  SmallCounts counts;
  std::vector<std::string> log;  // what the protocols asked of the world, in order; kept when `logs`
  bool logs = false;
  void note(std::string text) {
    if (logs) log.push_back(std::move(text));
  }
  void violate(std::string text) {
    if (violation.empty()) violation = std::move(text);
  }

 private:
  SmallSetup setup_;
  std::vector<SmallMm> mms_;
  std::vector<SmallCpu> cpus_;
};

}  // namespace tollgate::kernel::testing
