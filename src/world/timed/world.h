// World: the timed reading. N CPUs run tasks; kernel policies act; every cycle is charged.
//
// Order. The runnable CPUs stand in a queue by (clock, number). The earliest runs; it may run ahead of the next CPU by at
// most the interrupt latency, since nothing another CPU does can reach it sooner. Actions that touch variables other CPUs
// can see (masks, generations, contended lines, locks, acknowledgements) run only while it is the earliest.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "base/random.h"
#include "evidence/exposure.h"
#include "kernel/halt_poll.h"
#include "kernel/root.h"
#include "world/timed/cpu.h"
#include "world/timed/interconnect.h"
#include "world/timed/tag_allocator.h"
#include "world/timed/vm.h"

namespace tollgate::world {

struct Mm {
  Mm(const kernel::KernelMap& kernel_map, MmId mm, kernel::FrameAllocator& frames, std::uint64_t context)
      : space(mm, frames),
        kernel_root(kernel_map, &space, mm, kernel::View::kernel),
        user_root(kernel_map, &space, mm, kernel::View::user),
        context_id(context) {}

  kernel::AddressSpace space;
  kernel::Root kernel_root;
  kernel::Root user_root;
  std::uint64_t context_id;  // never reused
  std::uint64_t tlb_gen = 1;
  CpuSet mask;           // CPUs that may hold its translations
  int users = 0;         // tasks
  bool dumpable = true;  // switches to other mms need a branch barrier when not
  Line gen_line;         // the cache lines of tlb_gen and mask
  Line mask_line;
};

struct Task {
  TaskId id;
  MmId mm;
  CpuId cpu;
  std::unique_ptr<Program> program;
  Mode mode = Mode::kernel;  // with entered_from and routines: its state while it is switched out
  std::vector<Mode> entered_from;
  std::vector<Routine> routines;
  bool blocked = false;
  bool wake_pending = false;  // a wake that came before the block
  bool exited = false;
  hw::Vpn code = 0, stack = 0, data = 0;  // user bases
  std::optional<Vcpu> vcpu;               // of a task that runs one
};

struct WorldSetup {
  const hw::DrawnMachine* machine = nullptr;
  const kernel::Era* era = nullptr;
  kernel::Policy policy;
  int cpus = 1;
  double user_cpi = 1;
  double kernel_cpi = 1;
  std::uint64_t layout_seed = 0;  // where things lie: shared by all variants of a sample
  double path_scale_draw = 0.5;   // quantile of the kernel paths' instruction figures
};

/// One flush request in flight, and how many CPUs still have to serve it.
struct FlushInFlight {
  kernel::FlushRequest request;
  int users = 0;
};

class World {
 public:
  explicit World(const WorldSetup& setup);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  MmId create_mm();
  /// A task of `mm` on `cpu`, runnable from time 0. All tasks are there before the run.
  TaskId create_task(MmId mm, CpuId cpu, std::unique_ptr<Program> program);
  /// A virtual machine, on machines with VMIDs; at most kMostVms.
  VmId create_vm(const GuestLayout& layout);
  /// A task that runs a vCPU of `vm` on `cpu`. Its program's actions are those of KVM's run loop, in kernel mode.
  TaskId create_vcpu(VmId vm, CpuId cpu, std::unique_ptr<Program> program);
  Mm& mm(MmId id) { return *mms_[id.value]; }
  Task& task(TaskId id) { return *tasks_[id.value]; }
  Cpu& cpu(CpuId id) { return *cpus_[id.value]; }
  int cpus() const { return int(cpus_.size()); }
  std::uint32_t create_line();
  std::uint32_t create_lock(LockKind kind = LockKind::interrupts_on);
  const kernel::Path& path(CpuId on, const std::string& name) const;
  const kernel::Era& era() const { return *setup_.era; }
  const kernel::KernelMap& kernel_map() const { return kernel_map_; }
  const WorldSetup& setup() const { return setup_; }

  /// Measures [begin, end) on every CPU and runs until then.
  void run_window(Cycles begin, Cycles end);
  /// Runs until every task has exited; measures from 0 to the end. A program that never ends is our own mistake.
  void run_to_completion();
  /// Stops early (interrupted by the user); results are then meaningless.
  bool stopped() const { return stopped_; }

  /// After a run: the window's length, and its ledger and events over all CPUs.
  Cycles elapsed() const { return window_end_ - window_begin_; }
  evidence::Ledger ledger() const;
  evidence::EventCounts events() const;
  evidence::Exposure exposure() const;
  /// What was used after its page-table entry changed, lawfully or not. Uses are watched where several CPUs run.
  const hw::StalenessValidator& staleness() const { return staleness_; }
  /// Time in kernel mode, idle and waiting included.
  Cycles in_kernel() const;

 private:
  friend class TimedEnvironment;
  friend class TimedTagEnvironment;
  struct Runnable {
    Cycles time;
    std::uint32_t cpu;
    bool operator>(const Runnable& other) const { return std::pair(time, cpu) > std::pair(other.time, other.cpu); }
  };

  // world.cc
  void start_cpus();
  void run_until(Cycles end);
  void advance(Cpu& cpu);
  void enqueue(Cpu& cpu, Cycles time);
  bool is_earliest(const Cpu& cpu) const;
  void finish_window(Cycles end);
  FineCycles price(hw::FigureId id) const { return prices_[id]; }

