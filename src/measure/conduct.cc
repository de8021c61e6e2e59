#include "measure/conduct.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/interrupt.h"
#include "base/random.h"
#include "base/text.h"
#include "measure/due.h"
#include "measure/function_profile.h"
#include "measure/metric.h"
#include "measure/output_value.h"
#include "measure/run_command.h"

namespace tollgate::measure {
namespace {

using store::Run;
using store::RunKind;
using store::Session;

constexpr std::uint64_t kPadding = 4096;  // bytes; below

/// A session's metrics, and what they are read with.
struct Instruments {
  std::vector<MetricSpec> metrics;
  std::vector<PerfEvent> events;
  std::optional<FunctionProfiler> profiler;
  Output output = Output::discard;
  bool memory = false;  // is one of them
};

Result<void> add_metric(Instruments& instruments, const store::Metric& kept, const Surroundings& surroundings) {
  auto parsed = TRY(parse_metric(kept.spec));
  if (parsed.size() != 1) return fail(fmt::format("the kept metric '{}' is not one metric", kept.spec));
  MetricSpec metric = std::move(parsed.front());
  metric.info = kept.info;
  if (metric.source == Source::perf) instruments.events.push_back(TRY(parse_perf_event(metric.argument)));
  if (reads_output(metric)) instruments.output = Output::keep;
  if (metric.source == Source::rss) instruments.memory = true;
  if (is_of_function(metric)) {
    if (instruments.profiler && instruments.profiler->function() != metric.argument)
      return fail("ftrace: one function can be profiled at a time");
    instruments.profiler = TRY(FunctionProfiler::open(surroundings.tracefs, metric.argument));
  }
  instruments.metrics.push_back(std::move(metric));
  return {};
}

Result<Instruments> open_instruments(const Session& session, const Surroundings& surroundings) {
  Instruments instruments;
  for (const auto& kept : session.metrics) TRY(add_metric(instruments, kept, surroundings));
  TRY(PerfCounters::open(instruments.events, 0));  // on this process, only to see whether it may
  return instruments;
}

std::string next_go(std::span<const Run> made) {
  std::set<std::string> goes;
  for (const Run& run : made)
    if (const auto go = run.conditions.find(std::string(store::kGo)); go != run.conditions.end())
      goes.insert(go->second);
  return std::to_string(goes.size() + 1);
}

/// What it said of its failure.
const std::string& said_by(const Outcome& outcome) {
  return outcome.error_output.empty() ? outcome.output : outcome.error_output;
}

/// What a command printed in whose output a value is missing, and where that value may have gone.
std::string said_instead(const Outcome& outcome) {
  const std::string shown = tail_of(outcome.output);
  std::string text = shown.empty() ? "; standard output was empty" : "; its end:" + shown;
  if (!outcome.error_output.empty())
    text += fmt::format("{}{} bytes went to standard error, and 2>&1 in the command puts them into the output",
                        shown.empty() ? "; " : "\n", outcome.error_output.size());
  return text;
}

/// Everything about a session that stays the same from run to run.
class Conductor {
 public:
  static Result<Conductor> prepare(store::Store& store, const Session& session, const Surroundings& surroundings);

  Result<Conducted> run_all(const ProgressCallback& progress);

 private:
  Conductor(store::Store& store, const Session& session, const Surroundings& surroundings)
      : store_(store), session_(session), surroundings_(surroundings) {}

  Result<void> make_run(RunKind kind, const Slot& slot);
  Result<void> prepare_run(std::uint32_t variant);
  Result<Outcome> run_command_of(std::uint32_t variant, const std::vector<std::string>& environment);
  Result<void> learn(MetricSpec& metric, const evidence::MetricInfo& found);
  Result<double> value_of(MetricSpec& metric, const Outcome& outcome, const FunctionCalls& calls, std::size_t& event);
  Result<std::vector<double>> values_of(const Outcome& outcome, const FunctionCalls& calls);
  std::vector<std::string> environment_of(RunKind kind, const Slot& slot) const;
  std::string name_of(RunKind kind, const Slot& slot) const;
  std::string remarks_on(const Outcome& outcome) const;
  std::vector<DueRun> warmups(const Due& due) const;

