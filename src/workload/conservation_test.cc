// Every workload, on any machine, under any policy: no cycle is lost or charged twice.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "kernel/policy.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

using evidence::Account;

const std::vector<std::string> kMachines = {"skylake-desktop", "denverton-server", "haswell-server",
                                            "milan-server",    "zen4-server",      "d06",
                                            "d06-4bit",        "neoverse-n1"};

const kernel::Era& era_of(const std::string& architecture) {
  static const kernel::Era kX86 = *kernel::load_era(TOLLGATE_SOURCE_DIR "/kernels/linux-4.16.toml");
  static const kernel::Era kArm = *kernel::load_era(TOLLGATE_SOURCE_DIR "/kernels/linux-5.14-arm64.toml");
  return architecture == "x86_64" ? kX86 : kArm;
}

/// A program of a few pages, with faults of every sort.
std::shared_ptr<const Recording> small_recording() {
  auto recording = std::make_shared<Recording>();
  recording->areas = {{0x400, 8, false, true, 16}, {0x10000, 64, true, false, 1}};
  for (hw::Vpn i = 0; i < 200; ++i) {
    recording->steps.emplace_back(0x400 + i % 8, hw::Reference::fetch, 50 + std::uint32_t(i));
    recording->steps.emplace_back(0x10000 + i % 64, i % 3 == 0 ? hw::Reference::write : hw::Reference::read, 0);
    recording->instructions += 50 + i;
  }
  return recording;
}

struct Case {
  hw::Machine machine;
  kernel::Policy policy;
  Workload workload;
  int cpus = 1;
  double warm_us = 0, measure_us = 0;
  std::uint64_t seed = 0;
};

config::Figure fixed(double value) {
  config::Figure figure;
  figure.low = figure.typical = figure.high = value;
  return figure;
}

kernel::Policy any_policy(const hw::Features& features) {
  kernel::Policy policy;
  policy.vmid = *rc::gen::element(kernel::VmidAllocator::v5_14, kernel::VmidAllocator::v3_noclear,
                                  kernel::VmidAllocator::v3_clear, kernel::VmidAllocator::merged);
  if (features.vmid_bits > 0) return policy;
  policy.pti = *rc::gen::element(kernel::Pti::off, kernel::Pti::on);
  policy.pcid = *rc::gen::element(kernel::PcidUse::off, kernel::PcidUse::on);
  policy.shootdown = *rc::gen::element(kernel::ShootdownMode::serial, kernel::ShootdownMode::concurrent,
                                       kernel::ShootdownMode::broadcast);
  if (!features.broadcast_flush && policy.shootdown == kernel::ShootdownMode::broadcast)
    policy.shootdown = kernel::ShootdownMode::serial;
  policy.global_pages =
      policy.pti == kernel::Pti::off
          ? kernel::GlobalSet::all
          : *rc::gen::element(kernel::GlobalSet::none, kernel::GlobalSet::entry, kernel::GlobalSet::entry_text);
  policy.flush_ceiling = *rc::gen::inRange(0, 300);
  return *kernel::settle_policy(policy, features);
}

/// A figure of the kind: small counts, and shares and times inside their bounds.
double any_value(const FigureNeed& need) {
  if (need.dimension == config::Dimension::ratio)
    return need.least + *rc::gen::inRange(0, 101) / 100.0 * (need.most - need.least);
  if (need.dimension == config::Dimension::time) return *rc::gen::inRange(200, 20000);
  if (need.name == "vms" || need.name == "vcpus") return *rc::gen::inRange(1, 10);
  return std::min(double(*rc::gen::inRange(1, 100)), need.most);
}

Workload any_workload(const std::string& architecture) {
  std::vector<const KindInfo*> kinds;
  for (const auto& kind : workload_kinds())
    if (kind.architecture == architecture) kinds.push_back(&kind);
  Workload workload;
  workload.kind = *rc::gen::elementOf(kinds);
  workload.user_cpi = fixed(*rc::gen::inRange(20, 300) / 100.0);
  workload.kernel_cpi = fixed(*rc::gen::inRange(20, 300) / 100.0);
  for (const auto& need : workload.kind->figures) workload.figures[std::string(need.name)] = fixed(any_value(need));
  if (workload.kind->needs_recording) {
    workload.figures["jobs"] = fixed(*rc::gen::inRange(1, 3));
    workload.recording = small_recording();
  }
  return workload;
}

