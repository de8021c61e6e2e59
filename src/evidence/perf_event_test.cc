#include "evidence/perf_event.h"

#include <gtest/gtest.h>

namespace tollgate::evidence {
namespace {

TEST(PerfEvent, CostsAreBetterWhenLowerAndWorkIsNeither) {
  for (const char* cost :
       {"cycles", "cycles:u", "cpu_core/cycles/", "cpu_atom/cache-misses/k", "dTLB-load-misses", "cs"})
    EXPECT_EQ(perf_event_metric(cost).better, Better::lower) << cost;
  for (const char* other : {"branches", "L1-dcache-loads", "r01c2", "syscalls:sys_enter_read", "my-cycles"})
    EXPECT_EQ(perf_event_metric(other).better, Better::neither) << other;
  EXPECT_EQ(perf_event_metric("task-clock", "ms").better, Better::lower);
  EXPECT_EQ(perf_event_metric("page-faults").unit, "count");
  EXPECT_EQ(perf_event_metric("unc/data/", "MiB").better, Better::neither);
}

}  // namespace
}  // namespace tollgate::evidence
