#include "world/timed/interconnect.h"

#include <algorithm>

#include "base/check.h"
#include "world/timed/world.h"

namespace tollgate::world {

Topology::Topology(int cpus, const hw::Topology& machine) {
  const int threads = std::max(1, machine.threads_per_core);
  const int machine_cores = std::max(1, machine.cpus / threads);
  const int needed = (cpus + threads - 1) / threads;
  cores_ = std::uint32_t(std::max({1, needed, std::min(cpus, machine_cores)}));
  const auto sockets = std::uint32_t(std::max(1, machine.sockets));
  cores_a_socket_ = (std::max(cores_, std::uint32_t(machine_cores)) + sockets - 1) / sockets;
}

int Topology::socket_of(CpuId cpu) const { return int(core_of(cpu) / cores_a_socket_); }

Distance Topology::distance(CpuId from, CpuId to) const {
  if (!from.valid() || from == to) return Distance::own;
  return socket_of(from) == socket_of(to) ? Distance::near : Distance::far;
}

using evidence::Account;
using evidence::Event;
using hw::FigureId;

FineCycles World::transfer(Cpu& cpu, Distance distance) {
  if (distance == Distance::own) return price(FigureId::line_local);
  cpu.events.add(distance == Distance::near ? Event::line_transfers_near : Event::line_transfers_far);
  return price(distance == Distance::near ? FigureId::line_transfer_near : FigureId::line_transfer_far);
}

/// How far a write has to reach: to the owner, and to every reader whose copy it must take away.
Distance World::reach(const Cpu& cpu, const Line& line) const {
  Distance furthest = topology_.distance(line.owner, cpu.id);
  if (line.shared)
    line.readers.for_each([&](CpuId reader) { furthest = std::max(furthest, topology_.distance(reader, cpu.id)); });
  return furthest;
}

// Called in global time order: whoever comes later finds the line busy until this request has been served.
void World::touch_line(Cpu& cpu, Line& line) {
  const Distance distance = reach(cpu, line);
  if (distance == Distance::own) {
    cpu.charge(Account::kernel_work, transfer(cpu, distance));
  } else {
    cpu.wait_until(line.busy_until, Account::line_transfer);
    cpu.charge(Account::line_transfer, transfer(cpu, distance));
  }
  line.owner = cpu.id;
  line.busy_until = cpu.now;
  if (line.shared) line.readers = {};
  line.shared = false;
}

// The first reader after a write takes the line from its writer, as a request of its own; those who come after it are served
// together. A CPU that has read the line since the last write has a copy and pays nothing.
void World::read_line(Cpu& cpu, Line& line) {
  if (!line.owner.valid() || line.owner == cpu.id || (line.shared && line.readers.contains(cpu.id))) return;
  cpu.wait_until(line.busy_until, Account::line_transfer);
  cpu.charge(Account::line_transfer, transfer(cpu, topology_.distance(line.owner, cpu.id)));
  if (!line.shared) line.busy_until = cpu.now;
  line.shared = true;
  line.readers.add(cpu.id);
}

// True once the lock is held. A waiter is resumed by the release that serves it.
bool World::take_lock(Cpu& cpu, Lock& lock) {
  if (lock.holder == cpu.id && cpu.lock_granted) {
    cpu.lock_granted = false;
    cpu.wait_until(cpu.lock_granted_at,
                   Account::lock_wait);  // it may have been serving an interrupt when it was granted
    return true;
  }
  if (std::find(lock.waiters.begin(), lock.waiters.end(), cpu.id) != lock.waiters.end()) {
    wait(cpu, Account::lock_wait);
    return false;
  }
  cpu.events.add(Event::lock_acquisitions);
  ++cpu.locks;
  if (lock.kind == LockKind::interrupts_off) ++cpu.interrupts_off;
  touch_line(cpu, lock.line);
  if (!lock.holder.valid()) {
    lock.holder = cpu.id;
    return true;
  }
  cpu.events.add(Event::lock_contended);
  lock.waiters.push_back(cpu.id);
  wait(cpu, Account::lock_wait);
  return false;
}

void World::release_lock(Cpu& cpu, Lock& lock) {
  CHECK(lock.holder == cpu.id, "only the holder releases a lock");
  if (lock.line.shared)
    touch_line(cpu, lock.line);  // others have read the line meanwhile
  else
    cpu.charge(Account::kernel_work, price(FigureId::line_local));
  lock.holder = CpuId::none();
  --cpu.locks;
  if (lock.kind == LockKind::interrupts_off) --cpu.interrupts_off;
  if (lock.waiters.empty()) return;
  Cpu& next = this->cpu(lock.waiters.front());
  lock.waiters.pop_front();
  lock.holder = next.id;
  next.lock_granted = true;
  const FineCycles handover = transfer(next, topology_.distance(cpu.id, next.id));
  next.lock_granted_at = cpu.now + Cycles(std::int64_t(handover >> kFineBits));
  lock.line.owner = next.id;
  lock.line.busy_until = std::max(lock.line.busy_until, next.lock_granted_at);
  if (next.waiting) resume(next, std::max(next.now, next.lock_granted_at));
}

}  // namespace tollgate::world
