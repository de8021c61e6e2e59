#include "audit/role.h"

#include <algorithm>
#include <array>
#include <string>

#include "audit/row.h"

namespace tollgate::audit {
namespace {

template <std::size_t n>
bool any_word(std::string_view text, const std::array<std::string_view, n>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(text, word); });
}

constexpr std::array<std::string_view, 26> kBefore{
    "before",  "old",      "base",     "baseline", "vanilla",  "without", "unpatched", "no patch",   "default",
    "orig",    "original", "stock",    "mainline", "upstream", "control", "reference", "w/o",        "unmodified",
    "nopatch", "parent",   "previous", "prior",    "no-patch", "pre",     "initial",   "unoptimized"};
constexpr std::array<std::string_view, 20> kAfter{
    "after",    "new",        "patch", "patched", "with",  "current", "head",   "proposed", "modified",   "optimized",
    "this set", "this patch", "post",  "w/",      "fixed", "series",  "result", "updated",  "experiment", "optimised"};
constexpr std::array<std::string_view, 22> kChange{
    "diff",  "delta",      "change",   "rel",      "improvement", "improv",   "gain",       "gains",
    "saved", "saving",     "savings",  "speedup",  "reduction",   "overhead", "regression", "chg",
    "vs",    "difference", "increase", "decrease", "speed-up",    "relative"};
constexpr std::array<std::string_view, 13> kSpread{"stdev",    "std", "stddev", "sd",     "err",     "error", "cv",
                                                   "variance", "rsd", "sem",    "spread", "p-value", "p"};
constexpr std::array<std::string_view, 9> kCount{"samples", "runs", "n",       "iterations", "count",
                                                 "threads", "run",  "repeats", "iters"};
constexpr std::array<std::string_view, 17> kHigher{"throughput", "iops",    "bw",    "bandwidth",    "ops",  "rps",
                                                   "qps",        "tps",     "loops", "ops/s",        "mb/s", "requests",
                                                   "score",      "ops/sec", "mib/s", "transactions", "req/s"};
constexpr std::array<std::string_view, 14> kLower{"latency", "time",     "elapsed", "real",   "sys",
                                                  "user",    "duration", "misses",  "faults", "seconds",
                                                  "cycles",  "runtime",  "exits",   "stalls"};

bool parent_commit(std::string_view words) {
  const auto head = lower(words).find("head");
  if (head == std::string::npos) return false;
  const auto tail = words.substr(head + 4);
  return tail.starts_with("~") || tail.starts_with("^");
}

}  // namespace

Role role_of(std::string_view words) {
  if (words.empty()) return Role::none;
  if (words.find('%') != std::string_view::npos || any_word(words, kChange)) return Role::change;
  if (parent_commit(words) || any_word(words, kBefore)) return Role::before;
  if (any_word(words, kSpread)) return Role::spread;
  if (any_word(words, kAfter)) return Role::after;
  if (any_word(words, kCount)) return Role::count;
  return Role::none;
}

Better better_of(std::string_view words) {
  const bool higher = any_word(words, kHigher), lower = any_word(words, kLower);
  if (higher == lower) return Better::unknown;
  return higher ? Better::higher : Better::lower;
}

}  // namespace tollgate::audit
