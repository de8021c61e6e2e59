// Conducting a session: makes the runs that are due, one after the other, and keeps each the moment it is over.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "measure/host.h"
#include "store/store.h"

namespace tollgate::measure {

/// What the command line knows and the library does not look for.
struct Surroundings {
  HostFiles files;
  std::filesystem::path tracefs = "/sys/kernel/tracing";
  std::vector<std::string> environment;  // "NAME=VALUE", for the commands
  std::string search_path;               // $PATH
};

struct Conducted {
  std::uint64_t made = 0;                  // runs of every kind
  std::uint64_t warmups = 0;               // of those
  std::optional<std::uint32_t> boot_next;  // the variant whose kernel the session waits for
};

/// Whether everything that the session's metrics want is there and permitted; the error says what to do.
Result<void> check_metrics(const store::Session& session, const Surroundings& surroundings);

/// Makes what is due of `session`, which is in the store. An error (a
/// command that fails, an interruption) leaves the session as far as it came, to be conducted again. Progress is in runs.
Result<Conducted> conduct(store::Store& store, const store::Session& session, const Surroundings& surroundings,
                          const ProgressCallback& progress = {});

}  // namespace tollgate::measure
