// tlb-flush: will-it-scale's tlb_flush2 as threads. Each maps 1 MiB of anonymous memory and for every page writes it, drops
// it with madvise(MADV_DONTNEED), reads it again; then unmaps the lot. All threads share the mm: its reader count is one
// contended line, the page lists one contended lock, and every drop is a shootdown of every thread's CPU.
#include "workload/user_space.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

using kernel::Place;

constexpr hw::Vpn kPages = 256;         // 1 MiB
constexpr hw::Vpn kThreadStride = 512;  // each thread's memory has its own page table

struct Shared {
  std::uint32_t mmap_line = 0;  // the count of mmap_sem
  std::uint32_t lru_lock = 0;
  int lru_locks_per_op = 0;
  double lru_hold = 0;
};

class TlbFlush final : public world::Program {
 public:
  TlbFlush(world::World& world, CpuId cpu, const Shared& shared, double instructions, hw::Vpn base)
      : madvise_(&world.path(cpu, "madvise")),
        mmap_(&world.path(cpu, "mmap")),
        munmap_(&world.path(cpu, "munmap")),
        shared_(shared),
        halves_(split(instructions, 2)),
        base_(base) {}

  void next(world::World&, TaskId, std::vector<Action>& actions) override {
    if (page_ == kPages) {
      page_ = 0;
      actions.insert(actions.end(),
                     {enter_syscall(), line(), run(*munmap_), numbered(Action::Kind::edit, kUnmapAll), line(),
                      leave_syscall(), enter_syscall(), line(), run(*mmap_), line(), leave_syscall()});
      return;
    }
    const hw::Vpn page = base_ + page_;
    write_ = {fetch(Place::user_code, 0, halves_[0]), write_to(page)};
    read_ = {fetch(Place::user_code, 0, halves_[1]), read(Place::absolute, page)};
    actions.push_back(run(write_));
    actions.insert(actions.end(), {enter_syscall(), line(), run(*madvise_)});
    for (int i = 0; i < shared_.lru_locks_per_op; ++i)
      actions.insert(actions.end(), {numbered(Action::Kind::lock, shared_.lru_lock),
                                     {.kind = Action::Kind::work, .value = std::uint64_t(shared_.lru_hold)},
                                     numbered(Action::Kind::unlock, shared_.lru_lock)});
    actions.insert(actions.end(),
                   {numbered(Action::Kind::edit, kDropPage), line(), leave_syscall(), run(read_), finish_operation()});
    ++page_;
  }
  kernel::FlushDebt edit(world::World& world, TaskId task, std::uint32_t what) override {
    auto& space = world.mm(world.task(task).mm).space;
    return what == kDropPage ? space.unmap(base_ + page_ - 1, 1) : space.unmap(base_, kPages);
  }

 private:
  enum : std::uint32_t { kDropPage, kUnmapAll };
  static kernel::PathStep write_to(hw::Vpn page) { return write(Place::absolute, page); }
  Action line() const { return numbered(Action::Kind::line, shared_.mmap_line); }

  const kernel::Path* madvise_;
  const kernel::Path* mmap_;
  const kernel::Path* munmap_;
  Shared shared_;
  std::vector<std::uint32_t> halves_;  // of an operation's user instructions
  hw::Vpn base_;
  hw::Vpn page_ = 0;
  kernel::Path write_, read_;
};

}  // namespace

void start_tlb_flush(world::World& world, const Workload&, const DrawnWorkload& drawn) {
  const MmId mm = world.create_mm();
  add_user_areas(world, mm, {});
  const Shared shared{world.create_line(), world.create_lock(world::LockKind::interrupts_off),
                      int(drawn.value("lru_locks_per_op")), drawn.value("lru_hold")};
  const int threads = std::min(world.cpus(), int(drawn.value("threads")));
  for (int i = 0; i < threads; ++i) {
    const CpuId cpu{std::uint32_t(i)};
    const hw::Vpn base = kData + kThreadStride * hw::Vpn(i + 1);
    world.mm(mm).space.add_area({base, kPages, true, false, 1});
    set_user_bases(world.task(world.create_task(
        mm, cpu, std::make_unique<TlbFlush>(world, cpu, shared, drawn.value("user_instructions"), base))));
  }
}

}  // namespace tollgate::workload
