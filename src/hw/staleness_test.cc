#include "hw/staleness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "hw/test_support/machines.h"
#include "hw/test_support/page_tables.h"

namespace tollgate::hw {
namespace {

using evidence::FlushCause;

constexpr Vpn kPage = 0x10;
constexpr CpuId kCpu0{0};
constexpr CpuId kCpu1{1};

/// Two cores on one address space, with every use validated; time is set by hand.
class TwoCpus {
 public:
  explicit TwoCpus(Watch watch = Watch::everything) : validator(watch) {
    for (std::size_t cpu = 0; cpu < 2; ++cpu) {
      cores_.emplace_back(machine_);
      mmus_.emplace_back(machine_, cores_.back(), 0, true);
      mmus_.back().record_everything_cached();
      mmus_.back().write_cr3(root_, 1, NoFlush::clear, FlushCause::mm_switch);
    }
    tables.map(kPage, rw_frame(7));
  }
  static Mapping rw_frame(std::uint64_t frame) { return {0, PageSize::k4K, true, false, {}, 0, frame}; }
  static Mapping ro_frame(std::uint64_t frame) { return {0, PageSize::k4K, false, false, {}, 0, frame}; }

  void use(CpuId cpu, std::int64_t now, Reference reference = Reference::read, Vpn vpn = kPage) {
    Mmu& mmu = mmus_[cpu.value];
    const Access access = mmu.access(reference, vpn);
    if (access.translation != nullptr)
      validator.on_use({cpu, reference, vpn, access.translation, mmu.root()}, Cycles(now));
  }
  /// As `use`, for a TLB of unlimited size.
  void use_unlimited(CpuId cpu, std::int64_t now, Vpn vpn = kPage) {
    Mmu& mmu = mmus_[cpu.value];
    mmu.for_each_ever_cached(vpn, [&](const Translation& cached) {
      validator.on_use({cpu, Reference::read, vpn, &cached, mmu.root()}, Cycles(now));
    });
    mmu.access(Reference::read, vpn);
  }
  EditId edited(std::int64_t now, Vpn first = kPage, Vpn pages = 1) {
    return validator.on_table_write({tables.identity(), first, pages, tables.map(0xdead, {}).version}, Cycles(now));
  }
  void flush(CpuId cpu, EditId edit) {
    mmus_[cpu.value].invlpg(kPage, FlushCause::local_shootdown);
    validator.on_flush_finished(edit, cpu);
  }
  Mmu& mmu(CpuId cpu) { return mmus_[cpu.value]; }

  test::TestTables tables{10}, kernel{12};
  StalenessValidator validator;

 private:
  DrawnMachine machine_ = test::small_machine();
  test::TestRoot root_{1, tables, kernel};
  std::deque<Core> cores_;
  std::deque<Mmu> mmus_;
};

TEST(Staleness, AUseBetweenTheWriteAndTheFlushIsLagWithItsLength) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.tables.unmap(kPage);
  const EditId edit = cpus.edited(100);
  cpus.use(kCpu0, 130);
  cpus.use(kCpu0, 150);
  EXPECT_EQ(cpus.validator.violation_count(), 0u);
  EXPECT_EQ(cpus.validator.lag(StaleChange::page_invalidated).count, 2u);
  EXPECT_EQ(cpus.validator.lag().total, Cycles(80));
  EXPECT_EQ(cpus.validator.lag().max, Cycles(50));
  cpus.flush(kCpu0, edit);
  cpus.validator.on_flush_finished(edit, Cycles(180));
  EXPECT_EQ(cpus.validator.windows().count, 1u);
  EXPECT_EQ(cpus.validator.windows().total, Cycles(80));
  EXPECT_EQ(cpus.validator.open_edits(), 0u);
  cpus.use(kCpu0, 200);
  EXPECT_EQ(cpus.validator.violation_count(), 0u) << "the entry is gone";
}

TEST(Staleness, AMissingRemoteShootdownShowsOnTheCpuThatWasLeftOut) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.use(kCpu1, 0);
  cpus.tables.unmap(kPage);
  const EditId edit = cpus.edited(100);
  cpus.use(kCpu1, 110);
  cpus.flush(kCpu0, edit);
  cpus.use(kCpu1, 120);
  EXPECT_EQ(cpus.validator.violation_count(), 0u) << "CPU 1 may still be asked to flush";
  cpus.validator.on_flush_finished(edit, Cycles(130));
  cpus.use(kCpu0, 140);
  EXPECT_EQ(cpus.validator.violation_count(), 0u);
  cpus.use(kCpu1, 150);
  ASSERT_EQ(cpus.validator.violations().size(), 1u);
  const StaleViolation& found = cpus.validator.violations()[0];
  EXPECT_EQ(found.cpu, kCpu1);
  EXPECT_EQ(found.time, Cycles(150));
  EXPECT_EQ(found.vpn, kPage);
  EXPECT_EQ(found.rule, StaleRule::use_after_flush);
  EXPECT_EQ(found.change, StaleChange::page_invalidated);
}

