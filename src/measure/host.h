// Host: the machine and the kernel that a run is made on, read from /proc and /sys. What of it may explain a difference is
// kept with every run as its conditions.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace tollgate::measure {

/// Where the kernel tells about itself; tests point it at folders of their own.
struct HostFiles {
  std::filesystem::path proc = "/proc";
  std::filesystem::path sys = "/sys";
};

/// What stays the same until the next boot, but for a hot-plugged CPU. Empty: not known.
struct Host {
  std::string boot;    // id of the boot
  std::string kernel;  // release, as uname -r prints it
  std::string command_line;
  std::string cpu_model;
  std::string cpus;  // online, as a list: "0-7"
};

/// An error only when the boot or the kernel cannot be told.
Result<Host> read_host(const HostFiles& files);

/// The conditions of a run that begins now, by name: those of `host`, and governor, turbo and load. What this machine does
/// not tell is left out.
std::map<std::string, std::string> conditions_now(const Host& host, const HostFiles& files);

}  // namespace tollgate::measure
