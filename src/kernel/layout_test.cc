#include "kernel/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "kernel/root.h"
#include "kernel/test_support/eras.h"

namespace tollgate::kernel {
namespace {

using evidence::MemoryKind;
using testing::linux_4_16;

constexpr hw::Vpn kLarge = 512;

RandomStream stream(std::uint64_t seed = 7) { return RandomStream::named(seed, "kernel image"); }

KernelMap map_of(Pti pti, GlobalSet global, int cpus = 4) {
  return KernelMap(linux_4_16(), {pti, global, PcidUse::on, ShootdownMode::serial, 33}, cpus, stream());
}

/// What a root shows at a page: nothing, a page, or a global page.
enum class Shown { nothing, plain, global };
Shown shown(const KernelMap& map, hw::Vpn vpn, View view) {
  hw::Mapping mapping;
  if (!map.find(vpn, view, mapping)) return Shown::nothing;
  EXPECT_TRUE(mapping.covers(vpn));
  return mapping.global ? Shown::global : Shown::plain;
}

struct Expected {
  Pti pti;
  GlobalSet global;
  Shown text_in_kernel, text_in_user, rodata_in_user, entry_in_both, data_in_kernel, data_in_user;
};

// Section by section: kernel text, rodata, entry text and cpu_entry_area, everything else, in each root.
constexpr Expected kExpected[] = {
    {Pti::off, GlobalSet::all, Shown::global, Shown::global, Shown::global, Shown::global, Shown::global,
     Shown::global},
    {Pti::off, GlobalSet::none, Shown::plain, Shown::plain, Shown::plain, Shown::plain, Shown::plain, Shown::plain},
    {Pti::on, GlobalSet::none, Shown::plain, Shown::nothing, Shown::nothing, Shown::plain, Shown::plain,
     Shown::nothing},
    {Pti::on, GlobalSet::entry, Shown::plain, Shown::nothing, Shown::nothing, Shown::global, Shown::plain,
     Shown::nothing},
    {Pti::on, GlobalSet::entry_text, Shown::global, Shown::global, Shown::plain, Shown::global, Shown::plain,
     Shown::nothing},
};

TEST(KernelMap, EachRootShowsAndMakesGlobalWhatThePolicySays) {
  for (const Expected& want : kExpected) {
    SCOPED_TRACE(describe({want.pti, want.global, PcidUse::on, ShootdownMode::serial, 33}));
    const KernelMap map = map_of(want.pti, want.global);
    EXPECT_EQ(shown(map, map.text_first(), View::kernel), want.text_in_kernel);
    EXPECT_EQ(shown(map, map.text_first(), View::user), want.text_in_user);
    EXPECT_EQ(shown(map, map.rodata_first(), View::user), want.rodata_in_user);
    for (View view : {View::kernel, View::user}) {
      EXPECT_EQ(shown(map, map.entry_text(), view), want.entry_in_both);
      EXPECT_EQ(shown(map, map.entry_area(0), view), want.entry_in_both);
      EXPECT_EQ(shown(map, map.entry_area(3) + 12, view), want.entry_in_both);
    }
    for (hw::Vpn data : {map.direct_map(), map.percpu(3), map.task_stack(9)}) {
      EXPECT_EQ(shown(map, data, View::kernel), want.data_in_kernel);
      EXPECT_EQ(shown(map, data, View::user), want.data_in_user);
    }
  }
}

TEST(KernelMap, UnderPtiTheUserRootShowsNothingButTheEntryAndTextWhereChosen) {
  for (GlobalSet global : {GlobalSet::none, GlobalSet::entry, GlobalSet::entry_text}) {
    const KernelMap map = map_of(Pti::on, global);
    for (const KernelRange& range : map.ranges()) {
      if (!range.in_user_root) continue;
      const bool text = range.kind == MemoryKind::kernel_text && global == GlobalSet::entry_text;
      EXPECT_TRUE(text || range.kind == MemoryKind::entry_area) << range.first;
      EXPECT_FALSE(text && range.writable);
    }
  }
}

TEST(KernelMap, UnderPtiWithTheEntrySetThirteenPagesACpuAndOneLargePageAreGlobal) {
  for (int cpus : {1, 2, 4, 1024}) {
    const KernelMap map = map_of(Pti::on, GlobalSet::entry, cpus);
    hw::Vpn small = 0, large = 0;
    for (const KernelRange& range : map.ranges()) {
      if (!range.global) continue;
      (range.size == hw::PageSize::k4K ? small : large) += range.pages;
    }
    EXPECT_EQ(small, 13u * hw::Vpn(cpus));
    EXPECT_EQ(large, kLarge);
    EXPECT_EQ(map.entry_area(cpus - 1), map.entry_area(0) + 13 * hw::Vpn(cpus - 1));
  }
}

// As the page-table dump lists one CPU's area: 8K read-only, 4K writable, 12K read-only, 4K read-only (code), 24K writable.
TEST(KernelMap, TheEntryAreaOfACpuIsWritableOnlyInItsStacks) {
  const KernelMap map = map_of(Pti::on, GlobalSet::entry, 2);
  for (int cpu = 0; cpu < 2; ++cpu) {
    std::string rights;
    for (hw::Vpn page = 0; page < 13; ++page) {
      hw::Mapping mapping;
      ASSERT_TRUE(map.find(map.entry_area(cpu) + page, View::user, mapping));
      rights += mapping.writable ? 'w' : 'r';
    }
    EXPECT_EQ(rights, "rrwrrrrwwwwww");
  }
}

TEST(KernelMap, RangesLieInOrderAndDoNotOverlap) {
  const KernelMap map = map_of(Pti::on, GlobalSet::entry, 1024);
  const auto& ranges = map.ranges();
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i) EXPECT_LE(ranges[i].first + ranges[i].pages, ranges[i + 1].first);
  for (const KernelRange& range : ranges) {
    EXPECT_GE(range.first, hw::kKernelHalf);
    EXPECT_EQ(range.first % (hw::Vpn{1} << hw::pages_shift(range.size)), 0u) << "its pages are aligned";
    hw::Mapping mapping;
    EXPECT_TRUE(map.find(range.first + range.pages - 1, View::kernel, mapping));
  }
}

TEST(KernelMap, EveryCpusAreasAreItsOwn) {
  const KernelMap map = map_of(Pti::off, GlobalSet::all, 1024);
  EXPECT_EQ(map.percpu(1) - map.percpu(0), kLarge) << "two CPUs share no large page of per-CPU data";
  hw::Mapping mapping;
  EXPECT_TRUE(map.find(map.percpu(1023), View::kernel, mapping));
  EXPECT_GE(map.task_stack(1) - map.task_stack(0), 5u) << "four pages and a guard page";
  EXPECT_FALSE(map.find(map.entry_area(1024), View::kernel, mapping)) << "there is no such CPU";
}

TEST(KernelMap, TheImageMovesWithTheDrawAndNotWithThePolicy) {
  const Era era = linux_4_16();
  std::set<hw::Vpn> places;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const KernelMap off(era, Policy{}, 4, stream(seed));
    places.insert(off.text_first());
    for (GlobalSet global : {GlobalSet::none, GlobalSet::entry, GlobalSet::entry_text}) {
      const KernelMap on(era, {Pti::on, global, PcidUse::off, ShootdownMode::broadcast, 1}, 4, stream(seed));
      EXPECT_EQ(on.text_first(), off.text_first());
      EXPECT_EQ(on.rodata_first(), off.rodata_first());
      EXPECT_EQ(on.percpu(2), off.percpu(2));
      EXPECT_EQ(on.task_stack(5), off.task_stack(5));
    }
  }
  EXPECT_GT(places.size(), 10u);
}

