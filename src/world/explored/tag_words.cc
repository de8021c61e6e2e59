#include "world/explored/tag_words.h"

namespace tollgate::explored {

std::string tag_text(kernel::Tag tag) {
  if (tag == kernel::kNoTag) return "none";
  if (tag == kernel::kInvalidTag) return "invalid";
  return fmt::format("{} of generation {}", tag.index, tag.generation);
}

std::string context_text(std::uint8_t context) {
  return context == kNoContext ? "nobody" : std::string(1, char('A' + context));
}

std::string watched_text(const WatchedEntry& before, const WatchedEntry& after) {
  if (before == after) return "";
  const auto entry = [](const WatchedEntry& of) { return fmt::format("{}={}", of.index, context_text(of.context)); };
  if (after.clash) return fmt::format("  [tlb[{}]: beside {}]", after.cpu, entry(after));
  std::string text;
  if (before.cpu != kNoCpu) text += fmt::format("  [tlb[{}]: {} -> none]", before.cpu, entry(before));
  if (after.cpu != kNoCpu) text += fmt::format("  [tlb[{}]: none -> {}]", after.cpu, entry(after));
  return text;
}

std::string label_words(kernel::BitmapUpdate<SmallCpuSet>::Label label) {
  using Label = kernel::BitmapUpdate<SmallCpuSet>::Label;
  switch (label) {
    case Label::load_tag:
      return "reads the context's tag";
    case Label::load_active:
      return "reads its active slot";
    case Label::load_generation:
      return "reads the generation and compares";
    case Label::publish:
      return "publishes the tag in its active slot, without the lock";
    case Label::lock:
      return "takes the lock";
    case Label::choose:
      return "looks for a tag under the lock";
    case Label::bump_generation:
      return "starts a rollover: next generation, all indices free";
    case Label::take_actives:
      return "takes an active slot and reserves what was in it";
    case Label::flush:
      return "flushes for the rollover";
    case Label::choose_afresh:
      return "looks for a tag in the new generation";
    case Label::store_tag:
      return "stores the context's new tag";
    case Label::flush_pending:
      return "flushes its own TLB if that is pending";
    case Label::publish_locked:
      return "publishes the tag in its active slot, under the lock";
    case Label::unlock:
      return "releases the lock";
    case Label::done:
      return "has its tag";
    case Label::exhausted:
      return "has found no free index";
  }
  return "?";
}

std::string label_words(kernel::CounterUpdate::Label label) {
  using Label = kernel::CounterUpdate::Label;
  switch (label) {
    case Label::load_tag:
      return "reads the VM's generation";
    case Label::load_generation:
      return "reads the generation and compares";
    case Label::lock:
      return "takes the lock";
    case Label::choose:
      return "compares again under the lock";
    case Label::bump_generation:
      return "starts a rollover: next generation";
    case Label::force_exits:
      return "sends an IPI to every other CPU";
    case Label::wait_exits:
      return "sees that every CPU has taken the IPI";
    case Label::flush:
      return "flushes all TLBs";
    case Label::store_index:
      return "stores the VM's index";
    case Label::store_generation:
      return "stores the VM's generation";
    case Label::unlock:
      return "releases the lock";
    case Label::recheck_tag:
      return "turns interrupts off and reads the VM's generation again";
    case Label::recheck_generation:
      return "reads the generation again and compares";
    case Label::done:
      return "has its tag";
  }
  return "?";
}

std::string label_words(kernel::WrappingUpdate::Label label) {
  using Label = kernel::WrappingUpdate::Label;
  switch (label) {
    case Label::load_tag:
      return "reads the context's tag";
    case Label::lock:
      return "takes the lock";
    case Label::choose:
      return "looks again under the lock";
    case Label::flush:
      return "flushes all TLBs: the counter has wrapped";
    case Label::store_tag:
      return "stores the next tag";
    case Label::unlock:
      return "releases the lock";
    case Label::done:
      return "has its tag";
  }
  return "?";
}

}  // namespace tollgate::explored
