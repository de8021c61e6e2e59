// For tests: single references, and generators of sequences of them and of records.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/test_support/temporary_folder.h"
#include "trace/format.h"
#include "trace/record.h"

namespace tollgate::trace {

struct Reference {
  bool fetch = false;
  std::uint64_t page = 0;
  std::uint64_t count = 0;  // instructions, or reads
  std::uint64_t writes = 0;
  Mode mode = Mode::user;
};

inline Reference fetch(std::uint64_t page, Mode mode = Mode::user) { return {true, page, 1, 0, mode}; }
inline Reference read(std::uint64_t page, Mode mode = Mode::user) { return {false, page, 1, 0, mode}; }
inline Reference write(std::uint64_t page, Mode mode = Mode::user) { return {false, page, 0, 1, mode}; }

/// How rapidcheck prints one.
inline void showValue(const Record& record, std::ostream& out) {  // NOLINT: its name
  out << "{kind " << int(record.kind) << " mode " << int(record.mode) << " page " << std::hex << record.page << std::dec
      << " value " << record.value << " instructions " << record.instructions << " reads " << record.reads << "}";
}

/// Sequences that hit and miss small TLBs: a handful of pages, fetches as often as data.
inline rc::Gen<std::vector<Reference>> references_on_few_pages() {
  const auto one = rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 4), rc::gen::inRange<std::uint64_t>(0, 7)),
                                [](const auto& drawn) {
                                  const auto [what, page] = drawn;
                                  return what < 2 ? fetch(page) : what == 2 ? read(page) : write(page);
                                });
  return rc::gen::scale(8.0, rc::gen::container<std::vector<Reference>>(one));
}

/// Records of every kind with counts and pages of every size, as a writer could be given them.
inline rc::Gen<std::vector<Record>> any_records() {
  const auto number = rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 64), rc::gen::arbitrary<std::uint64_t>()),
                                   [](const auto& drawn) { return drawn.second >> drawn.first; });
  const auto one = rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 10), number, number, number), [](const auto& drawn) {
    const auto [what, a, b, c] = drawn;
    Record record;
    record.stream = static_cast<std::uint16_t>(c % 3);
    if (what == 0) {
      record.kind = static_cast<Kind>(kFirstEvent + c % kEventKinds);
      record.page = a;
      record.value = b;
      return record;
    }
    record.page = what < 6 ? a % 8 : a & kMaxPage;
    record.mode = static_cast<Mode>(b & 1);
    record.kind = what % 2 == 0 ? Kind::fetch : Kind::data;
    if (record.kind == Kind::fetch)
      record.instructions = static_cast<std::uint32_t>(c);
    else
      record.reads = static_cast<std::uint32_t>(b);
    if (record.kind == Kind::data) record.writes = static_cast<std::uint32_t>(c) | 1u;
    return record;
  });
  return rc::gen::container<std::vector<Record>>(one);
}

inline std::size_t files_in(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace tollgate::trace
