#include "audit/words.h"

#include <gtest/gtest.h>

namespace tollgate::audit {
namespace {

const WordLists kLists{{"std", "std dev", "cv"}, {"coefficient of variation", "%cpu"}, {"of", "n"}};

TEST(WordLists, SayWhichListsHaveAWordInAnyCase) {
  EXPECT_EQ(kLists.found_in("CV of n runs"), 0b101u);
  EXPECT_EQ(kLists.found_in("Std"), 0b001u);
  EXPECT_EQ(kLists.found_in("busy %CPU"), 0b010u);
  EXPECT_EQ(kLists.found_in(""), 0u);
}

TEST(WordLists, AWordWithinAnotherIsNone) {
  EXPECT_EQ(kLists.found_in("stdout often offers cvs"), 0u);
  EXPECT_EQ(kLists.found_in("std_cv"), 0u);
  EXPECT_EQ(kLists.found_in("50%cpu"), 0u);
}

TEST(WordLists, WhatIsWithinAPhraseIsNotLookedUpAgain) {
  EXPECT_EQ(kLists.found_in("coefficient of variation"), 0b010u);
  EXPECT_EQ(kLists.found_in("coefficient of something"), 0b100u);
}

TEST(WordLists, TheFirstIsThatOfTheText) {
  EXPECT_EQ(kLists.first_in("a cv, the std dev"), "cv");
  EXPECT_EQ(kLists.first_in("none"), "");
}

}  // namespace
}  // namespace tollgate::audit
