// ping-pong: two processes on one CPU. Each touches its pages, wakes the other through an eventfd, and waits for it.
#include "workload/user_space.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

using kernel::Place;

class PingPong final : public world::Program {
 public:
  PingPong(world::World& world, CpuId cpu, double instructions, hw::Vpn pages) : eventfd_(&world.path(cpu, "eventfd")) {
    const auto groups = std::size_t(pages + 7) / 8;
    const auto share = split(instructions, groups + 2);
    user_ = {fetch(Place::user_code, 0, share[0]), write(Place::user_stack, 0),
             fetch(Place::absolute, kLibrary, share[1])};
    for (hw::Vpn page = 0; page < pages; ++page) {
      if (page % 8 == 0) user_.push_back(fetch(Place::user_code, 1, share[2 + std::size_t(page) / 8]));
      user_.push_back(write(Place::user_data, page));
    }
  }
  void set_other(TaskId other) { other_ = other; }
  /// This one waits for the other first.
  void start_waiting() { waits_ = true; }

  void next(world::World&, TaskId, std::vector<Action>& actions) override {
    if (std::exchange(waits_, false))
      actions.insert(actions.end(), {enter_syscall(), run(*eventfd_), {.kind = Action::Kind::block}, leave_syscall()});
    actions.insert(actions.end(), {run(user_),
                                   enter_syscall(),
                                   run(*eventfd_),
                                   numbered(Action::Kind::wake, other_.value),
                                   leave_syscall(),
                                   finish_operation(),
                                   enter_syscall(),
                                   run(*eventfd_),
                                   {.kind = Action::Kind::block},
                                   leave_syscall()});
  }

 private:
  const kernel::Path* eventfd_;
  kernel::Path user_;
  TaskId other_;
  bool waits_ = false;
};

}  // namespace

void start_ping_pong(world::World& world, const Workload&, const DrawnWorkload& drawn) {
  const CpuId cpu{0};
  const auto pages = hw::Vpn(drawn.value("pages"));
  TaskId tasks[2];
  PingPong* programs[2];
  for (int i = 0; i < 2; ++i) {
    const MmId mm = world.create_mm();
    add_user_areas(world, mm, {.data_pages = pages + 1});
    auto program = std::make_unique<PingPong>(world, cpu, drawn.value("user_instructions"), pages);
    programs[i] = program.get();
    tasks[i] = world.create_task(mm, cpu, std::move(program));
    set_user_bases(world.task(tasks[i]));
  }
  programs[0]->set_other(tasks[1]);
  programs[1]->set_other(tasks[0]);
  programs[1]->start_waiting();
}

}  // namespace tollgate::workload