Case any_case() {
  Case result;
  const auto name = *rc::gen::elementOf(kMachines);
  result.machine = *hw::load_machine(TOLLGATE_SOURCE_DIR "/machines/" + name + ".toml");
  result.policy = any_policy(result.machine.features);
  result.workload = any_workload(result.machine.architecture);
  const bool few_tags = result.machine.features.vmid_bits == 4;
  result.cpus = few_tags ? *rc::gen::element(1, 2, 3, 8, 14) : *rc::gen::element(1, 2, 3, 8, 64);
  result.warm_us = *rc::gen::inRange(0, 20);
  result.measure_us = *rc::gen::inRange(1, result.cpus > 8 ? 30 : 200);
  result.seed = *rc::gen::arbitrary<std::uint64_t>();
  return result;
}

void run(world::World& world, const Case& question, const DrawnWorkload& drawn, double clock) {
  question.workload.kind->start(world, question.workload, drawn);
  const auto cycles = [&](double us) { return Cycles(std::int64_t(us * clock * 1e3)); };
  if (question.workload.kind->extent == Extent::window)
    world.run_window(cycles(question.warm_us), cycles(question.warm_us + question.measure_us));
  else
    world.run_to_completion();
}

/// The accounts that only kernel mode charges, and user mode's own.
std::int64_t kernel_only(const evidence::Ledger& ledger) {
  std::int64_t sum = 0;
  for (const Account account : {Account::kernel_work, Account::cr3_write, Account::local_flush, Account::ipi_send,
                                Account::ipi_wait, Account::ipi_handling, Account::lock_wait, Account::idle})
    sum += ledger[account];
  return sum;
}

RC_GTEST_PROP(Ledger, ConservesOnEveryCpuInEveryWorkload, ()) {
  const Case question = any_case();
  RC_CLASSIFY(true, std::string(question.workload.kind->name));
  const hw::DrawnMachine machine = hw::draw_machine(question.machine, question.seed, 0);
  const DrawnWorkload drawn = draw_workload(question.workload, question.seed, 0, 0);
  world::WorldSetup setup;
  setup.machine = &machine;
  setup.era = &era_of(question.machine.architecture);
  setup.policy = question.policy;
  setup.cpus = question.cpus;
  setup.user_cpi = drawn.user_cpi;
  setup.kernel_cpi = drawn.kernel_cpi;
  setup.layout_seed = drawn.seed;
  world::World world(setup);
  run(world, question, drawn, machine.value(hw::FigureId::clock_ghz));
  std::int64_t sum = 0;
  for (int i = 0; i < world.cpus(); ++i) {
    const auto& snapshots = world.cpu(CpuId(std::uint32_t(i))).snapshots;
    RC_ASSERT(snapshots.size() == 2u);
    const evidence::Ledger ledger = snapshots[1].ledger - snapshots[0].ledger;
    const std::int64_t in_kernel = (snapshots[1].in_kernel - snapshots[0].in_kernel).value;
    RC_ASSERT(ledger.total() == world.elapsed().value);
    for (const std::int64_t cycles : ledger.cycles) RC_ASSERT(cycles >= 0);
    RC_ASSERT(in_kernel >= kernel_only(ledger));
    RC_ASSERT(world.elapsed().value - in_kernel >= ledger[Account::user_work]);
    sum += ledger.total();
  }
  RC_ASSERT(world.ledger().total() == sum);
  RC_ASSERT(world.in_kernel().value <= sum);
  const auto events = world.events();
  using evidence::Event;
  RC_ASSERT(events[Event::walks_cold] + events[Event::walks_capacity] + events[Event::walks_refill] ==
            events[Event::itlb_walks] + events[Event::dtlb_walks]);
  RC_ASSERT(events[Event::itlb_walks] <= events[Event::itlb_misses]);
  RC_ASSERT(events[Event::ipis] == 0u || events[Event::ipi_rounds] > 0u || question.warm_us > 0);
}

}  // namespace
}  // namespace tollgate::workload
