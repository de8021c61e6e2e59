// All that is tested by reading JSON back, in one file because simdjson takes long to compile: the writer, the reports'
// JSON, and the comparison's schema. The checker knows the part of JSON Schema 2020-12 that the schema uses and refuses
// every other keyword; that it can say no is proved by breaking a good document at every place.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "report/comparison_fixture.h"
#include "report/comparison_json.h"
#include "report/json_writer.h"
#include "report/test_support/schema_checker.h"

namespace tollgate::report {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using test::file_text;
using test::is_number;
using test::number_of;
using test::Parsed;
using test::SchemaChecker;
using ::testing::HasSubstr;

std::vector<std::string> faults_of(const std::string& json) {
  const Parsed schema(file_text("docs/schema/comparison.schema.json"));
  const Parsed document(json);
  if (!schema.valid() || !document.valid()) return {"not JSON"};
  return SchemaChecker().check(document.root(), schema.root());
}

/// Copies a document and breaks it at one place.
class Breaker {
 public:
  enum class How { drop, retype, extend };
  Breaker(How how, std::string place) : how_(how), place_(std::move(place)) {}

  std::string broken(element root) {
    copy(root, "");
    return std::move(json_).finish();
  }

 private:
  void copy(element value, const std::string& at) {
    if (how_ == How::retype && at == place_)
      json_.flag(true);
    else if (value.is_object())
      copy_object(value, at);
    else if (value.is_array())
      copy_array(value, at);
    else if (value.is_string())
      json_.text(std::string_view(value));
    else if (value.type() == element_type::DOUBLE)
      json_.number(double(value));
    else if (value.is_null())
      json_.null();
    else
      json_.whole(std::uint64_t(value));
  }

  void copy_object(element value, const std::string& at) {
    json_.begin_object();
    for (auto [name, member] : simdjson::dom::object(value)) {
      const std::string place = fmt::format("{}/{}", at, name);
      if (how_ == How::drop && place == place_) continue;
      json_.key(name);
      copy(member, place);
    }
    if (how_ == How::extend && at == place_) json_.key("surprise").text("!");
    json_.end_object();
  }

  void copy_array(element value, const std::string& at) {
    json_.begin_array();
    std::size_t index = 0;
    for (element item : simdjson::dom::array(value)) copy(item, fmt::format("{}/{}", at, index++));
    json_.end_array();
  }

