#include "audit/record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <span>

#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMostFields = 24;   // of a record: a longer row is no table for people
constexpr std::size_t kFewWords = 3;      // beside the names of a line of statistics: a unit, what was measured
constexpr std::size_t kLabelWords = 8;    // of a row that a statistic labels, its units included
constexpr std::size_t kNear = 8;          // characters between a column and its header
constexpr std::size_t kLongestName = 40;  // of a statistic, in characters

bool has_sign(std::string_view text, std::size_t begin) {
  const std::string_view left = trim(text.substr(0, begin));
  return left.ends_with("=") || left.ends_with(":");
}

/// Runs of letters.
std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool within = false;
  for (const char c : text) {
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    words += letter && !within;
    within = letter;
  }
  return words;
}

bool is_figure(const Token& token) { return token.part != Part::other; }

bool is_header(const Row& row) {
  return (row.kind == RowKind::text || row.kind == RowKind::pipes) && row.cells.size() >= 2 &&
         row.of(Part::value).empty() && row.of(Part::percent).empty();
}

std::size_t distance(const Cell& cell, const PrintedNumber& number) {
  if (cell.end <= number.begin) return number.begin - cell.end;
  if (number.end <= cell.begin) return cell.begin - number.end;
  return 0;
}

/// The header's cell over the token: by index where bars cut both alike, else the nearest that is near.
std::optional<std::size_t> cell_over(const Row& header, const Row& row, const Token& token) {
  if (header.kind == RowKind::pipes && header.cells.size() == row.cells.size()) return token.cell;
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < header.cells.size(); ++c) {
    const std::size_t gap = distance(header.cells[c], token.number);
    if (gap <= kNear && (!best || gap < distance(header.cells[*best], token.number))) best = c;
  }
  return best;
}

/// A spread or a percentage that stands behind a value in its cell says something of it; it is no figure of its own.
bool qualifies(const Row& row, std::size_t token) {
  const Token& one = row.tokens[token];
  const bool behind = one.part == Part::spread || (one.part == Part::percent && one.in_parentheses);
  return behind && token > 0 && row.tokens[token - 1].part == Part::value;
}

/// "2.0%" in a column of its own, under "CV".
bool is_variation_column(const Row& header, const Row& row, const Token& token) {
  const std::string_view left = std::string_view(row.line->text).substr(0, token.number.begin);
  if (!token.number.percent || token.in_parentheses || trim(left).ends_with("+-") || trim(left).ends_with("+/-"))
    return false;
  const auto cell = cell_over(header, row, token);
  return cell && *cell < header.cells.size() &&
         statistic_in(header.cells[*cell].text).statistic == Statistic::variation;
}

/// One field a header cell; none for a cell with two figures under it, of which either could be meant.
Record under_header(const Rows& rows, std::size_t header, std::span<const std::string> names, std::size_t at) {
  const Row& row = rows[at];
  struct Under {
    std::size_t token = 0, figures = 0;
  };
  std::array<Under, kMostFields> under{};
  for (std::size_t t = 0; t < row.tokens.size(); ++t) {
    if (!is_figure(row.tokens[t])) continue;
    if (qualifies(row, t) && !is_variation_column(rows[header], row, row.tokens[t])) continue;
    const auto cell = cell_over(rows[header], row, row.tokens[t]);
    if (!cell || *cell >= names.size()) continue;
    ++under[*cell].figures;
    under[*cell].token = t;
  }
  Record record;
  record.reserve(std::min(row.tokens.size(), names.size()));
  for (std::size_t c = 0; c < names.size(); ++c)
    if (under[c].figures == 1) record.push_back({names[c], {at, under[c].token}});
  return record;
}

bool same_names(const Record& a, const Record& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Field& x, const Field& y) { return x.name == y.name; });
}

void add_record(Record record, std::vector<RecordGroup>& groups, bool& fresh) {
  if (record.size() < 2 || record.size() > kMostFields) return;
  if (fresh || !same_names(groups.back().front(), record)) groups.emplace_back();
  fresh = false;
  if (groups.back().size() < kMostRecords) groups.back().push_back(std::move(record));
}

