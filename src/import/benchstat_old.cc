// benchstat's table before 2023 (golang.org/x/perf/cmd/benchstat at 84e58bfe0a7e and older): a header a unit, then a row a
// benchmark. A value is the mean without outliers; ± is the largest distance from it in percent, left out where it is 0.
//   name        old time/op  new time/op  delta                        name \ time/op  a.txt       b.txt       c.txt
//   GobEncode   13.6ms ± 1%  11.8ms ± 1%  -13.31%  (p=0.016 n=4+5)     GobEncode       13.6ms ± 1% 11.8ms ± 1% ...
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::Better;

constexpr std::string_view kPlusMinus = "±";

/// What the header calls a unit, and what its values end in after the prefix.
struct Unit {
  std::string_view label;
  std::string_view base;  // of the values, and the metric's unit; "": as the label
  Better better;
};
constexpr std::array<Unit, 4> kUnits{{{"time/op", "s", Better::lower},
                                      {"alloc/op", "B", Better::lower},
                                      {"allocs/op", "", Better::lower},
                                      {"speed", "B/s", Better::higher}}};

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr std::array<Prefix, 9> kPrefixes{
    {{"", 1}, {"n", 1e-9}, {"µ", 1e-6}, {"μ", 1e-6}, {"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};

/// The cells of a header, which are two or more spaces apart.
std::vector<std::string> cells_of(std::string_view text) {
  std::vector<std::string> cells;
  for (text = trim(text); !text.empty();) {
    const std::size_t end = std::min(text.find("  "), text.size());
    cells.emplace_back(text.substr(0, end));
    text = trim(text.substr(end));
  }
  return cells;
}

struct Header {
  std::string label;                 // "time/op"
  std::vector<std::string> columns;  // "old", "new", or the files' names; none where there is one file
};

std::optional<Header> header_of(std::string_view text) {
  const auto cells = cells_of(text);
  if (cells.size() < 2) return std::nullopt;
  if (const auto label = after(cells[0], "name \\ "))
    return Header{std::string(*label), {cells.begin() + 1, cells.end()}};
  if (cells[0] != "name") return std::nullopt;
  if (cells.size() == 2) return Header{cells[1], {}};
  const auto label = after(cells[1], "old ");
  if (cells.size() != 4 || cells[3] != "delta" || !label || cells[2] != fmt::format("new {}", *label))
    return std::nullopt;
  return Header{std::string(*label), {"old", "new"}};
}

bool recognises(const Source& source) {
  return source.text().find("│") == std::string_view::npos &&
         source.text().find(kPlusMinus) != std::string_view::npos &&
         std::ranges::any_of(source.lines(), [](const Line& line) { return header_of(line.text).has_value(); });
}

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), collector_(source) {}

  Result<evidence::Measurement> read() {
    for (const Line& line : source_.lines()) {
      if (trim(line.text).empty())
        header_.reset();
      else if (auto header = header_of(line.text))
        take_header(std::move(*header));
      else if (header_ && !line.text.starts_with("[Geo mean]"))
        TRY(take_row(line));
    }
    collector_.note(
        "benchstat prints means without outliers; its ± is the largest distance from the mean, and is not kept");
    return std::move(collector_).finish();
  }

 private:
  void take_header(Header header) {
    if (header.columns.empty()) header.columns = {source_.stem()};
    const auto unit = std::ranges::find(kUnits, header.label, &Unit::label);
    unit_ = unit == kUnits.end() ? Unit{"", "", Better::neither} : *unit;
    header_ = std::move(header);
  }

  /// "13.6ms", of the header's unit.
  Result<Number> value_of(std::string_view word, unsigned line) {
    const std::size_t end = std::min(word.find_first_not_of("0123456789.,+-"), word.size());
    Number number = TRY(collector_.number(word.substr(0, end), line));
    const auto suffix = before(word.substr(end), unit_.base);
    const auto prefix = std::ranges::find(kPrefixes, suffix.value_or("none"), &Prefix::text);
    if (prefix == kPrefixes.end())
      return fail_at(line, fmt::format("'{}' is no value of {}", printable(word), printable(header_->label)));
    number.value *= prefix->factor;
    number.half_unit *= prefix->factor;
    return number;
  }

  /// The values of a row end where the change begins: "~", "-13.31%", "(all equal)".
  static bool is_change(std::string_view word) {
    return word == "~" || word.starts_with('(') || word.starts_with('+') || word.starts_with('-');
  }

  Result<void> take_row(const Line& line) {
    const auto words = words_of(line.text);
    std::vector<Number> values;
    for (std::size_t i = 1; i < words.size() && !is_change(words[i]); ++i) {
      if (words[i] == kPlusMinus)
        ++i;  // and its percentage
      else if (!words[i].starts_with(kPlusMinus))
        values.push_back(TRY(value_of(words[i], line.number)));
    }
    if (values.size() > header_->columns.size() || values.empty())
      return fail_at(line.number, fmt::format("has {} values and the table {} columns: the line is truncated",
                                              values.size(), header_->columns.size()));
    if (values.size() < header_->columns.size()) {
      collector_.warn_at(line.number,
                         "has fewer values than the table has columns, and is left out: it does not say "
                         "which are missing");
      return {};
    }
    for (std::size_t column = 0; column < values.size(); ++column) TRY(add(words[0], line, column, values[column]));
    return {};
  }

  Result<void> add(std::string_view benchmark, const Line& line, std::size_t column, const Number& value) {
    evidence::SummaryOnly summary;
    summary.mean = value.value;
    if (column < 2) summary.count = TRY(count_of(line, column));
    const std::string unit(unit_.base.empty() ? std::string_view(header_->label) : unit_.base);
    return collector_.summary(header_->columns[column],
                              {fmt::format("{} {}", benchmark, header_->label), unit, unit_.better}, summary,
                              line.number, value.half_unit);
  }

  /// "n=4+5)"; not in the rows that are all equal, nor in tables of three files.
  static Result<std::optional<std::uint64_t>> count_of(const Line& line, std::size_t column) {
    const std::size_t at = line.text.rfind(" n=");
    if (at == std::string_view::npos) return std::nullopt;
    const auto counts = split(line.text.substr(at + 3, line.text.find(')', at) - at - 3), '+');
    if (counts.size() != 2 || !all_digits(counts[column]) || counts[column].size() > 9)
      return fail_at(line.number, "the numbers of samples cannot be read");
    return std::stoull(counts[column]);
  }

  const Source& source_;
  Collector collector_;
  std::optional<Header> header_;
  Unit unit_{"", "", Better::neither};
};

Result<evidence::Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer benchstat_old() { return {"benchstat before 2023", "benchstat OLD NEW", recognises, read}; }

}  // namespace tollgate::import
