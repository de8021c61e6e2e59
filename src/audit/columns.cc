// Claims in tables: rows whose cells stand under each other, with a column of percentages. Either the two figures stand in
// the row (before | after | change), or above each other (a row a variant, the change in the last column), or the
// percentage follows its figure in the cell: value (pct).
#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "audit/claim.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kHeaderRows = 6;
constexpr std::size_t kMostTokens = 40;  // of a row: a longer one is no table for people
constexpr std::size_t kMostRows = 1000;  // of a block: longer ones are read in pieces

/// A run of rows without blank lines, but for one below a header.
struct Block {
  std::size_t begin = 0, end = 0;
};

bool has_values(const Row& row) {
  return std::any_of(row.tokens.begin(), row.tokens.end(), [](const Token& t) { return t.part == Part::value; });
}

std::vector<Block> blocks_of(const Rows& rows) {
  std::vector<Block> blocks;
  for (std::size_t at = 0; at < rows.size();) {
    if (rows[at].kind == RowKind::blank) {
      ++at;
      continue;
    }
    Block block{at, at};
    bool values = false;
    while (block.end < rows.size() && block.end - block.begin < kMostRows &&
           (rows[block.end].kind != RowKind::blank ||
            (!values && block.end + 1 < rows.size() && has_values(rows[block.end + 1]))))
      values |= has_values(rows[block.end++]);
    blocks.push_back(block);
    at = block.end;
  }
  return blocks;
}

std::size_t gap(std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end) {
  if (a_end <= b_begin) return b_begin - a_end;
  if (b_end <= a_begin) return a_begin - b_end;
  return 0;
}

/// The cell of a header row above the token: by index where both are cut by bars, else the nearest.
std::string_view header_cell(const Row& header, const Row& row, const Token& token) {
  if (header.cells.size() == row.cells.size() && header.kind == row.kind) return header.cells[token.cell].text;
  std::size_t best = 13;
  std::string_view text;
  for (const Cell& cell : header.cells) {
    const std::size_t distance = gap(cell.begin, cell.end, token.number.begin, token.number.end);
    if (distance >= best) continue;
    best = distance;
    text = cell.text;
  }
  return text;
}

/// "column 3" for the column with index 2.
std::string_view column_name(std::size_t column) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (std::size_t c = 1; c <= kLongestRow; ++c) names.push_back("column " + std::to_string(c));
    return names;
  }();
  return kNames.at(column);
}

class Table {
 public:
  Table(Rows& rows, Block block) : rows_(rows), block_(block) {
    for (std::size_t i = block.begin; i < block.end; ++i)
      if (rows[i].kind != RowKind::ruler && !has_values(rows[i])) headers_.push_back(i);
  }

  void read(std::vector<ClaimGroup>& groups) {
    const auto holds = [&](std::size_t i) { return !rows_[i].of(Part::percent).empty(); };
    bool percents = std::any_of(headers_.begin(), headers_.end(),
                                [&](std::size_t i) { return rows_[i].line->text.find('%') != std::string::npos; });
    for (std::size_t i = block_.begin; i < block_.end && !percents; ++i) percents = holds(i);
    if (!percents) return;
    mark_percent_columns();
    read_value_columns();
    const auto percent_columns = this->percent_columns();
    pairs_in_rows(percent_columns, groups);
    variants_in_rows(percent_columns, groups);
    percent_after_value(groups);
    transposed(groups);
    between_values(groups);
  }

 private:
  /// The words over a token, from all header rows above it, the nearest last.
  std::string header(std::size_t row, const Token& token) const {
    std::string words;
    std::size_t seen = 0;
    for (auto i = std::lower_bound(headers_.begin(), headers_.end(), row);
         i != headers_.begin() && seen < kHeaderRows;) {
      const std::size_t at = *--i;
      if (rows_[at].kind != rows_[row].kind) continue;
      ++seen;
      if (rows_[at].cells.size() <= 1) continue;
      const std::string_view cell = header_cell(rows_[at], rows_[row], token);
      words.insert(0, words.empty() ? "" : " ").insert(0, cell);
    }
    return words;
  }

  void mark_percent_columns() {
    // The kernel robot prints the sign of per cent in each cell of "%change"; without it the cell is a difference.
    const bool robot =
        std::any_of(headers_.begin(), headers_.end(), [&](std::size_t i) { return is_robot_header(rows_[i]); });
    for (std::size_t i = block_.begin; i < block_.end; ++i) {
      if (rows_[i].tokens.size() < 3 || rows_[i].tokens.size() > kMostTokens) continue;
      mark_spreads_of_cells(rows_[i]);
      for (std::size_t t = 0; t < rows_[i].tokens.size(); ++t) {
        const Token& token = rows_[i].tokens[t];
        const bool plain = !robot && token.part == Part::value && token.number.unit.empty() && token.number.has_sign();
        if (!plain && token.part != Part::percent) continue;
        const std::string over = header(i, token);
        if (role_of(over) == Role::spread)
          rows_[i].set_part(t, Part::spread);
        else if (plain && over.find('%') != std::string::npos)
          rows_[i].set_part(t, Part::percent);
      }
    }
  }

