#include "measure/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/test_support/fake_host.h"

#include "base/test_support/temporary_folder.h"

namespace tollgate::measure {
namespace {

TEST(Host, IsReadFromProcAndSys) {
  const FakeHost fake;
  const auto host = read_host(fake.files());
  ASSERT_TRUE(host) << host.error().text();
  EXPECT_EQ(host->boot, "boot-1");
  EXPECT_EQ(host->kernel, "6.1.0");
  EXPECT_EQ(host->command_line, "BOOT_IMAGE=/vmlinuz quiet");
  EXPECT_EQ(host->cpu_model, "Fake CPU @ 1 GHz");
  EXPECT_EQ(host->cpus, "0-3");
}

TEST(Host, IsReadOnTheMachineOfTheTest) {
  const auto host = read_host({});
  ASSERT_TRUE(host) << host.error().text();
  EXPECT_EQ(host->boot.size(), 36U);
  EXPECT_FALSE(conditions_now(*host, {}).at("kernel").empty());
}

TEST(Host, ArmTellsItsCpuByNumbers) {
  FakeHost fake;
  fake.write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
  EXPECT_EQ(read_host(fake.files())->cpu_model, "CPU implementer 0x41, part 0xd0c");
}

TEST(Host, WithoutAKernelIsAnError) {
  const TemporaryFolder folder;
  const std::string none = folder.file("none");
  const auto host = read_host({none, none});
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().text(), none + "/sys/kernel/random/boot_id: cannot tell the boot");
}

TEST(Conditions, HoldEveryGovernorTheTurboAndTheLoad) {
  FakeHost fake;
  fake.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
  fake.write("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  fake.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  const auto conditions = conditions_now(*read_host(fake.files()), fake.files());
  EXPECT_EQ(conditions.at("governor"), "performance,powersave");
  EXPECT_EQ(conditions.at("turbo"), "off");
  EXPECT_EQ(conditions.at("load average"), "0.25");
}

TEST(Conditions, LeaveOutWhatTheMachineDoesNotTell) {
  const FakeHost fake;
  const auto conditions = conditions_now(*read_host(fake.files()), fake.files());
  EXPECT_FALSE(conditions.contains("governor"));
  EXPECT_FALSE(conditions.contains("turbo"));
}

}  // namespace
}  // namespace tollgate::measure