/// Rows under a header, to the next blank line or header; one blank line may stand below the header itself.
void read_table(const Rows& rows, std::size_t header, std::vector<RecordGroup>& groups) {
  if (rows[header].cells.size() > kMostFields) return;
  std::vector<std::string> names;
  for (const Cell& cell : rows[header].cells) names.push_back(lower(cell.text));
  bool fresh = true;
  for (std::size_t at = header + 1; at < rows.size(); ++at) {
    const Row& row = rows[at];
    if (row.kind == RowKind::ruler || (row.kind == RowKind::blank && at == header + 1)) continue;
    if (row.kind != rows[header].kind || is_header(row)) break;
    add_record(under_header(rows, header, names, at), groups, fresh);
  }
}

/// "max 63.3 58.3", "min 4.4 5.6", "mean 12.0 10.3" on lines below each other: a record a column.
void read_stack(const Rows& rows, std::size_t begin, std::size_t end, std::vector<RecordGroup>& groups) {
  const std::size_t width = rows[begin].of(Part::value).size();
  RecordGroup group(width);
  for (std::size_t i = begin; i < end; ++i)
    for (std::size_t c = 0; c < width; ++c)
      group[c].push_back({lower(trim(rows[i].label)), {i, rows[i].of(Part::value)[c]}});
  // "Amean 256", "Stddev 256": the same figure behind all labels is a parameter.
  std::erase_if(group, [&](const Record& record) {
    return std::all_of(record.begin(), record.end(), [&](const Field& field) {
      return number_at(rows, field.spot).value == number_at(rows, record.front().spot).value;
    });
  });
  if (!group.empty()) groups.push_back(std::move(group));
}

bool names_statistic(const Row& row) {
  return !row.of(Part::value).empty() && row.label.size() <= 32 &&
         (statistic_in(row.label).statistic != Statistic::none || percentile_in(lower(row.label))) &&
         words_in(row.line->text) <= kLabelWords;
}

std::size_t stack_end(const Rows& rows, std::size_t begin) {
  std::size_t end = begin;
  const std::size_t width = rows[begin].of(Part::value).size();
  const auto repeats = [&](const Row& row) {
    for (std::size_t i = begin; i < end; ++i)
      if (rows[i].label == row.label) return true;
    return false;
  };
  while (end < rows.size() && rows[end].of(Part::value).size() == width && names_statistic(rows[end]) &&
         !repeats(rows[end]))
    ++end;
  return end;
}

constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (const char c : std::string_view(" ,;()[]=|\t")) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}();

/// The word left of the figure, a '=' or ':' between them: "avg" of "avg=81.30" and "Avg:    4".
std::string_view name_before(std::string_view text, std::size_t begin) {
  std::string_view left = text.substr(0, begin);
  while (!left.empty() && (left.back() == ' ' || left.back() == '=' || left.back() == ':')) left.remove_suffix(1);
  if (left.empty() || words_in(left.substr(left.size() - 1)) == 0) return {};  // no statistic's name ends so
  std::size_t begin_of_word = left.size();
  while (begin_of_word > 0 && !kStops[static_cast<unsigned char>(left[begin_of_word - 1])]) --begin_of_word;
  return left.substr(begin_of_word);
}

/// "min=201, max=9120, avg=81.30", "Average: 319.6, Median: 320.0": two statistics or more named in one line.
void read_line(const Rows& rows, std::size_t at, std::vector<RecordGroup>& groups) {
  const Row& row = rows[at];
  if (row.kind != RowKind::text || row.tokens.size() < 2 || row.tokens.size() > kMostFields) return;
  Record record;
  std::size_t statistics = 0;
  bool signs = true;
  for (std::size_t t = 0; t < row.tokens.size(); ++t) {
    const std::size_t begin = row.tokens[t].number.begin;
    const std::string_view word = name_before(row.line->text, begin);
    if (word.empty()) continue;
    const Statistic statistic = statistic_in(word).statistic;
    if (statistic == Statistic::none) continue;
    std::string name = lower(word);
    statistics += statistic != Statistic::count;
    const auto same = [&](const Field& field) { return field.name == name; };
    if (std::any_of(record.begin(), record.end(), same)) return;
    signs = signs && has_sign(row.line->text, begin);
    record.push_back({std::move(name), {at, t}});
  }
  // "a mean of 12 pages, the maximum 8 of them": without signs, words beside the names make it a sentence.
  if (statistics >= 2 && (signs || words_in(row.line->text) <= record.size() + kFewWords))
    groups.push_back({std::move(record)});
}

