#include "base/text.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/result.h"

namespace tollgate {
namespace {

TEST(HasControl, OfAsciiOnly) {
  EXPECT_TRUE(has_control("a\tb"));
  EXPECT_TRUE(has_control("a\x7f"));
  EXPECT_FALSE(has_control("a \xc3\xa9"));
  EXPECT_FALSE(has_control(""));
}

TEST(Text, ASlipIsMatchedToTheWordMeant) {
  const std::vector<std::string> words = {"compare", "explain", "validate", "trace"};
  EXPECT_EQ(nearest("comapre", words), "compare");
  EXPECT_EQ(nearest("valid", words), "validate");
  EXPECT_EQ(nearest("zzzzzz", words), "");
  EXPECT_EQ(did_you_mean("trcae", words), " (did you mean 'trace'?)");
  EXPECT_EQ(did_you_mean("zzzzzz", words), " (known: compare, explain, validate, trace)");
}

TEST(Text, SwappedNeighboursAreOneEdit) { EXPECT_EQ(edit_distance("ab", "ba"), 1u); }

TEST(Text, NumbersAndSizesPrintAsPeopleWriteThem) {
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(-999), "-999");
  EXPECT_EQ(human_bytes(4096), "4K");
  EXPECT_EQ(human_bytes(1536), "1.5K");
}

TEST(Text, ErrorsNameThePlaceAsFarAsItIsKnown) {
  EXPECT_EQ((Error{"bad", {"a.toml", 3, 7}}.text()), "a.toml:3:7: bad");
  EXPECT_EQ((Error{"bad", {"a.toml", 0, 0}}.text()), "a.toml: bad");
  EXPECT_EQ((Error{"bad", {}}.text()), "bad");
}

TEST(Digest, DependsOnOrderAndOnBoundaries) {
  Digest a, b;
  a.add(std::string_view("ab")), a.add(std::string_view("c"));
  b.add(std::string_view("a")), b.add(std::string_view("bc"));
  EXPECT_NE(a.hex(), b.hex());
  EXPECT_EQ(a.hex().size(), 32u);
}

TEST(Text, WhatIsShownMovesNoCursor) {
  EXPECT_EQ(printable("a\x1b[2Jb\xff\n"), "a\\x1b[2Jb\\xff\n");
  EXPECT_EQ(printable("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
}

TEST(Text, IsShortenedWithoutCuttingACharacter) {
  EXPECT_EQ(shortened("seven", 5), "seven");
  EXPECT_EQ(shortened("seventeen", 8), "seven...");
  EXPECT_EQ(shortened("\u00e4\u00e4\u00e4\u00e4\u00e4", 8), "\u00e4\u00e4...");
  EXPECT_EQ(shortened("seventeen", 3), "...");
}

}  // namespace
}  // namespace tollgate
