#include "store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support/temporary_folder.h"
#include "store/test_support/killed_writer.h"
#include "store/test_support/sessions.h"

namespace tollgate::store {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& path) {
  const auto store = Store::open(path);
  return store ? "" : store.error().text();
}

TEST(Store, GivesBackWhatItWasGiven) {
  const TemporaryFolder folder;
  Session session = small_session(3);
  session.variants[1].boot = BootMatch{"6.1.*", {"pti=on", "quiet"}, {"nopti"}};
  session.on_failure = OnFailure::keep;
  session.noise = true;
  session.boots = 2;
  std::int64_t id = 0;
  {
    auto store = Store::open(folder.file("new/folder/kept.db"));
    ASSERT_TRUE(store) << store.error().text();
    id = *store->add(session);
    store::Run run = small_run(1, 0, 0.25, 400);
    run.exit_status = 3;
    ASSERT_TRUE(store->add(id, run));
  }
  auto store = Store::open_existing(folder.file("new/folder/kept.db"));
  const auto kept = store->session(id);
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(kept->name, "off / on");
  EXPECT_EQ(kept->terms.primary, "rate");
  EXPECT_EQ(kept->terms.margin_percent, 1.5);
  EXPECT_EQ(kept->terms.order, evidence::Order::random_blocks);
  EXPECT_EQ(kept->terms.seed, 42U);
  EXPECT_EQ(kept->boots, 2U);
  EXPECT_TRUE(kept->noise);
  EXPECT_EQ(kept->on_failure, OnFailure::keep);
  EXPECT_FALSE(kept->variants[0].boot);
  EXPECT_EQ(kept->variants[1].boot->with, (std::vector<std::string>{"pti=on", "quiet"}));
  EXPECT_EQ(kept->variants[1].boot->without, (std::vector<std::string>{"nopti"}));
  EXPECT_EQ(kept->metrics[1].info.better, evidence::Better::higher);
  const auto runs = store->runs(id);
  ASSERT_TRUE(runs && runs->size() == 1);
  EXPECT_EQ(runs->front().values, (std::vector<double>{0.25, 400}));
  EXPECT_EQ(runs->front().conditions.at("governor"), "performance");
  EXPECT_EQ(runs->front().exit_status, 3);
  EXPECT_EQ(runs->front().boot, "boot-1");
}

TEST(Store, ARunIsKeptOnce) {
  const TemporaryFolder folder;
  auto store = Store::open(folder.file("kept.db"));
  const auto id = *store->add(small_session(3));
  ASSERT_TRUE(store->add(id, small_run(0, 0, 1, 1)));
  EXPECT_FALSE(store->add(id, small_run(0, 0, 2, 2)));
  store::Run noise = small_run(0, 0, 2, 2);
  noise.kind = RunKind::noise;
  EXPECT_TRUE(store->add(id, noise));
  EXPECT_EQ(store->runs(id)->size(), 2U);
}

TEST(Store, AValueThatIsNoNumberIsRefusedAndLeavesNothing) {
  const TemporaryFolder folder;
  auto store = Store::open(folder.file("kept.db"));
  const auto id = *store->add(small_session(3));
  EXPECT_FALSE(store->add(id, small_run(0, 0, std::numeric_limits<double>::quiet_NaN(), 1)));
  EXPECT_TRUE(store->runs(id)->empty());
}

TEST(Store, FindsSessionsByIdAndByNameTheLatestFirst) {
  const TemporaryFolder folder;
  auto store = Store::open(folder.file("kept.db"));
  EXPECT_THAT(store->find("").error().text(), HasSubstr("no session is kept there"));
  Session session = small_session(3);
  const auto first = *store->add(session);
  const auto second = *store->add(session);
  session.name = "other";
  const auto third = *store->add(session);
  EXPECT_EQ(store->find(""), third);
  EXPECT_EQ(store->find("off / on"), second);
  EXPECT_EQ(store->find(std::to_string(first)), first);
  EXPECT_THAT(store->find("othre").error().text(), HasSubstr("did you mean 'other'?"));
  EXPECT_THAT(store->find("17").error().text(),
              HasSubstr("there is no session '17' (known: 3 'other', 2 'off / on', 1 'off / on')"));
  ASSERT_TRUE(store->add(first, small_run(0, 0, 1, 1)));
  const auto lines = *store->list();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].id, third);
  EXPECT_EQ(lines[2].made, 1U);
  EXPECT_EQ(lines[2].planned, 6U);
}