/// "rtt min/avg/max/mdev = 0.112/0.154/0.201/0.027 ms": names and figures with strokes between.
void read_strokes(const Rows& rows, std::size_t at, std::vector<RecordGroup>& groups) {
  const Row& row = rows[at];
  if (std::count_if(row.tokens.begin(), row.tokens.end(), [](const Token& t) { return t.in_list; }) < 3) return;
  std::vector<std::string> names;
  for (const std::string& word : split(row.line->text, ' '))
    if (names.empty() && statistic_in(lower(word.substr(0, word.find('/')))).statistic != Statistic::none)
      names = split(lower(word), '/');
  std::vector<std::size_t> figures;
  for (std::size_t t = 0; t < row.tokens.size(); ++t)
    if (row.tokens[t].in_list) figures.push_back(t);
  if (names.size() < 3 || names.size() != figures.size()) return;
  Record record;
  for (std::size_t i = 0; i < names.size(); ++i) record.push_back({names[i], {at, figures[i]}});
  groups.push_back({std::move(record)});
}

/// One list a statistic, in the order of the enumeration from `count` on; the last are of names that are none.
const WordLists kStatistics{{"n", "samples", "runs", "iterations", "repeats", "reps", "iters"},
                            {"min", "minimum", "best", "lowest"},
                            {"mean", "avg", "average", "amean"},
                            {"median"},
                            {"max", "maximum", "worst", "highest"},
                            {"stddev", "stdev", "std", "sd", "std dev", "std. dev", "standard deviation", "mdev"},
                            {"se", "sem", "stderr", "std err", "standard error"},
                            {"cv", "coeffvar", "rsd", "coefficient of variation"},
                            {"delta", "diff", "change", "vs", "rel", "hmean", "gmean", "geomean", "of"}};
constexpr std::uint32_t kNoStatistic = 1u << 8;

/// The name without the statistic's word, without units in parentheses and punctuation.
std::string rest_of(std::string_view of, std::string_view word) {
  std::string name = lower(of);
  name.erase(name.find(word), word.size());
  const auto open = name.find('('), close = name.find(')');
  if (open != std::string::npos && close != std::string::npos && open < close) name.erase(open, close + 1 - open);
  std::string rest;
  for (const char c : name)
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) rest += c;
  return rest;
}

}  // namespace

Named statistic_in(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return {};
  const std::uint32_t found = kStatistics.found_in(name);
  if (!std::has_single_bit(found) || found == kNoStatistic) return {};  // "mean of max": not one statistic
  const auto statistic = static_cast<Statistic>(1 + std::countr_zero(found));
  if (statistic != Statistic::variation && name.find('%') != std::string_view::npos) return {};
  return {statistic, rest_of(name, kStatistics.first_in(name))};
}

std::optional<double> percentile_in(std::string_view name) {
  if (name == "max") return 100;
  if (name == "min") return 0;
  const bool p = name.starts_with('p'), th = name.ends_with("th");
  if (p == th || name.size() < 3) return std::nullopt;
  double value = 0;
  const char *begin = name.data() + (p ? 1 : 0), *end = name.data() + name.size() - (th ? 2 : 0);
  const auto parsed = std::from_chars(begin, end, value);
  return parsed.ec == std::errc() && parsed.ptr == end && value <= 100 ? std::optional(value) : std::nullopt;
}

std::vector<RecordGroup> read_records(const Rows& rows) {
  std::vector<RecordGroup> groups;
  for (std::size_t i = 0, stacked = 0; i < rows.size(); ++i) {
    if (is_header(rows[i])) read_table(rows, i, groups);
    if (rows[i].tokens.empty()) continue;
    read_line(rows, i, groups);
    read_strokes(rows, i, groups);
    if (i < stacked || !names_statistic(rows[i])) continue;
    stacked = stack_end(rows, i);
    if (stacked - i >= 2) read_stack(rows, i, stacked, groups);
  }
  return groups;
}

}  // namespace tollgate::audit