TEST(Staleness, AFlushThatMissedTheEntryShowsOnItsOwnCpuAtOnce) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.tables.unmap(kPage);
  const EditId edit = cpus.edited(100);
  cpus.mmu(kCpu0).invpcid_single(2, FlushCause::local_shootdown);  // the wrong PCID
  cpus.validator.on_flush_finished(edit, kCpu0);
  cpus.use(kCpu0, 110);
  EXPECT_EQ(cpus.validator.count(StaleRule::use_after_flush), 1u);
}

TEST(Staleness, AFlushOfTheWholeSpaceIsACpusPartOfEveryEditSoFar) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.use(kCpu1, 0);
  cpus.tables.unmap(kPage);
  cpus.edited(100);
  cpus.validator.on_space_flushed(cpus.tables.identity(), kCpu0);
  cpus.use(kCpu1, 110);
  EXPECT_EQ(cpus.validator.violation_count(), 0u);
  cpus.use(kCpu0, 110);
  EXPECT_EQ(cpus.validator.violation_count(), 1u) << "it said so, but did not do it";
}

TEST(Staleness, AFrameGivenAwayBeforeTheFlushIsWorseThanLag) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.validator.on_frame_reused(7, Cycles(50));  // its owner before this one
  cpus.tables.unmap(kPage);
  cpus.edited(100);
  cpus.use(kCpu0, 110);
  EXPECT_EQ(cpus.validator.violation_count(), 0u);
  cpus.validator.on_frame_reused(8, Cycles(120));
  cpus.use(kCpu0, 130);
  EXPECT_EQ(cpus.validator.violation_count(), 0u) << "another frame";
  cpus.validator.on_frame_reused(7, Cycles(140));
  cpus.use(kCpu0, 150);
  EXPECT_EQ(cpus.validator.count(StaleRule::use_of_reused_frame), 1u);
}

TEST(Staleness, WhatChangedIsToldApart) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0, Reference::write);
  cpus.tables.set_writable(kPage, TwoCpus::ro_frame(7));
  cpus.edited(100);
  cpus.use(kCpu0, 110, Reference::read);
  EXPECT_EQ(cpus.validator.lag().count, 0u) << "reading through an entry that may also write does no harm";
  cpus.use(kCpu0, 120, Reference::write);
  EXPECT_EQ(cpus.validator.lag(StaleChange::rights_reduced).max, Cycles(20));
  cpus.tables.map(kPage, TwoCpus::rw_frame(9));
  cpus.edited(130);
  cpus.use(kCpu0, 140, Reference::read);
  EXPECT_EQ(cpus.validator.lag(StaleChange::frame_changed).max, Cycles(40)) << "from the first edit that made it stale";
  cpus.tables.unmap(kPage);
  cpus.use(kCpu0, 150, Reference::read);
  EXPECT_EQ(cpus.validator.lag(StaleChange::page_invalidated).max, Cycles(50));
  EXPECT_EQ(cpus.validator.violation_count(), 0u);
}

TEST(Staleness, AChangeThatNobodyAnnouncedIsAViolationAtItsFirstStaleUse) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.tables.map(kPage, TwoCpus::rw_frame(9));
  cpus.use(kCpu0, 10);
  ASSERT_EQ(cpus.validator.violation_count(), 1u);
  EXPECT_EQ(cpus.validator.violations()[0].rule, StaleRule::no_flush_owed);
  EXPECT_EQ(cpus.validator.violations()[0].change, StaleChange::frame_changed);
}

TEST(Staleness, WiderRightsNeedNoFlush) {
  TwoCpus cpus;
  cpus.tables.set_writable(kPage, TwoCpus::ro_frame(7));
  cpus.use(kCpu0, 0);
  cpus.tables.set_writable(kPage, TwoCpus::rw_frame(7));
  cpus.use(kCpu0, 10, Reference::read);
  cpus.use(kCpu0, 20, Reference::write);
  EXPECT_EQ(cpus.validator.violation_count(), 0u);
  EXPECT_EQ(cpus.validator.lag().count, 0u);
}

