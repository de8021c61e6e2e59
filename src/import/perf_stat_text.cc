// perf stat's text (tools/perf/util/stat-display.c). A block begins with "Performance counter stats for"; blocks of one
// command are its runs, unless each is itself a mean of several (-r). --table gives the elapsed time of every run.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/perf_stat.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

constexpr std::string_view kHeader = "Performance counter stats for ";
constexpr std::string_view kElapsed = "seconds time elapsed";

bool is_interval_header(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kWords{"#", "time", "counts", "unit", "events"};
  return text.starts_with('#') && std::ranges::equal(words_of(text), kWords);
}

bool recognises(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) {
    const std::string_view text = trim(line.text);
    return (text.starts_with(kHeader) && text.ends_with(':')) || is_interval_header(text);
  });
}

/// "CPU3", "S0", "N1", "S0-D0-C0": the count is of a part of the machine.
bool is_part_of_machine(std::string_view word) {
  if (const auto number = after(word, "CPU")) return all_digits(*number);
  for (const std::string& part : split(word, '-'))
    if (part.empty() || std::string_view("SDCN").find(part[0]) == std::string_view::npos || !all_digits(part.substr(1)))
      return false;
  return true;
}

/// Units of events in perf's text; what else stands between value and event is an event, and the third word its cgroup.
constexpr std::array<std::string_view, 9> kUnits{"msec", "ns", "us", "ms", "Joules", "KiB", "MiB", "GiB", "Bytes"};

struct Locale {
  Comma comma = Comma::groups;
  std::string_view elapsed;  // the time that tells
  unsigned line = 0;         // its line; 0: there is none
};

/// perf groups digits and prints decimals as the user's locale does; the elapsed time, which always has decimals, tells.
Locale locale_of(const Source& source) {
  Locale locale;
  for (const Line& line : source.lines()) {
    if (line.text.find(kElapsed) == std::string_view::npos) continue;
    const std::string_view value = words_of(line.text).front();
    const bool comma = value.find(',') != std::string_view::npos && value.find('.') == std::string_view::npos;
    if (comma || locale.line == 0) locale = {comma ? Comma::decimals_points : Comma::groups, value, line.number};
    if (comma) break;
  }
  return locale;
}

/// What "0.07 seconds user" is; nothing for other words.
std::optional<evidence::MetricInfo> metric_of_seconds(std::string_view text) {
  const std::string_view told = trim(text.substr(0, text.find('(')));
  if (told.ends_with(kElapsed)) return elapsed_metric();
  if (told.ends_with("seconds user")) return user_metric();
  if (told.ends_with("seconds sys")) return sys_metric();
  return std::nullopt;
}