// lay_out

bool same(const PathStep& a, const PathStep& b) {
  return a.op == b.op && a.place == b.place && a.offset == b.offset && a.instructions == b.instructions;
}

TEST(LayOut, DoesNotDependOnThePolicy) {
  const Era era = linux_4_16();
  const KernelMap off(era, Policy{}, 4, stream());
  const KernelMap on(era, {Pti::on, GlobalSet::entry, PcidUse::off, ShootdownMode::serial, 33}, 4, stream());
  for (const auto& [name, spec] : era.paths) {
    const Path a = lay_out(spec, era, off, spec.instructions.typical, stream(3), stream(3 + 100));
    const Path b = lay_out(spec, era, on, spec.instructions.typical, stream(3), stream(3 + 100));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i])) << name << " step " << i;
  }
}

/// What a laid-out path touches, counted.
struct Footprint {
  std::set<hw::Vpn> text, text_large, objects, objects_large, percpu, rodata, stack;
  std::uint64_t instructions = 0;
};

Footprint footprint_of(const Path& path, const KernelMap& map) {
  Footprint out;
  for (const PathStep& step : path) {
    out.instructions += step.instructions;
    if (step.op == PathStep::Op::fetch) {
      out.text.insert(step.offset);
      out.text_large.insert(step.offset / kLarge);
    } else if (step.place == Place::percpu) {
      out.percpu.insert(step.offset);
    } else if (step.place == Place::task_stack) {
      out.stack.insert(step.offset);
    } else if (step.offset - map.rodata_first() < 2 * kLarge) {
      out.rodata.insert(step.offset);
    } else {
      out.objects.insert(step.offset);
      out.objects_large.insert(step.offset / kLarge);
    }
  }
  return out;
}

TEST(LayOut, TouchesExactlyWhatTheFootprintSaysInEveryDraw) {
  const Era era = linux_4_16();
  const KernelMap map(era, Policy{}, 4, stream());
  for (const auto& [name, spec] : era.paths)
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      SCOPED_TRACE(name + " draw " + std::to_string(seed));
      const Footprint got =
          footprint_of(lay_out(spec, era, map, spec.instructions.typical, stream(seed), stream(seed + 100)), map);
      EXPECT_EQ(got.instructions, std::uint64_t(spec.instructions.typical));
      EXPECT_EQ(got.text_large.size(), std::size_t(spec.text_large_pages));
      EXPECT_EQ(got.objects_large.size(), std::size_t(spec.direct_large_pages));
      EXPECT_EQ(got.percpu.size(), std::size_t(spec.percpu_pages));
      EXPECT_LE(*got.percpu.rbegin(), kLarge) << "all in the CPU's one large page";
      EXPECT_EQ(got.stack.size(), std::size_t(spec.stack_pages));
      EXPECT_GE(*got.text.begin(), map.text_first());
      EXPECT_LT(*got.text.rbegin(), map.text_first() + hw::Vpn(era.text_large_pages) * kLarge);
    }
}

