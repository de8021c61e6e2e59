// StalenessValidator: was a translation used after it was allowed to be? A cached translation may lawfully outlive its
// page-table entry until the flush that the edit owes is finished. It knows that window for each CPU:
//
//   page-table write -> flush finished (on this CPU, or everywhere as the editor believes) -> frame given to another
//
// A stale use inside the window is lag, counted with its length. After it, it is a violation; so a shootdown that
// misses a CPU shows up as soon as that CPU uses what it kept. Nothing here knows how a kernel flushes: it is told what
// happened.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "base/cycles.h"
#include "base/id.h"
#include "hw/mmu.h"

namespace tollgate::hw {

using EditId = Id<struct EditTag, std::uint64_t>;

/// A write of page-table entries that takes something away: a page, its frame, or a right.
struct TableWrite {
  std::uint32_t tables = 0;  // PageTableRoot::table_identity of the pages
  Vpn first = 0;
  Vpn pages = 0;
  std::uint32_t stale_below = 0;  // translations of these pages with a smaller version are what the write replaced
};

/// A reference by `cpu` that used a cached translation.
struct Use {
  CpuId cpu;
  Reference reference = Reference::read;
  Vpn vpn = 0;
  const Translation* used = nullptr;
  const PageTableRoot* root = nullptr;  // the one loaded now
};

enum class StaleRule : std::uint8_t {
  use_after_flush,      // the flush was finished, and the entry was still there
  use_of_reused_frame,  // the frame behind it belongs to someone else by now, finished or not
  no_flush_owed,        // the entry changed and nobody announced a flush
  another_space,        // filled from another address space: its tag was handed on without a flush
  count,
};
enum class StaleChange : std::uint8_t { page_invalidated, frame_changed, rights_reduced, count };

struct StaleViolation {
  Cycles time;
  CpuId cpu;
  Vpn vpn = 0;
  StaleRule rule = StaleRule::use_after_flush;
  StaleChange change = StaleChange::page_invalidated;
  Translation used;
};

/// How many, how long together, and the longest.
struct Durations {
  std::uint64_t count = 0;
  Cycles total;
  Cycles max;
  void add(Cycles duration) {
    ++count;
    total += duration;
    max = std::max(max, duration);
  }
};

/// What to look up: every use, or only uses of pages that an announced edit ever touched, which costs next to nothing
/// in a run that edits little and cannot see edits that nobody announced.
enum class Watch : std::uint8_t { everything, announced_pages };

class StalenessValidator {
 public:
  explicit StalenessValidator(Watch watch) : watch_(watch) {}

  /// Announces an edit, and that its flush is owed from `now` on. Writes that only add something need no announcement.
  EditId on_table_write(const TableWrite& write, Cycles now);
  /// `cpu` has done its part: its own uses of the old entries are violations from now on.
  void on_flush_finished(EditId edit, CpuId cpu);
  /// The editor takes the flush for done on every CPU.
  void on_flush_finished(EditId edit, Cycles now);
  /// `cpu` has dropped everything it had from these tables: its part of every edit announced so far.
  void on_space_flushed(std::uint32_t tables, CpuId cpu);
  /// The frame was given to a new owner.
  void on_frame_reused(std::uint64_t frame, Cycles now) { reused_[frame] = now; }
  /// Call for every use of a translation that did not come from a walk just now. Costs at most a page-table look-up and
  /// a compare unless the translation is stale.
  void on_use(const Use& use, Cycles now) {
    const bool own = use.used->mapping.global || use.used->identity == use.root->identity();
    if (own && watch_ == Watch::announced_pages && !may_be_edited(use.vpn)) [[likely]]
      return;
    const Mapping* current = use.root->find(use.vpn);
    if (own && current != nullptr && current->version == use.used->mapping.version) [[likely]]
      return;
    judge(use, current, now);
  }

  /// The first kViolationsKept, in order of time; `count` tells how many there were.
  const std::vector<StaleViolation>& violations() const { return violations_; }
  std::uint64_t count(StaleRule rule) const { return violations_by_rule_[static_cast<std::size_t>(rule)]; }
  std::uint64_t violation_count() const;
  /// Lawful stale uses, by what had changed: from the page-table write to the use.
  const Durations& lag(StaleChange change) const { return lags_[static_cast<std::size_t>(change)]; }
  Durations lag() const;
  /// Edits whose flush has finished everywhere: from the write to there.
  const Durations& windows() const { return windows_; }
  std::size_t open_edits() const { return open_.size(); }

  static constexpr std::size_t kViolationsKept = 1000;

 private:
  struct OpenEdit {
    TableWrite write;
    Cycles written;
    std::vector<std::uint64_t> done;  // a bit a CPU
    bool is_done_on(CpuId cpu) const {
      return cpu.value / 64 < done.size() && (done[cpu.value / 64] >> cpu.value % 64 & 1);
    }
    void set_done_on(CpuId cpu);
  };
  /// A stretch of pages whose flush is finished: translations below this version may not be used by anyone.
  struct Finished {
    Vpn end = 0;
    std::uint32_t stale_below = 0;
    Cycles written;
  };
  struct Tables {
    std::vector<EditId> open;          // oldest first
    std::map<Vpn, Finished> finished;  // by first page; stretches do not overlap
  };

  static constexpr std::size_t kFilterBits = 1 << 16;
  static std::size_t filter_bit(Vpn vpn) { return (vpn * 0x9e3779b97f4a7c15) >> 48; }
  bool may_be_edited(Vpn vpn) const { return filter_[filter_bit(vpn) / 64] >> filter_bit(vpn) % 64 & 1; }
  void mark_edited(const TableWrite& write);

  void judge(const Use& use, const Mapping* current, Cycles now);
  void judge_window(const Use& use, StaleChange change, Cycles now);
  const OpenEdit* oldest_open(const Tables& tables, const Use& use) const;
  const Finished* finished_at(const Tables& tables, const Use& use) const;
  static void finish(std::map<Vpn, Finished>& finished, const OpenEdit& edit);
  static void split(std::map<Vpn, Finished>& finished, Vpn at);
  void violate(const Use& use, StaleRule rule, StaleChange change, Cycles now);
  bool reused_since(const Use& use, Cycles written) const;

  Watch watch_;
  std::uint64_t next_edit_ = 0;
  std::array<std::uint64_t, kFilterBits / 64> filter_{};  // by hash of the page: some edit touched it
  boost::unordered_flat_map<std::uint64_t, OpenEdit> open_;
  boost::unordered_flat_map<std::uint32_t, Tables> tables_;
  boost::unordered_flat_map<std::uint64_t, Cycles> reused_;  // by frame: when it was last given away
  std::vector<StaleViolation> violations_;
  std::array<std::uint64_t, static_cast<std::size_t>(StaleRule::count)> violations_by_rule_{};
  std::array<Durations, static_cast<std::size_t>(StaleChange::count)> lags_{};
  Durations windows_;
};

std::string_view to_text(StaleRule rule);
std::string_view to_text(StaleChange change);

}  // namespace tollgate::hw
