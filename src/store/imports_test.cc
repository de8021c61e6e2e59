#include "store/imports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support/temporary_folder.h"
#include "report/measurement_report.h"
#include "store/export.h"
#include "store/store.h"
#include "store/test_support/killed_writer.h"
#include "store/test_support/sessions.h"

namespace tollgate::store {
namespace {

using testing::HasSubstr;

/// Two variants; `runs` samples of one metric, a summary of the other; something in every field.
ImportedSession some_session(const std::string& name, const std::string& digest, std::uint32_t runs) {
  ImportedSession session{name, "folder/" + name + ".json", "hyperfine JSON", digest, 1.7e9, {}};
  auto& measurement = session.measurement;
  measurement.title = "make, make -j8";
  measurement.machine = "Fake CPU";
  measurement.variants = {"make -j8", "make"};  // not in the order of the series
  measurement.terms = {"elapsed_s", 1.5, 99, evidence::Order::unknown, std::uint64_t(-1), 7, {"kernel release"}};
  measurement.noise_floor_percent = 0.25;
  measurement.notes = {"a note", "another"};
  measurement.warnings = {"z", "a"};
  for (const char* variant : {"make", "make -j8"}) {
    evidence::Series samples{{"elapsed_s", "s", evidence::Better::lower}, variant, {}, {}, {}, "x.json:4"};
    for (std::uint32_t i = 0; i < runs; ++i) samples.samples.push_back({0.1 * i + 1e-17, i, {}, {}, "", {}});
    evidence::Series summary{{"user_s", "s", evidence::Better::neither}, variant, {}, {}, {}, "x.json:9"};
    summary.summary = evidence::SummaryOnly{12, 1.25, {}, {}, 2, 0.5, {}};
    samples.half_step = 0.005;
    measurement.series.push_back(samples);
    measurement.series.push_back(summary);
    measurement.conditions.push_back({variant, 1, "exit status", "0"});
  }
  measurement.unfinished = "3 of 4 planned runs were made";
  measurement.series[0].floor = 1.5;
  measurement.series[0].samples[0] = {1, 0, 5, 2, "boot", 1.7e9};
  return session;
}

std::string as_json(const evidence::Measurement& measurement) {
  report::JsonWriter json;
  report::write_measurement(json, measurement);
  return std::move(json).finish();
}

Result<void> add(Store& store, const ImportedSession& session, IfTaken if_taken = IfTaken::refuse) {
  return store.imports().add(std::span(&session, 1), if_taken);
}

TEST(Imports, GiveBackWhatTheyWereGiven) {
  const TemporaryFolder folder;
  const auto session = some_session("make", "d1", 3);
  {
    auto store = Store::open(folder.file("kept.db"));
    ASSERT_TRUE(add(*store, session));
  }
  auto store = Store::open_existing(folder.file("kept.db"));
  const auto found = store->imports().find("make");
  ASSERT_TRUE(found && *found);
  const ImportedSession& kept = **found;
  EXPECT_EQ(kept.files, session.files);
  EXPECT_EQ(kept.format, session.format);
  EXPECT_EQ(kept.created, session.created);
  EXPECT_EQ(as_json(kept.measurement), as_json(session.measurement));
  const auto& terms = kept.measurement.terms;
  EXPECT_EQ(terms.margin_percent, 1.5);
  EXPECT_EQ(terms.level, 99);
  EXPECT_EQ(terms.seed, std::uint64_t(-1));
  EXPECT_EQ(terms.runs, 7U);
  EXPECT_EQ(terms.compared, session.measurement.terms.compared);
  EXPECT_EQ(kept.measurement.noise_floor_percent, 0.25);
  EXPECT_EQ(kept.measurement.series[0].half_step, 0.005);
  EXPECT_EQ(kept.measurement.unfinished, session.measurement.unfinished);
  EXPECT_EQ(kept.measurement.series[0].floor, 1.5);
  EXPECT_EQ(kept.measurement.series[2].floor, 0);
  EXPECT_EQ(kept.measurement.conditions.size(), 2U);
  EXPECT_EQ(kept.measurement.series[0].samples[2].value, session.measurement.series[0].samples[2].value);
  EXPECT_FALSE(*store->imports().find("nothing"));
}

TEST(Imports, TheSameResultsAreKeptOnceAndANameIsOfOneSession) {
  const TemporaryFolder folder;
  auto store = Store::open(folder.file("kept.db"));
  ASSERT_TRUE(add(*store, some_session("make", "d1", 3)));
  EXPECT_THAT(add(*store, some_session("make", "d1", 3)).error().text(),
              HasSubstr("folder/make.json: these results are kept already, as session 'make'"));
  EXPECT_THAT(add(*store, some_session("other", "d1", 3), IfTaken::replace).error().text(),
              HasSubstr("these results are kept already, as session 'make'"));
  EXPECT_THAT(add(*store, some_session("make", "d2", 4)).error().text(),
              HasSubstr("session 'make' is kept already, of other results (folder/make.json)"));
  ASSERT_TRUE(add(*store, some_session("make", "d2", 4), IfTaken::replace));
  EXPECT_EQ((*store->imports().find("make"))->measurement.series[0].samples.size(), 4U);
  const auto lines = store->imports().list();
  ASSERT_TRUE(lines && lines->size() == 1);
  EXPECT_EQ(lines->front().variants, 2U);
  EXPECT_EQ(lines->front().runs, 24U);  // the summaries say 12 of each variant
}

TEST(Imports, OfSeveralAllAreKeptOrNone) {
  const TemporaryFolder folder;
  auto store = Store::open(folder.file("kept.db"));
  const std::vector sessions = {some_session("a", "d1", 3), some_session("b", "d1", 3)};
  EXPECT_FALSE(store->imports().add(sessions, IfTaken::refuse));
  EXPECT_TRUE(store->imports().list()->empty());
}

TEST(Imports, SessionsOfOurOwnStandBesideThem) {
  const TemporaryFolder folder;
  auto store = Store::open(folder.file("kept.db"));
  ASSERT_TRUE(store->add(small_session(2)));
  ASSERT_TRUE(add(*store, some_session("off / on", "d1", 3)));
  EXPECT_EQ(*store->find("off / on"), 1);
  EXPECT_EQ(store->list()->size(), 1U);
}

TEST(Imports, AKilledProcessLeavesWholeSessions) {
  const TemporaryFolder folder;
  const std::string path = folder.file("kept.db");
  words_of_killed_writer(8, [&](const auto& say) {
    auto store = Store::open(path);
    for (int i = 0;; ++i) {
      const std::string name = "s" + std::to_string(i);
      say();
      if (!add(*store, some_session(name, name, 3000))) return;
    }
  });
  auto store = Store::open_existing(path);
  ASSERT_TRUE(store) << store.error().text();
  const auto lines = store->imports().list();
  ASSERT_TRUE(lines);
  EXPECT_GE(lines->size(), 7U);  // the eighth was begun
  for (const auto& line : *lines) {
    const auto kept = store->imports().find(line.name);
    EXPECT_EQ(as_json((*kept)->measurement), as_json(some_session(line.name, "", 3000).measurement));
  }
}

TEST(Imports, AsCsvOneLineAValueOrAKnownFigure) {
  const std::string csv = measurement_csv(some_session("make", "d1", 2).measurement);
  EXPECT_THAT(csv, testing::StartsWith("kind,variant,run,position,block,boot,start,exit_status,metric,unit,value\r\n"
                                       "imported,make,0,5,2,boot,1700000000.000000,,elapsed_s,s,1\r\n"
                                       "imported,make,1,,,,,,elapsed_s,s,0.1"));
  EXPECT_THAT(csv, HasSubstr("\r\ncount,make,,,,,,,user_s,s,12\r\nmean,make,,,,,,,user_s,s,1.25\r\n"
                             "max,make,,,,,,,user_s,s,2\r\ndeviation,make,,,,,,,user_s,s,0.5\r\n"));
}

}  // namespace
}  // namespace tollgate::store