  How how_;
  std::string place_;
  JsonWriter json_;
};

using Visit = std::function<void(const std::string& place, element value, element parent)>;

void for_every_place(element value, const std::string& at, const Visit& visit) {
  if (value.is_object())
    for (auto [name, member] : simdjson::dom::object(value)) {
      visit(fmt::format("{}/{}", at, name), member, value);
      for_every_place(member, fmt::format("{}/{}", at, name), visit);
    }
  if (!value.is_array()) return;
  std::size_t index = 0;
  for (element item : simdjson::dom::array(value)) {
    visit(fmt::format("{}/{}", at, index), item, value);
    for_every_place(item, fmt::format("{}/{}", at, index++), visit);
  }
}

/// Objects whose keys are names out of a catalogue: a missing one is no fault of form.
bool is_catalogue(const std::string& place) {
  return place.ends_with("/ledger") || place.ends_with("/ledger_per_operation") || place.ends_with("/events") ||
         place.ends_with("/metrics") || place.ends_with("/user");
}

std::string parent_of(const std::string& place) { return place.substr(0, place.rfind('/')); }

/// What only answers about real runs have: a simulated answer without it is whole.
bool is_of_real_runs(const std::string& place) {
  return place.ends_with("/session") || place.ends_with("/estimate") || place.ends_with("/outliers") ||
         place.ends_with("/printed_count");
}

/// Small documents with everything in them: two samples, since every sample is a place to break.
std::vector<std::string> good_documents() {
  auto real = example_real_comparison();
  for (auto& variant : real.variants)
    for (auto& metric : variant.metrics) metric.samples.resize(2);
  real.variants[1].metrics[0].estimate->levels = evidence::Levels{"boot", 0.25, 8.5};
  auto comparison = example_comparison();
  comparison.variants.pop_back();
  for (auto& variant : comparison.variants)
    for (auto& metric : variant.metrics) metric.samples.resize(2);
  comparison.warnings = {"a warning"};
  return {comparison_json(comparison), comparison_json(real)};
}
std::string simulated_document() { return good_documents()[0]; }

std::string broken_document(Breaker::How how, const std::string& place,
                            const std::string& good = simulated_document()) {
  return Breaker(how, place).broken(Parsed(good).root());
}

TEST(ComparisonJson, FollowsItsSchema) {
  for (const auto& comparison : {example_comparison(), example_real_comparison(), equal_comparison(1),
                                 equal_comparison(3), evidence::Comparison{}})
    EXPECT_THAT(faults_of(comparison_json(comparison)), ::testing::IsEmpty());
}

TEST(ComparisonJson, ACopyWithoutABreakStillFollowsTheSchema) {
  for (const auto& good : good_documents())
    EXPECT_THAT(faults_of(broken_document(Breaker::How::drop, "/nowhere", good)), ::testing::IsEmpty());
}

TEST(ComparisonJson, WithoutAnyOneFieldBreaksTheSchema) {
  int tried = 0;
  for (const auto& good : good_documents())
    for_every_place(Parsed(good).root(), "", [&](const std::string& place, element, element parent) {
      if (parent.is_array() || is_catalogue(parent_of(place)) || is_of_real_runs(place)) return;
      EXPECT_FALSE(faults_of(broken_document(Breaker::How::drop, place, good)).empty()) << place;
      ++tried;
    });
  EXPECT_GT(tried, 150);
}

TEST(ComparisonJson, WithAnyOneValueOfAnotherTypeBreaksTheSchema) {
  int tried = 0;
  for (const auto& good : good_documents())
    for_every_place(Parsed(good).root(), "", [&](const std::string& place, element, element) {
      EXPECT_FALSE(faults_of(broken_document(Breaker::How::retype, place, good)).empty()) << place;
      ++tried;
    });
  EXPECT_GT(tried, 300);
}

TEST(ComparisonJson, WithAFieldTooManyInAnyObjectBreaksTheSchema) {
  EXPECT_FALSE(faults_of(broken_document(Breaker::How::extend, "")).empty());
  for (const auto& good : good_documents())
    for_every_place(Parsed(good).root(), "", [&](const std::string& place, element value, element) {
      if (value.is_object()) {
        EXPECT_FALSE(faults_of(broken_document(Breaker::How::extend, place, good)).empty()) << place;
      }
    });
}

TEST(ComparisonJson, AFaultIsReportedWithItsPlace) {
  EXPECT_THAT(faults_of(broken_document(Breaker::How::drop, "/variants/1/mean")),
              ::testing::ElementsAre("/variants/1: misses mean"));
  EXPECT_THAT(faults_of(broken_document(Breaker::How::retype, "/published/0/verdict")),
              ::testing::Contains("/published/0/verdict: wrong type"));
}

TEST(ComparisonJson, HoldsEveryAccountEventAndKindByName) {
  const Parsed document(comparison_json(example_comparison()));
  const element variant = document.root()["variants"].at(1);
  for (const auto& info : evidence::kAccountInfo)
    EXPECT_FALSE(variant["ledger"].at_key(info.name).error()) << info.name;
  for (const auto& info : evidence::kEventInfo) EXPECT_FALSE(variant["events"].at_key(info.name).error()) << info.name;
  for (auto kind : evidence::kMemoryKindNames) EXPECT_FALSE(variant["exposure"]["user"].at_key(kind).error()) << kind;
  EXPECT_EQ(double(variant["ledger"]["walk_capacity"]), 11.25 * 1011);
}

TEST(ComparisonJson, HasNullForTheBaselinesDeltaAndTheSamplesInFull) {
  const auto comparison = example_comparison();
  const Parsed document(comparison_json(comparison));
  const element baseline = document.root()["variants"].at(0), entry = document.root()["variants"].at(1);
  EXPECT_TRUE(baseline["delta_percent"].is_null());
  EXPECT_TRUE(baseline["interval_percent"].is_null());
  EXPECT_TRUE(baseline["mc_error_percent"].is_null());
  EXPECT_EQ(double(entry["delta_percent"]), *comparison.variants[1].metrics[0].delta_percent);
  EXPECT_EQ(double(entry["interval_percent"].at(1)), comparison.variants[1].metrics[0].interval_percent->high);
  EXPECT_EQ(double(entry["samples"].at(19)), comparison.variants[1].metrics[0].samples[19]);
  EXPECT_EQ(double(entry["metrics"]["walks_per_op"]["mean"]), comparison.variants[1].metrics[1].mean);
  EXPECT_EQ(std::string_view(document.root()["published"].at(0)["verdict"]), "miss");
}

TEST(ComparisonJson, OfRealRunsHasTheEstimateAndNoMechanism) {
  const auto comparison = example_real_comparison();
  const Parsed document(comparison_json(comparison));
  const element root = document.root(), on = root["variants"].at(1);
  const auto& estimate = *comparison.variants[1].metrics[0].estimate;
  EXPECT_TRUE(on["ledger"].is_null());
  EXPECT_TRUE(on["exposure"].is_null());
  EXPECT_EQ(std::string_view(on["estimate"]["verdict"]), "changed");
  EXPECT_EQ(number_of(on["estimate"]["shift_percent"]), *estimate.shift_percent);
  EXPECT_EQ(number_of(on["estimate"]["p_holm"]), *estimate.p_holm);
  EXPECT_EQ(number_of(on["outliers"].at(0)), 4);
  EXPECT_EQ(std::string_view(on["metrics"]["page_faults"]["estimate"]["verdict"]), "equivalent");
  EXPECT_TRUE(root["variants"].at(0)["estimate"].is_null());
  EXPECT_EQ(std::string_view(root["session"]["order"]), "random blocks");
  EXPECT_EQ(number_of(root["session"]["margin_percent"]), 1);
  EXPECT_EQ(number_of(root["level"]), 95);
}

TEST(ComparisonJson, OfSimulatedAnswersHasNoKeyOfRealRuns) {
  for (const char* name : {"\"session\"", "\"estimate\"", "\"outliers\"", "\"printed_count\""})
    EXPECT_EQ(comparison_json(example_comparison()).find(name), std::string::npos) << name;
}

TEST(ComparisonJson, AMetricThatAVariantLacksIsNull) {
  auto comparison = example_comparison();
  comparison.variants[1].metrics.clear();
  const std::string json = comparison_json(comparison);
  EXPECT_TRUE(Parsed(json).root()["variants"].at(1)["mean"].is_null());
  EXPECT_THAT(faults_of(json), ::testing::IsEmpty());
}

TEST(ExplanationJson, HasAccountsThatAddUpToTheDifference) {
  const Parsed document(explanation_json(example_explanation()));
  ASSERT_TRUE(document.valid());
  const element entry = document.root()["ledger_differences"].at(0);
  double sum = 0;
  for (auto [name, account] : simdjson::dom::object(entry["accounts"])) sum += number_of(account["difference"]);
  EXPECT_NEAR(sum, number_of(entry["difference"]), 1e-9);
  EXPECT_NEAR(sum, -11.25, 1e-9);
  EXPECT_EQ(simdjson::dom::object(entry["accounts"]).size(), evidence::kAccounts);
}

TEST(ExplanationJson, HoldsEverySection) {
  const Parsed document(explanation_json(example_explanation()));
  const element root = document.root();
  EXPECT_EQ(std::string_view(root["schema"]), "tollgate.explanation/1");
  EXPECT_EQ(number_of(root["misses"].at(1)["walks_capacity"]), 11.25 / 9 * 1011);
  EXPECT_EQ(simdjson::dom::object(root["misses"].at(1)["refill_cycles"]).size(), evidence::kFlushCauses);
  EXPECT_EQ(number_of(root["exposure"]["entry-text"]["stale"]["entries"]), 12);
  EXPECT_EQ(number_of(root["sensitivity"].at(0)["delta_percent_high"]), 1.45);
  EXPECT_EQ(number_of(root["layout"].at(2)["interval_percent"].at(0)), 1.9);
  EXPECT_EQ(std::string_view(root["tipping_points"].at(0)["after"]), "10");
  EXPECT_EQ(simdjson::dom::array(root["missing"]).size(), 1u);
}

TEST(ValidationJson, HoldsEveryRowAndTheCounts) {
  const Parsed document(validation_json(example_validation()));
  const element root = document.root();
  EXPECT_EQ(simdjson::dom::array(root["rows"]).size(), 5u);
  EXPECT_EQ(std::string_view(root["rows"].at(4)["verdict"]), "not modelled");
  EXPECT_TRUE(root["rows"].at(4)["predicted_percent"].is_null());
  EXPECT_EQ(number_of(root["hits"]) + number_of(root["misses"]) + number_of(root["not_modelled"]) +
                number_of(root["not_scored"]),
            5);
}

TEST(JsonWriter, LaysOutObjectsOverLinesAndNumbersOnOne) {
  JsonWriter json;
  json.begin_object().key("a").numbers(std::vector<double>{1, 0.5}).key("b").begin_object().end_object();
  json.key("c").begin_array().null().flag(false).end_array().end_object();
  EXPECT_EQ(std::move(json).finish(),
            "{\n  \"a\": [1, 0.5],\n  \"b\": {},\n  \"c\": [\n    null,\n    false\n  ]\n}\n");
}

TEST(JsonWriter, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(json_quoted("a\"b\\c\nd\te\rf\x01g\x7f"), R"("a\"b\\c\nd\te\rf\u0001g\u007f")");
  EXPECT_EQ(json_quoted(std::string_view("\0", 1)), R"("\u0000")");
}

TEST(JsonWriter, KeepsUtf8AndReplacesWhatIsNot) {
  EXPECT_EQ(json_quoted("\xC2\xB5s \xE2\x82\xAC \xF0\x9F\x98\x80"), "\"\xC2\xB5s \xE2\x82\xAC \xF0\x9F\x98\x80\"");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(json_quoted("\x80"), '"' + bad + '"');                      // a continuation alone
  EXPECT_EQ(json_quoted("\xC3("), '"' + bad + "(\"");                   // cut short
  EXPECT_EQ(json_quoted("\xC0\xAF"), '"' + bad + bad + '"');            // overlong
  EXPECT_EQ(json_quoted("\xED\xA0\x80"), '"' + bad + bad + bad + '"');  // a surrogate
}

TEST(JsonWriter, NumbersThatAreNotFiniteAreNull) {
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_number(std::nan("")), "null");
}

