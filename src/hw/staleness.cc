#include "hw/staleness.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/check.h"

namespace tollgate::hw {
namespace {

std::uint64_t frame_of(const Mapping& mapping, Vpn vpn) { return mapping.frame + (vpn - mapping.first); }

/// What the stale translation still allows that the page tables do not; nothing where it makes no difference.
std::optional<StaleChange> harm(const Use& use, const Mapping* current) {
  if (current == nullptr) return StaleChange::page_invalidated;
  if (frame_of(use.used->mapping, use.vpn) != frame_of(*current, use.vpn)) return StaleChange::frame_changed;
  if (use.reference == Reference::write && use.used->mapping.writable && !current->writable)
    return StaleChange::rights_reduced;
  return std::nullopt;
}

}  // namespace

void StalenessValidator::OpenEdit::set_done_on(CpuId cpu) {
  if (done.size() <= cpu.value / 64) done.resize(cpu.value / 64 + 1);
  done[cpu.value / 64] |= std::uint64_t{1} << cpu.value % 64;
}

EditId StalenessValidator::on_table_write(const TableWrite& write, Cycles now) {
  CHECK(write.pages > 0, "an edit has pages");
  const EditId id(next_edit_++);
  open_.try_emplace(id.value, OpenEdit{write, now, {}});
  tables_[write.tables].open.push_back(id);
  mark_edited(write);
  return id;
}

void StalenessValidator::mark_edited(const TableWrite& write) {
  if (write.pages >= kFilterBits) return filter_.fill(~std::uint64_t{0});
  for (Vpn vpn = write.first; vpn < write.first + write.pages; ++vpn)
    filter_[filter_bit(vpn) / 64] |= std::uint64_t{1} << filter_bit(vpn) % 64;
}

void StalenessValidator::on_flush_finished(EditId edit, CpuId cpu) {
  const auto open = open_.find(edit.value);
  if (open != open_.end()) open->second.set_done_on(cpu);
}

void StalenessValidator::on_flush_finished(EditId edit, Cycles now) {
  const auto open = open_.find(edit.value);
  CHECK(open != open_.end(), "a flush finishes once");
  Tables& tables = tables_[open->second.write.tables];
  windows_.add(now - open->second.written);
  finish(tables.finished, open->second);
  std::erase(tables.open, edit);
  open_.erase(open);
}

void StalenessValidator::on_space_flushed(std::uint32_t tables, CpuId cpu) {
  const auto known = tables_.find(tables);
  if (known == tables_.end()) return;
  for (EditId edit : known->second.open) open_.find(edit.value)->second.set_done_on(cpu);
}

void StalenessValidator::judge(const Use& use, const Mapping* current, Cycles now) {
  const std::optional<StaleChange> change = harm(use, current);
  if (!change) return;
  const Translation& used = *use.used;
  if (!used.mapping.global && used.identity != use.root->identity())
    violate(use, StaleRule::another_space, *change, now);
  else
    judge_window(use, *change, now);
}

// The oldest open edit that made the translation stale opened its window; any finished one closed it.
void StalenessValidator::judge_window(const Use& use, StaleChange change, Cycles now) {
  const Tables& tables = tables_[use.root->table_identity(use.vpn)];
  const Finished* finished = finished_at(tables, use);
  const OpenEdit* open = oldest_open(tables, use);
  if (finished == nullptr && open == nullptr) return violate(use, StaleRule::no_flush_owed, change, now);
  const Cycles written = std::min(finished != nullptr ? finished->written : now, open != nullptr ? open->written : now);
  if (reused_since(use, written)) return violate(use, StaleRule::use_of_reused_frame, change, now);
  if (finished != nullptr || open->is_done_on(use.cpu)) return violate(use, StaleRule::use_after_flush, change, now);
  lags_[static_cast<std::size_t>(change)].add(now - open->written);
}

bool StalenessValidator::reused_since(const Use& use, Cycles written) const {
  const auto reused = reused_.find(frame_of(use.used->mapping, use.vpn));
  return reused != reused_.end() && reused->second >= written;
}

const StalenessValidator::OpenEdit* StalenessValidator::oldest_open(const Tables& tables, const Use& use) const {
  for (EditId id : tables.open) {
    const OpenEdit& edit = open_.find(id.value)->second;
    if (use.vpn - edit.write.first < edit.write.pages && use.used->mapping.version < edit.write.stale_below)
      return &edit;
  }
  return nullptr;
}

const StalenessValidator::Finished* StalenessValidator::finished_at(const Tables& tables, const Use& use) const {
  const auto after = tables.finished.upper_bound(use.vpn);
  if (after == tables.finished.begin()) return nullptr;
  const Finished& stretch = std::prev(after)->second;
  return use.vpn < stretch.end && use.used->mapping.version < stretch.stale_below ? &stretch : nullptr;
}

/// Makes `at` a border between two stretches, if it lies inside one.
void StalenessValidator::split(std::map<Vpn, Finished>& finished, Vpn at) {
  const auto after = finished.upper_bound(at);
  if (after == finished.begin()) return;
  auto& [first, stretch] = *std::prev(after);
  if (first == at || stretch.end <= at) return;
  finished.emplace_hint(after, at, stretch);
  stretch.end = at;
}

// Flushes may finish in another order than their edits were written, so the newer version wins stretch by stretch.
void StalenessValidator::finish(std::map<Vpn, Finished>& finished, const OpenEdit& edit) {
  const Vpn first = edit.write.first;
  const Vpn end = first + edit.write.pages;
  split(finished, first);
  split(finished, end);
  Vpn covered = first;  // pages before this one are taken care of
  for (auto at = finished.lower_bound(first); at != finished.end() && at->first < end;) {
    const bool newer_is_there = at->second.stale_below >= edit.write.stale_below;
    if (!newer_is_there) {
      at = finished.erase(at);
      continue;
    }
    if (covered < at->first)
      finished.emplace_hint(at, covered, Finished{at->first, edit.write.stale_below, edit.written});
    covered = at->second.end;
    ++at;
  }
  if (covered < end) finished.emplace(covered, Finished{end, edit.write.stale_below, edit.written});
}

void StalenessValidator::violate(const Use& use, StaleRule rule, StaleChange change, Cycles now) {
  ++violations_by_rule_[static_cast<std::size_t>(rule)];
  if (violations_.size() < kViolationsKept) violations_.push_back({now, use.cpu, use.vpn, rule, change, *use.used});
}

std::uint64_t StalenessValidator::violation_count() const {
  return std::accumulate(violations_by_rule_.begin(), violations_by_rule_.end(), std::uint64_t{0});
}

Durations StalenessValidator::lag() const {
  Durations all;
  for (const Durations& each : lags_) {
    all.count += each.count;
    all.total += each.total;
    all.max = std::max(all.max, each.max);
  }
  return all;
}

std::string_view to_text(StaleRule rule) {
  switch (rule) {
    case StaleRule::use_after_flush:
      return "stale use after flush";
    case StaleRule::use_of_reused_frame:
      return "use of a reused frame";
    case StaleRule::no_flush_owed:
      return "changed without flush";
    case StaleRule::another_space:
      return "entry of another address space";
    case StaleRule::count:
      break;
  }
  return "?";
}

std::string_view to_text(StaleChange change) {
  switch (change) {
    case StaleChange::page_invalidated:
      return "page invalidated";
    case StaleChange::frame_changed:
      return "frame changed";
    case StaleChange::rights_reduced:
      return "rights reduced";
    case StaleChange::count:
      break;
  }
  return "?";
}

}  // namespace tollgate::hw
