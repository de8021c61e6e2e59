// What `time` prints: GNU time's -v and default form, the portable form (time -p, of GNU and shells), bash, zsh, fish. Every
// block is a run; other lines of the file are the command's own.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::MetricInfo;

// --- GNU time -v: "\tLabel: value"

constexpr std::string_view kTimed = "Command being timed: ";

bool recognises_verbose(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return trim(line.text).starts_with(kTimed); });
}

struct Label {
  std::string_view label;
  MetricInfo metric;
  double factor = 1;
};

const std::vector<Label>& labels() {
  static const std::vector<Label> kLabels = {
      {"Elapsed (wall clock) time (h:mm:ss or m:ss):", elapsed_metric()},
      {"User time (seconds):", user_metric()},
      {"System time (seconds):", sys_metric()},
      {"Maximum resident set size (kbytes):", max_rss_metric(), 1024},
      {"Major (requiring I/O) page faults:", count_metric("major_faults")},
      {"Minor (reclaiming a frame) page faults:", count_metric("minor_faults")},
      {"Voluntary context switches:", count_metric("voluntary_switches")},
      {"Involuntary context switches:", count_metric("involuntary_switches")},
  };
  return kLabels;
}

void warn_of_failure(const Line& line, Collector& collector) {
  const std::string_view text = trim(line.text);
  if (text.starts_with("Command exited with non-zero status") || text.starts_with("Command terminated by signal"))
    collector.warn_at(line.number, text);
}

Result<evidence::Measurement> read_verbose(const Source& source) {
  Collector collector(source);
  std::string command;
  std::uint32_t run = 0;
  for (const Line& line : source.lines()) {
    const std::string_view text = trim(line.text);
    warn_of_failure(line, collector);
    if (const auto timed = after(text, kTimed)) {
      command = *timed;
      if (command.size() > 2 && command.starts_with('"') && command.ends_with('"'))
        command = command.substr(1, command.size() - 2);
      run = static_cast<std::uint32_t>(collector.runs(command, user_metric().name));
    }
    if (command.empty()) continue;
    for (const Label& label : labels()) {
      const auto value = after(text, label.label);
      if (!value) continue;
      Number number = TRY(collector.clock(trim(*value), line.number));
      number.value *= label.factor;
      TRY(collector.sample(command, label.metric, number, line.number));
    }
    if (const auto status = after(text, "Exit status: "))
      collector.condition(command, run, "exit status", std::string(*status));
  }
  collector.warn_of_gaps({"elapsed_s", "user_s", "sys_s", "max_rss_bytes", "major_faults", "minor_faults",
                          "voluntary_switches", "involuntary_switches"});
  return std::move(collector).finish();
}

// --- GNU time's default: 0.06user 0.00system 0:00.07elapsed 87%CPU (0avgtext+0avgdata 1888maxresident)k

bool is_default_line(std::string_view text) {
  if (text.find("elapsed ") == std::string_view::npos) return false;
  const auto words = words_of(text);
  return words.size() >= 4 && words[0].ends_with("user") && words[1].ends_with("system") &&
         words[2].ends_with("elapsed");
}

bool recognises_default(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return is_default_line(line.text); });
}

Result<void> take_default_line(const Line& line, const std::string& variant, Collector& collector) {
  const auto words = words_of(line.text);
  TRY(collector.sample(variant, elapsed_metric(), TRY(collector.clock(*before(words[2], "elapsed"), line.number)),
                       line.number));
  TRY(collector.sample(variant, user_metric(), TRY(collector.number(*before(words[0], "user"), line.number)),
                       line.number));
  TRY(collector.sample(variant, sys_metric(), TRY(collector.number(*before(words[1], "system"), line.number)),
                       line.number));
  if (const auto memory = before(words.back(), "maxresident)k")) {
    const double kilobytes = TRY(collector.number(*memory, line.number)).value;
    TRY(collector.sample(variant, max_rss_metric(), 1024 * kilobytes, line.number));
  }
  return {};
}

Result<evidence::Measurement> read_default(const Source& source) {
  Collector collector(source);
  for (const Line& line : source.lines()) {
    warn_of_failure(line, collector);
    if (is_default_line(line.text)) TRY(take_default_line(line, source.stem(), collector));
  }
  collector.warn_of_gaps();
  return std::move(collector).finish();
}

// --- real, user, sys: a line each, as `time -p` or as bash prints them

enum class Shell { portable, bash };

/// The value of "real 0.07" (portable, always with decimals) or "real\t0m0.072s" (bash).
std::optional<std::string_view> real_of(std::string_view text, Shell shell) {
  if (!text.starts_with("real")) return std::nullopt;
  const auto words = words_of(text);
  if (words.size() != 2 || words[0] != "real" || words[1].find_first_of("0123456789") == std::string_view::npos)
    return std::nullopt;
  const bool minutes = words[1].find('m') != std::string_view::npos;
  const bool decimals = words[1].find_first_of(".,") != std::string_view::npos;
  return (shell == Shell::bash ? minutes : !minutes && decimals) ? std::optional(words[1]) : std::nullopt;
}

template <Shell shell>
bool recognises_labelled(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return real_of(line.text, shell).has_value(); });
}

/// Whether a block begins on this line whose time neither shell prints: it is broken, for the command says nothing like that.
bool is_broken_block(const std::vector<Line>& lines, std::size_t at) {
  const auto words = words_of(lines[at].text);
  if (words.size() != 2 || words[0] != "real" || at + 1 == lines.size()) return false;
  const auto next = words_of(lines[at + 1].text);
  return next.size() == 2 && next[0] == "user" && !real_of(lines[at].text, Shell::portable) &&
         !real_of(lines[at].text, Shell::bash);
}

