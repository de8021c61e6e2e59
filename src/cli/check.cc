// tollgate check PROTOCOL: every interleaving of a few CPUs, or the shortest schedule that breaks an invariant.
#include <fmt/core.h>

#include <chrono>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/json_writer.h"
#include "world/explored/mm_state.h"
#include "world/explored/protocols.h"

namespace tollgate::cli {
namespace {

using explored::CheckReport;
using explored::CheckRequest;
using explored::Outcome;
using explored::Verdict;

constexpr std::uint64_t kMostBits = 16;
constexpr std::uint64_t kMostIds = (1u << kMostBits) - 1;
constexpr std::uint64_t kMostMebibytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostGenerations = 62;

Result<std::uint32_t> usable_ids(const Arguments& arguments) {
  if (arguments.given("--ids")) return std::uint32_t(TRY(arguments.number("--ids", 1, kMostIds)));
  return (1u << TRY(arguments.number("--bits", 2, kMostBits))) - 1;
}

/// Options that say nothing to a protocol are refused: a verdict must be about what was asked.
Result<void> refuse_what_does_not_apply(const Arguments& arguments) {
  const auto& protocol = *TRY(explored::find_protocol(arguments.text("PROTOCOL")));
  if (protocol.about == explored::About::tags) return {};
  if (protocol.about == explored::About::vcpus) {
    for (const char* option : {"--speculate", "--allow-too-few"})
      if (arguments.given(option))
        return fail(
            fmt::format("{} is about tags that CPUs share, and those of '{}' are a CPU's own", option, protocol.name));
    return {};
  }
  for (const char* option : {"--bits", "--ids", "--speculate", "--allow-too-few", "--every-step"})
    if (arguments.given(option)) return fail(fmt::format("{} is about tags, and '{}' has none", option, protocol.name));
  if (arguments.given("--vms")) TRY(arguments.number("--vms", 1, explored::kMostMms - 1));
  return {};
}

Result<CheckRequest> request_of(const Arguments& arguments) {
  TRY(refuse_what_does_not_apply(arguments));
  CheckRequest request;
  request.protocol = arguments.text("PROTOCOL");
  request.variant = arguments.text("--variant");
  request.cpus = std::uint32_t(TRY(arguments.number("--cpus", 1, 1024)));
  request.contexts = std::uint32_t(TRY(arguments.number("--vms", 1, 1024)));
  request.usable_ids = TRY(usable_ids(arguments));
  if (arguments.text("--speculate") == "vttbr") request.speculation = explored::Speculation::vttbr;
  if (arguments.flag("--allow-too-few")) request.too_few = explored::TooFew::allow;
  if (arguments.flag("--every-step")) request.stride = explored::Stride::step;
  if (arguments.given("--generations"))
    request.most_generations = std::uint32_t(TRY(arguments.number("--generations", 1, kMostGenerations)));
  if (arguments.given("--random"))
    request.random = {TRY(arguments.number("--random", 1)), TRY(arguments.number("--depth", 1, 1000000)),
                      TRY(arguments.number("--seed"))};
  if (arguments.given("--checkpoint")) request.checkpoint = arguments.text("--checkpoint");
  request.memory_limit = TRY(arguments.number("--memory", 1, kMostMebibytes)) << 20;
  return request;
}

const char* strides(const Outcome& outcome) {
  return outcome.stride == explored::Stride::step ? "steps" : "transactions";
}

std::string verdict_line(const CheckReport& report) {
  const Outcome& outcome = report.outcome;
  switch (outcome.verdict) {
    case Verdict::holds:
      return "every invariant holds in every reachable state";
    case Verdict::violated:
      return fmt::format("counterexample: {} fails: {}", outcome.invariant, outcome.reason);
    case Verdict::undecided:
      if (!outcome.exhaustive) return "no invariant failed on these walks";
      return fmt::format("undecided: the memory bound was met; no counterexample shorter than {} {}", outcome.depth,
                         strides(outcome));
  }
  return "";
}

std::string text_of(const CheckReport& report, double seconds) {
  const Outcome& outcome = report.outcome;
  std::string text = fmt::format("{} {}: {}\n", report.protocol, report.variant, report.setting);
  for (std::size_t step = 0; step < outcome.schedule.size(); ++step)
    text += fmt::format("{:4}. {}\n", step + 1, outcome.schedule[step]);
  text += verdict_line(report) + "\n";
  text += fmt::format("{} {}, {} {} taken, depth {}", with_commas((long long)outcome.states),
                      outcome.exhaustive ? "states" : "states visited", with_commas((long long)outcome.transitions),
                      strides(outcome), outcome.depth);
  if (outcome.exhaustive) text += fmt::format(", {} MiB", outcome.memory_bytes >> 20);
  text += fmt::format(", {:.1f} s\n", seconds);
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  return text;
}

std::string json_of(const CheckReport& report) {
  const Outcome& outcome = report.outcome;
  const char* verdicts[] = {"holds", "violated", "undecided"};
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.check/1");
  json.key("protocol").text(report.protocol).key("variant").text(report.variant).key("setting").text(report.setting);
  json.key("verdict").text(verdicts[int(outcome.verdict)]);
  json.key("exhaustive").flag(outcome.exhaustive);
  json.key("stride").text(outcome.stride == explored::Stride::step ? "step" : "transaction");
  json.key("states")
      .whole(outcome.states)
      .key("transitions")
      .whole(outcome.transitions)
      .key("depth")
      .whole(outcome.depth);
  json.key("memory_bytes").whole(outcome.memory_bytes);
  json.key("invariant").text(outcome.invariant).key("reason").text(outcome.reason);
  json.key("schedule").texts(outcome.schedule).key("notes").texts(report.notes).end_object();
  return std::move(json).finish();
}

Result<CheckReport> answer(CheckRequest request) {
  ProgressBar bar(request.random ? "walks" : "states");
  request.progress = bar.callback();
  return explored::check(request);
}

Result<ExitStatus> run_check(const Arguments& arguments) {
  const CheckRequest request = TRY(request_of(arguments));
  const auto start = std::chrono::steady_clock::now();
  const CheckReport report = TRY(answer(request));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print(arguments.text("--format") == "json" ? json_of(report) : text_of(report, seconds));
  if (report.outcome.verdict == Verdict::violated) return ExitStatus::kNo;
  if (report.outcome.verdict == Verdict::undecided && report.outcome.exhaustive)
    return fail("the memory bound was met before every state was seen: give more --memory, or walk with --random");
  return ExitStatus::kDone;
}

std::string protocol_names() {
  std::vector<std::string> names;
  for (const auto& protocol : explored::protocols())
    names.push_back(fmt::format("{} ({})", protocol.name, protocol.summary));
  return join(names, "; ");
}

std::string variant_names() {
  std::vector<std::string> lines;
  for (const auto& protocol : explored::protocols()) {
    std::vector<std::string> names;
    for (const auto& variant : protocol.variants) names.emplace_back(variant.name);
    lines.push_back(fmt::format("{}: {}", protocol.name, join(names, ", ")));
  }
  return "which published form (default: the first); " + join(lines, "; ");
}

std::vector<OptionSpec> check_options() {
  return {
      {.name = "--variant", .value_name = "V", .help = variant_names()},
      {.name = "--cpus", .value_name = "C", .help = "CPUs", .default_text = "2"},
      {.name = "--vms",
       .value_name = "V",
       .help = "VMs, vCPUs (svm-asid), or mms (two at the most)",
       .default_text = "4"},
      {.name = "--bits", .value_name = "B", .help = "width of a tag: 2^B - 1 usable IDs", .default_text = "2"},
      {.name = "--ids", .value_name = "N", .help = "usable IDs, instead of --bits"},
      {.name = "--speculate",
       .value_name = "MODE",
       .help =
           "when a TLB may fill: guest (between entry and exit) or vttbr (while the base register holds the context)",
       .default_text = "guest",
       .choices = {"guest", "vttbr"}},
      {.name = "--allow-too-few",
       .value_name = "",
       .help = "explore although the usable IDs do not outnumber the CPUs"},
      {.name = "--every-step",
       .value_name = "",
       .help = "explore every single step, without joining those that no other CPU can notice"},
      {.name = "--generations", .value_name = "N", .help = "explore N generations only, without renaming them"},
      {.name = "--random", .value_name = "N", .help = "N random walks instead of every state"},
      {.name = "--depth", .value_name = "D", .help = "steps of a random walk", .default_text = "300"},
      {.name = "--seed", .value_name = "S", .help = "of the random walks", .default_text = "1"},
      {.name = "--memory", .value_name = "MIB", .help = "bound of the state store, in MiB", .default_text = "4096"},
      {.name = "--checkpoint",
       .value_name = "FILE",
       .help = "keep what was found in FILE.transactions (or FILE.steps) as it goes; the same check goes on from there "
               "after a stop, a crash or a met memory bound"},
      {.name = "--format",
       .value_name = "FORMAT",
       .help = "text or json",
       .default_text = "text",
       .choices = {"text", "json"}},
  };
}

}  // namespace

CommandSpec check_command() {
  return {
      .name = "check",
      .summary = "whether a protocol is safe, in every interleaving of a few CPUs",
      .description =
          "Explores every order of a protocol's atomic steps and tests its invariants in every state. Exit status 0: "
          "all hold; 1: a counterexample, printed as the shortest schedule that leads to it. Exploration is "
          "sequentially consistent.",
      .positionals = {{"PROTOCOL", protocol_names()}},
      .options = check_options(),
      .examples = {"tollgate check vmid --variant merged --cpus 2 --vms 4 --bits 2",
                   "tollgate check vmid --variant merged --speculate vttbr",
                   "tollgate check asid --variant unconditional-exchange"},
      .run = run_check,
  };
}

}  // namespace tollgate::cli