  // execute.cc
  bool execute(Cpu& cpu, Routine& routine);
  void execute_at_once(Cpu& cpu, const Action& action);
  void give_up_cpu(Cpu& cpu, Routine& routine, Action::Kind how);
  void enter(Cpu& cpu, Routine& routine, const Action& action);
  void leave(Cpu& cpu, Routine& routine, const Action& action);
  void run_sequence(Cpu& cpu, const kernel::Path& path);
  bool run_path(Cpu& cpu, Routine& routine, const Action& action);
  bool run_replay(Cpu& cpu, Routine& routine, const Action& action);
  bool run_edit(Cpu& cpu, Routine& routine, const Action& action);
  bool run_protocol(Cpu& cpu, Routine& routine);
  /// How instructions are charged in a mode.
  struct Work {
    evidence::Account account;
    evidence::Event instructions;
    FineCycles cpi;
  };
  Work work_in(Mode mode) const;
  bool spend(Cpu& cpu, Routine& routine, const Work& work, std::uint64_t instructions, Cycles until);
  void wake(Cpu& cpu, TaskId task);
  static bool is_shared(const Action& action);
  bool stop_asked();

  // memory.cc
  /// One reference; false when it faulted and a fault routine was pushed.
  bool reference(Cpu& cpu, hw::Reference kind, hw::Vpn vpn);
  bool charge_access(Cpu& cpu, hw::Reference kind, hw::Vpn vpn, const hw::Access& access);
  void charge_walk(Cpu& cpu, hw::Side side, const hw::Access& access, evidence::Account account);
  void push_fault(Cpu& cpu, hw::Vpn vpn, Action::Kind service);
  void load_root(Cpu& cpu, MmId mm, kernel::View view, int slot, hw::NoFlush no_flush, evidence::FlushCause cause);
  const kernel::Root& root_of(MmId mm, kernel::View view) const;

  // interrupts.cc
  void post(CpuId target, Message message);
  void take_message(Cpu& cpu);
  void take_tick(Cpu& cpu);
  bool interrupt_due(const Cpu& cpu) const;
  Cycles next_interrupt(const Cpu& cpu) const;
  Cycles next_stop(const Cpu& cpu) const;
  void acknowledge(Cpu& cpu, std::uint32_t initiator);
  void settle(const kernel::FlushDebtState& debt, Cycles now);
  hw::EditId announce(const kernel::FlushDebtState& debt, Cycles now);

  // interconnect.cc of this folder serves these
  void touch_line(Cpu& cpu, Line& line);
  void read_line(Cpu& cpu, Line& line);
  Distance reach(const Cpu& cpu, const Line& line) const;
  FineCycles transfer(Cpu& cpu, Distance distance);
  bool take_lock(Cpu& cpu, Lock& lock);
  void release_lock(Cpu& cpu, Lock& lock);

  // schedule.cc
  bool next_routine(Cpu& cpu);
  void make_runnable(Cpu& cpu, TaskId task);
  enum class After : std::uint8_t { runnable, blocked, exited };
  void switch_out(Cpu& cpu, After after);
  void switch_in(Cpu& cpu, TaskId next);
  void wait(Cpu& cpu, evidence::Account account);
  void resume(Cpu& cpu, Cycles time);
  void resume_for_message(Cpu& cpu);
  void place_task(Cpu& cpu, const Task& task);

  // guest.cc
  bool has_tags() const { return asids_.has_value(); }
  bool load_tagged_mm(Cpu& cpu, Routine& routine);
  bool enter_guest(Cpu& cpu, Routine& routine);
  bool run_guest(Cpu& cpu, Routine& routine, const Action& action);
  void leave_guest(Cpu& cpu);
  void interrupt_guest(Cpu& cpu);
  void note_guest_time(Cpu& cpu);
  void load_vcpu(Cpu& cpu);
  void put_vcpu(Cpu& cpu);
  bool wait_vcpu(Cpu& cpu, Routine& routine);
  void give_way(Cpu& cpu);

  // observe.cc
  void observe_if_due(Cpu& cpu);
  void observe(Cpu& cpu);

  WorldSetup setup_;
  PriceList prices_;
  Topology topology_;
  kernel::KernelMap kernel_map_;
  kernel::FrameAllocator frames_;
  std::vector<std::unique_ptr<hw::Core>> cores_;
  std::vector<std::unique_ptr<Cpu>> cpus_;
  std::vector<std::unique_ptr<Mm>> mms_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::vector<std::map<std::string, kernel::Path>> paths_;  // by CPU: objects of the direct map differ
  struct OwnPaths {
    const kernel::Path *fault, *schedule, *tick;
  };
  std::vector<OwnPaths> own_paths_;  // by CPU: what the world itself runs
  struct Sequences {
    const kernel::Path *enter[3], *sysret, *iret;  // enter: by Entry
  };
  Sequences sequences_;
  kernel::Root init_root_;
  std::vector<Line> lines_;
  std::vector<Lock> locks_;
  std::optional<TagAllocator> vmids_, asids_;  // on machines with such tags
  std::deque<Vm> vms_;
  kernel::HaltPolling polling_;
  std::vector<FlushInFlight> flushes_;
  std::vector<std::uint32_t> free_flushes_;
  std::priority_queue<Runnable, std::vector<Runnable>, std::greater<>> queue_;
  Cycles lookahead_;
  Cycles horizon_ = kNever;  // how far the running CPU may go: shrinks when its actions set others going
  Cycles window_begin_{}, window_end_{kNever};
  Cycles tick_period_ = kNever;
  int live_tasks_ = 0;
  std::uint32_t polls_ = 0;
  bool started_ = false;
  bool stopped_ = false;

  // Exposure sums over observations.
  std::array<double, evidence::kMemoryKinds> mapped_sum_{}, cached_sum_{};
  std::uint64_t observations_ = 0;
  Cycles observation_period_ = kNever;

  hw::StalenessValidator staleness_{hw::Watch::announced_pages};
  bool watches_uses_ = false;  // from the first edit on, where several CPUs run
};

}  // namespace tollgate::world
