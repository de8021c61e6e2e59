// Action, Routine, Program: what a CPU is told to do. A program (the workload) hands out routines for its task; faults,
// interrupts and switches push routines of their own on top.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "base/cpu_set.h"
#include "base/cycles.h"
#include "hw/staleness.h"
#include "kernel/era.h"
#include "kernel/exit_to_user.h"
#include "kernel/shootdown.h"
#include "kernel/tag_bitmap.h"
#include "kernel/tag_counter.h"
#include "world/timed/cpu_range.h"

namespace tollgate::world {

enum class Mode : std::uint8_t { user, kernel, guest };
enum class Entry : std::uint8_t { syscall, exception, interrupt };

/// One reference of a replayed program, packed: page, kind and the instructions fetched from it.
class ReplayStep {
 public:
  ReplayStep(hw::Vpn vpn, hw::Reference reference, std::uint32_t instructions)
      : bits_(vpn | std::uint64_t(reference) << 37 | std::uint64_t(instructions) << 39) {}
  static constexpr std::uint32_t kMaxInstructions = (1u << 25) - 1;
  hw::Vpn vpn() const { return bits_ & hw::kVpnMask; }
  hw::Reference reference() const { return static_cast<hw::Reference>(bits_ >> 37 & 3); }
  std::uint32_t instructions() const { return static_cast<std::uint32_t>(bits_ >> 39); }

 private:
  std::uint64_t bits_;
};

struct Action {
  enum class Kind : std::uint8_t {
    enter,            // into the kernel by `entry`
    leave,            // back to where the matching enter came from
    path,             // the steps of `path`, in the CPU's mode
    replay,           // the user references of `replay`
    populate,         // serve a not-present fault on page `value`
    unprotect,        // serve a write fault on page `value`, and flush
    edit,             // let the program edit its address space (Program::edit of `number`), and flush what that owes
    handle_flush,     // serve flush request `number`
    acknowledge,      // tell CPU `number` that its request was served
    begin_interrupt,  // the handler's generic work
    switch_mm,        // load the running task's mm
    line,             // a locked operation on contended line `number`
    lock,             // take lock `number`
    unlock,
    work,              // `value` instructions that touch no new page
    wake,              // make task `number` runnable
    block,             // stop until woken
    yield,             // let another task run
    finish_operation,  // count one operation of the workload
    exit_task,
    synchronise,  // go on when no other CPU is behind: what follows looks at what others do
    enter_guest,  // bring the VM's VMID up to date, then run the vCPU in its guest process `number`
    run_guest,    // the steps of `path`, then `value` cycles of the guest's own work
    leave_guest,  // for a reason of the guest's own
    load_vcpu,    // its registers, when its task gets the CPU
    put_vcpu,     // and when it loses it
    wait_vcpu,    // WFI: poll for a while, then block until woken
  };
  Kind kind = Kind::work;
  Entry entry = Entry::syscall;
  std::uint32_t number = 0;
  std::uint64_t value = 0;
  const kernel::Path* path = nullptr;
  std::span<const ReplayStep> replay = {};
};

/// Actions in order, and how far they are done.
struct Routine {
  std::vector<Action> actions;
  std::size_t at = 0;
  std::size_t cursor = 0;   // inside the current action
  std::uint64_t spent = 0;  // instructions of the current step or work already charged
  bool interrupt = false;   // runs with interrupts off to its end
  hw::EditId edit = {};     // of an edit whose shootdown runs
  std::variant<std::monostate, kernel::SwitchMm, kernel::FlushHandler, kernel::Shootdown<CpuSet>, kernel::CounterUpdate,
               kernel::BitmapUpdate<CpuRange>>
      protocol;

  void clear() {
    actions.clear();
    at = cursor = spent = 0;
    interrupt = false;
    protocol = std::monostate{};
  }
  void next() {
    ++at;
    cursor = spent = 0;
    protocol = std::monostate{};
  }
};

class World;

/// A task's program. Contract: `next` appends at least one action; its address space changes only in `edit`.
class Program {
 public:
  virtual ~Program() = default;
  virtual void next(World& world, TaskId task, std::vector<Action>& actions) = 0;
  /// Serves an `edit` action. What it returns is flushed before the next action.
  virtual kernel::FlushDebt edit(World& world, TaskId task, std::uint32_t what);
};

}  // namespace tollgate::world