RC_GTEST_PROP(JsonWriter, EveryFiniteDoubleReadsBackToTheSameBits, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  JsonWriter json;
  json.begin_array().number(value).end_array();
  const Parsed parsed(std::move(json).finish());
  RC_ASSERT(parsed.valid());
  const element read = parsed.root().at(0);
  RC_ASSERT(number_of(read) == value);
}

RC_GTEST_PROP(JsonWriter, EveryWholeNumberReadsBack, (std::uint64_t value)) {
  JsonWriter json;
  json.begin_array().whole(value).end_array();
  RC_ASSERT(std::uint64_t(Parsed(std::move(json).finish()).root().at(0)) == value);
}

RC_GTEST_PROP(JsonWriter, EveryAsciiTextReadsBack, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  JsonWriter json;
  json.begin_object().key(text).text(text).end_object();
  const Parsed parsed(std::move(json).finish());
  RC_ASSERT(parsed.valid());
  for (auto [key, value] : simdjson::dom::object(parsed.root())) {
    RC_ASSERT(key == text);
    RC_ASSERT(std::string_view(value) == text);
  }
}

RC_GTEST_PROP(JsonWriter, AnyBytesMakeAValidDocument, (const std::vector<unsigned char>& bytes)) {
  JsonWriter json;
  json.begin_array().text(std::string(bytes.begin(), bytes.end())).end_array();
  RC_ASSERT(Parsed(std::move(json).finish()).valid());
}

