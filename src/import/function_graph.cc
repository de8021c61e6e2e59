// The kernel's function_graph tracer as text: `trace-cmd report`, and tracefs' own `trace` file (kernel/trace/
// trace_functions_graph.c). Of every function: calls, total and mean time of one recording. A recording is one run: its
// calls are no runs, so they are counted and added, not kept.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::Better;

/// One line of either form.
struct Event {
  enum class Kind { leaf, entry, exit } kind = Kind::leaf;
  std::string_view task;      // whose stack it belongs to
  std::string_view function;  // of an exit: what its comment says, or ""
  std::string_view duration;  // us, as printed; "" for an entry
};

/// "vfs_read();" "vfs_read() {" "}" "} /* vfs_read */"
void take_call(std::string_view text, Event& event) {
  text = trim(text);
  if (text.starts_with('}')) {
    event.kind = Event::Kind::exit;
    const std::size_t open = text.find("/* ");
    if (open == std::string_view::npos) return;
    const std::string_view comment = text.substr(open + 3);
    event.function = comment.substr(0, comment.find_first_of(" *(;"));
    return;
  }
  event.kind = text.find('{') != std::string_view::npos ? Event::Kind::entry : Event::Kind::leaf;
  event.function = text.substr(0, text.find_first_of(" (;{"));
}

/// The number before "us" of "! 147885.020 us".
std::string_view duration_of(std::string_view text) {
  const auto words = words_of(text);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] == "us")
      return words[i - 1].substr(std::min(words[i - 1].find_first_not_of("$@*#!+"), words[i - 1].size()));
  return {};
}

/// Adds up what the functions of one recording took.
class Tally {
 public:
  Result<void> take(const Event& event, unsigned line) {
    auto& stack = stacks_[event.task];
    switch (event.kind) {
      case Event::Kind::entry:
        stack.push_back(event.function);
        return {};
      case Event::Kind::leaf:
        return add(event.function, event.duration, line);
      case Event::Kind::exit:
        break;
    }
    std::string_view function = event.function;
    if (!stack.empty()) {
      function = stack.back();
      stack.pop_back();
    }
    if (function.empty()) {
      ++unknown_exits_;
      return {};
    }
    return add(function, event.duration, line);
  }

  void lose(std::uint64_t events) {
    lost_ += events;
    stacks_.clear();
  }

  /// What was called `from` turns out to be the task `to`.
  void rename(std::string_view from, std::string_view to) {
    if (auto stack = stacks_.extract(from)) stacks_[to] = std::move(stack.mapped());
  }

  Result<evidence::Measurement> finish(const Source& source) && {
    Collector collector(source);
    const std::string variant = source.stem();
    for (const auto& [name, times] : functions_) {
      const auto calls = static_cast<double>(times.calls);
      const std::string function(name);
      TRY(collector.sample(variant, {function + ".mean_us", "us", Better::lower}, times.total / calls, times.line));
      TRY(collector.sample(variant, {function + ".total_us", "us", Better::lower}, times.total, times.line));
      TRY(collector.sample(variant, count_metric(function + ".calls"), calls, times.line));
    }
    for (const auto& [line, remark] : remarks_) collector.warn_at(line, remark);
    if (lost_ > 0) collector.warn(fmt::format("{} events were lost: calls and totals are too low", lost_));
    if (unknown_exits_ > 0)
      collector.warn(
          fmt::format("{} returns of functions that were entered before the recording, or while events were "
                      "lost, are left out",
                      unknown_exits_));
    if (open_calls() > 0)
      collector.warn(
          fmt::format("calls that had not returned when the recording ended are left out: {}", open_calls()));
    collector.note("a recording is one run: its calls are not independent of each other");
    return std::move(collector).finish();
  }

 private:
  struct Times {
    std::uint64_t calls = 0;
    double total = 0;
    unsigned line = 0;
  };

  Result<void> add(std::string_view function, std::string_view duration, unsigned line) {
    if (duration.empty()) return fail_at(line, "a call without its duration: the line is truncated");
    const Number number = TRY(read_number(duration, line, Comma::decimals));
    if (number.value < 0) return fail_at(line, fmt::format("a call of {} us: it cannot be negative", duration));
    if (!number.remark.empty()) remarks_.emplace_back(line, number.remark);
    Times& times = functions_[function];
    if (times.calls++ == 0) times.line = line;
    times.total += number.value;
    return {};
  }

  std::size_t open_calls() const {
    std::size_t open = 0;
    for (const auto& [task, stack] : stacks_) open += stack.size();
    return open;
  }

  std::map<std::string_view, std::vector<std::string_view>> stacks_;  // by task
  std::map<std::string_view, Times> functions_;
  std::vector<std::pair<unsigned, std::string>> remarks_;  // with their lines
  std::uint64_t lost_ = 0;
  std::uint64_t unknown_exits_ = 0;
};

