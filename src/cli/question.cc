#include "cli/question.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <thread>

#include "base/text.h"
#include "cli/data_paths.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "lab/published.h"

namespace tollgate::cli {
namespace {

constexpr std::uint64_t kMostSamples = 100000;
constexpr std::uint64_t kMostThreads = 256;

Result<double> parse_until(const std::string& text) {
  double percent = 0;
  const bool shaped = text.starts_with("mc=") && text.ends_with("%");
  if (shaped) {
    const std::string number = text.substr(3, text.size() - 4);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
    if (error == std::errc() && end == number.data() + number.size() && percent > 0 && std::isfinite(percent))
      return percent;
  }
  return fail(fmt::format("--until wants mc=PERCENT%, such as mc=0.2%, not '{}'", text));
}

}  // namespace

std::vector<OptionSpec> sampling_options() {
  return {
      {.name = "--samples", .value_name = "N", .help = "draws of the machine's figures", .default_text = "20"},
      {.name = "--seed",
       .value_name = "S",
       .help = "of all random streams; the same seed gives the same digest",
       .default_text = "1"},
      {.name = "--threads",
       .value_name = "T",
       .help = "host threads (default: one a processor); no effect on the answer"},
      {.name = "--until",
       .value_name = "mc=P%",
       .help = "run more replicates, up to 256 of each draw, until the simulation's own error is below P"},
      {.name = "--format",
       .value_name = "FORMAT",
       .help = "text, markdown or json",
       .default_text = "text",
       .choices = {"text", "markdown", "json"}},
      {.name = "-o", .value_name = "FILE", .help = "write the result to FILE instead of standard output"},
  };
}

std::vector<OptionSpec> question_options() {
  std::vector<OptionSpec> options = {
      {.name = "--machine", .value_name = "NAME", .help = "price it on this machine instead of the question's own"},
      {.name = "--workload",
       .value_name = "NAME",
       .help = "another workload, or trace:FILE to price a recorded program"},
      {.name = "--set",
       .value_name = "KEY=VALUE",
       .help = "change a figure or setting: machine.walk.exposed_data=0.4, workload.cpus=16, kernel.tick.hz=1000, "
               "policy.flush_ceiling=10, run.measure_us=500",
       .repeat = Repeat::kYes},
  };
  for (OptionSpec& option : sampling_options()) options.push_back(std::move(option));
  return options;
}

Result<Asked> load_asked(const Arguments& arguments) {
  Asked asked;
  asked.options = TRY(compare_options(arguments));
  asked.request.experiment = arguments.text("EXPERIMENT");
  if (arguments.given("--machine")) asked.request.machine = arguments.text("--machine");
  if (arguments.given("--workload")) {
    asked.request.workload = arguments.text("--workload");
    if (asked.request.workload->starts_with("trace:")) note_input(asked.request.workload->substr(6));
  }
  asked.request.settings = arguments.list("--set");
  asked.published = TRY(published_rows());
  ProgressBar reading("reading");
  asked.question = TRY(lab::load_question(asked.request, find_data, reading.callback()));
  return asked;
}

Result<lab::CompareOptions> compare_options(const Arguments& arguments) {
  lab::CompareOptions options;
  options.samples = int(TRY(arguments.number("--samples", 1, kMostSamples)));
  options.seed = TRY(arguments.number("--seed"));
  options.threads = int(std::max(1u, std::thread::hardware_concurrency()));
  if (arguments.given("--threads")) options.threads = int(TRY(arguments.number("--threads", 1, kMostThreads)));
  if (arguments.given("--until")) options.until_mc_percent = TRY(parse_until(arguments.text("--until")));
  return options;
}

Result<std::string> find_data(const std::string& kind, const std::string& name) {
  return TRY(find_data_file(kind, name)).string();
}

Result<std::vector<evidence::PublishedRow>> published_rows() {
  return lab::load_published((TRY(data_folder()) / "published").string());
}

Result<ExitStatus> deliver(const Arguments& arguments, const std::string& text) {
  if (arguments.given("-o") && arguments.text("-o").empty()) return fail("-o wants the name of a file");
  if (arguments.given("-o"))
    TRY(write_output(arguments.text("-o"), text));
  else
    print(text);
  return ExitStatus::kDone;
}

}  // namespace tollgate::cli