/// Writes a random document and, beside it, how many plain values it holds.
int write_random(JsonWriter& json, int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 5 : 3);
  if (kind == 0)
    json.number(*rc::gen::arbitrary<double>());
  else if (kind == 1)
    json.text(*rc::gen::arbitrary<std::string>());
  else if (kind == 2)
    json.null();
  if (kind < 3) return 1;
  int values = 0;
  const int members = *rc::gen::inRange(0, 4);
  kind == 3 ? json.begin_object() : json.begin_array();
  for (int i = 0; i < members; ++i) {
    if (kind == 3) json.key(fmt::format("key {}", i));
    values += write_random(json, depth - 1);
  }
  kind == 3 ? json.end_object() : json.end_array();
  return values;
}

int count_plain(element value) {
  int values = 0;
  if (value.is_object())
    for (auto [name, member] : simdjson::dom::object(value)) values += count_plain(member);
  else if (value.is_array())
    for (element item : simdjson::dom::array(value)) values += count_plain(item);
  else
    values = 1;
  return values;
}

RC_GTEST_PROP(JsonWriter, RandomDocumentsParseAndKeepEveryValue, ()) {
  JsonWriter json;
  json.begin_array();
  const int written = write_random(json, 4);
  json.end_array();
  const std::string text = std::move(json).finish();
  const Parsed parsed(text);
  RC_ASSERT(parsed.valid());
  RC_ASSERT(count_plain(parsed.root()) == written);
}

TEST(JsonWriterDeathTest, AValueWithoutAKeyIsOurMistake) {
  EXPECT_DEATH(JsonWriter().begin_object().number(1.0), "has a key");
  EXPECT_DEATH(JsonWriter().begin_object().end_array(), "closes what is not open");
}

}  // namespace
}  // namespace tollgate::report
