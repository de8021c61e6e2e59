// Guests: walks of two stages, what each TLBI removes and what it leaves.
#include <gtest/gtest.h>

#include "hw/mmu.h"
#include "hw/test_support/machines.h"
#include "hw/test_support/rig.h"

namespace tollgate::hw {
namespace {

using evidence::FlushCause;
using test::MachineBuilder;
using test::Rig;

constexpr auto kCause = FlushCause::vmid_rollover;
constexpr Vpn kUser = 0x400;
constexpr Vpn kShared = kKernelHalf + 0x400;

/// Every page of a guest is present: its intermediate page is its own number moved up; the kernel half is global.
class TestGuest final : public TwoStageRoot {
 public:
  explicit TestGuest(std::uint32_t name, PageSize backing = PageSize::k4K) : name_(name), backing_(backing) {}
  const Mapping* find(Vpn vpn) const override {
    mapping_ = {.first = vpn, .writable = true, .global = vpn >= kKernelHalf, .frame = 0x100000 + vpn % 0x10000};
    return &mapping_;
  }
  Identity identity() const override { return kFirstGuestSpace + 4 * name_; }
  Identity global_identity() const override { return identity() + 1; }
  std::uint32_t table_identity(Vpn vpn) const override { return vpn < kKernelHalf ? identity() : global_identity(); }
  Vpn table_frame(Vpn, int level) const override { return Vpn(level + 1) << 27; }
  std::uint32_t stage2_identity() const override { return identity() + 2; }
  PageSize stage2_size() const override { return backing_; }

 private:
  std::uint32_t name_;
  PageSize backing_;
  mutable Mapping mapping_;
};

DrawnMachine arm_machine(int structures, int intermediate, int stage2) {
  MachineBuilder builder("arm");
  return builder.array(1, Side::both, test::kAllSizes, 1, 32)
      .array(2, Side::both, test::kOnly4K, 16, 4)
      .figure(FigureId::psc_pde_entries, structures)
      .figure(FigureId::psc_pdpte_entries, structures)
      .figure(FigureId::psc_pml4e_entries, structures)
      .figure(FigureId::psc_intermediate, intermediate)
      .figure(FigureId::psc_stage2, stage2);
}

int fetches(const Access& access) { return access.fetches_near + access.fetches_far; }

struct GuestRig : Rig {
  using Rig::Rig;
  Access read_in(const TestGuest& guest, std::uint32_t vmid, Asid asid, Vpn vpn) {
    mmu().enter_guest(guest, vmid, asid);
    const Access access = read(vpn);
    mmu().leave_guest();
    return access;
  }
  bool hits(const TestGuest& guest, std::uint32_t vmid, Asid asid, Vpn vpn) {
    mmu().enter_guest(guest, vmid, asid);
    const bool hit = mmu().peek(Reference::read, vpn).level != 0;
    mmu().leave_guest();
    return hit;
  }
};

/// Two VMs with two processes each, all of which have touched a page of their own and the shared one.
struct TwoVms : GuestRig {
  TwoVms() : GuestRig(arm_machine(8, 64, 16)) {
    map(0x10);
    read(0x10);
    for (const TestGuest* guest : {&a, &b})
      for (const Asid asid : {1u, 2u}) {
        read_in(*guest, vmid(*guest), asid, kUser);
        read_in(*guest, vmid(*guest), asid, kShared);
      }
  }
  std::uint32_t vmid(const TestGuest& guest) const { return &guest == &a ? 0x8001 : 0x8002; }
  /// Which of the translations are there: own page of (a,1) (a,2) (b,1) (b,2), shared page of a and b, the host's.
  std::string there() {
    std::string seen;
    for (const TestGuest* guest : {&a, &b})
      for (const Asid asid : {1u, 2u}) seen += hits(*guest, vmid(*guest), asid, kUser) ? 'x' : '-';
    for (const TestGuest* guest : {&a, &b}) seen += hits(*guest, vmid(*guest), 3, kShared) ? 'x' : '-';
    return seen + (mmu().peek(Reference::read, 0x10).level != 0 ? 'x' : '-');
  }
  TestGuest a{1}, b{2};
};

TEST(Guest, AWalkFromScratchThroughTwoStagesMakes24Fetches) {
  GuestRig rig(arm_machine(0, 1, 0));
  const TestGuest guest(1);
  EXPECT_EQ(fetches(rig.read_in(guest, 1, 1, kUser)), 24);
}

TEST(Guest, LargeMappingsBehindTheGuestSaveOneFetchATranslation) {
  GuestRig rig(arm_machine(0, 1, 0));
  const TestGuest guest(1, PageSize::k2M);
  EXPECT_EQ(fetches(rig.read_in(guest, 1, 1, kUser)), 4 + 5 * 3);
}

TEST(Guest, CachesOfBothStagesShortenTheNextWalk) {
  GuestRig rig(arm_machine(4, 64, 16));
  const TestGuest guest(1);
  rig.read_in(guest, 1, 1, kUser);
  // The last table is known and translated; the new page's intermediate address misses in its last level alone.
  EXPECT_EQ(fetches(rig.read_in(guest, 1, 1, kUser + 1)), 2);
}

TEST(Guest, TheHostsTranslationsAreItsOwnAndComeBack) {
  GuestRig rig(arm_machine(4, 64, 16));
  const TestGuest guest(1);
  rig.map(kUser);
  rig.read(kUser);
  EXPECT_EQ(rig.read_in(guest, 1, 1, kUser).outcome, Outcome::walk);
  EXPECT_EQ(rig.read(kUser).outcome, Outcome::l1_hit);
  EXPECT_EQ(rig.read_in(guest, 1, 1, kUser).outcome, Outcome::l1_hit);
}

TEST(Guest, GlobalPagesServeEveryAsidOfTheirVmAndNoOther) {
  GuestRig rig(arm_machine(4, 64, 16));
  const TestGuest a(1), b(2);
  rig.read_in(a, 1, 1, kShared);
  EXPECT_EQ(rig.read_in(a, 1, 2, kShared).outcome, Outcome::l1_hit);
  EXPECT_EQ(rig.read_in(b, 2, 1, kShared).outcome, Outcome::walk);
}

TEST(Guest, WideTagsThatAgreeInTheirLowBitsAreTwo) {
  GuestRig rig(arm_machine(4, 64, 16));
  const TestGuest a(1), b(2);
  rig.read_in(a, 0x0001, 0x0100, kUser);
  EXPECT_FALSE(rig.hits(b, 0x1001, 0x0100, kUser));
  EXPECT_FALSE(rig.hits(a, 0x0001, 0x1100, kUser));
}

TEST(Guest, EachTlbiRemovesItsScopeAndNothingElse) {
  const auto after = [](auto invalidate) {
    TwoVms vms;
    EXPECT_EQ(vms.there(), "xxxxxxx");
    invalidate(vms);
    return vms.there();
  };
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_guests(kCause); }), "------x");
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_vmid(0x8001, kCause); }), "--xx-xx");
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_asid(0x8001, 1, kCause); }), "-xxxxxx");
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_address(0x8001, 2, kUser, kCause); }), "x-xxxxx");
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_address(0x8001, 2, kShared, kCause); }), "xxxx-xx");
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_ipa(0x8001, 0x100000 + kUser); }), "xxxxxxx");
  EXPECT_EQ(after([](TwoVms& v) { v.mmu().tlbi_host(kCause); }), "xxxxxx-");
}