  store::Store& store_;
  const Session& session_;
  const Surroundings& surroundings_;
  Host host_;
  std::vector<Run> made_;
  std::string go_;  // 1 + those of the runs made so far
  Instruments instruments_;
  std::vector<std::vector<std::string>> words_;  // of each variant's command
};

Result<Conductor> Conductor::prepare(store::Store& store, const Session& session, const Surroundings& surroundings) {
  Conductor conductor(store, session, surroundings);
  conductor.host_ = TRY(read_host(surroundings.files));
  conductor.made_ = TRY(store.runs(session.id));
  conductor.go_ = next_go(conductor.made_);
  std::vector<std::string> commands;
  for (const auto& variant : session.variants) commands.push_back(variant.command);
  conductor.words_ = words_to_run(commands, surroundings.search_path);
  conductor.instruments_ = TRY(open_instruments(session, surroundings));
  return conductor;
}

/// The environment of a run. Its size shifts the stack, which alone can change a time by percents (Mytkowicz et al., ASPLOS
/// 2009), so each run gets a padding of random length.
std::vector<std::string> Conductor::environment_of(RunKind kind, const Slot& slot) const {
  auto environment = surroundings_.environment;
  RandomStream random = RandomStream::named(session_.terms.seed, "padding", {std::uint64_t(kind), slot.position});
  environment.push_back(fmt::format("TOLLGATE_VARIANT={}", session_.variants[slot.variant].name));
  environment.push_back(fmt::format("TOLLGATE_RUN={}", slot.number));
  environment.push_back("TOLLGATE_PADDING=" + std::string(random.below(kPadding), 'x'));
  return environment;
}

Result<void> Conductor::prepare_run(std::uint32_t variant) {
  if (session_.prepare.empty()) return {};
  auto environment = surroundings_.environment;
  environment.push_back(fmt::format("TOLLGATE_VARIANT={}", session_.variants[variant].name));
  const Outcome outcome =
      TRY(run_command({{"/bin/sh", "-c", session_.prepare}, std::move(environment), Output::discard, Leftovers::keep}));
  if (outcome.exit_status == 0) return {};
  return fail(fmt::format("the command to prepare a run {}: {}{}", failure_text(outcome), session_.prepare,
                          tail_of(outcome.error_output)));
}

/// "variant 'b', run 2", with the number that exports give it.
std::string Conductor::name_of(RunKind kind, const Slot& slot) const {
  const std::string_view word = kind == RunKind::measured ? "" : kind == RunKind::noise ? "noise " : "warmup ";
  return fmt::format("variant '{}', {}run {}", session_.variants[slot.variant].name, word, slot.number);
}

Result<Outcome> Conductor::run_command_of(std::uint32_t variant, const std::vector<std::string>& environment) {
  const auto& planned = session_.variants[variant];
  Outcome outcome = TRY(run_command(
      {words_[variant], environment, instruments_.output, Leftovers::end, instruments_.memory}, instruments_.events));
  if (outcome.exit_status == 0 || session_.on_failure == store::OnFailure::keep) return outcome;
  return fail(fmt::format("{}: {}{}", failure_text(outcome), planned.command, tail_of(said_by(outcome))));
}

/// Unit and direction of a metric that only its benchmark's reader knows; every run must agree with the first.
Result<void> Conductor::learn(MetricSpec& metric, const evidence::MetricInfo& found) {
  if (metric.source != Source::output || metric.info.unit == found.unit) return {};
  if (!metric.info.unit.empty())
    return fail(
        fmt::format("metric {}: this run's is in {}, earlier ones in {}", found.name, found.unit, metric.info.unit));
  metric.info.unit = found.unit;
  if (metric.info.better == evidence::Better::neither) metric.info.better = found.better;
  return store_.describe(session_.id, metric.info);
}

/// `event` counts the perf events met so far.
Result<double> Conductor::value_of(MetricSpec& metric, const Outcome& outcome, const FunctionCalls& calls,
                                   std::size_t& event) {
  switch (metric.source) {
    case Source::wall:
      return outcome.wall;
    case Source::user:
      return outcome.user;
    case Source::sys:
      return outcome.system;
    case Source::rss:
      return outcome.memory;
    case Source::perf:
      return outcome.counts[event++].value;
    case Source::function_calls:
      return calls.calls;
    case Source::function_total:
      return calls.total;
    case Source::function_mean:
      if (calls.calls == 0) return fail(fmt::format("metric {}: the function was not called", metric.info.name));
      return calls.total / calls.calls;
    case Source::regex:
    case Source::json:
    case Source::output:
      break;
  }
  const auto found = value_in_output(metric, outcome.output);
  if (!found) return fail(found.error().message + said_instead(outcome));
  TRY(learn(metric, found->info));
  return found->value;
}

Result<std::vector<double>> Conductor::values_of(const Outcome& outcome, const FunctionCalls& calls) {
  std::vector<double> values;
  std::size_t event = 0;
  for (auto& metric : instruments_.metrics) {
    const auto value = value_of(metric, outcome, calls, event);
    const bool lost = !value && outcome.exit_status != 0;  // only failures that the request keeps come this far
    values.push_back(lost ? std::numeric_limits<double>::quiet_NaN() : TRY(value));
  }
  return values;
}

/// What the reader of this run's figures must know.
std::string Conductor::remarks_on(const Outcome& outcome) const {
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < outcome.counts.size(); ++i)
    if (outcome.counts[i].share < 1)
      remarks.push_back(fmt::format("perf:{} shared its counter and is scaled up", instruments_.events[i].name));
  if (outcome.left_behind > 0)
    remarks.emplace_back("the command left processes behind, which were ended and are not counted");
  return join(remarks, "; ");
}

Result<void> Conductor::make_run(RunKind kind, const Slot& slot) {
  const std::uint32_t variant = kind == RunKind::noise ? 0 : slot.variant;
  const auto of_this_run = [&](const Error& error) {
    if (interrupted()) return error;
    return Error{name_of(kind, {variant, slot.number, 0, 0}) + ": " + error.message, error.place};
  };
  TRY(prepare_run(variant));
  Run run{kind, slot.variant, slot.number, slot.position, slot.block, host_.boot, 0, 0, {}, {}};
  run.conditions = conditions_now(host_, surroundings_.files);
  run.conditions[std::string(store::kGo)] = go_;
  run.conditions["started by"] = words_[variant].front() == "/bin/sh" ? "/bin/sh" : "exec";
  const auto environment = environment_of(kind, {variant, slot.number, slot.position, slot.block});
  FunctionCalls calls;
  if (instruments_.profiler) TRY(instruments_.profiler->start());
  auto outcome = run_command_of(variant, environment);
  if (instruments_.profiler) calls = TRY(instruments_.profiler->stop());
  if (!outcome) return tl::unexpected(of_this_run(outcome.error()));
  run.start = outcome->start;
  run.exit_status = outcome->exit_status;
  run.values = TRY(values_of(*outcome, calls).map_error(of_this_run));
  if (auto remarks = remarks_on(*outcome); !remarks.empty()) run.conditions[std::string(store::kRemark)] = remarks;
  if (outcome->memory <= outcome->memory_floor)
    run.conditions[std::string(store::kMemoryFloor)] = fmt::format("{:.0f}", outcome->memory_floor);
  return store_.add(session_.id, run);
}

/// Of each variant that is due, numbered after those of earlier starts.
std::vector<DueRun> Conductor::warmups(const Due& due) const {
  std::vector<DueRun> runs;
  for (std::uint32_t variant = 0; variant < session_.variants.size(); ++variant) {
    const bool wanted = std::any_of(due.runs.begin(), due.runs.end(), [&](const DueRun& run) {
      return (run.kind == RunKind::noise ? 0 : run.slot.variant) == variant;
    });
    if (!wanted) continue;
    const auto earlier = std::uint32_t(std::count_if(made_.begin(), made_.end(), [&](const Run& run) {
      return run.kind == RunKind::warmup && run.variant == variant;
    }));
    for (std::uint32_t i = 0; i < session_.warmup; ++i)
      runs.push_back({RunKind::warmup, {variant, earlier + i, std::uint32_t(runs.size()), 0}});
  }
  return runs;
}

Result<Conducted> Conductor::run_all(const ProgressCallback& progress) {
  const Due due = TRY(due_runs(session_, made_, host_));
  auto runs = warmups(due);
  runs.insert(runs.end(), due.runs.begin(), due.runs.end());
  Conducted conducted{0, 0, due.boot_next};
  for (const DueRun& run : runs) {
    if (progress) progress(conducted.made, runs.size());
    TRY(make_run(run.kind, run.slot));
    ++conducted.made;
    if (run.kind == RunKind::warmup) ++conducted.warmups;
  }
  return conducted;
}

}  // namespace

Result<void> check_metrics(const Session& session, const Surroundings& surroundings) {
  TRY(open_instruments(session, surroundings));
  return {};
}

Result<Conducted> conduct(store::Store& store, const Session& session, const Surroundings& surroundings,
                          const ProgressCallback& progress) {
  auto conductor = TRY(Conductor::prepare(store, session, surroundings));
  return conductor.run_all(progress);
}

}  // namespace tollgate::measure
