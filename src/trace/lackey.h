// LackeyParser: the text of `valgrind --tool=lackey --trace-mem=yes`, line by line, to a sink of page references.
//
//   I  0401ab70,3      an instruction of 3 bytes         S 1fff000718,8    a store
//    L 04a0,8          a load                            M 04a0,4          a load and a store
//   ==4462== ...       Valgrind's own words
//
// A reference that crosses a page boundary counts in every page it touches; its instruction counts once, where it begins.
// Addresses of 2^63 and above are the kernel's half. Format: Valgrind 3.19, lackey/lk_main.c, trace_*().
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/record.h"
#include "trace/reference_sink.h"

namespace tollgate::trace {

class LackeyParser {
 public:
  /// Readable bytes there must be behind the text given to consume().
  static constexpr std::size_t kPadding = 32;
  /// A line may not be longer: Valgrind's own are far shorter.
  static constexpr std::size_t kMaxLine = 1 << 16;

  /// `name` is the file in errors.
  LackeyParser(ReferenceSink& sink, std::string name) : sink_(sink), name_(std::move(name)) {}

  /// Takes the whole lines of `text` and returns their length; the caller gives the rest again, with more behind it.
  Result<std::size_t> consume(std::string_view text);
  /// `rest` is what is left at the end of the text: a line that was cut off is an error, and so is a text without
  /// references.
  Result<void> finish(std::string_view rest);

  std::uint64_t lines() const { return lines_; }
  std::uint64_t references() const { return references_; }
  /// What a user should know although the text could be imported. After finish().
  std::vector<std::string> warnings() const;

 private:
  const char* parse_line(const char* at, const char* end);
  const char* parse_valgrind_line(const char* at, const char* end);
  void fetch(std::uint64_t first_page, std::uint64_t last_page);
  void access(std::uint64_t first_page, std::uint64_t last_page, unsigned reads, unsigned writes);
  std::string good() const;
  tl::unexpected<Error> bad_line(std::string_view line) const;

  ReferenceSink& sink_;
  std::string name_;
  std::uint64_t lines_ = 0;  // read without fault
  std::uint64_t references_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t kernel_references_ = 0;
  std::uint64_t counted_instructions_ = 0;  // what lackey says in its closing summary
  std::uint64_t begun_ = 0, ended_ = 0;     // processes whose opening and closing words were seen
  std::set<std::string, std::less<>> processes_;
};

/// "cc1 -O2 x.c" from Valgrind's "==1== Command: " line; empty when there is none.
std::string lackey_command(std::string_view beginning);

}  // namespace tollgate::trace
