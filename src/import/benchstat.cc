// benchstat's table of two or more columns (golang.org/x/perf/cmd/benchstat, since 2023): a line of file names and a line of
// units between "│", then a row a benchmark: median, ± half the width of its 95 % interval, change, (p=... n=...).
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

constexpr std::string_view kBar = "│";

std::vector<std::string> cells_of(std::string_view text) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t end = text.find(kBar);
    cells.emplace_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    text.remove_prefix(end + kBar.size());
  }
}

bool is_ruled(std::string_view text) { return text.find(kBar) != std::string_view::npos; }

bool recognises(const Source& source) {
  const bool ruled = std::ranges::any_of(source.lines(), [](const Line& line) { return is_ruled(line.text); });
  return ruled && std::ranges::any_of(source.lines(), [](const Line& line) {
           return line.text.find(" ± ") != std::string_view::npos && !is_ruled(line.text);
         });
}

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr std::array<Prefix, 13> kPrefixes{{{"n", 1e-9},
                                            {"µ", 1e-6},
                                            {"μ", 1e-6},
                                            {"u", 1e-6},
                                            {"m", 1e-3},
                                            {"k", 1e3},
                                            {"M", 1e6},
                                            {"G", 1e9},
                                            {"T", 1e12},
                                            {"Ki", 1024.0},
                                            {"Mi", 1024.0 * 1024},
                                            {"Gi", 1024.0 * 1024 * 1024},
                                            {"Ti", 1024.0 * 1024 * 1024 * 1024}}};

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), collector_(source) {}

  Result<evidence::Measurement> read() {
    for (const Line& line : source_.lines()) {
      if (const auto cpu = after(line.text, "cpu: ")) collector_.measurement().machine = trim(*cpu);
      if (is_ruled(line.text))
        take_header(line.text);
      else if (line.text.find(" ± ") != std::string_view::npos && !columns_.empty())
        TRY(take_row(line));
    }
    collector_.note(
        "benchstat prints medians; its ± is half their 95 % interval, rounded to a percent, and is not kept");
    return std::move(collector_).finish();
  }

 private:
  /// File names first, then units ("sec/op", "vs base" dropped); a table without units has only names.
  void take_header(std::string_view text) {
    std::vector<std::string> cells = cells_of(text);
    cells.erase(cells.begin());
    if (!cells.empty() && cells.back().empty()) cells.pop_back();
    const bool units = !cells.empty() && !cells[0].empty() &&
                       (cells[0].find("/op") != std::string::npos || cells[0].find("/s") != std::string::npos);
    if (units)
      unit_ = words_of(cells[0]).front();
    else if (!cells.empty()) {
      columns_ = std::move(cells);
      unit_.clear();
    }
  }

  Result<double> value_of(std::string_view word, unsigned line) {
    const std::size_t end = std::min(word.find_first_not_of("0123456789.,+-"), word.size());
    const double number = TRY(collector_.number(word.substr(0, end), line)).value;
    const std::string_view suffix = word.substr(end);
    if (suffix.empty()) return number;
    const auto prefix = std::ranges::find(kPrefixes, suffix, &Prefix::text);
    if (prefix == kPrefixes.end()) return fail_at(line, fmt::format("'{}' has an unknown suffix", printable(word)));
    return number * prefix->factor;
  }

  /// Name, then for each column VALUE ± P%; after the second and later ones the change and (p=0.000 n=20).
  Result<void> take_row(const Line& line) {
    const auto words = words_of(line.text);
    std::size_t column = 0;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      if (words[i + 1] != "±") continue;
      if (column == columns_.size()) return fail_at(line.number, "has more values than the table has columns");
      evidence::SummaryOnly summary;
      summary.median = TRY(value_of(words[i], line.number));
      summary.count = TRY(count_of(line, column));
      const std::string unit = unit_.empty() ? "" : unit_;
      TRY(collector_.summary(columns_[column++], {name_of(words[0]), unit, better_of(unit)}, summary, line.number));
    }
    if (unit_.empty()) collector_.warn_at(line.number, "the table has no line of units");
    return {};
  }

  std::string name_of(std::string_view benchmark) const {
    return unit_.empty() ? std::string(benchmark) : fmt::format("{} {}", benchmark, unit_);
  }

  static Better better_of(const std::string& unit) {
    if (unit == "sec/op" || unit == "B/op" || unit == "allocs/op") return Better::lower;
    return unit == "B/s" ? Better::higher : Better::neither;
  }

  /// "n=20)", or "n=4+5)".
  static Result<std::optional<std::uint64_t>> count_of(const Line& line, std::size_t column) {
    const std::size_t at = line.text.find(" n=");
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view counts = line.text.substr(at + 3);
    counts = counts.substr(0, counts.find(')'));
    const std::size_t plus = counts.find('+');
    if (plus != std::string_view::npos) counts = column == 0 ? counts.substr(0, plus) : counts.substr(plus + 1);
    if (!all_digits(counts) || counts.size() > 9) return fail_at(line.number, "the numbers of samples cannot be read");
    return std::stoull(std::string(counts));
  }

  const Source& source_;
  Collector collector_;
  std::vector<std::string> columns_;
  std::string unit_;
};

Result<evidence::Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer benchstat() { return {"benchstat", "benchstat OLD NEW", recognises, read}; }

}  // namespace tollgate::import
