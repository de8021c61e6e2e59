// Claims in lists: one figure a line, the line it is compared with somewhere above. "base:" over "patch:"; the same words
// before and after; two lines and their difference below; blocks of figures and a block of "% diff against" one of them.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "audit/claim.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kNear = 2;     // lines between a base line and the patched line below it
constexpr std::size_t kHeading = 6;  // lines from "% diff against X" to its figures
constexpr std::size_t kMinLetters = 4;

std::optional<std::size_t> first_value(const Row& row) {
  const auto& values = row.of(Part::value);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

/// The words of a line without its first value and without the parentheses that hold a percentage, whatever the spaces
/// and the case of the letters, as a hash; and how many letters they have.
struct Key {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  std::size_t letters = 0;
};
Key key_of(const Row& row) {
  const std::string_view text = row.line->text;
  std::size_t left_out = text.size(), resumes = text.size();  // the percentage
  if (const auto& percents = row.of(Part::percent); !percents.empty()) {
    const std::size_t at = row.tokens[percents.front()].number.begin;
    const std::size_t open = text.rfind('(', at), close = text.find(')', at);
    const bool parentheses = open != std::string_view::npos && close != std::string_view::npos && open < at;
    left_out = parentheses ? open : at;
    if (parentheses) resumes = close + 1;
  }
  std::size_t begin = 0, end = 0;  // the value
  if (const auto value = first_value(row)) {
    begin = row.tokens[*value].number.begin;
    end = row.tokens[*value].number.end;
  }
  Key key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == begin && i < end) i = end;
    if (i == left_out) i = resumes;
    if (i >= text.size()) break;
    const char c = text[i];
    if (c == ' ') continue;
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    key.letters += letter;
    key.hash = (key.hash ^ static_cast<unsigned char>(letter ? c | 0x20 : c)) * 0x100000001b3;
  }
  return key;
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }));
}

/// "(-11.2%)", "+3%": a percentage within a sentence may be of anything.
bool is_set_off(const Token& percent) { return percent.in_parentheses || percent.number.has_sign(); }

/// "dir fsync took 848 ms" above "dir fsync took 758 ms (-11.2%)".
void same_words(const Rows& rows, std::vector<ClaimGroup>& groups) {
  const bool any = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    const auto value = first_value(row);
    const auto& percents = row.of(Part::percent);
    return value && !percents.empty() && percents.front() > *value && row.kind == RowKind::text &&
           is_set_off(row.tokens[percents.front()]);
  });
  if (!any) return;
  std::unordered_map<std::uint64_t, Spot> last;
  ClaimGroup group;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto value = first_value(rows[i]);
    if (!value || rows[i].kind != RowKind::text) continue;
    const Key key = key_of(rows[i]);
    const auto& percents = rows[i].of(Part::percent);
    if (key.letters < kMinLetters) continue;
    if (percents.empty()) {
      last[key.hash] = {i, *value};
    } else if (const auto found = last.find(key.hash);
               found != last.end() && percents.front() > *value && is_set_off(rows[i].tokens[percents.front()])) {
      group.claims.push_back({found->second, {i, *value}, {i, percents.front()}, rows[i].label});
    }
  }
  if (group.claims.empty()) return;
  group.named = true;
  groups.push_back(std::move(group));
}

std::optional<std::size_t> row_above(const Rows& rows, std::size_t row, std::size_t near) {
  std::size_t blanks = 0;
  for (std::size_t i = row; i-- > 0 && blanks <= near;) {
    if (rows[i].kind != RowKind::blank) return i;
    ++blanks;
  }
  return std::nullopt;
}

/// "base: 100216" above "patch: 112470 +12.2%".
void stacked(const Rows& rows, std::vector<ClaimGroup>& groups) {
  std::map<std::string, ClaimGroup> by_labels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& percents = rows[i].of(Part::percent);
    const auto value = first_value(rows[i]);
    if (percents.empty() || !value || percents.front() < *value || rows[i].kind != RowKind::text) continue;
    const auto above = row_above(rows, i, kNear);
    if (!above || rows[*above].kind != RowKind::text) continue;
    const auto base = first_value(rows[*above]);
    if (!base || !rows[*above].of(Part::percent).empty()) continue;
    if (rows[*above].of(Part::value).size() != rows[i].of(Part::value).size()) continue;
    const bool named = role_of_label(rows[*above].label) == Role::before &&
                       role_of_label(rows[i].label) == Role::after && is_set_off(rows[i].tokens[percents.front()]);
    ClaimGroup& group = by_labels[std::string(rows[*above].label).append("\n").append(rows[i].label)];
    group.named = named;
    group.claims.push_back({{*above, *base}, {i, *value}, {i, percents.front()}, rows[i].label});
  }
  for (auto& [labels, group] : by_labels) groups.push_back(std::move(group));
}