TEST(Staleness, APcidHandedOnWithoutAFlushIsTheEntryOfAnotherSpace) {
  TwoCpus cpus;
  test::TestTables other(11);
  other.map(kPage, TwoCpus::rw_frame(20));
  test::TestRoot root(2, other, cpus.kernel);
  cpus.use(kCpu0, 0);
  cpus.mmu(kCpu0).write_cr3(root, 1, NoFlush::set, FlushCause::mm_switch);
  cpus.use(kCpu0, 10);
  EXPECT_EQ(cpus.validator.count(StaleRule::another_space), 1u);
  cpus.mmu(kCpu0).write_cr3(root, 1, NoFlush::clear, FlushCause::mm_switch);
  cpus.use(kCpu0, 20);
  EXPECT_EQ(cpus.validator.violation_count(), 1u);
}

TEST(Staleness, ARecordOfEverythingCachedFindsTheFaultThatASmallTlbHides) {
  TwoCpus cpus;
  cpus.use_unlimited(kCpu1, 0);
  for (Vpn vpn = kPage + 1; vpn < kPage + 64; ++vpn) {
    cpus.tables.map(vpn, TwoCpus::rw_frame(100 + vpn));
    cpus.use_unlimited(kCpu1, 1, vpn);
  }
  EXPECT_EQ(cpus.mmu(kCpu1).peek(Reference::read, kPage).level, 0) << "displaced";
  cpus.tables.map(kPage, TwoCpus::rw_frame(9));
  cpus.validator.on_flush_finished(cpus.edited(100), Cycles(110));  // nobody was asked to flush
  cpus.use(kCpu1, 120);
  EXPECT_EQ(cpus.validator.violation_count(), 0u) << "hidden: the entry happened to be gone";
  cpus.use_unlimited(kCpu1, 130);
  EXPECT_EQ(cpus.validator.count(StaleRule::use_after_flush), 1u);
  cpus.mmu(kCpu1).invlpg(kPage, FlushCause::local_shootdown);
  cpus.use_unlimited(kCpu1, 140);
  EXPECT_EQ(cpus.validator.count(StaleRule::use_after_flush), 1u);
}

TEST(Staleness, EveryFlushForgetsWhatItCoversInTheRecordOfEverythingCached) {
  const auto cached_after = [](auto flush) {
    TwoCpus cpus;
    cpus.kernel.map(kKernelHalf + 1, {0, PageSize::k4K, true, true});
    cpus.use(kCpu0, 0);
    cpus.use(kCpu0, 0, Reference::read, kKernelHalf + 1);
    flush(cpus.mmu(kCpu0));
    int own = 0, global = 0;
    cpus.mmu(kCpu0).for_each_ever_cached(kPage, [&](const Translation&) { ++own; });
    cpus.mmu(kCpu0).for_each_ever_cached(kKernelHalf + 1, [&](const Translation&) { ++global; });
    return std::pair(own, global);
  };
  constexpr auto kCause = FlushCause::local_shootdown;
  EXPECT_EQ(cached_after([](Mmu&) {}), std::pair(1, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invlpg(kPage, kCause); }), std::pair(0, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invlpg(kKernelHalf + 1, kCause); }), std::pair(1, 0));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invpcid_address(1, kKernelHalf + 1, kCause); }), std::pair(1, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invpcid_address(2, kPage, kCause); }), std::pair(1, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invpcid_single(1, kCause); }), std::pair(0, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invpcid_single(2, kCause); }), std::pair(1, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invpcid_all_nonglobal(kCause); }), std::pair(0, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.invpcid_all(kCause); }), std::pair(0, 0));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.write_cr3(*mmu.root(), 1, NoFlush::clear, kCause); }), std::pair(0, 1));
  EXPECT_EQ(cached_after([](Mmu& mmu) { mmu.write_cr3(*mmu.root(), 1, NoFlush::set, kCause); }), std::pair(1, 1));
}

TEST(Staleness, OnlyTheFirstViolationsAreKeptButAllAreCounted) {
  TwoCpus cpus;
  cpus.use(kCpu0, 0);
  cpus.tables.unmap(kPage);
  for (std::int64_t i = 0; i < 1500; ++i) cpus.use(kCpu0, i);
  EXPECT_EQ(cpus.validator.violation_count(), 1500u);
  EXPECT_EQ(cpus.validator.violations().size(), StalenessValidator::kViolationsKept);
}

TEST(Staleness, WatchingAnnouncedPagesSeesWhatAnAnnouncedEditTouchedAndAnotherSpacesEntries) {
  TwoCpus cpus(Watch::announced_pages);
  cpus.use(kCpu0, 0);
  cpus.tables.map(kPage, TwoCpus::rw_frame(9));
  cpus.use(kCpu0, 10);
  EXPECT_EQ(cpus.validator.violation_count(), 0u) << "nobody announced it";
  cpus.validator.on_flush_finished(cpus.edited(100, 0, Vpn{1} << 20), Cycles(110));
  cpus.use(kCpu0, 120);
  EXPECT_EQ(cpus.validator.count(StaleRule::use_after_flush), 1u);
}

