// hackbench-vms: VMs whose guests run hackbench: groups of processes that send each other messages through pipes. Seen from
// the host, a vCPU works for a while and exits; now and then it finds every pipe empty and waits (WFI), until a message of
// another vCPU of its VM reaches it as an inter-processor interrupt, which costs that one an exit. So waits and wakes come in
// pairs, and a VM always has a vCPU that does not wait: the messages are somewhere.
#include <memory>
#include <utility>

#include "workload/user_space.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

using kernel::PathStep;
using kernel::Place;

/// What the vCPUs of one VM know of each other.
struct Siblings {
  struct One {
    TaskId task;
    bool waiting = false;  // and nobody has woken it yet
  };
  std::vector<One> vcpus;

  One* one_to_wake() {
    for (One& vcpu : vcpus)
      if (vcpu.waiting) return &vcpu;
    return nullptr;
  }
};

struct Guest {
  double mean_cycles;  // of the guest's own work between two exits
  double wait_chance;  // at an exit, while no sibling waits
  std::uint32_t processes;
  kernel::Path pages;  // touched in each stretch of work
};

/// Of all VMs of a world: every program holds it.
struct Shared {
  Guest guest;
  std::vector<Siblings> vms;
};

class Vcpu final : public world::Program {
 public:
  Vcpu(world::World& world, CpuId cpu, std::shared_ptr<Shared> shared, std::size_t vm, std::size_t self,
       std::uint64_t seed)
      : shared_(std::move(shared)),
        guest_(&shared_->guest),
        siblings_(&shared_->vms[vm]),
        self_(self),
        exit_(&world.path(cpu, "vm_exit")),
        wait_(&world.path(cpu, "vcpu_wait")),
        wake_(&world.path(cpu, "vcpu_wake")),
        work_(RandomStream::named(seed, "guest work")),
        process_(RandomStream::named(seed, "guest process")),
        waits_(RandomStream::named(seed, "guest waits")) {}

  // A stretch of work, and then, when all that others did before is known, what its exit was for.
  void next(world::World&, TaskId, std::vector<Action>& actions) override {
    if (std::exchange(exited_, false) && handle_exit(actions)) return;
    const auto cycles = std::uint64_t(guest_->mean_cycles * (0.5 + work_.unit()));
    const auto process = std::uint32_t(process_.below(guest_->processes));
    actions = {numbered(Action::Kind::enter_guest, process),
               {.kind = Action::Kind::run_guest, .value = cycles, .path = &guest_->pages},
               {.kind = Action::Kind::leave_guest},
               run(*exit_),
               finish_operation(),
               {.kind = Action::Kind::synchronise}};
    exited_ = true;
  }

 private:
  /// Every exit draws, so that what is drawn for an exit does not hang on what others did.
  bool handle_exit(std::vector<Action>& actions) {
    const bool wants_to_wait = waits_.unit() < guest_->wait_chance;
    if (Siblings::One* sleeper = siblings_->one_to_wake()) {
      sleeper->waiting = false;
      actions = {run(*wake_), numbered(Action::Kind::wake, sleeper->task.value)};
      return true;
    }
    if (!wants_to_wait || siblings_->vcpus.size() == 1) return false;
    siblings_->vcpus[self_].waiting = true;
    actions = {run(*wait_), {.kind = Action::Kind::wait_vcpu}};
    return true;
  }

  std::shared_ptr<Shared> shared_;
  const Guest* guest_;
  Siblings* siblings_;
  std::size_t self_;
  const kernel::Path *exit_, *wait_, *wake_;
  RandomStream work_, process_, waits_;
  bool exited_ = false;
};

kernel::Path pages_of(const world::GuestLayout& layout) {
  kernel::Path pages;
  const auto touch = [&](hw::Vpn first, hw::Vpn count) {
    for (hw::Vpn i = 0; i < count; ++i)
      pages.push_back({i % 3 == 0   ? PathStep::Op::fetch
                       : i % 3 == 1 ? PathStep::Op::read
                                    : PathStep::Op::write,
                       Place::absolute, first + i, 0});
  };
  touch(world::kGuestUser, layout.user_pages);
  touch(world::kGuestKernel, layout.kernel_pages);
  return pages;
}

/// Which CPU each vCPU stays on: as many on each, in an order drawn anew for every replicate.
std::vector<CpuId> places_of(std::size_t vcpus, int cpus, std::uint64_t seed) {
  std::vector<CpuId> places;
  for (std::size_t i = 0; i < vcpus; ++i) places.emplace_back(std::uint32_t(i % std::size_t(cpus)));
  RandomStream stream = RandomStream::named(seed, "vCPU places");
  for (std::size_t i = vcpus; i > 1; --i) std::swap(places[i - 1], places[stream.below(i)]);
  return places;
}

}  // namespace

double work_of_hackbench_vms(const DrawnWorkload& drawn) {
  return double(std::int64_t(drawn.value("vms")) * std::int64_t(drawn.value("vcpus"))) * drawn.value("exits_each");
}

void start_hackbench_vms(world::World& world, const Workload&, const DrawnWorkload& drawn) {
  world::GuestLayout layout;
  layout.kernel_pages = hw::Vpn(drawn.value("kernel_pages"));
  layout.user_pages = hw::Vpn(drawn.value("user_pages"));
  layout.processes = std::uint32_t(drawn.value("processes"));
  const double loads = drawn.value("loads_per_exit");
  const double clock = world.setup().machine->value(hw::FigureId::clock_ghz);
  auto shared = std::make_shared<Shared>();
  shared->guest = {drawn.value("guest_ns") * clock, loads / (1 - loads), layout.processes, pages_of(layout)};
  shared->vms.resize(std::size_t(drawn.value("vms")));
  const auto vcpus = std::size_t(drawn.value("vcpus"));
  const std::vector<CpuId> places = places_of(shared->vms.size() * vcpus, world.cpus(), drawn.seed);
  for (std::size_t i = 0; i < places.size(); ++i) {
    Siblings& siblings = shared->vms[i / vcpus];
    const std::uint64_t seed = RandomStream::named(drawn.seed, "vCPU", {i}).next();
    if (i % vcpus == 0) world.create_vm(layout);
    siblings.vcpus.emplace_back();
    auto vcpu = std::make_unique<Vcpu>(world, places[i], shared, i / vcpus, i % vcpus, seed);
    siblings.vcpus.back().task = world.create_vcpu(world::VmId(std::uint32_t(i / vcpus)), places[i], std::move(vcpu));
  }
}

}  // namespace tollgate::workload
