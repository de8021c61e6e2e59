// tollgate measure: real commands, or boots, as variants of one measurement; and the store in which those are kept.
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/kept.h"
#include "cli/measure_answer.h"
#include "cli/measure_request.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "evidence/analysis.h"
#include "measure/conduct.h"
#include "measure/due.h"
#include "measure/run_command.h"
#include "report/comparison_json.h"
#include "report/comparison_report.h"
#include "store/export.h"
#include "store/session_lock.h"
#include "store/store.h"

namespace tollgate::cli {
namespace {

measure::Surroundings surroundings() {
  measure::Surroundings around;
  for (char** at = environ; *at != nullptr; ++at) around.environment.emplace_back(*at);
  const char* path = std::getenv("PATH");
  around.search_path = path == nullptr ? "/usr/bin:/bin" : path;
  return around;
}

std::string boot_text(const store::Variant& variant) {
  return fmt::format("'{}' ({})", variant.name, measure::to_text(*variant.boot));
}

/// The command that boots the next variant knows which from its environment.
Result<void> reboot(const std::string& command, const store::Variant& next, const measure::Surroundings& around) {
  auto environment = around.environment;
  environment.push_back("TOLLGATE_NEXT_VARIANT=" + next.name);
  environment.push_back("TOLLGATE_NEXT_KERNEL=" + next.boot->kernel);
  environment.push_back("TOLLGATE_NEXT_COMMAND_LINE=" + join(next.boot->with, " "));
  fmt::print(stderr, "tollgate measure: booting {}: {}\n", boot_text(next), command);
  const auto outcome = TRY(measure::run_command(
      {{"/bin/sh", "-c", command}, std::move(environment), measure::Output::pass, measure::Leftovers::keep}));
  if (outcome.exit_status == 0) return {};
  return fail(fmt::format("the command to boot '{}' {}: {}{}", next.name, measure::failure_text(outcome), command,
                          measure::tail_of(outcome.error_output)));
}

Result<ExitStatus> show(const Arguments& arguments, store::Store& kept, std::int64_t id) {
  const auto session = TRY(kept.session(id));
  const auto runs = TRY(kept.runs(id));
  return deliver<evidence::Comparison>(arguments, TRY(evidence::analyse(TRY(measured(arguments, session, runs)))),
                                       {report::table_text, report::table_markdown, report::comparison_json});
}

/// What stopped the session `id`, and how to go on. Of an interruption main says no more than that.
Error stopped(const Arguments& arguments, Error error, std::int64_t id) {
  const std::string go_on =
      fmt::format("session {} is kept as far as it came; go on with: {}", id, resume_text(arguments, id));
  if (interrupted()) fmt::print(stderr, "tollgate measure: {}\n", go_on);
  error.message += "\n" + go_on;
  return error;
}

Result<measure::Conducted> conduct_with_bar(store::Store& kept, const store::Session& session,
                                            const measure::Surroundings& around) {
  ProgressBar running("measuring");
  return measure::conduct(kept, session, around, running.callback());
}

/// What stopped a session that this program began. One that failed before its first run is worth nothing, and is not kept.
Error stopped_beginning(const Arguments& arguments, Error error, store::Store& kept, std::int64_t id) {
  const auto runs = kept.runs(id);
  if (interrupted() || !runs || !runs->empty()) return stopped(arguments, std::move(error), id);
  if (const auto removed = kept.remove(id); !removed) return removed.error();
  error.message += fmt::format("\nno run was made: session {} is not kept", id);
  return error;
}

enum class Start { first, again };

/// Makes what is due, then answers, or says what to boot.
Result<ExitStatus> conduct(const Arguments& arguments, store::Store kept, std::int64_t id, Start start) {
  auto lock = TRY(store::SessionLock::take(TRY(store_path(arguments)), id));
  const auto session = TRY(kept.session(id));
  const auto around = surroundings();
  const auto done = conduct_with_bar(kept, session, around);
  if (!done)
    return tl::unexpected(start == Start::first ? stopped_beginning(arguments, done.error(), kept, id)
                                                : stopped(arguments, done.error(), id));
  const measure::Conducted conducted = *done;
  if (!conducted.boot_next) return show(arguments, kept, id);
  const auto& next = session.variants[*conducted.boot_next];
  fmt::print(stderr, "tollgate measure: session {}: {} made in this boot{}\n", id,
             counted(std::int64_t(conducted.made - conducted.warmups), "run"),
             conducted.warmups > 0 ? fmt::format(", and {} to warm up", conducted.warmups) : "");
  if (!arguments.given("--reboot-cmd")) {
    print(fmt::format("boot next: {}, then: tollgate measure --resume {}\n", boot_text(next), id));
    return ExitStatus::kDone;
  }
  {
    const store::Store closing = std::move(kept);
    const store::SessionLock giving_up = std::move(lock);
  }  // and with it everything is on the disk, and another process may go on
  TRY(reboot(arguments.text("--reboot-cmd"), next, around));
  return ExitStatus::kDone;
}

Result<ExitStatus> begin(const Arguments& arguments) {
  const measure::Request request = TRY(measure_request(arguments));
  const auto host = TRY(measure::read_host({}));
  const store::Session session = TRY(measure::make_session(request, host, now()));
  if (session.boots > 0) TRY(measure::running_variant(session.variants, host));
  TRY(measure::check_metrics(session, surroundings()));
  store::Store kept = TRY(store::Store::open(TRY(store_path(arguments))));
  const std::int64_t id = TRY(kept.add(session));
  fmt::print(stderr, "tollgate measure: session {}: '{}', {} runs, seed {}\n", id, printable(session.name),
             store::planned_runs(session), session.terms.seed);
  if (const auto few = measure::why_too_few_runs(session)) fmt::print(stderr, "tollgate measure: {}\n", *few);
  return conduct(arguments, std::move(kept), id, Start::first);
}

/// Ours or an imported one, with all its runs.
Result<ExitStatus> delete_session(const Arguments& arguments, store::Store& kept) {
  const std::string name = arguments.text("SESSION");
  if (TRY(kept.imports().find(name))) {
    TRY(kept.imports().remove(name));
    return deliver(arguments, fmt::format("deleted the imported session '{}'\n", printable(name)));
  }
  const std::int64_t id = TRY(find_own(kept, name));
  const auto lock = TRY(store::SessionLock::take(TRY(store_path(arguments)), id));
  const auto session = TRY(kept.session(id));
  const std::uint64_t runs = TRY(kept.remove(id));
  return deliver(arguments, fmt::format("deleted session {}: '{}', {} runs\n", id, printable(session.name), runs));
}

Result<ExitStatus> list_sessions(const Arguments& arguments, store::Store& kept) {
  return deliver(arguments, list_text(TRY(kept.list()), TRY(kept.imports().list()), arguments.text("--format")));
}

Result<ExitStatus> export_session(const Arguments& arguments, store::Store& kept, std::int64_t id) {
  const auto session = TRY(kept.session(id));
  const auto runs = TRY(kept.runs(id));
  return deliver(arguments, arguments.text("--export") == "csv" ? store::session_csv(session, runs)
                                                                : store::session_json(session, runs));
}

Result<ExitStatus> run_measure(const Arguments& arguments) {
  TRY(check_mode(arguments));
  if (arguments.given("--variant") || arguments.given("--plan")) return begin(arguments);
  store::Store kept = TRY(store::Store::open_existing(TRY(store_path(arguments))));
  if (arguments.flag("--list")) return list_sessions(arguments, kept);
  if (arguments.flag("--delete")) return delete_session(arguments, kept);
  if (const auto imported = TRY(kept.imports().find(arguments.text("SESSION"))))
    return deliver_imported(arguments, *imported);
  const std::int64_t id = TRY(find_own(kept, arguments.text("SESSION")));
  if (arguments.flag("--resume")) return conduct(arguments, std::move(kept), id, Start::again);
  if (arguments.given("--export")) return export_session(arguments, kept, id);
  return show(arguments, kept, id);
}

}  // namespace

CommandSpec measure_command() {
  return {
      .name = "measure",
      .summary = "run real commands, or boots, as variants against each other",
      .description =
          "Runs the variants' commands in blocks of one run each, in random order, and keeps every run with the "
          "conditions it was made under. Number of runs, order, margin and primary metric are fixed before the first "
          "run. The first variant is the baseline. An interrupted measurement goes on with --resume. Variants that are "
          "boots stand in a plan (docs/measure.md).\n"
          "Metrics: wall, user, sys, rss (the largest resident set), perf:EVENT, regex:NAME=EXPRESSION and "
          "json:NAME=POINTER in what the command prints, output:NAME as import reads it, ftrace:FUNCTION (calls, "
          "total, mean).",
      .positionals = {{"SESSION", "id or name of a kept session (default: the latest)", Count::kOptional}},
      .options = measure_options(),
      .examples =
          {"tollgate measure --variant fast='gzip -1 -c FILE' --variant small='gzip -6 -c FILE' --runs 20",
           "tollgate measure --variant off=./a --variant on=./b --metric sys --metric perf:page-faults --margin 1",
           ("tollgate measure --variant a='./bench 1' --variant b='./bench 2' "
            "--metric 'regex:rate[op/s]=rate: ([0-9.]+)' --better rate=higher"),
           "tollgate measure --plan pti.toml", "tollgate measure --resume", "tollgate measure --list",
           "tollgate measure --export csv 3 -o runs.csv"},
      .run = run_measure,
  };
}

}  // namespace tollgate::cli
