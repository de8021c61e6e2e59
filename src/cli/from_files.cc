#include "cli/from_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "cli/input_file.h"
#include "cli/kept.h"
#include "import/catalogue.h"
#include "import/merge.h"

namespace tollgate::cli {
namespace {

struct Named {
  std::string name;
  std::string path;
};

constexpr std::uint64_t kMostRuns = 1'000'000'000;
constexpr std::string_view kSession = "session:";  // before a name: a kept session, whatever files there are

bool exists(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path, ignored);
}

/// "old=a.json" or "a.json"; a file that exists is a file.
Named split_name(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || text.starts_with(kSession) || exists(text)) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// The kept session of that name, which is no file's.
Result<import::Imported> load_session(const Arguments& arguments, const std::string& name) {
  store::Store kept = TRY(store::Store::open_existing(TRY(store_path(arguments))));
  return kept_results(arguments, kept, name);
}

/// A file, or where there is none of that name a kept session.
Result<import::Imported> load_one(const Arguments& arguments, const std::string& name) {
  if (name.starts_with(kSession)) return load_session(arguments, name.substr(kSession.size()));
  if (exists(name)) return import::import_results(input_name(name), TRY(read_bytes(name)), TRY(told_of(arguments)));
  return load_session(arguments, name).map_error([&](const Error& error) {
    return Error{"there is no such file, and no such session is kept: " + error.text(), {name}};
  });
}

Result<double> margin_of(std::string text) {
  const std::string given = text;
  if (text.ends_with('%')) text.pop_back();
  double percent = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, percent);
  if (parsed.ec == std::errc() && parsed.ptr == end && percent > 0 && percent < 100) return percent;
  return fail(fmt::format("--margin wants a percentage above 0 and below 100, such as 1%, not '{}'", given));
}

}  // namespace

std::vector<OptionSpec> told_options() {
  return {
      {.name = "--as",
       .value_name = "FORMAT",
       .help = "read the files as this format, such as 'perf stat', where several fit or to be sure"},
      {.name = "--runs",
       .value_name = "N",
       .help = "of how many runs the files have the figures, where they do not say it, as after perf stat -r N -x,"},
  };
}

Result<import::Told> told_of(const Arguments& arguments) {
  import::Told told;
  if (arguments.given("--runs")) told.runs = TRY(arguments.number("--runs", 1, kMostRuns));
  if (!arguments.given("--as")) return told;
  std::vector<std::string> formats;
  for (const auto& importer : import::catalogue()) formats.emplace_back(importer.name);
  told.format = arguments.text("--as");
  if (std::ranges::find(formats, told.format) != formats.end()) return told;
  return fail(fmt::format("--as: there is no format '{}'{}", told.format, did_you_mean(told.format, formats)));
}

std::vector<OptionSpec> from_options() {
  std::vector<OptionSpec> options = {
      {.name = "--from",
       .value_name = "[NAME=]FILE",
       .help = "compare the results in FILE, of any format that `tollgate import --help` names, or of a kept session; "
               "those of one NAME are runs of one variant",
       .repeat = Repeat::kYes},
  };
  for (OptionSpec& option : told_options()) options.push_back(std::move(option));
  options.insert(
      options.end(),
      {{.name = "--metric",
        .value_name = "NAME",
        .help = "of these metrics only; the first one decides",
        .repeat = Repeat::kYes},
       {.name = "--baseline", .value_name = "NAME", .help = "the variant to compare with (default: the first)"},
       {.name = "--margin", .value_name = "P%", .help = "differences inside +-P % count as none"},
       store_option()});
  return options;
}

Result<evidence::Measurement> load_from(const Arguments& arguments) {
  import::Choice choice;
  choice.baseline = arguments.text("--baseline");
  choice.metrics = arguments.list("--metric");
  if (arguments.given("--margin")) choice.margin_percent = TRY(margin_of(arguments.text("--margin")));
  std::vector<import::NamedFile> files;
  for (const std::string& text : arguments.list("--from")) {
    const Named named = split_name(text);
    auto imported = TRY(load_one(arguments, named.path));
    files.push_back({named.name, std::move(imported)});
  }
  TRY(import::check_distinct(files));
  auto measurement = TRY(import::merge(std::move(files), choice));
  TRY(import::check_common_metric(measurement));
  return measurement;
}

}  // namespace tollgate::cli
