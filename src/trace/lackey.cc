#include "trace/lackey.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "trace/format.h"
#include "trace/hex.h"

namespace tollgate::trace {
namespace {

constexpr std::uint64_t kKernelHalf = std::uint64_t{1} << (63 - kPageShift);  // the first page number of it
constexpr std::uint64_t kMaxBytes =
    4096;  // of one reference: the largest real one is a register-state save of some 2 K

Mode mode_of(std::uint64_t page) { return page >= kKernelHalf ? Mode::kernel : Mode::user; }

/// The first three characters of a line as a number, to tell the kinds of line apart in one comparison.
constexpr std::uint32_t prefix(char a, char b, char c) {
  return static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b) << 8 | static_cast<std::uint32_t>(c) << 16;
}

std::uint32_t prefix_at(const char* at) {
  std::uint32_t four = 0;
  std::memcpy(&four, at, sizeof four);
  return four & 0xffffff;
}

/// Reads 1 to 16 hex digits up to the comma; returns where the comma is, or nullptr.
const char* read_address(const char* at, std::uint64_t& address) {
  const char* const begin = at;
  address = 0;
  if (const auto eight = eight_hex_digits(at)) {
    address = *eight;
    at += 8;
  }
  for (unsigned digit = hex_digit(*at); digit < 16; digit = hex_digit(*at)) {
    if (at - begin == 16) return nullptr;
    address = address << 4 | digit;
    ++at;
  }
  return *at == ',' && at != begin ? at : nullptr;
}

/// Reads 1 to 4 decimal digits up to the end of the line; returns where the newline is, or nullptr.
const char* read_size(const char* at, std::uint64_t& size) {
  const char* const begin = at;
  size = 0;
  for (unsigned digit = static_cast<unsigned char>(*at) - '0'; digit < 10;
       digit = static_cast<unsigned char>(*at) - '0') {
    if (at - begin == 4) return nullptr;
    size = size * 10 + digit;
    ++at;
  }
  return *at == '\n' && at != begin ? at : nullptr;
}

std::string shown(std::string_view line) {
  std::string out;
  for (char c : line.substr(0, 60)) {
    const bool plain = static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
    out += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return line.size() > 60 ? out + "..." : out;
}

/// The text behind "==123== ", and the 123.
struct ValgrindLine {
  std::string_view process;
  std::string_view words;
};
ValgrindLine split_valgrind_line(std::string_view line) {
  const std::size_t close = line.find("==", 2);
  if (close == std::string_view::npos) return {{}, line.substr(2)};
  return {line.substr(2, close - 2), trim(line.substr(close + 2))};
}

}  // namespace

Result<std::size_t> LackeyParser::consume(std::string_view text) {
  const std::size_t newline = text.rfind('\n');
  if (newline == std::string_view::npos) {
    if (text.size() > kMaxLine) return bad_line(text);
    return std::size_t{0};
  }
  const char* at = text.data();
  const char* const end = at + newline + 1;
  while (at < end) {
    const char* const next = parse_line(at, end);
    if (next == nullptr) [[unlikely]]
      return bad_line({at, static_cast<std::size_t>(std::find(at, end, '\n') - at)});
    ++lines_;
    at = next;
  }
  return newline + 1;
}

/// Returns where the next line begins; nullptr when this one makes no sense.
inline const char* LackeyParser::parse_line(const char* at, const char* end) {
  const std::uint32_t kind = prefix_at(at);
  if ((kind & 0xffff) == prefix('=', '=', '\0')) [[unlikely]]
    return parse_valgrind_line(at, end);
  std::uint64_t address = 0, size = 0;
  const char* const comma = read_address(at + 3, address);
  if (comma == nullptr) return nullptr;
  const char* const newline = read_size(comma + 1, size);
  if (newline == nullptr || size == 0 || size > kMaxBytes || address + (size - 1) < address) return nullptr;
  const std::uint64_t first = address >> kPageShift, last = (address + size - 1) >> kPageShift;
  switch (kind) {
    case prefix('I', ' ', ' '):
      fetch(first, last);
      break;
    case prefix(' ', 'L', ' '):
      access(first, last, 1, 0);
      break;
    case prefix(' ', 'S', ' '):
      access(first, last, 0, 1);
      break;
    case prefix(' ', 'M', ' '):
      access(first, last, 1, 1);
      break;
    default:
      return nullptr;
  }
  return newline + 1;
}

inline void LackeyParser::fetch(std::uint64_t first_page, std::uint64_t last_page) {
  ++references_;
  ++instructions_;
  const Mode mode = mode_of(first_page);
  kernel_references_ += mode == Mode::kernel;
  sink_.add_fetch(first_page, 1, mode);
  if (last_page != first_page) [[unlikely]]
    sink_.add_fetch(last_page, 0, mode_of(last_page));
}

inline void LackeyParser::access(std::uint64_t first_page, std::uint64_t last_page, unsigned reads, unsigned writes) {
  ++references_;
  const Mode mode = mode_of(first_page);
  kernel_references_ += mode == Mode::kernel;
  sink_.add_data(first_page, reads, writes, mode);
  if (last_page != first_page) [[unlikely]]
    sink_.add_data(last_page, reads, writes, mode_of(last_page));
}

const char* LackeyParser::parse_valgrind_line(const char* at, const char* end) {
  const char* const newline = std::find(at, end, '\n');
  const auto [process, words] = split_valgrind_line({at, static_cast<std::size_t>(newline - at)});
  if (processes_.size() < 1000 && !processes_.contains(process)) processes_.emplace(process);
  begun_ += words.starts_with("Lackey, ");
  ended_ += words.starts_with("Exit code:");
  constexpr std::string_view kInstructions = "guest instrs:";
  if (words.starts_with(kInstructions)) {
    std::string digits(words.substr(kInstructions.size()));
    std::erase_if(digits, [](char c) { return c == ',' || c == ' '; });
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    counted_instructions_ += number;
  }
  return newline + 1;
}

tl::unexpected<Error> LackeyParser::bad_line(std::string_view line) const {
  return fail(fmt::format("'{}' is no line of lackey; before it, {} good. If other output got between, let valgrind "
                          "write to a file of its own: --log-file=FILE",
                          shown(line), good()),
              {name_, static_cast<unsigned>(lines_ + 1)});
}

std::string LackeyParser::good() const {
  return fmt::format("{} {}", counted(static_cast<long long>(references_), "reference"),
                     references_ == 1 ? "was" : "were");
}

Result<void> LackeyParser::finish(std::string_view rest) {
  if (!rest.empty())
    return fail(
        fmt::format("the text ends inside a line, '{}': it was cut off; before it, {} good", shown(rest), good()),
        {name_, static_cast<unsigned>(lines_ + 1)});
  if (references_ == 0)
    return fail("there is no reference in it: lackey prints them only with --trace-mem=yes", {name_});
  return {};
}

std::vector<std::string> LackeyParser::warnings() const {
  std::vector<std::string> out;
  if (begun_ > ended_)
    out.push_back("Valgrind's closing summary is missing: the recording was cut off, or the program was killed");
  if (begun_ > 0 && begun_ == ended_ && counted_instructions_ != instructions_)
    out.push_back(fmt::format("lackey counted {}, the text holds {}: lines are missing or doubled",
                              counted(static_cast<long long>(counted_instructions_), "instruction"),
                              with_commas(static_cast<long long>(instructions_))));
  if (processes_.size() > 1)
    out.push_back(fmt::format("references of {} processes are mixed in one stream: record one process at a time",
                              processes_.size()));
  if (kernel_references_ > 0)
    out.push_back(fmt::format("counted as kernel mode, since at 2^63 or above: {}",
                              counted(static_cast<long long>(kernel_references_), "reference")));
  return out;
}

std::string lackey_command(std::string_view beginning) {
  while (beginning.starts_with("==")) {
    const std::string_view line = beginning.substr(0, beginning.find('\n'));
    const std::string_view words = split_valgrind_line(line).words;
    if (constexpr std::string_view kCommand = "Command: "; words.starts_with(kCommand))
      return std::string(words.substr(kCommand.size()));
    beginning.remove_prefix(std::min(beginning.size(), line.size() + 1));
  }
  return "";
}

}  // namespace tollgate::trace
