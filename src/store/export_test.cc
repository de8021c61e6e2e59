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

}  // namespace
}  // namespace tollgate::store
