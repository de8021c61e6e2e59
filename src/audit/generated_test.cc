// Precision and recall on tables that are made up here, in eight layouts: a table whose percentages were rounded from its
// figures must not be called wrong, and one with a single false digit must be. Complements the corpus, whose tables
// the rules were written beside.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "audit/audit.h"
#include "base/random.h"

namespace tollgate::audit {
namespace {

struct Case {
  std::string name, before, after, percent;
};
using Cases = std::vector<Case>;
using Random = RandomStream;

double between(Random& random, double low, double high) { return low + (high - low) * random.unit(); }

Case make_case(Random& random, std::size_t index, int decimals) {
  static constexpr std::array<const char*, 6> kNames{"lseek", "fork", "exec", "mmap", "pipe", "futex"};
  const double scale = std::pow(10, between(random, 1, 5));
  const std::string before = fmt::format("{:.{}f}", scale * between(random, 1, 9), decimals);
  const std::string after = fmt::format("{:.{}f}", std::stod(before) * between(random, 0.3, 1.9), decimals);
  const double percent = 100 * (std::stod(after) - std::stod(before)) / std::stod(before);
  return {kNames[index % kNames.size()], before, after, fmt::format("{:+.1f}%", percent)};
}

Cases make_cases(Random& random) {
  Cases cases(2 + random.below(5));
  const int decimals = static_cast<int>(random.below(4));
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i] = make_case(random, i, decimals);
  return cases;
}

std::string pipes(const Cases& cases) {
  std::string text = "| case | before | after | change |\n|------|--------|-------|--------|\n";
  for (const Case& c : cases) text += fmt::format("| {} | {} | {} | {} |\n", c.name, c.before, c.after, c.percent);
  return text;
}
std::string spaces(const Cases& cases) {
  std::string text = fmt::format("{:<10}{:>14}{:>14}{:>10}\n", "test", "vanilla", "patched", "delta");
  for (const Case& c : cases) text += fmt::format("{:<10}{:>14}{:>14}{:>10}\n", c.name, c.before, c.after, c.percent);
  return text;
}
std::string inside_cell(const Cases& cases) {
  std::string text;
  for (const Case& c : cases)
    text += fmt::format("{:<8} {:>12} (   0.00%) {:>12} ( {}) \n", c.name, c.before, c.after, c.percent);
  return text;
}
std::string stacked(const Cases& cases) {
  std::string text;
  for (const Case& c : cases)
    text += fmt::format("{}\nbase:  {}\npatch: {} {}\n\n", c.name, c.before, c.after, c.percent);
  return text;
}
std::string arrows(const Cases& cases) {
  std::string text;
  for (const Case& c : cases) text += fmt::format("- {}: {} -> {} ({})\n", c.name, c.before, c.after, c.percent);
  return text;
}
std::string same_words(const Cases& cases) {
  std::string text = "Before this change:\n";
  for (const Case& c : cases) text += fmt::format("{} took {} ms\n", c.name, c.before);
  text += "\nAfter this change:\n";
  for (const Case& c : cases) text += fmt::format("{} took {} ms ({})\n", c.name, c.after, c.percent);
  return text;
}
std::string difference_below(const Cases& cases) {
  std::string text;
  for (const Case& c : cases)
    text += fmt::format("no patch: {} ops\npatched:  {} ops\n          ({})\n\n", c.before, c.after, c.percent);
  return text;
}
std::string variants(const Cases& cases) {
  std::string text;
  for (const Case& c : cases)
    text += fmt::format(
        "{}:\n+---+---+---+\n| variant | mean | delta mean |\n+---+---+---+\n| off | {} | |\n| on | {} | {} |\n"
        "+---+---+---+\n\n",
        c.name, c.before, c.after, c.percent);
  return text;
}

constexpr std::array<std::string (*)(const Cases&), 8> kLayouts{pipes,  spaces,     inside_cell,      stacked,
                                                                arrows, same_words, difference_below, variants};
constexpr int kTables = 100;  // of each layout

std::size_t count_wrong(const Audited& audited) {
  std::size_t wrong = 0;
  for (const Finding& finding : audited.findings) wrong += finding.severity == Severity::wrong;
  return wrong;
}

TEST(Generated, ATableRoundedFromItsFiguresIsNotCalledWrong) {
  Random random(1);
  std::size_t figures = 0;
  for (std::size_t layout = 0; layout < kLayouts.size(); ++layout) {
    for (int i = 0; i < kTables; ++i) {
      const Cases cases = make_cases(random);
      const std::string text = kLayouts[layout](cases);
      const Audited audited = audit_text("t", text);
      ASSERT_EQ(count_wrong(audited), 0u) << layout << "\n" << text << audited.findings.front().message;
      figures += audited.figures.size();
      ASSERT_EQ(audited.figures.size(), cases.size()) << layout << "\n" << text;
    }
  }
  fmt::print("{} correct figures, none called wrong\n", figures);
}

/// Changes the first digit, so that no formula reaches the figure.
void spoil(Case& c, Random& random) {
  const std::size_t at = c.percent.find_first_of("0123456789");
  const char old = c.percent[at];
  while (c.percent[at] == old || c.percent[at] == '0') c.percent[at] = static_cast<char>('1' + random.below(9));
}

TEST(Generated, AFalseDigitIsFound) {
  Random random(2);
  std::size_t spoiled = 0, found = 0;
  for (const auto layout : kLayouts) {
    std::size_t here = 0;
    for (int i = 0; i < kTables; ++i) {
      Cases cases = make_cases(random);
      Case& one = cases[random.below(cases.size())];
      spoil(one, random);
      const Audited audited = audit_text("t", layout(cases));
      const bool seen = std::any_of(audited.findings.begin(), audited.findings.end(), [&](const Finding& finding) {
        return finding.severity != Severity::reporting && finding.printed == one.percent;
      });
      ++spoiled;
      here += seen;
    }
    found += here;
    EXPECT_GE(here, 95u);
  }
  fmt::print("{} false figures, {} found: recall {:.3f}\n", spoiled, found,
             static_cast<double>(found) / static_cast<double>(spoiled));
}

}  // namespace
}  // namespace tollgate::audit
