// References: what the MMU reports, priced and charged; faults that follow.
#include "base/check.h"
#include "world/timed/world.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;
using hw::FigureId;

bool World::reference(Cpu& cpu, hw::Reference kind, hw::Vpn vpn) {
  const hw::Access access = cpu.mmu.access(kind, vpn);
  if (watches_uses_ && access.translation != nullptr)
    staleness_.on_use({cpu.id, kind, vpn, access.translation, cpu.mmu.root()}, cpu.now);
  if (access.outcome == hw::Outcome::l1_hit) [[likely]]
    return true;
  return charge_access(cpu, kind, vpn, access);
}

bool World::charge_access(Cpu& cpu, hw::Reference kind, hw::Vpn vpn, const hw::Access& access) {
  const bool fetch = kind == hw::Reference::fetch;
  const hw::Side side = fetch ? hw::Side::instruction : hw::Side::data;
  cpu.events.add(fetch ? Event::itlb_misses : Event::dtlb_misses);
  switch (access.outcome) {
    case hw::Outcome::l1_hit:
      return true;
    case hw::Outcome::stlb_hit:
      cpu.charge(Account::stlb_hit, prices_.exposed(price(FigureId::walk_stlb_hit), side));
      return true;
    case hw::Outcome::walk: {
      cpu.events.add(fetch ? Event::itlb_walks : Event::dtlb_walks);
      const bool refill = access.cause.kind == hw::MissKind::refill;
      const bool cold = access.cause.kind == hw::MissKind::cold;
      cpu.events.add(refill ? Event::walks_refill : cold ? Event::walks_cold : Event::walks_capacity);
      charge_walk(cpu, side, access,
                  refill ? evidence::refill_account(access.cause.flush)
                  : cold ? Account::walk_cold
                         : Account::walk_capacity);
      return true;
    }
    case hw::Outcome::not_present:
      charge_walk(cpu, side, access, Account::walk_cold);
      push_fault(cpu, vpn, Action::Kind::populate);
      return false;
    case hw::Outcome::write_protected:
      if (access.fetches_near + access.fetches_far > 0) charge_walk(cpu, side, access, Account::walk_cold);
      push_fault(cpu, vpn, Action::Kind::unprotect);
      return false;
  }
  return true;
}

void World::charge_walk(Cpu& cpu, hw::Side side, const hw::Access& access, Account account) {
  cpu.events.add(Event::walk_fetches_near, access.fetches_near);
  cpu.events.add(Event::walk_fetches_far, access.fetches_far);
  const FineCycles latency = price(FigureId::walk_setup) + access.fetches_near * price(FigureId::walk_fetch_near) +
                             access.fetches_far * price(FigureId::walk_fetch_far);
  cpu.charge(account, prices_.exposed(latency, side));
}

void World::push_fault(Cpu& cpu, hw::Vpn vpn, Action::Kind service) {
  CHECK(vpn < hw::kKernelHalf, "kernel pages are always present");
  cpu.events.add(Event::page_faults);
  Routine& fault = cpu.push();
  fault.actions.push_back({.kind = Action::Kind::enter, .entry = Entry::exception});
  fault.actions.push_back({.kind = Action::Kind::path, .path = own_paths_[cpu.id.value].fault});
  fault.actions.push_back({.kind = service, .value = vpn});
  fault.actions.push_back({.kind = Action::Kind::leave, .entry = Entry::exception});
}

const kernel::Root& World::root_of(MmId id, kernel::View view) const {
  if (id == kernel::kInitMm) return init_root_;
  const Mm& mm = *mms_[id.value];
  return view == kernel::View::user ? mm.user_root : mm.kernel_root;
}

void World::load_root(Cpu& cpu, MmId id, kernel::View view, int slot, hw::NoFlush no_flush,
                      evidence::FlushCause cause) {
  const bool tagged = setup_.policy.pcid == kernel::PcidUse::on;
  const std::uint32_t pcid = !tagged                      ? 0
                             : view == kernel::View::user ? kernel::user_pcid(slot)
                                                          : kernel::kernel_pcid(slot);
  cpu.events.add(Event::cr3_writes);
  if (tagged && no_flush == hw::NoFlush::set) cpu.events.add(Event::cr3_writes_noflush);
  cpu.mmu.write_cr3(root_of(id, view), pcid, no_flush, cause);
  cpu.charge(Account::cr3_write, price(FigureId::cr3_write));
}

}  // namespace tollgate::world