TEST(Guest, TlbiOfAVmidDropsItsSecondStageAndNoOther) {
  const auto again = [](auto invalidate) {
    TwoVms vms;
    invalidate(vms.mmu());
    vms.mmu().tlbi_asid(0x8001, 1, kCause);
    vms.mmu().tlbi_asid(0x8002, 1, kCause);
    return std::pair(fetches(vms.read_in(vms.a, 0x8001, 1, kUser)), fetches(vms.read_in(vms.b, 0x8002, 1, kUser)));
  };
  const auto kept = again([](Mmu&) {});
  const auto one = again([](Mmu& mmu) { mmu.tlbi_vmid(0x8001, kCause); });
  const auto all = again([](Mmu& mmu) { mmu.tlbi_guests(kCause); });
  EXPECT_GT(one.first, kept.first);
  EXPECT_EQ(one.second, kept.second);
  EXPECT_EQ(all.first, one.first);
  EXPECT_GT(all.second, kept.second);
}

TEST(Guest, AnInvalidatedIntermediatePageIsTranslatedAgain) {
  TwoVms vms;
  vms.mmu().tlbi_address(0x8001, 1, kUser, kCause);
  const int first_stage_alone = fetches(vms.read_in(vms.a, 0x8001, 1, kUser));
  vms.mmu().tlbi_address(0x8001, 1, kUser, kCause);
  vms.mmu().tlbi_ipa(0x8001, 0x100000 + kUser);
  EXPECT_GT(fetches(vms.read_in(vms.a, 0x8001, 1, kUser)), first_stage_alone);
}

TEST(Guest, RefillsAfterARolloverAreItsOwn) {
  TwoVms vms;
  vms.mmu().tlbi_guests(kCause);
  const Access access = vms.read_in(vms.a, 0x8003, 1, kUser);
  EXPECT_EQ(access.cause, (MissCause{MissKind::refill, kCause})) << "under another VMID, still the same VM's page";
}

}  // namespace
}  // namespace tollgate::hw
