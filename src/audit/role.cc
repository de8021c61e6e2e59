#include "audit/role.h"

#include <algorithm>
#include <string>

#include "audit/words.h"

namespace tollgate::audit {
namespace {

/// Bits of the lists below, in their order.
enum Words : std::uint32_t { kShare = 1, kChange = 2, kBefore = 4, kSpread = 8, kAfter = 16, kCount = 32 };

const WordLists kRoles{
    // shares: no change whatever stands beside them
    {"confidence", "util", "utilization", "utilisation", "idle", "busy", "usage", "loss", "coverage", "share", "cpu%",
     "%cpu", "hit rate", "miss rate", "significance"},
    {"diff",  "delta",      "change",   "rel",      "improvement", "improv",   "gain",       "gains",
     "saved", "saving",     "savings",  "speedup",  "reduction",   "overhead", "regression", "chg",
     "vs",    "difference", "increase", "decrease", "speed-up",    "relative"},
    {"before",  "old",      "base",     "baseline", "vanilla",  "without", "unpatched", "no patch",   "default",
     "orig",    "original", "stock",    "mainline", "upstream", "control", "reference", "w/o",        "unmodified",
     "nopatch", "parent",   "previous", "prior",    "no-patch", "pre",     "initial",   "unoptimized"},
    {"stdev", "std", "stddev", "sd", "err", "error", "cv", "variance", "rsd", "sem", "spread", "p-value", "p"},
    {"after",    "new",        "patch", "patched", "with",  "current", "head",   "proposed", "modified",   "optimized",
     "this set", "this patch", "post",  "w/",      "fixed", "series",  "result", "updated",  "experiment", "optimised"},
    {"samples", "runs", "n", "iterations", "count", "threads", "run", "repeats", "iters"},
};
const WordSet kHigher{"throughput", "iops",    "bw",    "bandwidth",    "ops",  "rps",
                      "qps",        "tps",     "loops", "ops/s",        "mb/s", "requests",
                      "score",      "ops/sec", "mib/s", "transactions", "req/s"};
const WordSet kLower{"latency", "time",   "elapsed", "real",   "sys",     "user",  "duration",
                     "misses",  "faults", "seconds", "cycles", "runtime", "exits", "stalls"};

/// "%", "% (new/old)", "% faster": a percentage of nothing but what stands beside it.
bool says_only_percent(std::string_view words) {
  static const WordSet kComparing{"pct",  "percent", "better", "faster",  "slower",   "worse",
                                  "less", "more",    "fewer",  "higher",  "lower",    "inc",
                                  "dec",  "up",      "down",   "reduced", "increased"};
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  return kComparing.any_in(words) || kRoles.found_in(words) != 0 || std::none_of(words.begin(), words.end(), is_letter);
}

bool parent_commit(std::string_view words) {
  if (words.find('~') == std::string_view::npos && words.find('^') == std::string_view::npos) return false;
  const auto head = lower(words).find("head");
  if (head == std::string::npos) return false;
  const auto tail = words.substr(head + 4);
  return tail.starts_with("~") || tail.starts_with("^");
}

}  // namespace

Role role_of(std::string_view words) {
  if (words.empty()) return Role::none;
  const std::uint32_t found = kRoles.found_in(words);
  const bool percent = words.find('%') != std::string_view::npos;
  if ((found & kShare) != 0 || (percent && words.find("% of ") != std::string_view::npos)) return Role::spread;
  if ((found & kChange) != 0) return Role::change;
  if (percent && (found & kSpread) != 0) return Role::spread;
  if (percent) return says_only_percent(words) ? Role::change : Role::none;  // "% fit" is the share of something
  if ((found & kBefore) != 0 || parent_commit(words)) return Role::before;
  if ((found & kSpread) != 0) return Role::spread;
  if ((found & kAfter) != 0) return Role::after;
  return (found & kCount) != 0 ? Role::count : Role::none;
}

Role role_of_label(std::string_view label) {
  constexpr std::size_t kLongestLabel = 60;  // characters
  return label.size() <= kLongestLabel ? role_of(label) : Role::none;
}

int direction_at_end(std::string_view words) {
  enum : std::uint32_t { kUp = 1, kDown = 2 };
  static const WordLists kVerbs{{"up", "rises", "rose", "increases", "increased", "grows", "grew", "climbs", "climbed"},
                                {"down", "falls", "fell", "decreases", "decreased", "drops", "dropped", "reduced",
                                 "reduces", "shrinks", "shrank"}};
  if (words.empty() || (words.back() | 0x20) < 'a') return 0;
  const std::uint32_t found = kVerbs.found_in(words.substr(words.find_last_of(" \n(") + 1));
  return found == kUp ? 1 : found == kDown ? -1 : 0;
}

Better better_of(std::string_view words) {
  const bool higher = kHigher.any_in(words), lower = kLower.any_in(words);
  if (higher == lower) return Better::unknown;
  return higher ? Better::higher : Better::lower;
}

}  // namespace tollgate::audit