struct Extras {
  std::optional<double> error_percent;
  std::optional<double> percent_running;
};

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), collector_(source), locale_(locale_of(source)) {}

  Result<evidence::Measurement> read() {
    for (const Line& line : source_.lines()) TRY(take(line));
    TRY(end_block());
    if (strange_ > 0)
      collector_.warn_at(first_strange_, fmt::format("{} lines between the counts were not understood and were left "
                                                     "out, this one first",
                                                     strange_));
    collector_.warn_of_gaps();
    return std::move(collector_).finish();
  }

 private:
  Result<void> take(const Line& line) {
    const std::string_view text = trim(line.text);
    if (const auto rest = after(text, kHeader); rest && rest->ends_with(':')) return begin_block(*rest, line.number);
    if (is_interval_header(text))
      return fail_at(line.number, "is of perf stat -I: intervals of one run are no runs; count whole runs instead");
    if (variant_.empty() || text.empty()) return {};
    if (text.starts_with("# Table of individual")) in_table_ = true;
    if (text.starts_with("# Final result")) in_table_ = false;
    if (text.starts_with('#')) return {};
    if (in_table_) return take_table_row(text, line.number);
    if (text.find("seconds ") != std::string_view::npos) return take_seconds(text, line.number);
    if (after_counts_) return {};  // the command's own output, or perf's hints
    if (text.starts_with("<not ") || (text[0] >= '0' && text[0] <= '9')) return take_count(text, line.number);
    if (is_part_of_machine(words_of(text).front()))
      return fail_at(line.number, "is of one CPU, socket, core or node: import reads totals, without -A and --per-*");
    if (strange_++ == 0) first_strange_ = line.number;
    return {};
  }

  /// 'make -j8' (5 runs):
  Result<void> begin_block(std::string_view rest, unsigned line) {
    TRY(end_block());
    begun_ = line;
    rest.remove_suffix(1);
    runs_.reset();
    if (const auto counted = before(rest, " runs)")) {
      const std::size_t open = counted->find_last_of('(');
      if (open == std::string_view::npos || !all_digits(counted->substr(open + 1)))
        return fail_at(line, "the number of runs cannot be read");
      runs_ = static_cast<std::uint64_t>(TRY(collector_.number(counted->substr(open + 1), line)).value);
      rest = trim(counted->substr(0, open));
    }
    std::string command(rest);
    if (command.size() > 2 && command.front() == '\'' && command.back() == '\'')
      command = command.substr(1, command.size() - 2);
    variant_ = runs_ ? collector_.free_name(command) : command;
    in_table_ = after_counts_ = elapsed_ = false;
    return {};
  }

  /// The elapsed time ends every block: perf prints it whatever was counted.
  Result<void> end_block() const {
    if (variant_.empty() || elapsed_) return {};
    return fail_at(begun_, fmt::format("a block without its '{}': the output is truncated", kElapsed));
  }

  /// A number as the locale of the elapsed time has it.
  Result<Number> number(std::string_view text, unsigned line) {
    return collector_.number(text, line, locale_.comma).map_error([&](Error error) {
      if (text.find_first_of(",.") != std::string_view::npos && locale_.line > 0)
        error.message +=
            fmt::format(": '{}', the elapsed time of line {}, is of a locale with decimal {}",
                        printable(locale_.elapsed), locale_.line, locale_.comma == Comma::groups ? "points" : "commas");
      return error;
    });
  }

  /// The last words of a line: ( +-  1.95% )  (45.67%)
  Result<Extras> extras_of(std::string_view text, unsigned line) {
    Extras extras;
    for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
      const std::size_t end = text.find(')', at);
      if (end == std::string_view::npos) return fail_at(line, "a bracket is not closed: the line is truncated");
      std::string_view inside = trim(text.substr(at + 1, end - at - 1));
      const auto error = after(inside, "+-");
      const auto percent = before(trim(error.value_or(inside)), "%");
      if (!percent) continue;
      const double value = TRY(number(trim(*percent), line)).value;
      (error ? extras.error_percent : extras.percent_running) = value;
    }
    return extras;
  }

  /// 72.01 msec task-clock  # 1.026 CPUs utilized  ( +-  1.95% )
  Result<void> take_count(std::string_view text, unsigned line) {
    const Extras extras = TRY(extras_of(text, line));
    const std::string_view counted = text.substr(0, std::min(text.find('#'), text.find(" (")));
    auto words = words_of(counted);
    PerfCount count;
    count.line = line;
    if (text.starts_with("<not ")) {
      count.why_none = std::string(text.substr(0, text.find('>') + 1));
      words = words_of(text.substr(count.why_none.size(), text.find_first_of("#(") - count.why_none.size()));
      words.insert(words.begin(), "-");
    }
    if (words.size() == 3 && std::ranges::find(kUnits, words[1]) == kUnits.end())
      return fail_at(
          line, fmt::format("is of one cgroup, or in a unit that import does not know: '{}'", printable(words[1])));
    if (words.size() == 3) count.unit = words[1];
    if (words.size() != 2 && words.size() != 3) return fail_at(line, "is no line of perf stat: value, unit, event");
    count.event = words.back();
    if (count.why_none.empty()) count.value = TRY(number(words[0], line));
    count.error_percent = extras.error_percent;
    count.percent_running = extras.percent_running;
    count.runs = runs_;
    return add_perf_count(variant_, count, collector_);
  }

  /// 0.07017 +- 0.00208 seconds time elapsed  ( +-  2.97% )
  Result<void> take_seconds(std::string_view text, unsigned line) {
    const auto words = words_of(text.substr(0, text.find('(')));
    const bool spread = words.size() > 2 && words[1] == "+-";
    const std::size_t at = spread ? 3 : 1;
    if (words.size() < at + 2 || words[at] != "seconds") return {};  // the command's own words
    const auto metric = metric_of_seconds(text);
    if (!metric) return {};
    after_counts_ = true;
    elapsed_ = elapsed_ || metric->name == elapsed_metric().name;
    if (metric->name == elapsed_metric().name && collector_.runs(variant_, metric->name) > 0 && runs_)
      return {};  // from the table
    const Number value = TRY(number(words[0], line));
    if (!runs_) return collector_.sample(variant_, *metric, value, line);
    evidence::SummaryOnly summary;
    summary.count = runs_;
    summary.mean = value.value;
    if (spread) summary.standard_error = TRY(number(words[2], line)).value;
    return collector_.summary(variant_, *metric, summary, line, value.half_unit);
  }

  /// 0.067214 (+0.000380) #
  Result<void> take_table_row(std::string_view text, unsigned line) {
    return collector_.sample(variant_, elapsed_metric(), TRY(number(words_of(text)[0], line)), line);
  }

  const Source& source_;
  Collector collector_;
  Locale locale_;
  std::string variant_;
  std::optional<std::uint64_t> runs_;
  bool in_table_ = false;
  bool after_counts_ = false;
  bool elapsed_ = false;  // of this block
  unsigned begun_ = 0;
  unsigned strange_ = 0;
  unsigned first_strange_ = 0;
};

Result<evidence::Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer perf_stat_text() { return {"perf stat", "perf stat [-r N] [--table] COMMAND", recognises, read}; }

}  // namespace tollgate::import
