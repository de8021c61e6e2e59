#include "audit/printed_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tollgate::audit {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Scale {
  std::string_view suffix;
  double factor;
};
// Decimal and binary prefixes are told apart only by name; within one comparison the factor cancels.
constexpr std::array<Scale, 7> kScales{{{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"n", 1}, {"u", 1}, {"m", 1}}};
constexpr std::array<std::string_view, 44> kUnits{
    "s",  "sec", "secs", "ms",  "msec", "us", "usec", "ns",    "nsec",  "min",  "h",     "KB",    "kB",    "MB",  "GB",
    "TB", "KiB", "MiB",  "GiB", "TiB",  "B",  "KB/s", "kB/s",  "MB/s",  "GB/s", "KiB/s", "MiB/s", "GiB/s", "W",   "J",
    "Hz", "MHz", "GHz",  "x",   "X",    "pp", "pts",  "K/sec", "M/sec", "rps",  "qps",   "iops",  "ops",   "IOPS"};

/// 10 to the power of `exponent`.
double power_of_ten(int exponent) {
  static constexpr std::array<double, 13> kSmall{1,    1e-1, 1e-2, 1e-3,  1e-4,  1e-5, 1e-6,
                                                 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
  const auto at = static_cast<std::size_t>(-exponent);
  return exponent <= 0 && at < kSmall.size() ? kSmall[at] : std::pow(10.0, exponent);
}

/// Digits as they are read, the point left out.
struct Digits {
  std::uint64_t whole = 0;  // exact up to 19 digits
  int count = 0, significant = 0;

  void add(char digit) {
    whole = 10 * whole + static_cast<std::uint64_t>(digit - '0');
    ++count;
    significant += significant > 0 || digit != '0';
  }
};

/// Both operands of the division are exact, so it is rounded once: the double nearest to what is printed.
constexpr int kExactDigits = 15;
double exact_quotient(const Digits& digits, int decimals) {
  static constexpr std::array<double, kExactDigits + 1> kPowers{1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  return static_cast<double>(digits.whole) / kPowers[static_cast<std::size_t>(decimals)];
}

/// Of any number of digits, with separators among them.
double nearest_double(std::string_view printed, int decimals) {
  std::string text;
  for (const char c : printed)
    if (is_digit(c)) text += c;
  text.insert(text.size() - static_cast<std::size_t>(decimals), 1, '.');
  return std::strtod(text.c_str(), nullptr);
}

class Scanner {
 public:
  Scanner(std::string_view line, std::size_t at, bool decimal_comma)
      : line_(line), at_(at), decimal_comma_(decimal_comma) {}

  /// The figure that starts here; nothing when it is none. `after()` is then past the digits of the word.
  std::optional<PrintedNumber> scan() {
    number_.begin = at_;
    if (peek() == '~') {
      number_.approximate = true;
      ++at_;
    }
    sign();
    digits();
    if (count_ == 0) return std::nullopt;
    if (!exponent_or_minutes() || !ending()) return skip_word();
    number_.end = at_;
    number_.half_unit = 0.5 * unit_;
    if (number_.signed_minus) number_.value = -number_.value;
    if (!std::isfinite(number_.value)) return std::nullopt;
    return number_;
  }
  std::size_t after() const { return at_; }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

  std::optional<PrintedNumber> skip_word() {
    while (is_letter(peek()) || is_digit(peek()) ||
           (std::string_view(".-:/@").find(peek()) != std::string_view::npos && peek() != '\0' &&
            (is_letter(peek(1)) || is_digit(peek(1)))))
      ++at_;
    return std::nullopt;
  }

  void sign() {
    if (peek() == '+' || peek() == '-') {
      (peek() == '+' ? number_.signed_plus : number_.signed_minus) = true;
      ++at_;
      if (peek() == ' ' && is_digit(peek(1)) && at_ >= 2 && line_[at_ - 2] == '(') ++at_;
    }
  }

  bool group_follows(char separator) const {
    return peek() == separator && is_digit(peek(1)) && is_digit(peek(2)) && is_digit(peek(3)) && !is_digit(peek(4));
  }

  /// Whole part with its separators, then the decimals.
  void digits() {
    const std::size_t begin = at_;
    Digits digits;
    bool grouped = false;
    while (true) {
      if (is_digit(peek())) {
        digits.add(peek());
      } else if (digits.count > 0 && (digits.count <= 3 || grouped) && (group_follows(',') || group_follows('\''))) {
        grouped = true;
      } else {
        break;
      }
      ++at_;
    }
    const int run = digits.count;
    const bool decimal_comma = peek() == ',' && run > 0 && !grouped && is_digit(peek(1)) && (run > 3 || decimal_comma_);
    if ((peek() == '.' || decimal_comma) && is_digit(peek(1)))
      for (++at_; is_digit(peek()); ++at_, ++number_.decimals) digits.add(peek());
    count_ = digits.count;
    unit_ = power_of_ten(-number_.decimals);
    number_.value = digits.count <= kExactDigits ? exact_quotient(digits, number_.decimals)
                                                 : nearest_double(line_.substr(begin, at_ - begin), number_.decimals);
    number_.digits += digits.significant;
  }

  /// 1.36e+09 and 5:12.81. False when what follows makes it a word (a time stamp 10:11:12 is one).
  bool exponent_or_minutes() {
    if ((peek() == 'e' || peek() == 'E') &&
        (is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && is_digit(peek(2))))) {
      char* end = nullptr;
      const std::string text(line_.substr(at_ + 1, 5));
      const long exponent = std::strtol(text.c_str(), &end, 10);
      at_ += 1 + static_cast<std::size_t>(end - text.c_str());
      if (std::labs(exponent) > 300) return false;
      number_.value *= power_of_ten(static_cast<int>(exponent));
      unit_ *= power_of_ten(static_cast<int>(exponent));
    } else if (peek() == 'm' && is_digit(peek(1)) && number_.decimals == 0) {  // time(1): 2m12.340s
      const double minutes = number_.value;
      ++at_;
      digits();
      number_.value += 60 * minutes;
    } else if (peek() == ':' && is_digit(peek(1)) && is_digit(peek(2)) && number_.decimals == 0) {
      if (peek(3) != '.' || !is_digit(peek(4))) return false;
      const double minutes = number_.value;
      ++at_;
      digits();
      number_.value += 60 * minutes;
    }
    return true;
  }

  /// The percent sign, the suffix, the unit. False when the digits begin a word: 99.0th, 5.14-rc3, 6.11.1.
  bool ending() {
    if (peek() == '%' || (peek() == ' ' && peek(1) == '%' && !is_letter(peek(2)))) {
      at_ += peek() == '%' ? 1 : 2;
      number_.percent = true;
      return true;
    }
    if (percent_in_words()) return true;
    if ((peek() == '.' && is_digit(peek(1))) || (peek() == '.' && is_letter(peek(1)))) return false;
    if (peek() == '-' && (is_letter(peek(1)) || is_digit(peek(1)))) return false;
    if (peek() == ':' && is_digit(peek(1))) return false;
    if (peek() == '/' && is_digit(peek(1))) return false;
    if (peek() == '@' || peek() == '#') return false;
    if (peek() == '\xc2' && peek(1) == '\xb5') return micro();
    return letters();
  }

  /// "19 percent"; of "percentage points" nothing is taken.
  bool percent_in_words() {
    if (peek() != ' ' || peek(1) != 'p') return false;
    for (const std::string_view word : {" percent", " per cent", " pct"}) {
      if (!line_.substr(std::min(at_, line_.size())).starts_with(word) || is_letter(peek(word.size()))) continue;
      at_ += word.size();
      number_.percent = number_.in_words = true;
      return true;
    }
    return false;
  }

  bool micro() {
    at_ += 2;
    number_.unit = "u";
    if (peek() == 's') ++at_;
    return !is_letter(peek()) && !is_digit(peek());
  }

  bool letters() {
    std::size_t length = 0;
    while (is_letter(peek(length)) || (peek(length) == '/' && length > 0 && is_letter(peek(length + 1)))) ++length;
    if (is_digit(peek(length)) && length > 0) return false;
    const std::string_view word = line_.substr(at_, length);
    if (word.empty()) return space_unit();
    if (const auto unit = std::find(kUnits.begin(), kUnits.end(), word); unit != kUnits.end()) {
      number_.unit = *unit;
    } else {
      const auto scale = std::find_if(kScales.begin(), kScales.end(), [&](const Scale& s) { return s.suffix == word; });
      if (scale == kScales.end()) return false;
      number_.value *= scale->factor;
      unit_ *= scale->factor;
      number_.unit = scale->suffix;
    }
    at_ += length;
    return true;
  }

  /// "41.27 s": the unit one space away, when it is one.
  bool space_unit() {
    if (peek() != ' ') return true;
    std::size_t length = 0;
    while (is_letter(peek(1 + length)) || (peek(1 + length) == '/' && length > 0)) ++length;
    const std::string_view word = line_.substr(std::min(at_ + 1, line_.size()), length);
    static constexpr std::array<std::string_view, 9> kTimes{"s",   "ms",   "us",   "ns",    "seconds",
                                                            "sec", "usec", "msec", "cycles"};
    if (const auto time = std::find(kTimes.begin(), kTimes.end(), word); time != kTimes.end()) number_.unit = *time;
    // "3.267 x  (69.4% less)"; "1024 x 768" is a product.
    const std::size_t next = std::min(line_.find_first_not_of(' ', at_ + 2), line_.size());
    if (word == "x" && (next == line_.size() || !is_digit(line_[next]))) number_.unit = "x";
    return true;
  }

  std::string_view line_;
  std::size_t at_;
  bool decimal_comma_;  // of the whole line
  int count_ = 0;       // of digits
  double unit_ = 1;
  PrintedNumber number_;
};

/// The characters a figure can begin with.
constexpr std::array<bool, 256> kStarts = [] {
  std::array<bool, 256> starts{};
  for (const char c : std::string_view("0123456789+-.~")) starts[static_cast<unsigned char>(c)] = true;
  return starts;
}();

/// A figure may begin here: digits, or a sign or a point with digits, that do not go on a word.
bool may_begin(std::string_view line, std::size_t at) {
  std::size_t digit = at;
  if (line[digit] == '~') ++digit;
  if (digit < line.size() && (line[digit] == '+' || line[digit] == '-')) {
    ++digit;
    if (digit + 1 < line.size() && line[digit] == ' ' && at > 0 && line[at - 1] == '(') ++digit;
  }
  if (digit < line.size() && line[digit] == '.') ++digit;
  if (digit >= line.size() || !is_digit(line[digit])) return false;
  if (at == 0) return true;
  const char before = line[at - 1];
  if (before == '"' && at > 1 && line[at - 2] == '=') return false;  // width="40%"
  if (is_letter(before) || is_digit(before) || before == '/' || before == '@' || before == '#' || before == '^')
    return false;
  const char earlier = at > 1 ? line[at - 2] : ' ';
  const bool word_before = is_letter(earlier) || is_digit(earlier);
  return !((before == '.' || before == '-' || before == '~' || before == '\'') && (word_before || earlier == '.'));
}

/// "+5,3%", "5,3 %": one or two digits from a comma to a sign of per cent make every comma of the line a decimal one.
bool has_decimal_comma(std::string_view line) {
  for (std::size_t at = 0; (at = line.find('%', at)) != std::string_view::npos; ++at) {
    std::size_t end = at > 0 && line[at - 1] == ' ' ? at - 1 : at, digits = 0;
    for (; end > 0 && is_digit(line[end - 1]); --end) ++digits;
    if ((digits == 1 || digits == 2) && end > 1 && line[end - 1] == ',' && is_digit(line[end - 2])) return true;
  }
  return false;
}

}  // namespace

std::vector<PrintedNumber> numbers_in(std::string_view line) {
  std::vector<PrintedNumber> found;
  numbers_in(line, found);
  return found;
}

void numbers_in(std::string_view line, std::vector<PrintedNumber>& found) {
  const bool decimal_comma = line.find(',') != std::string_view::npos && has_decimal_comma(line);
  for (std::size_t at = 0; at < line.size();) {
    if (!kStarts[static_cast<unsigned char>(line[at])] || !may_begin(line, at)) {
      ++at;
      continue;
    }
    Scanner scanner(line, at, decimal_comma);
    if (const auto number = scanner.scan()) found.push_back(*number);
    at = std::max(at + 1, scanner.after());
  }
}

}  // namespace tollgate::audit
