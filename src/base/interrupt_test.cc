#include "base/interrupt.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

TEST(Interrupt, ASecondRequestLearnsThatTheFirstWasMade) {
  clear_interrupt();
  EXPECT_FALSE(interrupted());
  EXPECT_FALSE(request_interrupt());
  EXPECT_TRUE(interrupted());
  EXPECT_TRUE(request_interrupt());
  clear_interrupt();
  EXPECT_FALSE(interrupted());
}

}  // namespace
}  // namespace tollgate
