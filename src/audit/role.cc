#include "audit/role.h"

#include <string>

#include "audit/words.h"

namespace tollgate::audit {
namespace {

const WordSet kBefore{"before",   "old",       "base", "baseline",   "vanilla",    "without",  "unpatched",
                      "no patch", "default",   "orig", "original",   "stock",      "mainline", "upstream",
                      "control",  "reference", "w/o",  "unmodified", "nopatch",    "parent",   "previous",
                      "prior",    "no-patch",  "pre",  "initial",    "unoptimized"};
const WordSet kAfter{"after",    "new",      "patch",     "patched",  "with",       "current",  "head",
                     "proposed", "modified", "optimized", "this set", "this patch", "post",     "w/",
                     "fixed",    "series",   "result",    "updated",  "experiment", "optimised"};
const WordSet kChange{"diff",  "delta",      "change",   "rel",      "improvement", "improv",   "gain",       "gains",
                      "saved", "saving",     "savings",  "speedup",  "reduction",   "overhead", "regression", "chg",
                      "vs",    "difference", "increase", "decrease", "speed-up",    "relative"};
const WordSet kSpread{"stdev",    "std", "stddev", "sd",     "err",     "error", "cv",
                      "variance", "rsd", "sem",    "spread", "p-value", "p"};
const WordSet kCount{"samples", "runs", "n", "iterations", "count", "threads", "run", "repeats", "iters"};
const WordSet kHigher{"throughput", "iops",    "bw",    "bandwidth",    "ops",  "rps",
                      "qps",        "tps",     "loops", "ops/s",        "mb/s", "requests",
                      "score",      "ops/sec", "mib/s", "transactions", "req/s"};
const WordSet kLower{"latency", "time",   "elapsed", "real",   "sys",     "user",  "duration",
                     "misses",  "faults", "seconds", "cycles", "runtime", "exits", "stalls"};

/// Percentages that are no change whatever stands beside them.
const WordSet kShare{"confidence", "util",  "utilization", "utilisation", "idle",
                     "busy",       "usage", "loss",        "coverage",    "share",
                     "cpu%",       "%cpu",  "hit rate",    "miss rate",   "significance"};

bool parent_commit(std::string_view words) {
  const auto head = lower(words).find("head");
  if (head == std::string::npos) return false;
  const auto tail = words.substr(head + 4);
  return tail.starts_with("~") || tail.starts_with("^");
}

}  // namespace

Role role_of(std::string_view words) {
  if (words.empty()) return Role::none;
  if (kShare.any_in(words) || words.find("% of ") != std::string_view::npos) return Role::spread;
  if (kChange.any_in(words)) return Role::change;
  const bool percent = words.find('%') != std::string_view::npos;
  if (percent) return kSpread.any_in(words) ? Role::spread : Role::change;
  if (parent_commit(words) || kBefore.any_in(words)) return Role::before;
  if (kSpread.any_in(words)) return Role::spread;
  if (kAfter.any_in(words)) return Role::after;
  if (kCount.any_in(words)) return Role::count;
  return Role::none;
}

Better better_of(std::string_view words) {
  const bool higher = kHigher.any_in(words), lower = kLower.any_in(words);
  if (higher == lower) return Better::unknown;
  return higher ? Better::higher : Better::lower;
}

}  // namespace tollgate::audit