/// "CPU:3 [LOST 120 EVENTS]"
std::optional<std::uint64_t> lost_events(std::string_view text) {
  const std::size_t at = text.find("[LOST ");
  if (at == std::string_view::npos) return std::nullopt;
  const auto words = words_of(text.substr(at + 6));
  if (words.empty() || !all_digits(words[0]) || words[0].size() > 12) return 1;
  return std::stoull(std::string(words[0]));
}

// --- trace-cmd report: "  make-1234  [010]  1485.266118: funcgraph_entry:  ! 147885.020 us |  purge_vmap_node();"

constexpr std::string_view kEntry = "funcgraph_entry:", kExit = "funcgraph_exit:";

std::optional<Event> report_event(std::string_view text) {
  const std::size_t entry = text.find(kEntry), exit = text.find(kExit);
  const std::size_t at = std::min(entry, exit);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at);
  const std::size_t bar = rest.find('|');
  if (bar == std::string_view::npos) return std::nullopt;
  Event event;
  event.task = trim(text.substr(0, text.find(" [")));
  event.duration = duration_of(rest.substr(0, bar));
  take_call(rest.substr(bar + 1), event);
  return event;
}

bool recognises_report(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return report_event(line.text).has_value(); });
}

Result<evidence::Measurement> read_report(const Source& source) {
  Tally tally;
  for (const Line& line : source.lines()) {
    if (const auto lost = lost_events(line.text))
      tally.lose(*lost);
    else if (const auto event = report_event(line.text))
      TRY(tally.take(*event, line.number));
    else if (line.text.find("funcgraph_") != std::string_view::npos)
      return fail_at(line.number, "is no whole line of trace-cmd report: no '|' before the function");
  }
  return std::move(tally).finish(source);
}

// --- tracefs: " 1) ! 147.2 us    |  }"; with funcgraph-proc " 1)   make-34   | ! 147.2 us |  }"; " 3)  a-12  =>  b-34"

bool recognises_tracefs(const Source& source) {
  return std::ranges::any_of(source.lines(),
                             [](const Line& line) { return line.text.starts_with("# tracer: function_graph"); });
}

class TracefsReader {
 public:
  Result<evidence::Measurement> read(const Source& source) {
    for (const Line& line : source.lines()) TRY(take(line));
    return std::move(tally_).finish(source);
  }

 private:
  Result<void> take(const Line& line) {
    const std::string_view text = trim(line.text);
    if (text.empty() || text.starts_with('#') || text.starts_with("---")) return {};
    if (const auto lost = lost_events(text)) {
      tally_.lose(*lost);
      return {};
    }
    const std::size_t bracket = text.find(')');
    if (bracket == std::string_view::npos || !all_digits(text.substr(0, bracket)))
      return fail_at(line.number, "is no line of function_graph: CPU) DURATION | FUNCTION");
    const std::string_view cpu = text.substr(0, bracket), rest = text.substr(bracket + 1);
    if (const std::size_t arrow = rest.find(" => "); arrow != std::string_view::npos) {
      if (!running_.contains(cpu)) tally_.rename(cpu, trim(rest.substr(0, arrow)));
      running_[cpu] = trim(rest.substr(arrow + 4));
      return {};
    }
    return take_line(cpu, rest, line.number);
  }

  Result<void> take_line(std::string_view cpu, std::string_view rest, unsigned line) {
    const std::size_t bar = rest.rfind('|');
    if (bar == std::string_view::npos) return fail_at(line, "has no '|' before the function: the line is truncated");
    std::string_view left = rest.substr(0, bar);
    Event event;
    event.task = running_.contains(cpu) ? running_[cpu] : cpu;
    if (const std::size_t other = left.rfind('|'); other != std::string_view::npos) {
      event.task = trim(left.substr(0, other));
      left = left.substr(other + 1);
    }
    event.duration = duration_of(left);
    const std::string_view call = trim(rest.substr(bar + 1));
    if (call.empty() || call.starts_with("/*")) return {};  // an event's or a printk's comment
    take_call(call, event);
    return tally_.take(event, line);
  }

  Tally tally_;
  std::map<std::string_view, std::string_view> running_;  // task by CPU
};

Result<evidence::Measurement> read_tracefs(const Source& source) { return TracefsReader().read(source); }

}  // namespace

Importer trace_cmd_report() {
  return {"trace-cmd report", "trace-cmd record -p function_graph COMMAND; trace-cmd report", recognises_report,
          read_report};
}
Importer tracefs_function_graph() {
  return {"function_graph", "cat /sys/kernel/tracing/trace", recognises_tracefs, read_tracefs};
}

}  // namespace tollgate::import
