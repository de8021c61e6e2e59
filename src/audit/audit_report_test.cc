#include "audit/audit_report.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <fstream>
#include <sstream>

#include "audit/audit.h"

namespace tollgate::audit {
namespace {

using simdjson::dom::element;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTable =
    "| case | before | after | change |\n"
    "|------|--------|-------|--------|\n"
    "| a    | 100.0  | 93.0  | -7.0%  |\n"
    "| b    | 250.0  | 240.0 | -4.0%  |\n"
    "| c    | 310.0  | 279.0 | -19.0% |\n";

std::vector<AuditedFile> one_file(std::string_view text) {
  AuditedFile file{"table.md", 0, {}, {}};
  file.add(audit_text("table", text), Keep::all);
  return {file};
}

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(TOLLGATE_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has_type(element value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_uint64() || value.is_int64();
  return type == "number" && value.is_number();
}

bool fits_type(element value, element rule) {
  if (rule.is_string()) return has_type(value, std::string_view(rule));
  for (const element one : simdjson::dom::array(rule))
    if (has_type(value, std::string_view(one))) return true;
  return false;
}

/// Types, required fields, fields too many, enumerations: what the audit's schema uses.
void check(element value, element schema, const std::string& at, std::vector<std::string>& faults) {
  element rule;
  if (!schema["type"].get(rule) && !fits_type(value, rule)) faults.push_back(at + ": type");
  if (!schema["enum"].get(rule)) {
    bool known = false;
    for (const element one : simdjson::dom::array(rule)) known |= std::string_view(one) == std::string_view(value);
    if (!known) faults.push_back(at + ": not in the list");
  }
  element items, properties, required;
  if (value.is_array() && !schema["items"].get(items))
    for (const element item : simdjson::dom::array(value)) check(item, items, at + "/*", faults);
  if (!value.is_object() || schema["properties"].get(properties)) return;
  if (!schema["required"].get(required))
    for (const element name : simdjson::dom::array(required))
      if (value[std::string_view(name)].error())
        faults.push_back(fmt::format("{}: lacks {}", at, std::string_view(name)));
  for (const auto& [name, member] : simdjson::dom::object(value)) {
    element inner;
    if (properties[name].get(inner))
      faults.push_back(fmt::format("{}: {} is too many", at, name));
    else
      check(member, inner, fmt::format("{}/{}", at, name), faults);
  }
}

std::vector<std::string> faults_of(const std::string& json) {
  simdjson::dom::parser first, second;
  const simdjson::padded_string schema(file_text("docs/schema/audit.schema.json")), document(json);
  element rules, value;
  if (first.parse(schema).get(rules) || second.parse(document).get(value)) return {"not JSON"};
  std::vector<std::string> faults;
  check(value, rules, "", faults);
  return faults;
}

TEST(AuditReport, JsonFollowsItsSchema) { EXPECT_THAT(faults_of(audit_json(one_file(kTable))), IsEmpty()); }

TEST(AuditReport, TheSchemaRefusesAFieldTooManyAndAFieldOfAnotherType) {
  std::string json = audit_json(one_file(kTable));
  const auto at = json.find("\"wrong\": 1");
  ASSERT_NE(at, std::string::npos);
  EXPECT_FALSE(faults_of(std::string(json).replace(at, 10, "\"wrong\": \"1\"")).empty());
  EXPECT_FALSE(faults_of(std::string(json).replace(at, 10, "\"wrong\": 1, \"x\": 2")).empty());
  EXPECT_FALSE(faults_of(std::string(json).replace(at, 10, "\"wrung\": 1")).empty());
}

TEST(AuditReport, TextMarksTheFigureInItsLine) {
  const std::string text = audit_text_report(one_file(kTable));
  EXPECT_THAT(text, HasSubstr("table.md:5: wrong (unreachable): -19.0% cannot be"));
  EXPECT_THAT(text, HasSubstr("    | | case | before | after | change |\n"));
  EXPECT_THAT(text, HasSubstr("    | | c    | 310.0  | 279.0 | -19.0% |\n    |                           ^^^^^^\n"));
  EXPECT_THAT(text, HasSubstr("table.md: 3 figures recomputed, 1 wrong"));
}

TEST(AuditReport, TheMarkStandsUnderTheFigureBehindLettersOfSeveralBytes) {
  const std::string text = audit_text_report(one_file("before: 1.254\u00b5s\nafter: \u00b5 1.118\u00b5s (-11.85%)\n"));
  EXPECT_THAT(text, HasSubstr("    | after: \u00b5 1.118\u00b5s (-11.85%)\n    |                   ^^^^^^^\n"));
}

TEST(AuditReport, ACleanTableGetsOneLine) {
  const std::string clean = "5 runs, stddev below 1\n" + std::string(kTable, std::string(kTable).rfind("| c"));
  EXPECT_EQ(audit_text_report(one_file(clean)), "table.md: 2 figures recomputed: the arithmetic holds\n");
}

/// What SARIF 2.1.0 requires of the parts that are written (its sections 3.13, 3.14, 3.19, 3.27, 3.29, 3.30).
TEST(AuditReport, SarifHasWhatItsStandardRequires) {
  std::vector<AuditedFile> files = one_file(kTable);
  files.front().path = "a mail/with space%.txt";
  simdjson::dom::parser parser;
  const simdjson::padded_string text(audit_sarif(files));
  const element log = parser.parse(text);
  EXPECT_EQ(std::string_view(log["version"]), "2.1.0");
  const element run = log["runs"].at(0);
  EXPECT_FALSE(std::string_view(run["tool"]["driver"]["name"]).empty());
  std::vector<std::string_view> rules;
  for (const element rule : simdjson::dom::array(run["tool"]["driver"]["rules"])) rules.emplace_back(rule["id"]);
  std::size_t results = 0;
  for (const element result : simdjson::dom::array(run["results"])) {
    ++results;
    EXPECT_THAT(rules, ::testing::Contains(std::string_view(result["ruleId"])));
    EXPECT_THAT((std::vector<std::string_view>{"error", "warning", "note"}),
                ::testing::Contains(std::string_view(result["level"])));
    EXPECT_FALSE(std::string_view(result["message"]["text"]).empty());
    const element place = result["locations"].at(0)["physicalLocation"];
    EXPECT_EQ(std::string_view(place["artifactLocation"]["uri"]), "a%20mail/with%20space%25.txt");
    EXPECT_GE(std::uint64_t(place["region"]["startLine"]), 1u);
  }
  EXPECT_EQ(results, files.front().counts.wrong + files.front().counts.doubtful + files.front().counts.reporting);
}

TEST(AuditReport, TheSummarySaysHowManyFiguresWereLeftAlone) {
  AuditedFile file{"a.txt", 0, {}, {}};
  file.counts.figures = 18000;
  file.counts.unpaired = 182000;
  EXPECT_EQ(audit_text_report({file}), "a.txt: 18,000 of 200,000 figures recomputed: the arithmetic holds\n");
}

TEST(AuditReport, MarkdownAndSarifHoldTheFinding) {
  EXPECT_THAT(audit_markdown(one_file(kTable)), HasSubstr("wrong: unreachable"));
  EXPECT_THAT(audit_sarif(one_file(kTable)), HasSubstr("\"startLine\": 5"));
}

}  // namespace
}  // namespace tollgate::audit
