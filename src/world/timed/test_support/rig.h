// A world to test: the 4.16 era, a machine whose prices are all zero but those that the test sets, and programs written as
// functions.
#pragma once

#include <functional>
#include <initializer_list>
#include <utility>

#include "world/timed/world.h"

namespace tollgate::world::test {

/// Loaded once; its tick is so slow that no test of some million cycles sees one.
inline const kernel::Era& era() {
  static const kernel::Era kEra = [] {
    auto loaded = kernel::load_era(TOLLGATE_SOURCE_DIR "/kernels/linux-4.16.toml");
    CHECK(loaded, "the era file is good");
    loaded->hz = 1;
    return *loaded;
  }();
  return kEra;
}

inline hw::Machine machine_file(const std::string& name) {
  auto loaded = hw::load_machine(TOLLGATE_SOURCE_DIR "/machines/" + name + ".toml");
  CHECK(loaded, "the machine file is good");
  return *loaded;
}

using Prices = std::initializer_list<std::pair<hw::FigureId, double>>;

/// A single-threaded Skylake of 1 GHz where everything is free but what `prices` says.
inline hw::DrawnMachine free_machine(Prices prices = {}, int sockets = 1) {
  hw::DrawnMachine machine = hw::typical_machine(machine_file("skylake-desktop"));
  for (const auto& info : hw::kFigures)
    if (info.dimension == config::Dimension::time) machine.values[static_cast<std::size_t>(info.id)] = 0;
  machine.values[static_cast<std::size_t>(hw::FigureId::clock_ghz)] = 1;
  machine.values[static_cast<std::size_t>(hw::FigureId::ipi_latency)] = 1000;
  for (const auto& [id, value] : prices) machine.values[static_cast<std::size_t>(id)] = value;
  machine.topology = {int(kMaxCpus), 1, sockets};
  return machine;
}

inline WorldSetup setup_of(const hw::DrawnMachine& machine, int cpus, kernel::Policy policy = {}) {
  WorldSetup setup;
  setup.machine = &machine;
  setup.era = &era();
  setup.policy = policy;
  setup.cpus = cpus;
  setup.layout_seed = 7;
  return setup;
}

/// A program as a function; `edits` serves its edit actions.
class Script final : public Program {
 public:
  using Next = std::function<void(World& world, TaskId task, std::vector<Action>& actions)>;
  using Edit = std::function<kernel::FlushDebt(World& world, TaskId task, std::uint32_t what)>;
  explicit Script(Next next, Edit edit = {}) : next_(std::move(next)), edit_(std::move(edit)) {}
  void next(World& world, TaskId task, std::vector<Action>& actions) override { next_(world, task, actions); }
  kernel::FlushDebt edit(World& world, TaskId task, std::uint32_t what) override { return edit_(world, task, what); }

 private:
  Next next_;
  Edit edit_;
};

/// The actions once, then the end of the task.
inline Script::Next once(std::vector<Action> actions) {
  return [actions, done = false](World&, TaskId, std::vector<Action>& out) mutable {
    if (std::exchange(done, true))
      out = {{.kind = Action::Kind::exit_task}};
    else
      out = actions;
  };
}
struct Stage {
  std::int64_t begin = 0;  // cycle
  std::vector<Action> actions;
};
/// Each stage's actions, from its cycle on; then the end of the task.
inline Script::Next staged(std::vector<Stage> stages) {
  return [stages, at = std::size_t(0)](World& world, TaskId task, std::vector<Action>& out) mutable {
    if (at == stages.size()) {
      out = {{.kind = Action::Kind::exit_task}};
      return;
    }
    const Stage& stage = stages[at++];
    const std::int64_t gap = stage.begin - world.cpu(world.task(task).cpu).now.value;
    CHECK(gap > 0, "the stages leave time for each other");
    out = stage.actions;
    out.insert(out.begin(), {.kind = Action::Kind::work, .value = std::uint64_t(gap)});
  };
}
/// The actions over and over.
inline Script::Next forever(std::vector<Action> actions) {
  return [actions](World&, TaskId, std::vector<Action>& out) { out = actions; };
}

inline Action work(std::uint64_t instructions) { return {.kind = Action::Kind::work, .value = instructions}; }
inline Action act(Action::Kind kind, std::uint32_t number = 0) { return {.kind = kind, .number = number}; }
inline Action enter_syscall() { return {.kind = Action::Kind::enter, .entry = Entry::syscall}; }
inline Action leave_syscall() { return {.kind = Action::Kind::leave, .entry = Entry::syscall}; }

inline constexpr hw::Vpn kData = 0x10000;
inline constexpr hw::Vpn kDataPages = 4096;

/// An mm with memory to write at kData.
inline MmId mm_with_data(World& world) {
  const MmId mm = world.create_mm();
  world.mm(mm).space.add_area({kData, kDataPages, true, false, 1});
  return mm;
}
inline kernel::Path writes(hw::Vpn page) { return {{kernel::PathStep::Op::write, kernel::Place::absolute, page, 0}}; }
inline Action run(const kernel::Path& path) { return {.kind = Action::Kind::path, .path = &path}; }
/// An edit that drops page kData + what.
inline Script::Edit drop_page() {
  return [](World& world, TaskId task, std::uint32_t what) {
    return world.mm(world.task(task).mm).space.unmap(kData + what, 1);
  };
}

template <typename... Arguments>
TaskId start(World& world, MmId mm, std::uint32_t cpu, Arguments&&... script) {
  return world.create_task(mm, CpuId(cpu), std::make_unique<Script>(std::forward<Arguments>(script)...));
}

/// What one CPU was charged in the measured window.
inline evidence::Ledger ledger_of(World& world, std::uint32_t cpu) {
  const auto& snapshots = world.cpu(CpuId(cpu)).snapshots;
  return snapshots.at(1).ledger - snapshots.at(0).ledger;
}

}  // namespace tollgate::world::test
