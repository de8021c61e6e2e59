#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/chunk_decoder.h"
#include "trace/chunk_encoder.h"
#include "trace/hex.h"
#include "trace/test_references.h"

namespace tollgate::trace {
namespace {

struct Decoded {
  std::vector<Record> records;
  bool bad = false;
  std::uint64_t unknown_events = 0;
};

Decoded decoded(std::string bytes, UnknownEvents unknown = UnknownEvents::refuse, std::size_t batch = 3) {
  bytes.append(ChunkDecoder::kPadding, '\xff');
  ChunkDecoder decoder;
  decoder.start(bytes, 0, unknown);
  Decoded out;
  std::vector<Record> some(batch);
  do {
    const std::size_t count = decoder.decode(some);
    out.records.insert(out.records.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  } while (decoder.more());
  out.bad = decoder.bad();
  out.unknown_events = decoder.unknown_events();
  return out;
}

std::string bytes_of(std::initializer_list<int> numbers) {
  std::string out;
  for (int number : numbers) out.push_back(static_cast<char>(number));
  return out;
}

RC_GTEST_PROP(ChunkCodec, WhatIsEncodedComesBack, ()) {
  auto records = *any_records();
  ChunkEncoder encoder;
  for (Record& record : records) {
    record.stream = 0;
    encoder.add(record);
  }
  const Decoded back = decoded(encoder.bytes());
  RC_ASSERT(!back.bad);
  RC_ASSERT(back.records == records);
  RC_ASSERT(encoder.records() == records.size());
}

RC_GTEST_PROP(ChunkCodec, AnyBytesAreDecodedOrRefused, (const std::vector<std::uint8_t>& noise)) {
  const Decoded back = decoded(std::string(noise.begin(), noise.end()), UnknownEvents::skip);
  RC_ASSERT(back.records.size() <= noise.size());
}

TEST(ChunkCodec, TheBytesOfTheFirstVersionStayAsTheyAre) {
  ChunkEncoder encoder;
  encoder.add({.page = 0x401, .instructions = 3, .kind = Kind::fetch});
  encoder.add({.page = 0x7ff, .reads = 2, .writes = 1, .kind = Kind::data});
  encoder.add({.page = 0x401, .instructions = 200, .kind = Kind::fetch});
  encoder.add({.page = 0x7ff, .reads = 16, .writes = 1, .kind = Kind::data});
  encoder.add({.page = 0x401, .instructions = 1, .kind = Kind::fetch, .mode = Mode::kernel});
  encoder.add({.page = 39, .kind = Kind::syscall});
  encoder.add({.page = 0x500, .value = 300, .kind = Kind::pte_unmap});
  encoder.add({.kind = Kind::kernel_exit});
  encoder.add({.page = 0x401, .instructions = 7, .kind = Kind::fetch, .mode = Mode::kernel});
  const std::string expected = bytes_of({
      1, 0x82, 0x10, 3,                    // new fetch page 0x401, user; 3 instructions
      0, 0xfe, 0x1f, 0x21,                 // new data page 0x7ff, user; 2 reads, 1 write
      5, 0xc8, 0x01,                       // fetch page number 0; 200 instructions
      4, 0,    16,   1,                    // data page number 0; 16 reads, 1 write, the long way
      1, 0x83, 0x10, 1,                    // new fetch page 0x401, kernel
      2, 16,   1,    39,                   // event: system call 39
      2, 23,   4,    0x80, 0x0a, 0xac, 2,  // event: 300 pages unmapped from 0x500
      2, 19,   0,                          // event: return to user mode
      7, 7,                                // fetch page number 1; 7 instructions
  });
  EXPECT_EQ(encoder.bytes(), expected);
  EXPECT_EQ(decoded(expected).records.size(), 9u);
}

TEST(ChunkCodec, NonsenseIsRefusedWhereItStands) {
  const std::string good = bytes_of({1, 0x82, 0x10, 3});
  const std::vector<std::pair<const char*, std::string>> nonsense = {
      {"an index nobody introduced", bytes_of({7, 1})},
      {"the reserved token", bytes_of({3, 1})},
      {"a page of 53 bits", bytes_of({1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1})},
      {"a varint of 11 bytes", bytes_of({5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1})},
      {"a varint of 65 bits", bytes_of({5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2})},
      {"instructions of 33 bits", bytes_of({5, 0x80, 0x80, 0x80, 0x80, 0x10})},
      {"accesses that are none", bytes_of({0, 2, 0, 0, 0})},
      {"a record that ends early", bytes_of({5, 0x80})},
      {"an event longer than the chunk", bytes_of({2, 16, 9, 1})},
      {"an event whose value overruns it", bytes_of({2, 16, 1, 0x80, 1})},
      {"an event kind of this version that does not exist", bytes_of({2, 77, 0})},
  };
  for (const auto& [name, bytes] : nonsense) {
    const Decoded back = decoded(good + bytes);
    EXPECT_TRUE(back.bad) << name;
    EXPECT_EQ(back.records.size(), 1u) << name;
  }
}

TEST(ChunkCodec, EventsOfANewerVersionAreSkippedAndCounted) {
  const std::string bytes = bytes_of({2, 77, 3, 1, 2, 3, 1, 0x82, 0x10, 3, 2, 0xff, 0x7f, 0});
  const Decoded back = decoded(bytes, UnknownEvents::skip);
  EXPECT_FALSE(back.bad);
  EXPECT_EQ(back.records.size(), 1u);
  EXPECT_EQ(back.unknown_events, 2u);
}

TEST(ChunkCodec, ValuesANewerVersionAddsToAnEventAreIgnored) {
  const Decoded back = decoded(bytes_of({2, 16, 3, 39, 1, 9}));
  ASSERT_FALSE(back.bad);
  EXPECT_EQ(back.records.at(0), (Record{.page = 39, .value = 1, .kind = Kind::syscall}));
}

TEST(HexDigits, EightAtATimeAreWhatOneAtATimeWouldBe) {
  EXPECT_EQ(eight_hex_digits("0401ab70"), 0x0401ab70u);
  EXPECT_EQ(eight_hex_digits("FFffFFff"), 0xffffffffu);
  for (int place = 0; place < 8; ++place)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = "12345678";
      text[static_cast<std::size_t>(place)] = static_cast<char>(byte);
      const bool is_digit =
          std::string_view("0123456789abcdefABCDEF").find(static_cast<char>(byte)) != std::string::npos;
      const auto read = eight_hex_digits(text.c_str());
      ASSERT_EQ(read.has_value(), is_digit) << place << ' ' << byte;
      ASSERT_EQ(hex_digit(static_cast<char>(byte)) < 16, is_digit) << byte;
      if (is_digit) {
        ASSERT_EQ(*read, std::stoul(text, nullptr, 16)) << text;
      }
    }
}

}  // namespace
}  // namespace tollgate::trace
