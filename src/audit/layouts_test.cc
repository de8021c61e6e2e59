// Short texts in the layouts of kernel mail, in tests/audit-layouts: fifty were written with their labels before the rules
// met them, the rest beside the rules. A head says how many percentages are recomputed and names every finding; all of
// them, and no other, must be found. What a head calls missed is wrong too, but no rule that is safe elsewhere finds it.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "audit/audit.h"
#include "audit/message_stream.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

struct Snippet {
  std::string name, body;
  std::string figures;  // "" when any number will do
  std::vector<std::string> wrong, doubtful, remarks;
};

Snippet read_snippet(const std::filesystem::path& path) {
  Snippet snippet{path.stem().string(), "", "", {}, {}, {}};
  std::ifstream file(path);
  std::string line;
  const auto value = [&](std::string_view key) { return line.substr(std::min(line.size(), key.size())); };
  while (std::getline(file, line) && line != "#---") {
    if (line.starts_with("# figures: ")) snippet.figures = value("# figures: ");
    if (line.starts_with("# wrong: ")) snippet.wrong.push_back(value("# wrong: "));
    if (line.starts_with("# doubtful: ")) snippet.doubtful.push_back(value("# doubtful: "));
    if (line.starts_with("# remark: ")) snippet.remarks.push_back(value("# remark: "));
  }
  std::stringstream body;
  body << file.rdbuf();
  snippet.body = body.str();
  return snippet;
}

std::vector<Snippet> read_snippets(const std::string& folder) {
  std::vector<Snippet> snippets;
  for (const auto& entry : std::filesystem::directory_iterator(TOLLGATE_SOURCE_DIR "/tests/" + folder))
    snippets.push_back(read_snippet(entry.path()));
  std::sort(snippets.begin(), snippets.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return snippets;
}

std::vector<std::string> of(const Audited& audited, Severity severity) {
  std::vector<std::string> found;
  for (const Finding& finding : audited.findings)
    if (finding.severity == severity) found.push_back(fmt::format("{} {}", finding.kind, finding.printed));
  return found;
}

/// What is labelled and not found, or found and not labelled; "" when nothing is.
std::string faults_of(const Snippet& snippet) {
  Audited audited;
  EXPECT_TRUE(read_messages(snippet.body, snippet.name,
                            [&](Message message) { audited = audit_lines(snippet.name, message.lines); }));
  std::string faults;
  const auto compare = [&](std::vector<std::string> labelled, std::vector<std::string> found, const char* what) {
    std::sort(labelled.begin(), labelled.end());
    std::sort(found.begin(), found.end());
    if (labelled != found) faults += fmt::format(" {}: [{}] for [{}]", what, join(found, ", "), join(labelled, ", "));
  };
  compare(snippet.wrong, of(audited, Severity::wrong), "wrong");
  compare(snippet.doubtful, of(audited, Severity::doubtful), "doubtful");
  compare(snippet.remarks, of(audited, Severity::reporting), "remarks");
  if (!snippet.figures.empty() && snippet.figures != std::to_string(audited.figures.size()))
    faults += fmt::format(" figures: {} for {}", audited.figures.size(), snippet.figures);
  return faults;
}

TEST(Layouts, EveryLabelledFindingIsFoundAndNoOther) {
  const auto snippets = read_snippets("audit-layouts");
  ASSERT_GE(snippets.size(), 50u);
  for (const Snippet& snippet : snippets) {
    const std::string faults = faults_of(snippet);
    EXPECT_TRUE(faults.empty()) << snippet.name << ":" << faults;
  }
}

/// Takes out of `found` ("KIND PRINTED") one finding a label, which names a kind or a printed figure; what had none.
std::vector<std::string> take_labelled(const std::vector<std::string>& labels, std::vector<std::string>& found) {
  std::vector<std::string> missed;
  for (const std::string& label : labels) {
    const auto hit = std::find_if(found.begin(), found.end(), [&](const std::string& finding) {
      return finding.starts_with(label + " ") || finding.ends_with(" " + label);
    });
    if (hit == found.end())
      missed.push_back(label);
    else
      found.erase(hit);
  }
  return missed;
}

// The texts of tests/audit-unseen* were written and labelled without a look at the rules, so a label names the figure or
// the kind. Not all are read; none may be called wrong falsely.
int right_of(const std::string& folder) {
  const auto snippets = read_snippets(folder);
  int right = 0;
  for (const Snippet& snippet : snippets) {
    Audited audited;
    EXPECT_TRUE(read_messages(snippet.body, snippet.name,
                              [&](Message message) { audited = audit_lines(snippet.name, message.lines); }));
    auto wrong = of(audited, Severity::wrong), doubtful = of(audited, Severity::doubtful);
    const auto missed = take_labelled(snippet.wrong, wrong), unclassed = take_labelled(snippet.doubtful, doubtful);
    EXPECT_TRUE(wrong.empty()) << snippet.name << " is called wrong falsely: " << join(wrong, ", ");
    const bool counted = snippet.figures.empty() || snippet.figures == std::to_string(audited.figures.size());
    const bool all = missed.empty() && unclassed.empty() && wrong.empty() && doubtful.empty() && counted;
    right += all;
    if (!all)
      fmt::print("{}: {} figures, missed: {}; beside: {}\n", snippet.name, audited.figures.size(), join(missed, ", "),
                 join(doubtful, ", "));
  }
  fmt::print("{} of {} texts right\n", right, snippets.size());
  return right;
}

TEST(Layouts, TextsWrittenWithoutTheRules) { EXPECT_GE(right_of("audit-unseen"), 32); }

TEST(Layouts, FurtherTextsWrittenWithoutTheRules) { EXPECT_GE(right_of("audit-unseen-third"), 8); }
TEST(Layouts, TextsOfASecondAuthor) { EXPECT_GE(right_of("audit-unseen-fourth"), 26); }
TEST(Layouts, TextsAndTrapsOfAThirdAuthor) { EXPECT_GE(right_of("audit-unseen-fifth"), 177); }

}  // namespace
}  // namespace tollgate::audit