// 24 pages drawn one by one out of six large pages met each other in every tenth draw, and the path had 23.
TEST(LayOut, TwoTextPagesOfAPathCouldBeTheSamePage) {
  const Era era = linux_4_16();
  const KernelMap map(era, Policy{}, 4, stream());
  for (const auto& [name, spec] : era.paths)
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Footprint got =
          footprint_of(lay_out(spec, era, map, spec.instructions.typical, stream(seed), stream(seed + 100)), map);
      EXPECT_EQ(got.text.size(), std::size_t(spec.text_pages)) << name << " draw " << seed;
      EXPECT_EQ(got.objects.size(), std::size_t(spec.direct_objects)) << name << " draw " << seed;
    }
}

TEST(LayOut, AFullFootprintFillsItsLargePages) {
  const Era era = linux_4_16({"path.lseek.text_pages=2048", "path.lseek.instructions=5"});
  const KernelMap map(era, Policy{}, 1, stream());
  const Path path = lay_out(era.paths.at("lseek"), era, map, 5, stream(), stream(100));
  const Footprint got = footprint_of(path, map);
  EXPECT_EQ(got.text.size(), 2048u);
  EXPECT_EQ(got.instructions, 5u) << "fewer than pages";
}

TEST(LayOut, TouchesOnlyPagesThatTheKernelRootShows) {
  const Era era = linux_4_16();
  const KernelMap map(era, {Pti::on, GlobalSet::none, PcidUse::on, ShootdownMode::serial, 33}, 2, stream());
  for (const auto& [name, spec] : era.paths)
    for (const PathStep& step : lay_out(spec, era, map, spec.instructions.high, stream(), stream(100))) {
      const hw::Vpn base = step.place == Place::percpu       ? map.percpu(1)
                           : step.place == Place::task_stack ? map.task_stack(1)
                                                             : 0;
      hw::Mapping mapping;
      ASSERT_TRUE(map.find(base + step.offset, View::kernel, mapping)) << name;
      EXPECT_TRUE(step.op != PathStep::Op::write || mapping.writable) << name;
      EXPECT_EQ(mapping.kind == MemoryKind::kernel_text, step.op == PathStep::Op::fetch || !mapping.writable) << name;
    }
}

// Root

TEST(Root, ShowsTheUserHalfInBothViewsAndTheKernelsByView) {
  const KernelMap map = map_of(Pti::on, GlobalSet::entry);
  FrameAllocator frames;
  AddressSpace space(MmId(1), frames);
  space.add_area({0x10, 4, true, false, 1});
  space.populate(0x10);
  const Root kernel(map, &space, MmId(1), View::kernel), user(map, &space, MmId(1), View::user);
  EXPECT_EQ(kernel.find(0x10), user.find(0x10));
  EXPECT_EQ(user.find(0x11), nullptr);
  EXPECT_NE(kernel.find(map.percpu(0)), nullptr);
  EXPECT_EQ(user.find(map.percpu(0)), nullptr);
  const Root init(map, nullptr, MmId(0), View::kernel);
  EXPECT_EQ(init.find(0x10), nullptr) << "init_mm has no user half";
  EXPECT_NE(init.find(map.percpu(0)), nullptr);
}

TEST(Root, NamesEveryRootAndTheTablesItsHalvesShare) {
  const KernelMap map = map_of(Pti::on, GlobalSet::entry);
  std::set<hw::Identity> names;
  for (std::uint32_t mm = 0; mm < 4; ++mm)
    for (View view : {View::kernel, View::user}) names.insert(Root(map, nullptr, MmId(mm), view).identity());
  EXPECT_EQ(names.size(), 8u);
  EXPECT_FALSE(names.contains(hw::kGlobalIdentity));
  const Root a(map, nullptr, MmId(1), View::kernel), b(map, nullptr, MmId(1), View::user),
      c(map, nullptr, MmId(2), View::kernel);
  EXPECT_EQ(a.table_identity(0x10), b.table_identity(0x10)) << "both halves use the mm's user tables";
  EXPECT_NE(a.table_identity(0x10), c.table_identity(0x10));
  EXPECT_EQ(a.table_identity(map.percpu(0)), c.table_identity(map.percpu(0))) << "kernel tables are everyone's";
  EXPECT_NE(a.table_identity(map.percpu(0)), b.table_identity(map.percpu(0)));
  EXPECT_NE(a.table_identity(0x10), a.table_identity(map.percpu(0)));
}

}  // namespace
}  // namespace tollgate::kernel
