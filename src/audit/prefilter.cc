#include "audit/prefilter.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tollgate::audit {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/// "12 %", "~5%", "% change", "%diff"; no conversion of printf ("%d", "%lu", "%-8s").
bool is_percentage(std::string_view text, std::size_t at) {
  const char before = at > 0 ? text[at - 1] : '\n';
  if (is_digit(before) || (before == ' ' && at > 1 && is_digit(text[at - 2]))) return true;
  const char after = at + 1 < text.size() ? text[at + 1] : '\n';
  if (after == 'd' || after == 's' || after == 'c') return text.substr(at + 1, 6).find_first_of("aeiouthn") < 2;
  return std::strchr("luxpifXzh0123456789*.#-%\"'", after) == nullptr;
}

constexpr std::string_view kInWords = " percent";

bool holds_percentage(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('%', at)) != std::string_view::npos; ++at)
    if (is_percentage(text, at)) return true;
  return memmem(text.data(), text.size(), kInWords.data(), kInWords.size()) != nullptr;
}

/// Words of six checks; each begins with one of a few letters, so that most of a text is passed over by one look-up.
constexpr std::array<std::string_view, 18> kWords{"total", "mean",    "median", "max",    "average", "avg",
                                                  "min",   "sum",     "stdev",  "stddev", "std",     "speedup",
                                                  "amean", "maximum", "copied", "insn",   "dec",     "delta"};

/// Characters that the search looks at: first letters of the words, and what tells a line of a table.
struct Starts {
  std::array<bool, 256> letter{}, active{};
  constexpr Starts() {
    for (const char c : std::string_view("0123456789\n\t| x")) active[static_cast<unsigned char>(c)] = true;
    for (const auto word : kWords) {
      letter[static_cast<unsigned char>(word[0])] = true;
      letter[static_cast<unsigned char>(word[0] - 'a' + 'A')] = true;
      active[static_cast<unsigned char>(word[0])] = active[static_cast<unsigned char>(word[0] - 'a' + 'A')] = true;
    }
  }
};
constexpr Starts kStarts;

bool word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if ((text[at + i] | 0x20) != word[i]) return false;
  return at + word.size() == text.size() || !is_letter(text[at + word.size()]);
}

/// Two figures of two digits or more within the next lines: prose "means" and C code takes a "max" without any.
bool figures_follow(std::string_view text) {
  constexpr std::size_t kNear = 240;  // bytes
  std::size_t figures = 0, digits = 0;
  for (const char c : text.substr(0, kNear)) {
    if (c == '.' || c == ',') continue;
    digits = is_digit(c) ? digits + 1 : 0;
    figures += digits == 2;
  }
  return figures >= 2;
}

/// Two figures of one line with the gap of a table between them: two spaces, a tab, a bar.
class TableLine {
 public:
  bool add(char before, char c) {
    if (is_digit(c)) {
      const bool begins = before == ' ' || before == '\t' || before == '|' || before == '+' || before == '-';
      if (begins && gap_ && figure_) return true;
      figure_ = figure_ || begins;
      gap_ = false;
    } else if (c == '\n') {
      figure_ = gap_ = false;
    } else if (c == '\t' || c == '|' || (c == ' ' && before == ' ')) {
      gap_ = true;
    }
    return false;
  }

 private:
  bool figure_ = false, gap_ = false;
};

/// "4.8x", where the x stands.
bool is_factor(std::string_view text, std::size_t at) {
  const char after = at + 1 < text.size() ? text[at + 1] : '\n';
  return at > 0 && is_digit(text[at - 1]) && !is_letter(after) && !is_digit(after) && after != '_';
}

/// Where the next line of a table, the next factor, or the next such word with figures, stands, or npos.
std::size_t find_hint(std::string_view text, std::size_t from) {
  TableLine table;
  char before = '\n';
  for (std::size_t at = from; at < text.size(); before = text[at++]) {
    const char c = text[at];
    if (!kStarts.active[static_cast<unsigned char>(c)]) continue;
    if (table.add(before, c) || (c == 'x' && is_factor(text, at))) return at;
    if (!kStarts.letter[static_cast<unsigned char>(c)] || is_letter(before)) continue;
    for (const auto word : kWords)
      if (word_at(text, at, word) && figures_follow(text.substr(at))) return at;
  }
  return std::string_view::npos;
}

/// The paragraph that holds `at`, the one before it and the one after.
Span paragraphs_round(std::string_view text, std::size_t at) {
  std::size_t begin = at, end = at;
  for (int i = 0; i < 2 && begin != std::string_view::npos; ++i)
    begin = begin == 0 ? std::string_view::npos : text.rfind("\n\n", begin - 1);
  for (int i = 0; i < 2 && end != std::string_view::npos; ++i) end = text.find("\n\n", end + 1);
  return {begin == std::string_view::npos ? 0 : begin + 1, end == std::string_view::npos ? text.size() : end + 1};
}

}  // namespace

std::vector<Span> spans_with_figures(std::string_view text) {
  if (holds_percentage(text)) return {{0, text.size()}};
  std::vector<Span> spans;
  for (std::size_t at = 0; (at = find_hint(text, at)) != std::string_view::npos;) {
    const Span span = paragraphs_round(text, at);
    if (!spans.empty() && span.begin <= spans.back().end)
      spans.back().end = span.end;
    else
      spans.push_back(span);
    at = std::max(at + 1, span.end);
  }
  return spans;
}

}  // namespace tollgate::audit