/// "user" and "sys" follow "real" line by line; elsewhere the command may say such words itself.
template <Shell shell>
Result<evidence::Measurement> read_labelled(const Source& source) {
  Collector collector(source);
  unsigned real_line = 0;
  for (const Line& line : source.lines()) {
    warn_of_failure(line, collector);
    if (const auto real = real_of(line.text, shell)) {
      real_line = line.number;
      TRY(collector.sample(source.stem(), elapsed_metric(), TRY(collector.clock(*real, line.number)), line.number));
      continue;
    }
    const auto words = words_of(line.text);
    if (is_broken_block(source.lines(), line.number - 1))
      return fail_at(line.number, fmt::format("'{}' is no time", printable(words[1])));
    if (words.size() != 2 || real_line == 0 || line.number > real_line + 2) continue;
    for (const auto& [label, metric] : {std::pair{"user", user_metric()}, {"sys", sys_metric()}})
      if (words[0] == label)
        TRY(collector.sample(source.stem(), metric, TRY(collector.clock(words[1], line.number)), line.number));
  }
  collector.warn_of_gaps({"user_s", "sys_s"});
  return std::move(collector).finish();
}

// --- zsh: gzip data  0.07s user 0.00s system 95% cpu 0.074 total

constexpr std::size_t kZshWords = 8;

bool is_zsh_line(std::string_view text) {
  if (!text.ends_with(" total")) return false;
  const auto words = words_of(text);
  if (words.size() < kZshWords) return false;
  const auto* last = words.data() + words.size() - kZshWords;
  return last[1] == "user" && last[3] == "system" && last[5] == "cpu" && last[7] == "total" && last[4].ends_with('%') &&
         last[0].ends_with('s') && last[2].ends_with('s');
}

bool recognises_zsh(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return is_zsh_line(line.text); });
}

Result<void> take_zsh_line(const Line& line, const std::string& stem, Collector& collector) {
  const auto words = words_of(line.text);
  const auto* last = words.data() + words.size() - kZshWords;
  const auto command = trim(line.text.substr(0, static_cast<std::size_t>(last[0].data() - line.text.data())));
  const std::string variant = command.empty() ? stem : std::string(command);
  const auto seconds = [&](std::string_view text) { return collector.number(*before(text, "s"), line.number); };
  TRY(collector.sample(variant, elapsed_metric(), TRY(collector.clock(last[6], line.number)), line.number));
  TRY(collector.sample(variant, user_metric(), TRY(seconds(last[0])), line.number));
  return collector.sample(variant, sys_metric(), TRY(seconds(last[2])), line.number);
}

Result<evidence::Measurement> read_zsh(const Source& source) {
  Collector collector(source);
  for (const Line& line : source.lines())
    if (is_zsh_line(line.text)) TRY(take_zsh_line(line, source.stem(), collector));
  collector.warn_of_gaps();
  return std::move(collector).finish();
}

// --- fish: Executed in  501.68 millis    fish           external /   usr time    2.06 millis  316.00 micros    1.74 millis

constexpr std::string_view kFish = "Executed in ";

bool recognises_fish(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return line.text.starts_with(kFish); });
}

/// "501.68 millis", at the words from `first` on: the first column is fish and what it ran together.
Result<Number> fish_seconds(const std::vector<std::string_view>& words, std::size_t first, unsigned line,
                            Collector& collector) {
  if (words.size() < first + 2) return fail_at(line, "a time without its unit: the line is truncated");
  const std::string_view unit = words[first + 1];
  for (const auto& [name, factor] : {std::pair{"micros", 1e-6}, {"millis", 1e-3}, {"secs", 1.0}, {"mins", 60.0}}) {
    if (unit != name) continue;
    Number number = TRY(collector.number(words[first], line));
    number.value *= factor;
    number.half_unit *= factor;
    return number;
  }
  return fail_at(line, fmt::format("'{}' is none of fish's units: micros, millis, secs, mins", printable(unit)));
}

Result<evidence::Measurement> read_fish(const Source& source) {
  Collector collector(source);
  bool in_block = false;
  for (const Line& line : source.lines()) {
    const auto words = words_of(line.text);
    if (words.size() < 2) in_block = false;
    std::optional<MetricInfo> metric;
    if (line.text.starts_with(kFish)) metric = elapsed_metric();
    if (in_block && words[1] == "time" && words[0] == "usr") metric = user_metric();
    if (in_block && words[1] == "time" && words[0] == "sys") metric = sys_metric();
    if (!metric) continue;
    in_block = true;
    TRY(collector.sample(source.stem(), *metric, TRY(fish_seconds(words, 2, line.number, collector)), line.number));
  }
  collector.warn_of_gaps({"user_s", "sys_s"});
  return std::move(collector).finish();
}

}  // namespace

Importer time_verbose() { return {"GNU time -v", "/usr/bin/time -v COMMAND", recognises_verbose, read_verbose}; }
Importer time_default() { return {"GNU time", "/usr/bin/time COMMAND", recognises_default, read_default}; }
Importer time_portable() {
  return {"time -p", "time -p COMMAND", recognises_labelled<Shell::portable>, read_labelled<Shell::portable>};
}
Importer time_bash() {
  return {"bash time", "time COMMAND in bash", recognises_labelled<Shell::bash>, read_labelled<Shell::bash>};
}
Importer time_zsh() { return {"zsh time", "time COMMAND in zsh", recognises_zsh, read_zsh}; }
Importer time_fish() { return {"fish time", "time COMMAND in fish", recognises_fish, read_fish}; }

}  // namespace tollgate::import
