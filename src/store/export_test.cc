#include "store/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_support/schema_checker.h"
#include "store/test_support/sessions.h"

namespace tollgate::store {
namespace {

TEST(Export, CsvQuotesWhatMustBe) {
  Session session = small_session(1);
  session.variants[0].name = "off, \"plain\"";
  const std::vector<store::Run> runs = {small_run(0, 0, 0.1, 1e20)};
  EXPECT_EQ(session_csv(session, runs),
            "kind,variant,run,position,block,boot,start,exit_status,metric,unit,value\r\n"
            "measured,\"off, \"\"plain\"\"\",0,0,0,boot-1,1700000000.000000,0,wall,s,0.1\r\n"
            "measured,\"off, \"\"plain\"\"\",0,0,0,boot-1,1700000000.000000,0,rate,op/s,1e+20\r\n");
}

TEST(Export, CsvTellsTheSidesOfNoiseRunsApart) {
  Session session = small_session(1);
  session.variants[0].name = "off";
  std::vector<store::Run> runs = {small_run(0, 0, 0.1, 10), small_run(1, 0, 0.2, 20), small_run(1, 0, 0.3, 30)};
  runs[0].kind = runs[1].kind = RunKind::noise;
  const std::string csv = session_csv(session, runs);
  EXPECT_THAT(csv, testing::HasSubstr("noise,off,0,0,0,"));
  EXPECT_THAT(csv, testing::HasSubstr("noise,off again,0,1,0,"));
  EXPECT_THAT(csv, testing::HasSubstr("measured,on,0,1,0,"));
}

TEST(Export, JsonFollowsItsSchema) {
  Session session = small_session(2);
  session.id = 7;
  const report::test::Parsed schema(report::test::file_text("docs/schema/session.schema.json"));
  ASSERT_TRUE(schema.valid());
  const std::vector<store::Run> runs = {small_run(0, 0, 0.1, 10), small_run(1, 0, 0.2, 20)};
  for (const bool boots : {false, true}) {
    if (boots) session.variants[0].boot = BootMatch{"6.*", {"pti=on"}, {}};
    session.terms.margin_percent = boots ? std::nullopt : std::optional(1.0);
    const report::test::Parsed document(session_json(session, runs));
    ASSERT_TRUE(document.valid());
    EXPECT_THAT(report::test::SchemaChecker().check(document.root(), schema.root()), testing::IsEmpty());
    EXPECT_EQ(std::string_view(document.root().at_pointer("/runs/1/variant")), "on");
    EXPECT_EQ(double(document.root().at_pointer("/runs/1/values/rate")), 20);
    EXPECT_EQ(std::string_view(document.root().at_pointer("/runs/0/conditions/governor")), "performance");
  }
}

}  // namespace
}  // namespace tollgate::store