TEST(Store, RefusesFilesThatAreNotItsOwn) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of(folder.file("text", "this is not a database at all, but long enough to be looked at\n")),
              HasSubstr("text: file is not a database"));
  {
    SQLite::Database other(folder.file("other.db"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE t(x)");
  }
  EXPECT_THAT(error_of(folder.file("other.db")), HasSubstr("is a database of another program"));
  {
    ASSERT_TRUE(Store::open(folder.file("later.db")));
  }
  {
    SQLite::Database later(folder.file("later.db"), SQLite::OPEN_READWRITE);
    later.exec("PRAGMA user_version = 99");
  }
  EXPECT_THAT(error_of(folder.file("later.db")), HasSubstr("has version 99"));
  EXPECT_THAT(Store::open_existing(folder.file("none.db")).error().text(), HasSubstr("no measurements are kept there"));
}

TEST(Store, RemovesASessionWithItsRunsAndNothingOfTheOthers) {
  const TemporaryFolder folder;
  const std::string path = folder.file("kept.db");
  auto store = *Store::open(path);
  const auto first = *store.add(small_session(2)), second = *store.add(small_session(2));
  for (const auto id : {first, second})
    for (std::uint32_t i = 0; i < 2; ++i) ASSERT_TRUE(store.add(id, small_run(0, i, 1, 2)));
  EXPECT_EQ(*store.remove(first), 2U);
  EXPECT_EQ(store.list()->size(), 1U);
  EXPECT_FALSE(store.session(first));
  EXPECT_EQ(store.session(second)->metrics.size(), 2U);
  const auto runs = *store.runs(second);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(runs[1].conditions.size(), 2U);
  EXPECT_EQ(*store.remove(first), 0U);
  const char* const of_others =
      "SELECT (SELECT count(*) FROM run) || ' ' || (SELECT count(*) FROM value) || ' ' || (SELECT count(*) FROM "
      "condition)"
      " || ' ' || (SELECT count(*) FROM variant) || ' ' || (SELECT count(*) FROM metric)";
  EXPECT_EQ(SQLite::Database(path).execAndGet(of_others).getString(), "2 4 4 2 2") << "nothing is left behind";
}

std::string error_of_runs_after(const char* change) {
  const TemporaryFolder folder;
  const std::string path = folder.file("kept.db");
  {
    auto store = Store::open(path);
    const auto id = *store->add(small_session(1));
    EXPECT_TRUE(store->add(id, small_run(0, 0, 1, 1)));
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec(change);
  }
  const auto runs = Store::open_existing(path)->runs(1);
  return runs ? "" : runs.error().message;
}

TEST(Store, ARunWithoutAValueOrWithOneTooManyIsAnError) {
  EXPECT_EQ(error_of_runs_after("DELETE FROM value WHERE metric = 1"), "a run that did not fail lacks a value");
  EXPECT_EQ(error_of_runs_after("UPDATE value SET metric = 7 WHERE metric = 1"),
            "a value is of a metric that the session does not have");
  EXPECT_EQ(error_of_runs_after("UPDATE run SET exit_status = 1; DELETE FROM value WHERE metric = 1"), "");
}

TEST(Store, AKilledProcessLosesNothingThatWasKept) {
  const TemporaryFolder folder;
  const std::string path = folder.file("kept.db");
  const std::size_t said = words_of_killed_writer(50, [&](const auto& say) {
    auto store = Store::open(path);
    const auto id = *store->add(small_session(1000));
    for (std::uint32_t i = 0; store->add(id, small_run(0, i, 1, 1)); ++i) say();
  });
  auto store = Store::open_existing(path);
  ASSERT_TRUE(store) << store.error().text();
  const auto runs = store->runs(1);
  ASSERT_TRUE(runs) << runs.error().text();
  EXPECT_GE(runs->size(), said);
  EXPECT_LE(runs->size(), said + 1);  // killed between keeping it and saying so
  for (const store::Run& run : *runs) EXPECT_EQ(run.values.size(), 2U);
}

}  // namespace
}  // namespace tollgate::store
