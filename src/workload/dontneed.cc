// dontneed: one thread touches a page and gives it back with madvise(MADV_DONTNEED), over and over. The other threads of
// its process spin in user mode, so each of their CPUs must be told.
#include "workload/user_space.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

using kernel::Place;

class DontNeed final : public world::Program {
 public:
  DontNeed(world::World& world, CpuId cpu, double instructions) : madvise_(&world.path(cpu, "madvise")) {
    user_ = {fetch(Place::user_code, 0, split(instructions, 1)[0]), write(Place::user_stack, 0),
             write(Place::user_data, 0)};
  }
  void next(world::World&, TaskId, std::vector<Action>& actions) override {
    actions.insert(actions.end(), {run(user_), enter_syscall(), run(*madvise_), numbered(Action::Kind::edit, 0),
                                   leave_syscall(), finish_operation()});
  }
  kernel::FlushDebt edit(world::World& world, TaskId task, std::uint32_t) override {
    return world.mm(world.task(task).mm).space.unmap(kData, 1);
  }

 private:
  const kernel::Path* madvise_;
  kernel::Path user_;
};

class Spin final : public world::Program {
 public:
  void next(world::World&, TaskId, std::vector<Action>& actions) override { actions.push_back(run(loop_)); }

 private:
  kernel::Path loop_ = {fetch(Place::user_code, 2, 200), read(Place::user_data, 2)};
};

}  // namespace

void start_dontneed(world::World& world, const Workload&, const DrawnWorkload& drawn) {
  const MmId mm = world.create_mm();
  add_user_areas(world, mm, {});
  const int threads = std::min(world.cpus(), int(drawn.value("threads")));
  for (int i = 0; i < threads; ++i) {
    const CpuId cpu{std::uint32_t(i)};
    std::unique_ptr<world::Program> program;
    if (i == 0)
      program = std::make_unique<DontNeed>(world, cpu, drawn.value("user_instructions"));
    else
      program = std::make_unique<Spin>();
    set_user_bases(world.task(world.create_task(mm, cpu, std::move(program))));
  }
}

}  // namespace tollgate::workload
