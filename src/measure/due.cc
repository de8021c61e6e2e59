#include "measure/due.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.h"

namespace tollgate::measure {
namespace {

using store::Run;
using store::RunKind;
using store::Session;

constexpr std::size_t kShownOfLine = 160;  // bytes of a kernel's command line; /proc/cmdline has the rest

using Made = std::set<std::tuple<RunKind, std::uint32_t, std::uint32_t>>;  // kind, variant, number

Made made_of(std::span<const Run> runs) {
  Made made;
  for (const Run& run : runs) made.emplace(run.kind, run.variant, run.number);
  return made;
}

void add_missing(std::vector<DueRun>& due, const Made& made, RunKind kind, const std::vector<Slot>& slots) {
  for (const Slot& slot : slots)
    if (!made.contains({kind, slot.variant, slot.number})) due.push_back({kind, slot});
}

/// The runs of one boot: `slot` numbers boots.
std::vector<Slot> runs_of_boot(const Slot& slot, std::uint32_t runs) {
  std::vector<Slot> slots;
  for (std::uint32_t run = 0; run < runs; ++run)
    slots.push_back({slot.variant, slot.number * runs + run, slot.position * runs + run, slot.block});
  return slots;
}

/// Whether this boot has made a run of another boot's slot: a new boot is wanted then.
bool is_used(std::span<const Run> made, const std::string& boot, const Slot& slot, std::uint32_t runs) {
  return std::any_of(made.begin(), made.end(), [&](const Run& run) {
    const bool of_slot = run.variant == slot.variant && run.number / runs == slot.number;
    return run.kind == RunKind::measured && run.boot == boot && !of_slot;
  });
}

Result<Due> due_of_boots(const Session& session, std::span<const Run> runs, const Host& host) {
  const std::uint32_t running = TRY(running_variant(session.variants, host));
  const Made made = made_of(runs);
  Due due;
  for (const Slot& slot : schedule(std::uint32_t(session.variants.size()), session.boots, session.terms.order,
                                   session.terms.seed, "boots")) {
    std::vector<DueRun> missing;
    add_missing(missing, made, RunKind::measured, runs_of_boot(slot, session.terms.runs));
    if (missing.empty()) continue;
    const bool now = due.runs.empty() && slot.variant == running && !is_used(runs, host.boot, slot, session.terms.runs);
    if (!now) {
      due.boot_next = slot.variant;
      return due;
    }
    due.runs = std::move(missing);
  }
  return due;
}

}  // namespace

Result<Due> due_runs(const Session& session, std::span<const Run> made, const Host& host) {
  if (session.boots > 0) return due_of_boots(session, made, host);
  const Made done = made_of(made);
  const auto& terms = session.terms;
  Due due;
  if (session.noise)
    add_missing(due.runs, done, RunKind::noise,
                schedule(2, terms.runs, evidence::Order::random_blocks, terms.seed, "noise"));
  add_missing(due.runs, done, RunKind::measured,
              schedule(std::uint32_t(session.variants.size()), terms.runs, terms.order, terms.seed, "runs"));
  return due;
}

bool matches(const store::BootMatch& match, const Host& host) {
  if (fnmatch(match.kernel.c_str(), host.kernel.c_str(), 0) != 0) return false;
  const auto words = split(host.command_line, ' ');
  const auto has = [&](const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  return std::all_of(match.with.begin(), match.with.end(), has) &&
         std::none_of(match.without.begin(), match.without.end(), has);
}

std::string to_text(const store::BootMatch& match) {
  std::string text = fmt::format("kernel {}", match.kernel);
  if (!match.with.empty()) text += fmt::format(" with {}", join(match.with, " "));
  if (!match.without.empty())
    text += fmt::format("{} without {}", match.with.empty() ? "" : ",", join(match.without, " "));
  return text;
}

Result<std::uint32_t> running_variant(std::span<const store::Variant> variants, const Host& host) {
  std::vector<std::uint32_t> found;
  std::string wanted;
  for (std::uint32_t i = 0; i < variants.size(); ++i) {
    if (matches(*variants[i].boot, host)) found.push_back(i);
    wanted += fmt::format("\n  '{}' wants {}", variants[i].name, to_text(*variants[i].boot));
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    return fail(fmt::format("the running kernel is {} with the command line '{}': it is no variant's{}", host.kernel,
                            shortened(host.command_line, kShownOfLine), wanted));
  return fail(fmt::format("the running kernel is both '{}' and '{}': say more about them{}", variants[found[0]].name,
                          variants[found[1]].name, wanted));
}

}  // namespace tollgate::measure
