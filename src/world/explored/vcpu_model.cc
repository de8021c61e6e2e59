#include "world/explored/vcpu_model.h"

#include <algorithm>
#include <array>

namespace tollgate::explored {
namespace {

template <typename Holds>
bool of_all_running(const VcpuModel& model, const VcpuState& state, Holds holds) {
  return std::all_of(state.cpus.begin(), state.cpus.begin() + model.setting().cpus, [&](const VcpuCpu& cpu) {
    return cpu.phase != Phase::running || holds(cpu, state.vcpus[cpu.vcpu].tag);
  });
}

bool unique_per_cpu(const VcpuModel&, const VcpuState& state) { return !state.watched.clash; }

bool no_index_zero(const VcpuModel& model, const VcpuState& state) {
  return of_all_running(model, state, [](const VcpuCpu&, kernel::Tag tag) { return tag.index != 0; });
}

bool within_width(const VcpuModel& model, const VcpuState& state) {
  return of_all_running(model, state,
                        [&](const VcpuCpu&, kernel::Tag tag) { return tag.index <= model.setting().asids; });
}

bool running_is_current(const VcpuModel& model, const VcpuState& state) {
  return of_all_running(model, state,
                        [](const VcpuCpu& cpu, kernel::Tag tag) { return tag.generation == cpu.asids.generation; });
}

constexpr std::array<Invariant<VcpuModel>, 4> kInvariants{{
    {"UniqueASIDPerCPU", "on one CPU an ASID's TLB entries belong to one vCPU; else one reads another's memory",
     unique_per_cpu},
    {"InvalidNeverAllocated", "ASID 0 is the host's: no vCPU may run with it", no_index_zero},
    {"WithinWidth", "no vCPU runs with an ASID that the CPU does not have; else the entry fails", within_width},
    {"RunningIsCurrent", "what runs has an ASID of its CPU's generation; else the CPU hands it out again",
     running_is_current},
}};

}  // namespace

VcpuState VcpuModel::initial() const {
  State state;
  for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) state.cpus[cpu].asids.next = setting_.asids + 1;
  return state;
}

std::span<const Invariant<VcpuModel>> VcpuModel::invariants() const { return kInvariants; }

bool VcpuModel::beyond_bound(const State& state) const {
  if (setting_.most_generations == 0) return false;
  return std::any_of(state.cpus.begin(), state.cpus.begin() + setting_.cpus,
                     [&](const VcpuCpu& cpu) { return cpu.asids.generation > setting_.most_generations; });
}

std::optional<VcpuAction> VcpuModel::helpful(const State& state) const {
  if (beyond_bound(state)) return std::nullopt;
  for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu)
    if (state.cpus[cpu].phase == Phase::updating) return Action{cpu, Kind::step};
  return std::nullopt;
}

bool VcpuModel::is_loaded(const State& state, std::uint8_t vcpu) const {
  return std::any_of(state.cpus.begin(), state.cpus.begin() + setting_.cpus,
                     [&](const VcpuCpu& cpu) { return cpu.vcpu == vcpu; });
}

VcpuState VcpuModel::applied(const State& state, const Action& action) const {
  State next = state;
  VcpuCpu& cpu = next.cpus[action.cpu];
  VcpuWorld world(setting_, next, action.cpu);
  switch (action.kind) {
    case Kind::load:
      world.load(action.vcpu);
      break;
    case Kind::step:
      if (cpu.update.step(world) == kernel::Step::done) {
        cpu.update = {};
        cpu.phase = Phase::ready;
      }
      break;
    case Kind::enter:
      world.enter();
      break;
    case Kind::turn_back:
    case Kind::exit:
      cpu.phase = Phase::exited;
      break;
    case Kind::again:
      world.load(cpu.vcpu);
      break;
    case Kind::schedule_out:
      world.schedule_out();
      break;
  }
  if (hooks_.after != nullptr) hooks_.after(state, next, action);
  return next;
}

}  // namespace tollgate::explored