// Against a judge that keeps every edit for ever and looks at all of them each time.

struct PlainEdit {
  TableWrite write;
  Cycles written;
  std::set<std::uint32_t> done;
  bool finished = false;
};

enum class Verdict { fine, lag, after_flush, reused, not_owed };

class PlainJudge {
 public:
  std::vector<PlainEdit> edits;
  std::map<std::uint64_t, Cycles> reused;

  Verdict judge(const Use& use, const Mapping* current) const {
    if (current != nullptr && current->frame == use.used->mapping.frame) return Verdict::fine;
    const PlainEdit* open = nullptr;      // the oldest
    const PlainEdit* finished = nullptr;  // the newest
    for (const PlainEdit& edit : edits) {
      if (use.vpn - edit.write.first >= edit.write.pages || use.used->mapping.version >= edit.write.stale_below)
        continue;
      if (edit.finished) finished = &edit;
      if (!edit.finished && open == nullptr) open = &edit;
    }
    if (open == nullptr && finished == nullptr) return Verdict::not_owed;
    if ((open != nullptr && given_away_since(use, *open)) || (finished != nullptr && given_away_since(use, *finished)))
      return Verdict::reused;
    return finished != nullptr || open->done.contains(use.cpu.value) ? Verdict::after_flush : Verdict::lag;
  }

 private:
  bool given_away_since(const Use& use, const PlainEdit& edit) const {
    const auto frame = reused.find(use.used->mapping.frame);
    return frame != reused.end() && frame->second >= edit.written;
  }
};

/// The validator and the plain judge, told the same random things.
class JudgePair {
 public:
  void apply(std::uint32_t step) {
    ++now_.value;
    const std::uint32_t kind = step % 16;
    const Vpn vpn = step / 16 % 8;
    const std::uint32_t choice = step / 128;
    if (kind < 3) cached_.push_back({tables_.map(vpn, TwoCpus::rw_frame(choice % 16)), 1});
    if (kind >= 3 && kind < 6) edit(vpn, 1 + choice % 4);
    if (kind >= 6 && kind < 9 && !ids_.empty()) finish(choice % ids_.size(), choice / 64 % 3);
    if (kind == 9) {
      validator_.on_frame_reused(choice % 16, now_);
      plain_.reused[choice % 16] = now_;
    }
    if (kind > 9 && !cached_.empty()) use(cached_[choice % cached_.size()], CpuId(choice / 256 % 2));
  }

 private:
  void edit(Vpn first, Vpn pages) {
    const TableWrite write{10, first, pages, tables_.map(0xdead, {}).version};
    for (Vpn page = first; page < first + pages; ++page) tables_.unmap(page);
    plain_.edits.push_back({write, now_, {}, false});
    ids_.push_back(validator_.on_table_write(write, now_));
  }
  void finish(std::size_t index, std::uint32_t cpu) {
    PlainEdit& edit = plain_.edits[index];
    if (cpu < 2) {
      validator_.on_flush_finished(ids_[index], CpuId(cpu));
      edit.done.insert(cpu);
    } else if (!edit.finished) {
      validator_.on_flush_finished(ids_[index], now_);
      edit.finished = true;
    }
  }
  void use(const Translation& used, CpuId cpu) {
    const Use use{cpu, Reference::read, used.mapping.first, &used, &root_};
    ++verdicts_[plain_.judge(use, tables_.find(use.vpn))];
    validator_.on_use(use, now_);
    RC_ASSERT(validator_.lag().count == verdicts_[Verdict::lag]);
    RC_ASSERT(validator_.count(StaleRule::use_after_flush) == verdicts_[Verdict::after_flush]);
    RC_ASSERT(validator_.count(StaleRule::use_of_reused_frame) == verdicts_[Verdict::reused]);
    RC_ASSERT(validator_.count(StaleRule::no_flush_owed) == verdicts_[Verdict::not_owed]);
  }

  test::TestTables tables_{10}, kernel_{12};
  test::TestRoot root_{1, tables_, kernel_};
  StalenessValidator validator_{Watch::everything};
  PlainJudge plain_;
  std::vector<EditId> ids_;
  std::vector<Translation> cached_;
  std::map<Verdict, std::uint64_t> verdicts_;
  Cycles now_;
};

TEST(Staleness, AgreesWithAJudgeThatRemembersEveryEdit) {
  rc::detail::checkGTest([] {
    const auto steps = *rc::gen::resize(1000, rc::gen::container<std::vector<std::uint32_t>>(
                                                  rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, 1u << 30))));
    JudgePair pair;
    for (std::uint32_t step : steps) pair.apply(step);
  });
}

}  // namespace
}  // namespace tollgate::hw
