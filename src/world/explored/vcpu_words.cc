// A step of the vCPUs' world in words: who does what, and every variable it changed.
#include <fmt/format.h>

#include "world/explored/tag_words.h"
#include "world/explored/vcpu_model.h"

namespace tollgate::explored {
namespace {

using Kind = VcpuAction::Kind;

const char* label_words(kernel::SvmAsidUpdate::Label label) {
  using Label = kernel::SvmAsidUpdate::Label;
  switch (label) {
    case Label::notice_move:
      return "notes that the vCPU runs here";
    case Label::compare:
      return "compares the vCPU's generation with its own";
    case Label::choose:
      return "looks whether it has ASIDs left";
    case Label::new_generation:
      return "starts a generation: from the first ASID again, and a flush at the vCPU's next entry";
    case Label::take:
      return "gives the vCPU its next ASID";
    case Label::done:
      return "has its ASID";
  }
  return "?";
}

std::string action_words(const VcpuState& before, const VcpuAction& action) {
  const VcpuCpu& cpu = before.cpus[action.cpu];
  const std::string vcpu = context_text(cpu.vcpu);
  switch (action.kind) {
    case Kind::load:
      return "loads " + context_text(action.vcpu);
    case Kind::step:
      return label_words(cpu.update.label);
    case Kind::enter:
      return fmt::format("enters {} as {}{}", vcpu, before.vcpus[cpu.vcpu].tag.index,
                         before.vcpus[cpu.vcpu].flush_at_entry ? ", flushing all ASIDs" : "");
    case Kind::turn_back:
      return "turns back before entering " + vcpu;
    case Kind::exit:
      return "exits " + vcpu;
    case Kind::again:
      return "goes round again for " + vcpu;
    case Kind::schedule_out:
      return "schedules out " + vcpu;
  }
  return "?";
}

std::string cpu_text(std::uint32_t cpu) { return cpu == kernel::kNeverRan ? "none" : std::to_string(cpu); }

void note_vcpu(ChangeList& changes, const std::string& name, const kernel::SvmVcpu& before,
               const kernel::SvmVcpu& after) {
  changes.note("ASID of " + name, tag_text(before.tag), tag_text(after.tag));
  changes.note("CPU of " + name, cpu_text(before.last_cpu), cpu_text(after.last_cpu));
  changes.note("flush at entry of " + name, before.flush_at_entry ? "yes" : "no", after.flush_at_entry ? "yes" : "no");
}

}  // namespace

std::string VcpuModel::describe(const State& before, const Action& action, const State& after) const {
  ChangeList changes;
  for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) {
    const auto note = [&](const char* name, std::uint32_t was, std::uint32_t is) {
      changes.note(fmt::format("{}[{}]", name, cpu), std::to_string(was), std::to_string(is));
    };
    note("generation", before.cpus[cpu].asids.generation, after.cpus[cpu].asids.generation);
    note("next", before.cpus[cpu].asids.next, after.cpus[cpu].asids.next);
  }
  for (std::uint8_t vcpu = 0; vcpu < setting_.vcpus; ++vcpu)
    note_vcpu(changes, context_text(vcpu), before.vcpus[vcpu], after.vcpus[vcpu]);
  return fmt::format("CPU {} {}{}{}", action.cpu, action_words(before, action), changes.text(),
                     watched_text(before.watched, after.watched));
}

}  // namespace tollgate::explored