  /// "1024.1 (0.5%)   1080.3 (0.4%)   +5.5%": where the first value has one too, and not of 0 %, it is a spread.
  static void mark_spreads_of_cells(Row& row) {
    std::vector<std::size_t> spreads;
    for (const std::size_t v : row.of(Part::value)) {
      if (v + 1 >= row.tokens.size()) return;
      const Token& next = row.tokens[v + 1];
      if (next.part != Part::percent || !next.in_parentheses || next.number.has_sign()) return;
      spreads.push_back(v + 1);
    }
    if (spreads.size() < 2 || row.tokens[spreads.front()].number.value == 0) return;
    for (const std::size_t spread : spreads) row.set_part(spread, Part::spread);
  }

  /// Columns of values of a row: by cell between bars, else by order.
  using ValueColumns = std::span<const std::optional<std::size_t>>;
  ValueColumns value_columns(std::size_t row) const {
    const std::size_t at = row - block_.begin;
    return ValueColumns(value_columns_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }

  void read_value_columns() {
    starts_.reserve(block_.end - block_.begin + 1);
    for (std::size_t i = block_.begin; i < block_.end; ++i) {
      const std::size_t start = value_columns_.size();
      starts_.push_back(start);
      for (const std::size_t token : rows_[i].of(Part::value)) {
        if (rows_[i].kind != RowKind::pipes) {
          value_columns_.push_back(token);
          continue;
        }
        const std::size_t at = start + rows_[i].tokens[token].cell;
        const bool second = at < value_columns_.size();
        if (!second) value_columns_.resize(at + 1);
        value_columns_[at] = second ? std::nullopt : std::optional(token);  // which of two is meant, nothing says
      }
    }
    starts_.push_back(value_columns_.size());
  }

  struct Column {
    std::size_t shape;   // rows of one shape have the same columns
    std::size_t number;  // of the percentage
    auto operator<=>(const Column&) const = default;
  };

  /// "5 runs, sd below 1%" right above a table whose header has cells.
  bool is_sentence(std::size_t row) const {
    constexpr std::ptrdiff_t kFewSpaces = 3;
    const auto has_cells = [&](std::size_t header) { return rows_[header].cells.size() > 1; };
    const std::string_view text = trim(rows_[row].line->text);
    return rows_[row].cells.size() == 1 && rows_[row].kind == RowKind::text &&
           std::count(text.begin(), text.end(), ' ') > kFewSpaces &&
           std::any_of(headers_.begin(), headers_.end(), has_cells);
  }

  using PercentColumns = std::map<Column, std::vector<Spot>>;
  PercentColumns percent_columns() const {
    PercentColumns columns;
    for (std::size_t i = block_.begin; i < block_.end; ++i) {
      if (rows_[i].tokens.size() > kMostTokens || is_sentence(i)) continue;
      std::size_t ordinal = 0;
      std::optional<std::size_t> last_cell;
      for (const std::size_t token : rows_[i].of(Part::percent)) {
        const bool pipes = rows_[i].kind == RowKind::pipes;
        const std::size_t cell = rows_[i].tokens[token].cell;
        if (pipes && last_cell == cell) continue;  // "+4.9 % / -8.1 %": the second is of something else
        last_cell = cell;
        const std::size_t shape = pipes ? 1000 : rows_[i].of(Part::value).size();
        columns[{shape, pipes ? cell : ordinal}].push_back({i, token});
        ++ordinal;
      }
    }
    return columns;
  }

  /// Value columns that end left of the percentage.
  std::vector<std::size_t> left_of(const Spot& percent, ValueColumns columns) const {
    std::vector<std::size_t> found;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c] && *columns[c] < percent.token) found.push_back(c);
    return found;
  }

  ClaimGroup pair_group(const std::vector<Spot>& percents, std::size_t before, std::size_t after) const {
    ClaimGroup group;
    group.claims.reserve(percents.size());
    for (const Spot& spot : percents) {
      const ValueColumns columns = value_columns(spot.row);
      if (std::max(before, after) >= columns.size() || !columns[before] || !columns[after]) continue;
      group.claims.push_back({{spot.row, *columns[before]}, {spot.row, *columns[after]}, spot, rows_[spot.row].label});
    }
    return group;
  }

  void pairs_in_rows(const PercentColumns& percent_columns, std::vector<ClaimGroup>& groups) const {
    for (const auto& [column, percents] : percent_columns) {
      const Spot& first = percents.front();
      const ValueColumns columns = value_columns(first.row);
      const auto left = left_of(first, columns);
      std::optional<std::size_t> before, after;
      std::vector<std::size_t> plain;
      for (const std::size_t c : left) {
        const Role role = role_of(header(first.row, rows_[first.row].tokens[*columns[c]]));
        if (role == Role::before) before = c;
        if (role == Role::after) after = c;
        if (role != Role::spread && role != Role::count && role != Role::change) plain.push_back(c);
      }
      for (std::size_t a = 0; a < left.size() && left.size() <= 10; ++a)
        for (std::size_t b = a + 1; b < left.size(); ++b) groups.push_back(pair_group(percents, left[a], left[b]));
      if (before && !after && plain.size() >= 2 && *before != plain.back()) after = plain.back();
      const bool change = role_of(header(first.row, rows_[first.row].tokens[first.token])) == Role::change;
      if (!before && !after && change && plain.size() == 2) {
        before = plain[0];
        after = plain[1];
      }
      if (!before || !after || !may_be_change(first) || has_share_between(first, *columns[*before], *columns[*after]))
        continue;
      groups.push_back(pair_group(percents, *before, *after));
      groups.back().named = true;
    }
  }

  /// Whether its place says that a percentage is a change: a header that does, or none of its own ("296.2 (-5.2%)") and no
  /// percentage between it and its figure. "noise", "95% CI" or "goal" over it leave that to the arithmetic.
  bool may_be_change(const Spot& percent) const {
    const Row& row = rows_[percent.row];
    const std::string over = header(percent.row, row.tokens[percent.token]);
    bool own = !over.empty();
    for (std::size_t t = percent.token; t-- > 0;) {
      const Part part = row.tokens[t].part;
      if (part != Part::value && part != Part::percent) continue;
      const bool shared = header(percent.row, row.tokens[t]) == over;
      if (part == Part::percent && (shared || over.empty())) return false;  // "-5.2% [-5.6%, -4.7%]"
      if (part == Part::percent) continue;
      own = own && !shared;
      break;
    }
    return own ? role_of(over) == Role::change : true;
  }

  /// "1200  12.0%   400  5.0%": each value has a share of its own, without a sign or under headers that are alike.
  bool has_share_between(const Spot& percent, std::size_t before, std::size_t after) const {
    const Row& row = rows_[percent.row];
    const Token& own = row.tokens[percent.token];
    const auto is_share = [&](std::size_t t) {
      const PrintedNumber& other = row.tokens[t].number;
      const bool bare = !own.number.has_sign() && !other.has_sign() && other.value != 0;
      return t > before && t < after && (bare || header(percent.row, row.tokens[t]) == header(percent.row, own));
    };
    const auto& percents = row.of(Part::percent);
    return std::any_of(percents.begin(), percents.end(), is_share);
  }

  /// A row a variant: the rows without a percentage are what the rows with one are compared with.
  void variants_in_rows(const PercentColumns& percent_columns, std::vector<ClaimGroup>& groups) const {
    for (const auto& [column, percents] : percent_columns) {
      const Spot& first = percents.front();
      const ValueColumns columns = value_columns(first.row);
      const auto left = left_of(first, columns);
      for (const std::size_t c : left) {
        ClaimGroup group = variant_group(percents, c);
        if (group.claims.empty()) continue;
        const std::string over = header(first.row, rows_[first.row].tokens[*columns[c]]);
        const std::string change = header(first.row, rows_[first.row].tokens[first.token]);
        const bool against_base = role_of_label(rows_[group.claims.front().before.row].label) == Role::before;
        const Token& percent = rows_[first.row].tokens[first.token];
        const bool behind = percent.in_parentheses && *columns[c] + 1 == first.token;  // "19017.3 (+3.1%)"
        group.named = (!over.empty() && role_of(change) == Role::change && has_word(change, lower(over))) ||
                      (against_base && may_be_change(first) && (left.size() == 1 || behind));
        ClaimGroup successive = successive_group(percents, c);
        if (speaks_of_previous(change))
          successive.named = left.size() == 1;
        else
          groups.push_back(std::move(group));
        if (successive.claims.size() > 1) groups.push_back(std::move(successive));
      }
    }
  }

  static bool speaks_of_previous(std::string_view header) {
    static const WordSet kPrevious{"previous", "prev", "preceding", "prior"};
    return kPrevious.any_in(header);
  }

  /// Each row is compared with the one above.
  ClaimGroup successive_group(const std::vector<Spot>& percents, std::size_t column) const {
    ClaimGroup group;
    for (const Spot& spot : percents) {
      const ValueColumns columns = value_columns(spot.row);
      if (spot.row == block_.begin || column >= columns.size() || !columns[column]) continue;
      const ValueColumns above = value_columns(spot.row - 1);
      if (above.size() != columns.size() || !above[column]) continue;
      group.claims.push_back(
          {{spot.row - 1, *above[column]}, {spot.row, *columns[column]}, spot, rows_[spot.row].label});
    }
    return group;
  }

  ClaimGroup variant_group(const std::vector<Spot>& percents, std::size_t column) const {
    ClaimGroup group;
    for (const Spot& spot : percents) {
      const ValueColumns columns = value_columns(spot.row);
      const auto base = base_row(spot.row, column, columns.size());
      if (!base || column >= columns.size() || !columns[column]) continue;
      group.claims.push_back({*base, {spot.row, *columns[column]}, spot, rows_[spot.row].label});
    }
    return group;
  }

  std::optional<Spot> base_row(std::size_t row, std::size_t column, std::size_t width) const {
    std::optional<Spot> base;
    for (std::size_t i = block_.begin; i < block_.end; ++i) {
      if (rows_[i].kind != rows_[row].kind || !rows_[i].of(Part::percent).empty()) continue;
      const ValueColumns columns = value_columns(i);
      if (columns.size() != width || column >= columns.size() || !columns[column]) continue;
      if (i < row || !base) base = Spot{i, *columns[column]};
    }
    return base;
  }

  /// "23.5510 (0.00%)  23.1900 (1.53%)": compared with the row's figure of 0 %, or with its first.
  void percent_after_value(std::vector<ClaimGroup>& groups) const {
    ClaimGroup group;
    for (std::size_t i = block_.begin; i < block_.end; ++i) {
      const Row& row = rows_[i];
      std::optional<std::size_t> base;
      for (const std::size_t p : row.of(Part::percent)) {
        if (p == 0 || row.tokens[p - 1].part != Part::value || !row.tokens[p].in_parentheses) continue;
        const bool zero = row.tokens[p].number.value == 0;
        if (!base && zero) base = p - 1;
        if (base && *base != p - 1) group.claims.push_back({{i, *base}, {i, p - 1}, {i, p}, row.label});
      }
    }
    if (group.claims.empty()) return;
    group.named = true;
    groups.push_back(std::move(group));
  }

  /// Columns are the cases: a row of figures, another, and a row of as many percentages.
  void transposed(std::vector<ClaimGroup>& groups) const {
    for (std::size_t i = block_.begin + 2; i < block_.end; ++i) {
      const auto& percents = rows_[i].of(Part::percent);
      const auto &before = rows_[i - 2].of(Part::value), &after = rows_[i - 1].of(Part::value);
      if (percents.size() < 2 || before.size() != percents.size() || after.size() != percents.size()) continue;
      ClaimGroup group;
      group.named = role_of_label(rows_[i - 2].label) == Role::before && role_of_label(rows_[i].label) == Role::change;
      for (std::size_t c = 0; c < percents.size(); ++c)
        group.claims.push_back({{i - 2, before[c]}, {i - 1, after[c]}, {i, percents[c]}, column_name(c)});
      groups.push_back(std::move(group));
    }
  }

  /// "232154 +- 3%   -17.4%   191755 +- 2%  context_switch1": the change stands between its two figures.
  void between_values(std::vector<ClaimGroup>& groups) const {
    ClaimGroup group;
    for (std::size_t i = block_.begin; i < block_.end; ++i) {
      const auto &values = rows_[i].of(Part::value), &percents = rows_[i].of(Part::percent);
      if (values.empty() && rows_[i].line->text.find("%change") != std::string::npos) group.named = true;
      if (values.size() != 2 || percents.size() != 1 || rows_[i].kind != RowKind::text) continue;
      if (values[0] > percents[0] || values[1] < percents[0]) continue;
      const std::string_view text = rows_[i].line->text;
      group.claims.push_back({{i, values[0]}, {i, values[1]}, {i, percents[0]}, text.substr(text.rfind("  ") + 2)});
    }
    if (!group.claims.empty()) groups.push_back(std::move(group));
  }

  Rows& rows_;
  Block block_;
  std::vector<std::size_t> headers_;                       // rows without values, which may be headers
  std::vector<std::optional<std::size_t>> value_columns_;  // of all rows of the block
  std::vector<std::size_t> starts_;                        // of each row's in it, and the end
};

}  // namespace

bool is_robot_header(const Row& row) {
  const std::string& text = row.line->text;
  return text.find("%change") != std::string::npos && text.find("%stddev") != std::string::npos;
}

void read_columns(Rows& rows, std::vector<ClaimGroup>& groups) {
  for (const Block& block : blocks_of(rows)) Table(rows, block).read(groups);
}

}  // namespace tollgate::audit
