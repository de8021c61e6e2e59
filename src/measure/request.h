// Request: a measurement as it is asked for, on the command line or in a plan, and the session it becomes once it is checked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/host.h"
#include "store/session.h"

namespace tollgate::measure {

struct Request {
  std::string name;  // empty: after the variants
  std::vector<store::Variant> variants;
  std::vector<std::string> metrics;           // "wall", "perf:page-faults"
  std::map<std::string, std::string> better;  // by metric: "higher", "lower", "neither"
  std::string primary;                        // empty: the first metric
  std::optional<double> margin_percent;
  evidence::Order order = evidence::Order::random_blocks;
  std::uint64_t seed = 0;
  std::uint32_t runs = 10;
  std::uint32_t boots = 0;
  std::uint32_t warmup = 0;
  bool noise = false;
  store::OnFailure on_failure = store::OnFailure::stop;
  std::string prepare;
};

inline constexpr std::uint64_t kMostRuns = 100000;
inline constexpr std::uint64_t kMostSeed = (std::uint64_t{1} << 53) - 1;  // exact in JSON and SQLite

/// Checked: at least two variants of different names, metrics that exist, a primary one among them. `now`: seconds since 1970.
Result<store::Session> make_session(const Request& request, const Host& host, double now);

/// Why the runs that `session` plans cannot show any change, whatever they take, and how many could; nothing where they can.
std::optional<std::string> why_too_few_runs(const store::Session& session);

/// A plan file, TOML (docs/measure.md); an unknown key is an error with its place.
Result<Request> load_plan(const std::string& path, std::uint64_t seed);

}  // namespace tollgate::measure
