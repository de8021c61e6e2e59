// replay: what a build does with a recorded program. Each CPU forks a child from a small parent, the child executes the
// program in a new mm, its recording is replayed with the faults and system calls it takes, and it exits.
#include "workload/user_space.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

constexpr hw::Vpn kParentPages = 200;           // resident pages of a shell: what fork shares
constexpr std::uint64_t kChunkSteps = 1 << 16;  // between looks at the clock when there are no system calls

class Replay final : public world::Program {
 public:
  Replay(world::World& world, CpuId cpu, std::shared_ptr<const Recording> recording, int jobs,
         double syscalls_per_minsn)
      : recording_(std::move(recording)),
        fork_(&world.path(cpu, "fork")),
        exec_(&world.path(cpu, "exec")),
        exit_(&world.path(cpu, "exit")),
        syscall_(&world.path(cpu, "syscall")),
        jobs_(jobs),
        instructions_a_call_(syscalls_per_minsn > 0 ? std::uint64_t(1e6 / syscalls_per_minsn) : 0) {
    for (hw::Vpn page = 0; page < kParentPages; ++page)
      parent_work_.push_back(write(kernel::Place::absolute, kData + page));
    parent_work_.push_back(fetch(kernel::Place::user_code, 0, 20000));
  }

  void next(world::World&, TaskId, std::vector<Action>& actions) override {
    if (stage_ == Stage::start) {
      start_job(actions);
    } else if (at_ < recording_->steps.size()) {
      replay_chunk(actions);
    } else {
      finish_job(actions);
    }
  }

  kernel::FlushDebt edit(world::World& world, TaskId task, std::uint32_t what) override {
    world::Task& self = world.task(task);
    switch (what) {
      case kFork: {
        parent_ = self.mm;
        self.mm = world.create_mm();
        return world.mm(parent_).space.share_with(world.mm(self.mm).space);
      }
      case kExec: {
        const MmId old = self.mm;
        self.mm = world.create_mm();
        auto& space = world.mm(self.mm).space;
        for (const kernel::Area& area : recording_->areas) space.add_area(area);
        return world.mm(old).space.clear();
      }
      default: {
        const MmId old = self.mm;
        self.mm = parent_;
        return world.mm(old).space.clear();
      }
    }
  }

 private:
  enum : std::uint32_t { kFork, kExec, kExit };
  enum class Stage { start, replaying };

  static Action switch_mm() { return {.kind = Action::Kind::switch_mm}; }

  void start_job(std::vector<Action>& actions) {
    if (jobs_-- == 0) {
      actions.insert(actions.end(), {enter_syscall(), {.kind = Action::Kind::exit_task}});
      return;
    }
    actions.insert(actions.end(),
                   {run(parent_work_), enter_syscall(), run(*fork_), numbered(Action::Kind::edit, kFork), switch_mm(),
                    run(*exec_), numbered(Action::Kind::edit, kExec), switch_mm(), leave_syscall()});
    stage_ = Stage::replaying;
    at_ = 0;
  }

  // Steps up to the next system call, whose place follows from the instructions made so far.
  void replay_chunk(std::vector<Action>& actions) {
    const std::span<const world::ReplayStep> steps = recording_->steps;
    const std::size_t begin = at_;
    std::uint64_t instructions = 0;
    const std::uint64_t limit = instructions_a_call_;
    while (at_ < steps.size() && at_ - begin < kChunkSteps && (limit == 0 || since_call_ + instructions < limit))
      instructions += steps[at_++].instructions();
    actions.push_back({.kind = Action::Kind::replay, .replay = steps.subspan(begin, at_ - begin)});
    since_call_ += instructions;
    if (limit == 0 || since_call_ < limit) return;
    since_call_ = 0;
    actions.insert(actions.end(), {enter_syscall(), run(*syscall_), leave_syscall()});
  }

  void finish_job(std::vector<Action>& actions) {
    actions.insert(actions.end(), {enter_syscall(), run(*exit_), numbered(Action::Kind::edit, kExit), switch_mm(),
                                   leave_syscall(), finish_operation()});
    stage_ = Stage::start;
  }

  std::shared_ptr<const Recording> recording_;
  const kernel::Path *fork_, *exec_, *exit_, *syscall_;
  kernel::Path parent_work_;
  int jobs_;
  std::uint64_t instructions_a_call_;
  std::uint64_t since_call_ = 0;
  Stage stage_ = Stage::start;
  std::size_t at_ = 0;
  MmId parent_;
};

}  // namespace

void start_replay(world::World& world, const Workload& workload, const DrawnWorkload& drawn) {
  for (int i = 0; i < world.cpus(); ++i) {
    const CpuId cpu{std::uint32_t(i)};
    const MmId mm = world.create_mm();
    add_user_areas(world, mm, {.data_pages = kParentPages});
    const TaskId task =
        world.create_task(mm, cpu,
                          std::make_unique<Replay>(world, cpu, workload.recording, int(drawn.value("jobs")),
                                                   drawn.value("syscalls_per_minsn")));
    set_user_bases(world.task(task));
  }
}

}  // namespace tollgate::workload
