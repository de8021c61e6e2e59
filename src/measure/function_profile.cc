#include "measure/function_profile.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

#include "base/text.h"

namespace tollgate::measure {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSwitch = "function_profile_enabled";

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (auto& word : split(line, ' '))
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool read_number(const std::string& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Adds one CPU's table: "  Function   Hit    Time            Avg             s^2", then "  vfs_read   12   34.5 us ...".
/// Without CONFIG_FUNCTION_GRAPH_TRACER there is no time.
Result<void> add_table(const fs::path& path, const std::string& function, FunctionCalls& sum) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto words = words_of(line);
    if (words.empty() || words[0] != function) continue;
    double calls = 0;
    double time = 0;
    if (words.size() < 4 || !read_number(words[1], calls) || !read_number(words[2], time) || words[3] != "us")
      return fail(fmt::format("cannot read '{}': this kernel's profiler may count calls alone", trim(line)),
                  {path.string()});
    sum.calls += calls;
    sum.total += time;
  }
  return {};
}

}  // namespace

Result<FunctionProfiler> FunctionProfiler::open(fs::path tracefs, std::string function) {
  std::error_code ignored;
  const std::string name = "ftrace:" + function;
  if (!fs::exists(tracefs / "available_filter_functions", ignored))
    return fail(fmt::format("{} wants tracefs: run as root, after mount -t tracefs none {}", name, tracefs.string()));
  if (!fs::exists(tracefs / kSwitch, ignored))
    return fail(fmt::format("{} wants a kernel with CONFIG_FUNCTION_PROFILER; this one has none", name));
  if (::access((tracefs / kSwitch).c_str(), W_OK) != 0)
    return fail(fmt::format("{} wants write access to {}: run as root", name, tracefs.string()));
  std::ifstream functions(tracefs / "available_filter_functions");
  std::vector<std::string> names;
  for (std::string line; std::getline(functions, line);) {
    names.push_back(line.substr(0, line.find(' ')));
    if (names.back() == function) return FunctionProfiler(std::move(tracefs), std::move(function));
  }
  const std::string near = nearest(function, names);
  return fail(fmt::format("{}: this kernel cannot trace a function of that name{}", name,
                          near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

Result<void> FunctionProfiler::write(const char* file, const std::string& text) const {
  const fs::path path = tracefs_ / file;
  std::ofstream out(path);
  out << text << std::flush;
  if (!out) return fail(fmt::format("cannot write '{}'", trim(text)), {path.string()});
  return {};
}

Result<void> FunctionProfiler::start() {
  TRY(write(kSwitch, "0\n"));
  TRY(write("set_ftrace_filter", function_ + "\n"));
  return write(kSwitch, "1\n");  // and clears what was counted before
}

Result<FunctionCalls> FunctionProfiler::stop() {
  TRY(write(kSwitch, "0\n"));
  FunctionCalls sum;
  std::error_code error;
  for (fs::directory_iterator at(tracefs_ / "trace_stat", error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("function")) TRY(add_table(at->path(), function_, sum));
  if (error) return fail(error.message(), {(tracefs_ / "trace_stat").string()});
  TRY(write("set_ftrace_filter", "\n"));  // opened for writing, it is empty again
  return sum;
}

}  // namespace tollgate::measure
