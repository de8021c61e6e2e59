#include "world/timed/tag_environment.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;
using evidence::FlushCause;
using hw::FigureId;

TimedTagEnvironment::TimedTagEnvironment(World& world, Cpu& cpu, Whose whose, std::uint32_t context)
    : world_(world),
      cpu_(cpu),
      whose_(whose),
      tags_(whose == Whose::guests ? *world.vmids_ : *world.asids_),
      context_(context) {}

Line& TimedTagEnvironment::shared_line() { return world_.locks_[tags_.lock].line; }

kernel::Tag TimedTagEnvironment::load_tag() {
  world_.read_line(cpu_, context().line);
  return context().tag;
}

void TimedTagEnvironment::store_tag(Tag tag) {
  world_.touch_line(cpu_, context().line);
  context().tag = tag;
  count(Event::vmid_allocations);
}

void TimedTagEnvironment::store_tag_index(std::uint32_t index) {
  world_.touch_line(cpu_, context().line);
  context().tag.index = index;
  count(Event::vmid_allocations);
}

void TimedTagEnvironment::store_tag_generation(std::uint32_t generation) {
  world_.touch_line(cpu_, context().line);
  context().tag.generation = generation;
}

std::uint32_t TimedTagEnvironment::load_generation() {
  world_.read_line(cpu_, shared_line());
  return tags_.generation;
}

void TimedTagEnvironment::bump_generation() {
  world_.touch_line(cpu_, shared_line());
  ++tags_.generation;
  count(Event::vmid_rollovers);
}

kernel::Tag TimedTagEnvironment::load_active() {
  world_.read_line(cpu_, own().line);
  return own().active;
}

void TimedTagEnvironment::store_active(Tag tag) {
  world_.touch_line(cpu_, own().line);
  own().active = tag;
}

kernel::Tag TimedTagEnvironment::compare_exchange_active(Tag expected, Tag desired) {
  world_.touch_line(cpu_, own().line);
  const Tag found = own().active;
  if (found == expected) own().active = desired;
  return found;
}

kernel::Tag TimedTagEnvironment::exchange_active(std::uint32_t cpu, Tag tag) {
  world_.touch_line(cpu_, tags_.slots[cpu].line);
  return std::exchange(tags_.slots[cpu].active, tag);
}

bool TimedTagEnvironment::try_lock() {
  if (!world_.take_lock(cpu_, world_.locks_[tags_.lock])) return false;
  count(Event::vmid_slow_paths);
  return true;
}

void TimedTagEnvironment::unlock() { world_.release_lock(cpu_, world_.locks_[tags_.lock]); }

kernel::Tag& TimedTagEnvironment::reserved(std::uint32_t cpu) {
  world_.read_line(cpu_, tags_.slots[cpu].line);
  return tags_.slots[cpu].reserved;
}

// Clearing the map is one store a word.
void TimedTagEnvironment::free_all_indices() {
  cpu_.charge(Account::kernel_work, world_.prices_.kernel_cpi * tags_.map.words());
  tags_.map.free_all();
}

// A synchronous call-function interrupt to every other CPU.
void TimedTagEnvironment::force_exits() {
  const Cycles latency(std::int64_t(world_.price(FigureId::ipi_latency) >> kFineBits));
  cpu_.acknowledgements_due = cpu_count() - 1;
  cpu_.events.add(Event::ipi_rounds);
  cpu_.events.add(Event::ipis, cpu_count() - 1);
  for (std::uint32_t target = 0; target < cpu_count(); ++target) {
    if (target == this_cpu()) continue;
    cpu_.charge(Account::ipi_send, world_.price(FigureId::ipi_send));
    world_.post(CpuId(target), {cpu_.now + latency, Message::Kind::force_exit, cpu_.id.value, 0});
  }
}

bool TimedTagEnvironment::all_exited() {
  if (cpu_.acknowledgements_due > 0) {
    world_.wait(cpu_, Account::ipi_wait);
    return false;
  }
  if (cpu_count() > 1) cpu_.wait_until(cpu_.last_acknowledgement, Account::ipi_wait);
  return true;
}

void TimedTagEnvironment::flush_broadcast() {
  for (std::uint32_t target = 0; target < cpu_count(); ++target)
    world_.cpu(CpuId(target)).mmu.tlbi_guests(FlushCause::vmid_rollover);
  cpu_.events.add(Event::flushes_broadcast);
  cpu_.charge(Account::local_flush, world_.price(FigureId::flush_broadcast_issue) +
                                        world_.price(FigureId::flush_broadcast_sync) +
                                        world_.price(FigureId::flush_broadcast_per_cpu) * cpu_count());
}

void TimedTagEnvironment::flush_local() {
  cpu_.events.add(Event::flushes_full);
  cpu_.mmu.tlbi_host(FlushCause::asid_rollover);
  cpu_.charge(Account::local_flush, world_.price(FigureId::flush_local_all));
}

void TimedTagEnvironment::mark_flush_pending() {
  for (auto& slots : tags_.slots) slots.flush_pending = true;
}

}  // namespace tollgate::world