/// Two lines of figures and below them "-1.195 seconds (-0.64%)".
void difference_below(const Rows& rows, std::vector<ClaimGroup>& groups) {
  for (std::size_t i = 2; i < rows.size(); ++i) {
    const auto& percents = rows[i].of(Part::percent);
    if (percents.size() != 1 || rows[i].of(Part::value).size() > 1) continue;
    const auto second = row_above(rows, i, 0);
    const auto first = second ? row_above(rows, *second, 0) : std::nullopt;
    if (!first) continue;
    const auto before = first_value(rows[*first]), after = first_value(rows[*second]);
    if (!before || !after || rows[*first].kind != RowKind::text || rows[*second].kind != RowKind::text) continue;
    if (!rows[*first].of(Part::percent).empty() || !rows[*second].of(Part::percent).empty()) continue;
    const Spot a{*first, *before}, b{*second, *after};
    const auto value = first_value(rows[i]);
    bool named = letters(rows[i].label) == 0 && rows[i].tokens[percents.front()].number.has_sign() && !value;
    if (value) {
      const Range range = difference(number_at(rows, a), number_at(rows, b));
      named = fit(rows[i].tokens[*value].number, range).reach == Reach::rounded;
    }
    if (!value && !named) continue;
    groups.push_back({{{a, b, {i, percents.front()}, rows[*second].label}}, named});
  }
}

/// Named blocks of figures, "Image : 5.14-rc3", and then "%diff against 5.14-rc3" with "Time: 4.8% more".
class NamedBlocks {
 public:
  explicit NamedBlocks(const Rows& rows) : rows_(rows) {}

  void read(std::vector<ClaimGroup>& groups) {
    const auto alone = [](const Row& row) { return row.of(Part::percent).size() == 1 && !first_value(row); };
    if (std::none_of(rows_.begin(), rows_.end(), alone)) return;
    ClaimGroup group;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (const std::string named = against(row.line->text); !named.empty()) {
        against_ = named;
        since_ = i;
      } else if (is_heading(i)) {
        headings_.push_back({i, after_colon(row.line->text)});
      }
      const auto& percents = row.of(Part::percent);
      if (alone(row) && !against_.empty() && i - since_ <= kHeading && i > since_) add(i, percents.front(), group);
    }
    if (group.claims.empty()) return;
    group.named = true;
    groups.push_back(std::move(group));
  }

 private:
  struct HeadingLine {
    std::size_t row;
    std::string name;
  };

  static std::string against(const std::string& text) {
    static const WordSet kWords{"against", "compared to", "compared with", "relative to", "versus", "vs"};
    if (!kWords.any_in(text)) return "";
    const std::string low = lower(text);
    for (const std::string_view word :
         {"against ", "compared to ", "compared with ", "relative to ", "versus ", "vs "}) {
      const auto at = low.find(word);
      const bool change = low.find('%') < at || low.find("diff") < at || low.find("change") < at;
      if (at != std::string::npos && change) return squeezed(text.substr(at + word.size()));
    }
    return "";
  }

  static std::string squeezed(std::string_view text) {
    std::string out;
    for (const char c : text)
      if (c != ' ' && c != ':') out += c;
    return lower(out);
  }
  static std::string after_colon(const std::string& text) {
    const auto colon = text.find(':');
    const std::string rest = colon == std::string::npos ? text : text.substr(colon + 1);
    return squeezed(trim(rest).empty() ? text : rest);
  }

  /// A line over a ruler, or one that ends in a colon.
  bool is_heading(std::size_t i) const {
    if (rows_[i].kind != RowKind::text) return false;
    const std::string_view text = trim(rows_[i].line->text);
    return text.ends_with(":") || (i + 1 < rows_.size() && rows_[i + 1].kind == RowKind::ruler) ||
           lower(text.substr(0, 5)) == "image";
  }

  void add(std::size_t row, std::size_t token, ClaimGroup& group) const {
    const std::string label = lower(trim(rows_[row].label));
    if (letters(label) < kMinLetters) return;
    const auto after = find_value(label, 0, since_);
    std::optional<Spot> before;
    for (std::size_t h = headings_.size(); h-- > 0 && !before;)
      if (headings_[h].name == against_)
        before = find_value(label, headings_[h].row, h + 1 < headings_.size() ? headings_[h + 1].row : since_);
    if (before && after && *before != *after) group.claims.push_back({*before, *after, {row, token}, rows_[row].label});
  }

  /// The last line in [begin, end) whose label holds the words.
  std::optional<Spot> find_value(const std::string& label, std::size_t begin, std::size_t end) const {
    for (std::size_t i = end; i-- > begin;) {
      const auto value = first_value(rows_[i]);
      if (value && rows_[i].of(Part::percent).empty() && lower(rows_[i].label).find(label) != std::string::npos)
        return Spot{i, *value};
    }
    return std::nullopt;
  }

  const Rows& rows_;
  std::vector<HeadingLine> headings_;
  std::string against_;
  std::size_t since_ = 0;
};

}  // namespace

void read_lists(const Rows& rows, std::vector<ClaimGroup>& groups) {
  same_words(rows, groups);
  stacked(rows, groups);
  difference_below(rows, groups);
  NamedBlocks(rows).read(groups);
}

}  // namespace tollgate::audit
