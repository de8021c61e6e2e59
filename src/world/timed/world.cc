#include "world/timed/world.h"

#include <algorithm>

#include "base/check.h"
#include "base/interrupt.h"

namespace tollgate::world {

using evidence::Account;
using hw::FigureId;

namespace {
constexpr std::uint32_t kIdleStacks = 2048;  // where the idle tasks' stacks begin in the window of stacks
}

World::World(const WorldSetup& setup)
    : setup_(setup),
      prices_(*setup.machine, setup.user_cpi, setup.kernel_cpi),
      topology_(setup.cpus, setup.machine->topology),
      kernel_map_(*setup.era, setup.policy, setup.cpus, RandomStream::named(setup.layout_seed, "kernel image")),
      init_root_(kernel_map_, nullptr, kernel::kInitMm, kernel::View::kernel),
      lookahead_(std::max<std::int64_t>(1, std::int64_t(prices_[FigureId::ipi_latency] >> kFineBits))) {
  CHECK(setup.cpus > 0 && setup.cpus <= int(kMaxCpus), "the caller checks the number of CPUs");
  const double hertz = setup.machine->value(FigureId::clock_ghz) * 1e9;
  tick_period_ = Cycles(std::int64_t(hertz / setup.era->hz));
  const std::string isolation = setup.policy.pti == kernel::Pti::on ? ".pti" : ".plain";
  const auto sequence = [&](const char* name) { return &setup.era->sequence(name + isolation); };
  sequences_ = {
      {sequence("syscall"), sequence("exception"), sequence("interrupt")}, sequence("sysret"), sequence("iret")};
  for (std::uint32_t core = 0; core < topology_.cores(); ++core)
    cores_.push_back(std::make_unique<hw::Core>(*setup.machine));
  for (std::uint32_t i = 0; i < std::uint32_t(setup.cpus); ++i) {
    const CpuId id(i);
    cpus_.push_back(std::make_unique<Cpu>(id, *setup.machine, *cores_[topology_.core_of(id)], topology_.thread_of(id),
                                          setup.policy.pcid == kernel::PcidUse::on));
    Cpu& cpu = *cpus_.back();
    const auto put = [&](kernel::Place place, hw::Vpn base) { cpu.bases[static_cast<std::size_t>(place)] = base; };
    const hw::Vpn area = kernel_map_.entry_area(int(i));
    put(kernel::Place::entry_text, kernel_map_.entry_text());
    put(kernel::Place::idt, area);
    put(kernel::Place::entry_stack, area + 2);
    put(kernel::Place::tss, area + 3);
    put(kernel::Place::trampoline, area + 6);
    put(kernel::Place::exception_stack, area + 7);
    put(kernel::Place::percpu, kernel_map_.percpu(int(i)));
    put(kernel::Place::task_stack, kernel_map_.task_stack(kIdleStacks + i));
    std::map<std::string, kernel::Path> paths;
    for (const auto& [name, spec] : setup.era->paths)
      paths[name] = kernel::lay_out(spec, *setup.era, kernel_map_, spec.instructions.at(setup.path_scale_draw),
                                    RandomStream::named(setup.layout_seed, "path." + name),
                                    RandomStream::named(setup.layout_seed, "objects of path." + name, {i}));
    paths_.push_back(std::move(paths));
    own_paths_.push_back({&path(id, "fault"), &path(id, "schedule"), &path(id, "tick")});
  }
  mms_.push_back(nullptr);  // init_mm has no user half
  const hw::Features& features = setup.machine->features;
  if (features.asid_bits > 0) {
    asids_.emplace(kernel::TagPolicy{.flush = kernel::TagPolicy::Flush::pending}, features.asid_bits, setup.cpus,
                   create_lock(LockKind::interrupts_off));
    asids_->cursor = 1;
    asids_->contexts.emplace_back();  // init_mm's, which stays at 0
  }
  if (features.vmid_bits > 0) {
    const bool counter = setup.policy.vmid == kernel::VmidAllocator::v5_14;
    vmids_.emplace(kernel::vmid_policy(setup.policy.vmid), features.vmid_bits, setup.cpus,
                   create_lock(counter ? LockKind::interrupts_on : LockKind::interrupts_off));
    vmids_->cursor = counter ? 0 : 1;
  }
}

World::~World() = default;

MmId World::create_mm() {
  const MmId id(std::uint32_t(mms_.size()));
  mms_.push_back(std::make_unique<Mm>(kernel_map_, id, frames_, id.value + 1));
  if (asids_) asids_->contexts.emplace_back();
  return id;
}

TaskId World::create_task(MmId mm_id, CpuId cpu_id, std::unique_ptr<Program> program) {
  CHECK(!started_, "all tasks are there before the run");
  const TaskId id(std::uint32_t(tasks_.size()));
  auto created = std::make_unique<Task>();
  created->id = id;
  created->mm = mm_id;
  created->cpu = cpu_id;
  created->program = std::move(program);
  // It starts as a forked child does: in the kernel, about to leave for user mode.
  created->entered_from = {Mode::user};
  created->routines.resize(1);
  created->routines[0].actions.push_back({.kind = Action::Kind::leave, .entry = Entry::syscall});
  tasks_.push_back(std::move(created));
  ++mm(mm_id).users;
  ++live_tasks_;
  cpu(cpu_id).runnable.push_back(id);
  return id;
}

std::uint32_t World::create_line() {
  lines_.emplace_back();
  return std::uint32_t(lines_.size() - 1);
}

std::uint32_t World::create_lock(LockKind kind) {
  locks_.emplace_back();
  locks_.back().kind = kind;
  return std::uint32_t(locks_.size() - 1);
}

const kernel::Path& World::path(CpuId on, const std::string& name) const {
  const auto& paths = paths_[on.value];
  const auto at = paths.find(name);
  CHECK(at != paths.end(), "the era file has every path");
  return at->second;
}

void World::start_cpus() {
  started_ = true;
  // CPUs start apart, as they would be found, so that no accident of equal clocks decides anything.
  for (auto& cpu : cpus_) {
    RandomStream stream = RandomStream::named(setup_.layout_seed, "phase", {cpu->id.value});
    const bool slots = setup_.policy.pcid == kernel::PcidUse::on && !has_tags();
    cpu->mmu.write_cr3(init_root_, slots ? kernel::kernel_pcid(0) : 0, hw::NoFlush::clear,
                       evidence::FlushCause::mm_switch);
    cpu->charge(Account::idle, Cycles(std::int64_t(stream.below(4096))));
    cpu->next_tick = cpu->now + Cycles(std::int64_t(stream.below(std::uint64_t(tick_period_.value))));
    stream = RandomStream::named(setup_.layout_seed, "observation", {cpu->id.value});
    cpu->next_observation = Cycles(std::int64_t(stream.below(std::uint64_t(observation_period_.value))));
    enqueue(*cpu, cpu->now);
  }
}

void World::run_window(Cycles begin, Cycles end) {
  window_begin_ = begin;
  window_end_ = end;
  observation_period_ = Cycles(std::max<std::int64_t>(1, (end - begin).value / 32));
  for (auto& cpu : cpus_) cpu->set_window(begin, end);
  start_cpus();
  run_until(end);
  finish_window(end);
}

void World::run_to_completion() {
  observation_period_ = tick_period_;
  for (auto& cpu : cpus_) cpu->snapshots.push_back({});
  start_cpus();
  run_until(kNever);
  CHECK(stopped_ || live_tasks_ == 0, "every task of a run to completion exits");
  window_end_ = Cycles(0);
  for (auto& cpu : cpus_) window_end_ = std::max(window_end_, cpu->now);
  for (auto& cpu : cpus_) {
    cpu->wait_until(window_end_, cpu->waiting ? cpu->waiting_for : Account::idle);
    cpu->snapshots.push_back({cpu->ledger, cpu->events, cpu->in_kernel});
  }
}

void World::finish_window(Cycles end) {
  for (auto& cpu : cpus_) {
    cpu->wait_until(end, cpu->waiting ? cpu->waiting_for : Account::idle);
    CHECK(stopped_ || cpu->snapshots.size() == 2, "every CPU crossed both edges of the window");
  }
}

void World::enqueue(Cpu& cpu, Cycles time) {
  cpu.queued_for = time;
  queue_.push({time, cpu.id.value});
  if (time < kNever - lookahead_) horizon_ = std::min(horizon_, time + lookahead_);
}

bool World::is_earliest(const Cpu& cpu) const {
  // An out-of-date entry of its own may stand first with the same time.
  return queue_.empty() || std::pair(cpu.now, cpu.id.value) <= std::pair(queue_.top().time, queue_.top().cpu);
}

void World::run_until(Cycles end) {
  while (!queue_.empty() && queue_.top().time < end) {
    const Runnable first = queue_.top();
    queue_.pop();
    Cpu& cpu = *cpus_[first.cpu];
    if (first.time != cpu.queued_for) continue;
    cpu.queued_for = kNever;
    if (cpu.waiting) {
      cpu.waiting = false;
      cpu.wait_until(first.time, cpu.waiting_for);
    }
    horizon_ = queue_.empty() ? end : std::min(end, queue_.top().time + lookahead_);
    advance(cpu);
    if (!cpu.waiting) enqueue(cpu, cpu.now);
    if (stopped_) return;
  }
}

/// Looked at often, since a single CPU runs its whole window in one turn.
bool World::stop_asked() {
  if ((++polls_ & 0xfff) == 0 && interrupted()) stopped_ = true;
  return stopped_;
}

void World::advance(Cpu& cpu) {
  while (cpu.now < horizon_ && !stop_asked()) {
    cpu.step_began = cpu.now;
    if (interrupt_due(cpu)) {
      if (!cpu.messages.empty() && cpu.messages.front().arrival <= cpu.now)
        take_message(cpu);
      else
        take_tick(cpu);
      continue;
    }
    if (cpu.depth() == 0) {
      if (!next_routine(cpu)) return;
      continue;
    }
    Routine& routine = cpu.top();
    if (routine.at == routine.actions.size()) {
      cpu.pop();
      continue;
    }
    if (is_shared(routine.actions[routine.at]) && !is_earliest(cpu)) return;
    if (!execute(cpu, routine)) return;
  }
}

evidence::Ledger World::ledger() const {
  evidence::Ledger sum;
  for (const auto& cpu : cpus_) sum += cpu->snapshots.at(1).ledger - cpu->snapshots.at(0).ledger;
  CHECK(sum.total() == elapsed().value * cpus(), "every cycle of every CPU is charged exactly once");
  return sum;
}

Cycles World::in_kernel() const {
  Cycles sum;
  for (const auto& cpu : cpus_) sum += cpu->snapshots.at(1).in_kernel - cpu->snapshots.at(0).in_kernel;
  return sum;
}

evidence::EventCounts World::events() const {
  evidence::EventCounts sum;
  for (const auto& cpu : cpus_)
    for (std::size_t i = 0; i < evidence::kEvents; ++i)
      sum.counts[i] += cpu->snapshots.at(1).events.counts[i] - cpu->snapshots.at(0).events.counts[i];
  return sum;
}

}  // namespace tollgate::world
