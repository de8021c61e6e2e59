// syscall-loop: will-it-scale's lseek1, a task a CPU. User side as recorded: two code pages, the stack, a library page and
// the page of the operation counter.
#include "workload/user_space.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

using kernel::Place;

class SyscallLoop final : public world::Program {
 public:
  SyscallLoop(world::World& world, CpuId cpu, double instructions) : call_(&world.path(cpu, "lseek")) {
    const auto share = split(instructions, 3);
    user_ = {fetch(Place::user_code, 0, share[0]), write(Place::user_stack, 0),
             write(Place::user_data, 0),           fetch(Place::absolute, kLibrary, share[1]),
             read(Place::user_stack, 0),           fetch(Place::user_code, 1, share[2])};
  }

  void next(world::World&, TaskId, std::vector<Action>& actions) override {
    actions.insert(actions.end(), {run(user_), enter_syscall(), run(*call_), leave_syscall(), finish_operation()});
  }

 private:
  const kernel::Path* call_;
  kernel::Path user_;
};

}  // namespace

void start_syscall_loop(world::World& world, const Workload&, const DrawnWorkload& drawn) {
  for (int i = 0; i < world.cpus(); ++i) {
    const CpuId cpu{std::uint32_t(i)};
    const MmId mm = world.create_mm();
    add_user_areas(world, mm, {});
    const TaskId task =
        world.create_task(mm, cpu, std::make_unique<SyscallLoop>(world, cpu, drawn.value("user_instructions")));
    set_user_bases(world.task(task));
  }
}

}  // namespace tollgate::workload
