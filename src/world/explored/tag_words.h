// A step of a tag allocator in words: who does what, and every variable it changed with the values before and after.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "world/explored/tag_model.h"

namespace tollgate::explored {

std::string tag_text(kernel::Tag tag);
/// 0 is A.
std::string context_text(std::uint8_t context);
std::string label_words(kernel::BitmapUpdate<SmallCpuSet>::Label label);
std::string label_words(kernel::CounterUpdate::Label label);
std::string label_words(kernel::WrappingUpdate::Label label);

/// What changed, one "name: before -> after" each.
class ChangeList {
 public:
  void note(const std::string& name, const std::string& before, const std::string& after) {
    if (before != after) changes_.push_back(fmt::format("{}: {} -> {}", name, before, after));
  }
  std::string text() const { return changes_.empty() ? "" : "  [" + join(changes_, "; ") + "]"; }

 private:
  std::vector<std::string> changes_;
};

template <typename Protocol>
std::string changes_of_cpu(const TagCpu<Protocol>& before, const TagCpu<Protocol>& after, std::uint32_t cpu) {
  ChangeList changes;
  const auto named = [&](const char* name) { return fmt::format("{}[{}]", name, cpu); };
  changes.note(named("active"), tag_text(before.active), tag_text(after.active));
  changes.note(named("reserved"), tag_text(before.reserved), tag_text(after.reserved));
  changes.note(named("base"), fmt::format("{} as {}", context_text(before.base_context), before.base_index),
               fmt::format("{} as {}", context_text(after.base_context), after.base_index));
  const auto yes_no = [](bool value) { return value ? std::string("yes") : std::string("no"); };
  changes.note(named("flush pending"), yes_no(before.flush_pending), yes_no(after.flush_pending));
  changes.note(named("exit requested"), yes_no(before.exit_requested), yes_no(after.exit_requested));
  changes.note(named("interrupts off"), yes_no(before.interrupts_off), yes_no(after.interrupts_off));
  return changes.text();
}

/// What happened to the one TLB entry under observation.
std::string watched_text(const WatchedEntry& before, const WatchedEntry& after);

inline std::string taken_text(std::uint32_t taken, std::uint32_t indices) {
  std::vector<std::string> all;
  for (std::uint32_t index = 1; index < indices; ++index)
    if (taken >> index & 1) all.push_back(std::to_string(index));
  return "{" + join(all, " ") + "}";
}

template <typename ProtocolType, typename World>
std::string TagModel<ProtocolType, World>::describe(const State& before, const Action& action,
                                                    const State& after) const {
  const TagCpu<Protocol>& cpu = before.cpus[action.cpu];
  const std::string context = context_text(action.kind == Kind::load ? action.choice : cpu.context);
  std::string words;
  switch (action.kind) {
    case Kind::load:
      words = "loads " + context;
      break;
    case Kind::step:
      words = label_words(cpu.update.label);
      break;
    case Kind::enter:
      words = "enters " + context;
      break;
    case Kind::abandon:
      words = "turns back before entering " + context;
      break;
    case Kind::exit:
      words = "exits " + context;
      break;
    case Kind::again:
      words = "goes round again for " + context;
      break;
    case Kind::schedule_out:
      words = "schedules out " + context;
      break;
    case Kind::interrupt:
      words = cpu.phase == Phase::running ? "is forced out of " + context : "takes the IPI";
      break;
  }
  ChangeList shared;
  shared.note("generation", std::to_string(before.generation), std::to_string(after.generation));
  shared.note("next", std::to_string(before.cursor), std::to_string(after.cursor));
  shared.note("taken", taken_text(before.taken, setting_.indices), taken_text(after.taken, setting_.indices));
  for (std::uint8_t of = 0; of < setting_.contexts; ++of)
    shared.note("tag of " + context_text(of), tag_text(before.tags[of]), tag_text(after.tags[of]));
  std::string changes = shared.text();
  for (std::uint32_t number = 0; number < setting_.cpus; ++number)
    changes += changes_of_cpu(before.cpus[number], after.cpus[number], number);
  return fmt::format("CPU {} {}{}{}", action.cpu, words, changes, watched_text(before.watched, after.watched));
}

}  // namespace tollgate::explored
