#include "measure/host.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <set>

#include "base/text.h"
#include "store/session.h"

namespace tollgate::measure {
namespace {

namespace fs = std::filesystem;

/// The file without white space at its ends; "" when it cannot be read.
std::string read_trimmed(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return std::string(trim(bytes));
}

/// "Intel(R) Xeon(R)...": x86 says "model name"; arm64 says only numbers, so those of the implementer and the part.
std::string cpu_model(const fs::path& cpuinfo) {
  std::ifstream file(cpuinfo);
  std::string implementer;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view name = trim(std::string_view(line).substr(0, colon));
    const std::string value(trim(std::string_view(line).substr(colon + 1)));
    if (name == "model name") return value;
    if (name == "CPU implementer") implementer = value;
    if (name == "CPU part") return fmt::format("CPU implementer {}, part {}", implementer, value);
  }
  return "";
}

/// Every governor in use, sorted.
std::string governors(const fs::path& cpufreq) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(cpufreq, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("policy"))
      if (auto name = read_trimmed(at->path() / "scaling_governor"); !name.empty()) names.insert(std::move(name));
  return join(std::vector<std::string>(names.begin(), names.end()), ",");
}

/// "on" or "off"; the Intel driver says the opposite of what the general one says.
std::string turbo(const fs::path& cpu) {
  const std::string no_turbo = read_trimmed(cpu / "intel_pstate/no_turbo");
  if (!no_turbo.empty()) return no_turbo == "0" ? "on" : "off";
  const std::string boost = read_trimmed(cpu / "cpufreq/boost");
  return boost.empty() ? "" : boost == "0" ? "off" : "on";
}

}  // namespace

Result<Host> read_host(const HostFiles& files) {
  Host host;
  const fs::path kernel = files.proc / "sys/kernel";
  host.boot = read_trimmed(kernel / "random/boot_id");
  if (host.boot.empty()) return fail("cannot tell the boot", {(kernel / "random/boot_id").string()});
  host.kernel = read_trimmed(kernel / "osrelease");
  if (host.kernel.empty()) return fail("cannot tell the kernel's release", {(kernel / "osrelease").string()});
  host.command_line = read_trimmed(files.proc / "cmdline");
  host.cpu_model = cpu_model(files.proc / "cpuinfo");
  host.cpus = read_trimmed(files.sys / "devices/system/cpu/online");
  return host;
}

std::map<std::string, std::string> conditions_now(const Host& host, const HostFiles& files) {
  const fs::path cpu = files.sys / "devices/system/cpu";
  const std::string load = read_trimmed(files.proc / "loadavg");
  std::map<std::string, std::string> conditions = {
      {"kernel", host.kernel},
      {std::string(store::kCommandLine), host.command_line},
      {"CPU model", host.cpu_model},
      {"CPUs online", host.cpus},
      {"governor", governors(cpu / "cpufreq")},
      {"turbo", turbo(cpu)},
      {"load average", load.substr(0, load.find(' '))},
  };
  std::erase_if(conditions, [](const auto& condition) { return condition.second.empty(); });
  return conditions;
}

}  // namespace tollgate::measure
