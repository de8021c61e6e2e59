#include "world/timed/cpu.h"

#include <gtest/gtest.h>

#include "world/timed/test_support/rig.h"

namespace tollgate::world {
namespace {

using evidence::Account;

class CpuTest : public testing::Test {
 protected:
  hw::DrawnMachine machine_ = test::free_machine();
  hw::Core core_{machine_};
  Cpu cpu_{CpuId(0), machine_, core_, 0, true};
};

TEST_F(CpuTest, FractionsOfACycleAreCarriedAndNeverLost) {
  for (int i = 0; i < 1000; ++i) cpu_.charge(Account::user_work, to_fine(0.3));
  EXPECT_EQ(cpu_.ledger[Account::user_work], std::int64_t(1000 * to_fine(0.3) >> kFineBits));
  EXPECT_EQ(cpu_.now, Cycles(cpu_.ledger.total()));
}

TEST_F(CpuTest, EachAccountCarriesItsOwnFraction) {
  for (int i = 0; i < 3; ++i) {
    cpu_.charge(Account::user_work, to_fine(0.5));
    cpu_.charge(Account::stlb_hit, to_fine(0.5));
  }
  EXPECT_EQ(cpu_.ledger[Account::user_work], 1);
  EXPECT_EQ(cpu_.ledger[Account::stlb_hit], 1);
}

TEST_F(CpuTest, AChargeAcrossTheEdgesOfTheWindowIsSplitThere) {
  cpu_.set_window(Cycles(100), Cycles(250));
  cpu_.charge(Account::user_work, Cycles(90));
  cpu_.mode = Mode::kernel;
  cpu_.charge(Account::kernel_work, Cycles(300));
  ASSERT_EQ(cpu_.snapshots.size(), 2u);
  const auto window = cpu_.snapshots[1].ledger - cpu_.snapshots[0].ledger;
  EXPECT_EQ(window[Account::kernel_work], 150);
  EXPECT_EQ(window.total(), 150);
  EXPECT_EQ(cpu_.snapshots[1].in_kernel - cpu_.snapshots[0].in_kernel, Cycles(150));
  EXPECT_EQ(cpu_.now, Cycles(390));
}

TEST_F(CpuTest, AWindowThatBeginsAtOnceIsMeasuredFromTheFirstCycle) {
  cpu_.set_window(Cycles(0), Cycles(10));
  cpu_.charge(Account::user_work, Cycles(10));
  ASSERT_EQ(cpu_.snapshots.size(), 2u);
  EXPECT_EQ((cpu_.snapshots[1].ledger - cpu_.snapshots[0].ledger)[Account::user_work], 10);
}

TEST_F(CpuTest, InterruptsAreOffInsideAnInterruptAndWhileALockWithoutThemIsHeld) {
  EXPECT_TRUE(cpu_.interrupts_allowed());
  cpu_.push().interrupt = true;
  EXPECT_FALSE(cpu_.interrupts_allowed());
  cpu_.push();
  EXPECT_FALSE(cpu_.interrupts_allowed()) << "a fault inside an interrupt";
  cpu_.pop();
  cpu_.pop();
  cpu_.interrupts_off = 1;
  EXPECT_FALSE(cpu_.interrupts_allowed());
}

}  // namespace
}  // namespace tollgate::world
