#include "cli/measure_request.h"

#include <fmt/core.h>

#include <charconv>
#include <random>

#include "base/text.h"
#include "cli/kept.h"
#include "cli/output.h"
#include "store/names.h"

namespace tollgate::cli {
namespace {

// What the verb can do, by the option that asks for it; none of them means to show a kept session.
const std::vector<std::string> kModes = {"--variant", "--plan", "--resume", "--list", "--show", "--export", "--delete"};

// What only a new measurement on the command line has; a plan says the same in its file.
const std::vector<std::string> kTerms = {"--runs",   "--prepare", "--warmup",  "--metric",
                                         "--better", "--margin",  "--primary", "--order",
                                         "--seed",   "--aa",      "--name",    "--ignore-failure"};

/// The two sides of NAME=VALUE; both must say something.
Result<std::pair<std::string, std::string>> parse_pair(const std::string& option, const std::string& text,
                                                       const std::string& form) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
    return fail(fmt::format("{} wants {}, not '{}'", option, form, text));
  return std::pair(text.substr(0, sign), text.substr(sign + 1));
}

Result<double> parse_margin(const std::string& text) {
  const std::string_view digits = std::string_view(text).substr(0, text.size() - (text.ends_with('%') ? 1 : 0));
  double margin = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), margin);
  if (error == std::errc() && end == digits.data() + digits.size()) return margin;
  return fail(fmt::format("--margin wants a percentage, such as 1 or 0.5%, not '{}'", text));
}

std::uint64_t fresh_seed() { return std::random_device{}(); }

Result<measure::Request> request_of_options(const Arguments& arguments) {
  measure::Request request;
  for (const auto& text : arguments.list("--variant")) {
    auto [name, command] = TRY(parse_pair("--variant", text, "NAME=COMMAND"));
    request.variants.push_back({std::move(name), std::move(command), std::nullopt});
  }
  for (const auto& text : arguments.list("--better")) {
    auto [name, better] = TRY(parse_pair("--better", text, "METRIC=higher, lower or neither"));
    request.better[name] = better;
  }
  request.name = arguments.text("--name");
  request.metrics = arguments.list("--metric");
  request.primary = arguments.text("--primary");
  if (arguments.given("--margin")) request.margin_percent = TRY(parse_margin(arguments.text("--margin")));
  request.order = *store::value_named(store::kOrders, arguments.text("--order"));  // one of its choices
  request.seed = fresh_seed();
  if (arguments.given("--seed")) request.seed = TRY(arguments.number("--seed", 0, measure::kMostSeed));
  request.runs = std::uint32_t(TRY(arguments.number("--runs", 1, measure::kMostRuns)));
  request.warmup = std::uint32_t(TRY(arguments.number("--warmup", 0, measure::kMostRuns)));
  request.noise = arguments.flag("--aa");
  if (arguments.flag("--ignore-failure")) request.on_failure = store::OnFailure::keep;
  request.prepare = arguments.text("--prepare");
  return request;
}

}  // namespace

std::vector<OptionSpec> measure_options() {
  return {
      {.name = "--variant",
       .value_name = "NAME=CMD",
       .help = "what to run; the first is the baseline",
       .repeat = Repeat::kYes},
      {.name = "--plan", .value_name = "FILE", .help = "variants and terms in a file; the only place for boots"},
      {.name = "--resume", .value_name = "", .help = "make what is still due of a kept session"},
      {.name = "--list", .value_name = "", .help = "the kept sessions"},
      {.name = "--show", .value_name = "", .help = "the answer of a kept session"},
      {.name = "--export", .value_name = "FORM", .help = "every run of a kept session", .choices = {"json", "csv"}},
      {.name = "--delete", .value_name = "", .help = "delete a kept session with its runs; name it"},
      {.name = "--runs", .value_name = "N", .help = "of each variant", .default_text = "10"},
      {.name = "--metric",
       .value_name = "METRIC",
       .help = "what to measure, see above",
       .default_text = "wall",
       .repeat = Repeat::kYes},
      {.name = "--primary", .value_name = "NAME", .help = "the metric that decides (default: the first)"},
      {.name = "--margin", .value_name = "PERCENT", .help = "differences inside +- this count as none"},
      {.name = "--better",
       .value_name = "NAME=WAY",
       .help = "which way of a metric is better: higher, lower or neither",
       .repeat = Repeat::kYes},
      {.name = "--prepare", .value_name = "CMD", .help = "run before each run, not measured"},
      {.name = "--warmup",
       .value_name = "N",
       .help = "runs of each variant before those that count",
       .default_text = "0"},
      {.name = "--order",
       .value_name = "ORDER",
       .help = "of the runs",
       .default_text = "random",
       .choices = store::names_in(store::kOrders)},
      {.name = "--seed", .value_name = "S", .help = "of the order (default: a new one, which is kept)"},
      {.name = "--aa", .value_name = "", .help = "first run the baseline against itself, for the noise floor"},
      {.name = "--ignore-failure", .value_name = "", .help = "count runs whose command fails, and say so"},
      {.name = "--name", .value_name = "NAME", .help = "of the session (default: after its variants)"},
      {.name = "--reboot-cmd",
       .value_name = "CMD",
       .help = "boots the next variant; $TOLLGATE_NEXT_VARIANT, _KERNEL and _COMMAND_LINE name it"},
      store_option(),
      {.name = "--format",
       .value_name = "FORMAT",
       .help = "of the answer",
       .default_text = "text",
       .choices = {"text", "markdown", "json"}},
      {.name = "-o", .value_name = "FILE", .help = "write there instead of to standard output"},
  };
}

Result<void> check_mode(const Arguments& arguments) {
  std::vector<std::string> asked;
  for (const auto& mode : kModes)
    if (arguments.given(mode)) asked.push_back(mode);
  if (asked.empty()) return fail(fmt::format("say what to do with one of {}", join(kModes, ", ")));
  if (asked.size() > 1) return fail(fmt::format("{} and {} cannot be asked for together", asked[0], asked[1]));
  const std::string& mode = asked.front();
  for (const auto& term : kTerms)
    if (mode != "--variant" && arguments.given(term))
      return fail(fmt::format("{} is fixed {}", term,
                              mode == "--plan"
                                  ? "in the plan: change it there"
                                  : "when a session begins: leave it out, or begin another with --variant"));
  const bool names_session = mode != "--variant" && mode != "--plan" && mode != "--list";
  if (arguments.given("SESSION") && !names_session)
    return fail(fmt::format("{} takes no session, but '{}' is given", mode, arguments.text("SESSION")));
  if (arguments.given("--reboot-cmd") && mode != "--plan" && mode != "--resume")
    return fail("--reboot-cmd means nothing without --plan or --resume");
  if (mode == "--delete" && arguments.text("SESSION").empty())
    return fail("--delete wants the id or name of a session");
  if (arguments.given("--format") && mode == "--delete") return fail("--format means nothing with --delete");
  if (arguments.given("--format") && mode == "--export") return fail("--export says its form itself: json or csv");
  return {};
}

Result<measure::Request> measure_request(const Arguments& arguments) {
  if (!arguments.given("--plan")) return request_of_options(arguments);
  const std::string plan = arguments.text("--plan");
  note_input(plan);
  return measure::load_plan(plan, fresh_seed());
}

}  // namespace tollgate::cli
