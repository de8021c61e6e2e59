// Runs the cases of tests/conformance/translation.txt.
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>

#include "hw/test_support/machines.h"
#include "hw/test_support/scenario.h"

namespace tollgate::hw {
namespace {

using test::MachineBuilder;
using test::Pcids;

struct Case {
  std::string sentence;
  std::string source;
  Pcids pcids = Pcids::on;
  std::string steps;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.source; }

std::vector<Case> read_cases() {
  std::ifstream file(TOLLGATE_SOURCE_DIR "/tests/conformance/translation.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("== "))
      cases.push_back({line.substr(3), "", Pcids::on, ""});
    else if (line.starts_with("from "))
      cases.back().source = line.substr(5);
    else if (line == "pcids off")
      cases.back().pcids = Pcids::off;
    else if (!cases.empty())
      cases.back().steps += line + "\n";
  }
  return cases;
}

std::string test_name(const Case& one) {
  std::string name;
  for (std::size_t i = 0; i < one.sentence.size(); ++i) {
    const char c = one.sentence[i];
    const bool starts_word = i == 0 || one.sentence[i - 1] == ' ';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += starts_word ? char(std::toupper(c)) : c;
  }
  return name;
}

std::vector<DrawnMachine> machines() {
  using test::k4KAnd2M, test::kAllSizes, test::kOnly2M, test::kOnly4K;
  return {
      test::skylake_like(),
      MachineBuilder("fractured")
          .array(1, Side::instruction, kOnly4K, 16, 8)
          .array(1, Side::data, kAllSizes, 4, 8)
          .array(2, Side::both, kAllSizes, 16, 8)
          .fractured_instruction_side(),
      MachineBuilder("unified").array(1, Side::both, kAllSizes, 1, 32),
      MachineBuilder("pieces").array(1, Side::both, kOnly4K, 4, 8).array(2, Side::both, kAllSizes, 4, 8),
      MachineBuilder("tree")
          .array(1, Side::both, kAllSizes, 1, 32, Replacement::plru)
          .array(2, Side::both, k4KAnd2M, 4, 8, Replacement::plru),
      MachineBuilder("two-threads")
          .threads(2)
          .array(1, Side::instruction, kOnly4K, 4, 8)
          .array(1, Side::instruction, kOnly2M, 1, 8)
          .per_thread()
          .array(1, Side::data, kAllSizes, 1, 32)
          .array(2, Side::both, kAllSizes, 8, 8),
  };
}

class Conformance : public ::testing::TestWithParam<Case> {};

TEST_P(Conformance, Holds) {
  for (const DrawnMachine& machine : machines())
    EXPECT_EQ(test::run_scenario(machine, GetParam().pcids, GetParam().steps), "")
        << "on " << machine.name << "; the fault: " << GetParam().source;
}

INSTANTIATE_TEST_SUITE_P(Cases, Conformance, ::testing::ValuesIn(read_cases()),
                         [](const auto& one) { return test_name(one.param); });

TEST(ConformanceFile, IsThereWithASourceAndStepsForEveryCase) {
  const std::vector<Case> cases = read_cases();
  EXPECT_GE(cases.size(), 24u);
  for (const Case& one : cases) {
    EXPECT_NE(one.source, "") << one.sentence;
    EXPECT_NE(one.steps.find("->"), std::string::npos) << one.sentence << " expects nothing";
  }
}

TEST(Scenario, AStepThatDoesNotHoldIsReportedWithItsLine) {
  EXPECT_EQ(test::run_scenario(test::small_machine(), Pcids::on, "map A 0x10 4K rw\ncr3 A 1 flush\nread 0x10 -> hit"),
            "read 0x10 -> hit: was walk");
  EXPECT_EQ(test::run_scenario(test::small_machine(), Pcids::on, "flush it all"), "flush it all: no such step");
}

}  // namespace
}  // namespace tollgate::hw
