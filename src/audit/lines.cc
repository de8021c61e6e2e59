#include "audit/lines.h"

#include <algorithm>
#include <array>

namespace tollgate::audit {
namespace {

constexpr std::size_t kTab = 8;
constexpr std::size_t kFlattened = 300;  // characters: nobody writes a table row this long

struct Sign {
  std::string_view from, to;
};
constexpr std::array<Sign, 18> kSigns{{{"\u2212", "-"},
                                       {"\u2013", "-"},
                                       {"\u2011", "-"},
                                       {"\u2192", "->"},
                                       {"\u00b1", "+-"},
                                       {"\u00a0", " "},
                                       {"\u02c4", " "},
                                       {"\u02c5", " "},
                                       {"\u2502", "|"},
                                       {"\u2503", "|"},
                                       {"\u2500", "-"},
                                       {"\u253c", "+"},
                                       {"\u00d7", "x"},
                                       {"\u03bc", "\u00b5"},
                                       {"\u2009", " "},
                                       {"\u202f", " "},
                                       {"\u2009", " "},
                                       {"\u2026", "..."}}};

/// A narrow or unbreakable space with a digit before it and a group of three behind: "101 204".
bool groups_digits(std::string_view so_far, std::string_view sign, std::string_view rest) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return sign == " " && !so_far.empty() && digit(so_far.back()) && rest.size() >= 3 && digit(rest[0]) &&
         digit(rest[1]) && digit(rest[2]) && (rest.size() == 3 || !digit(rest[3]));
}

/// Tabs to their stops, and two spaces at least, which end a cell; the signs above to ASCII. Other bytes stay.
std::string plain(std::string_view raw) {
  bool special = false;  // no early end: this form the compiler turns into wide instructions
  for (const char c : raw) special |= c < ' ';
  if (!special) return std::string(raw);
  std::string out;
  out.reserve(raw.size() + kTab * 4);
  for (std::size_t at = 0; at < raw.size();) {
    std::size_t plain_to = at;
    while (plain_to < raw.size() && raw[plain_to] >= ' ') ++plain_to;
    out.append(raw.substr(at, plain_to - at));
    at = plain_to;
    if (at == raw.size()) break;
    const char c = raw[at];
    if (c == '\t') {
      const std::size_t to_stop = kTab - out.size() % kTab;
      out.append(to_stop == 1 && !out.empty() ? 2 : to_stop, ' ');
      ++at;
      continue;
    }
    const auto* sign = (static_cast<unsigned char>(c) < 0x80)
                           ? kSigns.end()
                           : std::find_if(kSigns.begin(), kSigns.end(),
                                          [&](const Sign& s) { return raw.substr(at).starts_with(s.from); });
    if (sign != kSigns.end()) {
      at += sign->from.size();
      out += groups_digits(out, sign->to, raw.substr(at)) ? "," : sign->to;
    } else {
      if (c != '\r' && c != '\0') out += c;
      ++at;
    }
  }
  return out;
}

/// Takes "> > " off; how many it took.
std::size_t unquote(std::string_view& text) {
  std::size_t depth = 0, at = 0;
  while (true) {
    std::size_t mark = at;
    while (mark < text.size() && text[mark] == ' ' && mark - at < 2) ++mark;
    if (mark >= text.size() || text[mark] != '>') break;
    // ">=" is no quotation.
    if (mark + 1 < text.size() && text[mark + 1] == '=') break;
    ++depth;
    at = mark + 1;
  }
  if (depth == 0) return 0;
  if (at < text.size() && text[at] == ' ') ++at;
  text.remove_prefix(at);
  return depth;
}

bool is_ruler(std::string_view word) {
  return word.size() >= 5 && word.front() == '+' && word.back() == '+' &&
         word.find_first_not_of("+-=") == std::string_view::npos && word.find("--") != std::string_view::npos;
}

std::size_t find_ruler(std::string_view text, std::size_t from) {
  while ((from = text.find("+-", from)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_not_of("+-=", from), text.size());
    if (is_ruler(text.substr(from, end - from))) return from;
    from = end;
  }
  return std::string_view::npos;
}

void append_rows(std::string_view text, std::size_t bars, const Line& as, std::vector<Line>& out) {
  // A row has as many bars as the ruler has plus signs; prose after the last row has none.
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) return;
    text.remove_prefix(start);
    std::size_t end = 0, seen = 0;
    while (text.front() == '|' && end < text.size() && seen < bars) seen += text[end++] == '|';
    if (seen < bars || end == 0) end = text.size();
    out.push_back({std::string(text.substr(0, end)), as.number, as.depth});
    text.remove_prefix(end);
  }
}

/// Cuts at every box ruler, and the rows between two of them at every full set of cells.
void unflatten_boxes(const Line& line, std::vector<Line>& out) {
  const std::string_view text = line.text;
  std::size_t at = 0, bars = 0;
  while (at < text.size()) {
    const std::size_t ruler = find_ruler(text, at);
    const std::string_view before = text.substr(at, std::min(ruler, text.size()) - at);
    append_rows(before, bars, line, out);
    if (ruler == std::string_view::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("+-=", ruler), text.size());
    const std::string_view word = text.substr(ruler, end - ruler);
    bars = static_cast<std::size_t>(std::count(word.begin(), word.end(), '+'));
    out.push_back({std::string(word), line.number, line.depth});
    at = end;
  }
}

/// A flattened mail keeps the "> " of its quotation between what were lines.
void unflatten(std::string_view text, std::size_t number, std::vector<Line>& out) {
  std::size_t at = 0;
  while (at <= text.size()) {
    std::size_t cut = text.find(" > ", at);
    if (cut == std::string_view::npos) cut = text.size();
    Line line{std::string(text.substr(at, cut - at)), number, at == 0 ? 0u : 1u};
    unflatten_boxes(line, out);
    at = cut + 3;
  }
}

/// A paragraph that somebody wrote in one line, cut behind its sentences.
void cut_sentences(Line line, std::vector<Line>& out) {
  std::string_view text = line.text;
  while (!text.empty()) {
    const std::size_t stop = text.find(". ");
    const std::size_t end = stop == std::string_view::npos ? text.size() : stop + 2;
    out.push_back({std::string(text.substr(0, end)), line.number, line.depth});
    text.remove_prefix(end);
  }
}

bool is_flattened(std::string_view text) {
  constexpr std::size_t kMostSigns = 3;  // " > " is a comparison too
  std::size_t marks = 0;
  for (std::size_t at = 0; marks <= kMostSigns && (at = text.find(" > ", at)) != std::string_view::npos; ++at) ++marks;
  return marks > kMostSigns || find_ruler(text, 0) != std::string_view::npos;
}

}  // namespace

void LineReader::add(std::string_view raw, std::size_t number) {
  if (raw.ends_with('\r')) raw.remove_suffix(1);
  const std::size_t depth = unquote(raw);
  if (patch_.is_code(raw, depth)) return;
  Line line{plain(raw), number, depth};
  if (line.text.size() > kFlattened && is_flattened(line.text))
    unflatten(line.text, number, lines_);
  else if (line.text.size() > kLongestRow)
    cut_sentences(std::move(line), lines_);
  else
    lines_.push_back(std::move(line));
}

}  // namespace tollgate::audit
