#include "audit/html_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "audit/words.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kLongestTag = 2000;  // characters: a longer one is no tag
constexpr std::size_t kLongestEntity = 10;
constexpr std::size_t kMostQuoted = 20;

struct Entity {
  std::string_view name, text;
};
constexpr std::array<Entity, 13> kEntities{{{"amp", "&"},
                                            {"lt", "<"},
                                            {"gt", ">"},
                                            {"quot", "\""},
                                            {"apos", "'"},
                                            {"nbsp", " "},
                                            {"minus", "-"},
                                            {"ndash", "\u2013"},
                                            {"plusmn", "+-"},
                                            {"rarr", "->"},
                                            {"times", "x"},
                                            {"micro", "\u00b5"},
                                            {"mu", "\u00b5"}}};

std::string utf8(std::uint32_t code) {
  std::string out;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

/// "#8722" and "#x2212" too; nothing for a name that is none.
std::optional<std::string> entity_text(std::string_view name) {
  for (const Entity& entity : kEntities)
    if (entity.name == name) return std::string(entity.text);
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (error != std::errc() || end != name.data() + name.size() || code < ' ' || code > 0x10ffff || surrogate)
    return std::nullopt;
  return code == 0xa0 ? " " : utf8(code);
}

constexpr std::array<std::string_view, 19> kBlocks{"br", "p",  "div",   "tr",         "li", "ul", "ol",
                                                   "h1", "h2", "h3",    "h4",         "h5", "h6", "hr",
                                                   "dt", "dd", "table", "blockquote", "pre"};

constexpr std::array<std::string_view, 3> kHidden{"script", "style", "title"};
constexpr std::array<std::string_view, 3> kCrossedOut{"s", "del", "strike"};

class Converter {
 public:
  explicit Converter(std::string_view html) : html_(html) {}

  std::vector<HtmlLine> convert() {
    while (at_ < html_.size()) {
      if (html_[at_] == '<' && tag()) continue;
      if (html_[at_] == '&' && entity()) continue;
      character(html_[at_++]);
    }
    end_line();
    if (!lines_.empty() && lines_.back().text.empty()) lines_.pop_back();
    return std::move(lines_);
  }

 private:
  bool tag() {
    if (html_.substr(at_).starts_with("<!--")) {
      skip_to("-->");
      return true;
    }
    const char first = at_ + 1 < html_.size() ? html_[at_ + 1] : ' ';
    const bool letter = (first | 0x20) >= 'a' && (first | 0x20) <= 'z';
    const std::size_t end = html_.substr(at_, kLongestTag).find('>');
    if ((!letter && first != '/' && first != '!' && first != '?') || end == std::string_view::npos) return false;
    std::string_view inside = html_.substr(at_ + 1, end - 1);
    const bool closing = inside.starts_with('/');
    if (closing) inside.remove_prefix(1);
    const std::string name = lower(inside.substr(0, inside.find_first_of(" \t\r\n/")));
    pass(at_ + end + 1);
    if (!closing && is_left_out(name)) return true;
    apply(name, closing);
    return true;
  }

  /// Goes past what the tag hides or crosses out. What is crossed out and never ends is a slip of the mailer, and is read.
  bool is_left_out(const std::string& name) {
    const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    const bool hidden = among(kHidden);
    if (!hidden && !among(kCrossedOut)) return false;
    const std::size_t close = find_closing(name);
    if (!hidden && close == html_.size()) return false;
    pass(close);
    return true;
  }

  void apply(std::string_view name, bool closing) {
    if (name == "td" || name == "th") return cell(closing);
    if (name == "sup" && !closing) return character('^');  // else 10 to the 6th would read 106
    if (std::find(kBlocks.begin(), kBlocks.end(), name) == kBlocks.end()) return;
    if (in_row_ && name != "tr" && name != "table") return character(' ');  // a paragraph within a cell
    end_line();
    if (name == "p" || name == "table" || name == "blockquote") blank_line();
    if (name == "pre") preformatted_ = !closing;
    if (name == "blockquote" && closing) quoted_ -= quoted_ > 0;
    if (name == "blockquote" && !closing) quoted_ += quoted_ < kMostQuoted;
  }

  /// "| a | b |": the bar before the first cell, and one behind each.
  void cell(bool closing) {
    if (closing) return;
    if (line_.empty()) begin_line();
    while (line_.ends_with(' ')) line_.pop_back();
    line_ += line_.empty() ? "| " : " | ";
    in_row_ = true;
  }

  bool entity() {
    const std::size_t end = html_.substr(at_ + 1, kLongestEntity).find(';');
    if (end == std::string_view::npos) return false;
    const auto text = entity_text(html_.substr(at_ + 1, end));
    if (!text) return false;
    if (line_.empty()) begin_line();
    line_ += *text;
    at_ += end + 2;
    return true;
  }

  void character(char c) {
    if (c == '\n' && preformatted_) end_line();
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (c == '\n') ++source_;
    if (preformatted_ ? c == '\n' || c == '\r' : space && (line_.empty() || line_.back() == ' ')) return;
    if (line_.empty()) begin_line();
    line_ += space && !preformatted_ ? ' ' : c;
  }

  void begin_line() { begun_ = source_; }

  void end_line() {
    while (line_.ends_with(' ')) line_.pop_back();
    if (in_row_) line_ += " |";
    in_row_ = false;
    if (line_.empty()) return;
    lines_.push_back({quoted_ > 0 ? std::string(quoted_, '>') + " " + line_ : line_, begun_});
    line_.clear();
  }

  void blank_line() {
    if (!lines_.empty() && !lines_.back().text.empty()) lines_.push_back({"", source_});
  }

  /// Goes to `end`, and counts the lines passed.
  void pass(std::size_t end) {
    end = std::min(end, html_.size());
    source_ += static_cast<std::size_t>(std::count(html_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   html_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void skip_to(std::string_view mark) {
    const std::size_t found = html_.find(mark, at_);
    pass(found == std::string_view::npos ? html_.size() : found + mark.size());
  }

  bool ends_name(std::size_t at) const {
    return at >= html_.size() || std::string_view("> \t\r\n").find(html_[at]) != std::string_view::npos;
  }

  /// Where the next "</NAME" stands, or the end.
  std::size_t find_closing(std::string_view name) const {
    for (std::size_t at = at_; (at = html_.find("</", at)) != std::string_view::npos; ++at)
      if (lower(html_.substr(at + 2, name.size())) == name && ends_name(at + 2 + name.size())) return at;
    return html_.size();
  }

  std::string_view html_;
  std::size_t at_ = 0, source_ = 0, begun_ = 0, quoted_ = 0;
  bool preformatted_ = false, in_row_ = false;
  std::string line_;
  std::vector<HtmlLine> lines_;
};

}  // namespace

std::vector<HtmlLine> html_lines(std::string_view html) { return Converter(html).convert(); }

}  // namespace tollgate::audit
