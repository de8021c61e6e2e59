// A checkpointed exploration that is stopped at any moment goes on to the same end.
#include "world/explored/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/interrupt.h"
#include "base/test_support/temporary_folder.h"
#include "world/explored/protocols.h"

namespace tollgate::explored {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class CheckpointFile : public ::testing::Test {
 protected:
  void SetUp() override {
    request_.checkpoint = folder_.file("states");
    file_ = request_.checkpoint + ".transactions";
  }
  void TearDown() override { clear_interrupt(); }
  /// Stops the exploration once so many states were expanded.
  void stop_after(std::uint64_t states) {
    CheckRequest stopped = request_;
    stopped.progress = [=](std::uint64_t done, std::uint64_t) {
      if (done >= states) request_interrupt();
    };
    EXPECT_FALSE(check(stopped));
    clear_interrupt();
  }

  static constexpr std::uint32_t kVms = 6;
  static constexpr std::uint32_t kIds = 4;
  /// The exploration without a stop.
  static Outcome whole() {
    return check({.protocol = "vmid", .variant = "v3-clear", .contexts = kVms, .usable_ids = kIds})->outcome;
  }

  CheckRequest request_{
      .protocol = "vmid", .variant = "v3-clear", .contexts = kVms, .usable_ids = kIds, .checkpoint_every = 4096};
  std::string file_;
  const TemporaryFolder folder_;
};

TEST_F(CheckpointFile, GoesOnToTheSameEndAndIsThenGone) {
  const Outcome uninterrupted = whole();
  stop_after(8192);
  ASSERT_TRUE(fs::exists(file_));
  std::uint64_t first_done = 0;
  request_.progress = [&](std::uint64_t done, std::uint64_t) { first_done = first_done == 0 ? done : first_done; };
  const Outcome resumed = check(request_)->outcome;
  EXPECT_GE(first_done, 8192u);
  EXPECT_EQ(resumed.verdict, Verdict::holds);
  EXPECT_EQ(resumed.states, uninterrupted.states);
  EXPECT_EQ(resumed.transitions, uninterrupted.transitions);
  EXPECT_EQ(resumed.depth, uninterrupted.depth);
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(CheckpointFile, AHalfWrittenRecordDoesNotCount) {
  const Outcome uninterrupted = whole();
  stop_after(12288);
  const auto bytes = fs::file_size(file_);
  for (const std::uint64_t cut : {std::uint64_t{1}, std::uint64_t{1000}, bytes / 2, bytes - 400}) {
    const fs::path copy = file_ + ".copy";
    fs::copy_file(file_, copy, fs::copy_options::overwrite_existing);
    fs::resize_file(file_, bytes - cut);
    EXPECT_EQ(check(request_)->outcome.transitions, uninterrupted.transitions) << cut << " bytes short";
    fs::rename(copy, file_);
  }
}

TEST_F(CheckpointFile, OfAnotherCheckIsRefused) {
  stop_after(8192);
  request_.speculation = Speculation::vttbr;
  const auto report = check(request_);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().text(), HasSubstr("another exploration"));
}

TEST_F(CheckpointFile, ThatIsNoneIsRefusedAndLeftAlone) {
  std::ofstream(file_) << "a letter to a friend";
  const auto report = check(request_);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().text(), HasSubstr("not a checkpoint"));
  EXPECT_EQ(fs::file_size(file_), 20u);
}

TEST_F(CheckpointFile, TakesUpAgainWithMoreMemoryWhereThereWasTooLittle) {
  request_.protocol = "asid";
  request_.variant = "cmpxchg";
  request_.contexts = 5;
  request_.memory_limit = std::uint64_t{1} << 20;
  const Outcome stopped = check(request_)->outcome;
  EXPECT_EQ(stopped.verdict, Verdict::undecided);
  EXPECT_LE(stopped.memory_bytes, request_.memory_limit);
  EXPECT_TRUE(fs::exists(file_));
  request_.memory_limit = std::uint64_t{64} << 20;
  const Outcome resumed = check(request_)->outcome;
  EXPECT_EQ(resumed.verdict, Verdict::holds);
  EXPECT_EQ(resumed.states, 45610u);
}

}  // namespace
}  // namespace tollgate::explored
