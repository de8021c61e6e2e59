#include "world/timed/tlb_environment.h"

#include "kernel/broadcast.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;
using evidence::FlushCause;
using hw::FigureId;

namespace {

FlushCause cause_of(kernel::Whose whose, kernel::FlushRequest::Scope scope = kernel::FlushRequest::Scope::user) {
  if (scope == kernel::FlushRequest::Scope::kernel) return FlushCause::kernel_range;
  return whose == kernel::Whose::own ? FlushCause::local_shootdown : FlushCause::remote_shootdown;
}

}  // namespace

// A reader needs the line from its last writer, but readers do not queue behind each other.
std::uint64_t TimedEnvironment::load_tlb_gen(MmId mm) {
  if (mm == kernel::kInitMm) return 1;
  Mm& target = world_.mm(mm);
  const Distance distance = world_.topology_.distance(target.gen_line.owner, cpu_.id);
  if (distance != Distance::own) cpu_.charge(Account::line_transfer, world_.transfer(cpu_, distance));
  return target.tlb_gen;
}

std::uint64_t TimedEnvironment::bump_tlb_gen(MmId mm) {
  Mm& target = world_.mm(mm);
  world_.touch_line(cpu_, target.gen_line);
  return ++target.tlb_gen;
}

void TimedEnvironment::join_mask(MmId mm) {
  Mm& target = world_.mm(mm);
  world_.touch_line(cpu_, target.mask_line);
  target.mask.add(cpu_.id);
}

void TimedEnvironment::leave_mask(MmId mm) {
  Mm& target = world_.mm(mm);
  world_.touch_line(cpu_, target.mask_line);
  target.mask.remove(cpu_.id);
}

CpuSet TimedEnvironment::other_cpus_of(MmId mm) const {
  CpuSet others = world_.mm(mm).mask;
  others.remove(cpu_.id);
  return others;
}

CpuSet TimedEnvironment::other_online_cpus() const {
  CpuSet others;
  for (int i = 0; i < world_.cpus(); ++i)
    if (CpuId(std::uint32_t(i)) != cpu_.id) others.add(CpuId(std::uint32_t(i)));
  return others;
}

void TimedEnvironment::branch_barrier() { cpu_.charge(Account::mitigation_ibpb, world_.price(FigureId::ibpb)); }

void TimedEnvironment::load_root(MmId mm, int slot, hw::NoFlush no_flush) {
  cpu_.events.add(Event::mm_switches);
  world_.load_root(cpu_, mm, kernel::View::kernel, slot, no_flush, FlushCause::mm_switch);
}

void TimedEnvironment::load_user_root(MmId mm, int slot, hw::NoFlush no_flush) {
  const FlushCause cause = tagged() ? FlushCause::user_flush_mask : FlushCause::exit_cr3;
  world_.load_root(cpu_, mm, kernel::View::user, slot, no_flush, cause);
}

// An address space is flushed by rewriting CR3 with its own value.
void TimedEnvironment::flush_slot(int slot, kernel::Whose whose) {
  cpu_.events.add(Event::flushes_full);
  world_.load_root(cpu_, cpu_.tlb.loaded_mm, kernel::View::kernel, slot, hw::NoFlush::clear, cause_of(whose));
}

void TimedEnvironment::flush_page(hw::Vpn vpn, const kernel::FlushRequest& request, kernel::Whose whose) {
  cpu_.events.add(Event::flushes_page);
  cpu_.mmu.invlpg(vpn, cause_of(whose, request.scope));
  cpu_.charge(Account::local_flush, world_.price(FigureId::flush_invlpg));
}

void TimedEnvironment::flush_user_half_page(int slot, hw::Vpn vpn, kernel::Whose whose) {
  cpu_.mmu.invpcid_address(kernel::user_pcid(slot), vpn, cause_of(whose));
  cpu_.charge(Account::local_flush, world_.price(FigureId::flush_invpcid_address));
}

void TimedEnvironment::flush_everything(kernel::Whose whose) {
  cpu_.events.add(Event::flushes_full);
  cpu_.mmu.invpcid_all(cause_of(whose, kernel::FlushRequest::Scope::kernel));
  const bool invpcid = world_.setup_.machine->features.invpcid;
  cpu_.charge(Account::local_flush, world_.price(invpcid ? FigureId::flush_invpcid_all : FigureId::flush_pge_toggle));
}

void TimedEnvironment::send(const CpuSet& cpus, const kernel::FlushRequest& request) {
  std::uint32_t number;
  if (world_.free_flushes_.empty()) {
    number = std::uint32_t(world_.flushes_.size());
    world_.flushes_.emplace_back();
  } else {
    number = world_.free_flushes_.back();
    world_.free_flushes_.pop_back();
  }
  world_.flushes_[number] = {request, int(cpus.size())};
  cpu_.acknowledgements_due = cpus.size();
  cpu_.events.add(Event::ipi_rounds);
  cpu_.events.add(Event::ipis, cpus.size());
  const Cycles latency(std::int64_t(world_.price(FigureId::ipi_latency) >> kFineBits));
  cpus.for_each([&](CpuId target) {
    cpu_.charge(Account::ipi_send, world_.price(FigureId::ipi_send));
    world_.post(target, {cpu_.now + latency, Message::Kind::flush, cpu_.id.value, number});
  });
}

void TimedEnvironment::broadcast_user(Cpu& target, const kernel::FlushRequest& request) {
  const FlushCause cause = cause_of(target.id == cpu_.id ? kernel::Whose::own : kernel::Whose::requested);
  const auto invalidate = [&](std::uint32_t pcid) {
    if (request.full) target.mmu.invpcid_single(pcid, cause);
    for (hw::Vpn page = 0; !request.full && page < request.pages; ++page)
      target.mmu.broadcast_address(pcid, request.first + (page << hw::pages_shift(request.stride)),
                                   hw::Mmu::Globals::keep, cause);
  };
  kernel::receive_broadcast(target.tlb, request, context_id(request.mm), [&](int slot) {
    invalidate(tagged() ? kernel::kernel_pcid(slot) : 0);
    if (isolated() && tagged()) invalidate(kernel::user_pcid(slot));
  });
}

// Kernel addresses go from every PCID, and the global ones with them.
void TimedEnvironment::broadcast_kernel(Cpu& target, const kernel::FlushRequest& request) {
  if (request.full) target.mmu.invpcid_all(FlushCause::kernel_range);
  for (hw::Vpn page = 0; !request.full && page < request.pages; ++page) {
    const hw::Vpn vpn = request.first + (page << hw::pages_shift(request.stride));
    const auto invalidate = [&](std::uint32_t pcid) {
      target.mmu.broadcast_address(pcid, vpn, hw::Mmu::Globals::drop, FlushCause::kernel_range);
    };
    if (!tagged()) invalidate(0);
    for (int slot = 0; tagged() && slot < kernel::kDynamicSlots; ++slot) {
      invalidate(kernel::kernel_pcid(slot));
      if (isolated()) invalidate(kernel::user_pcid(slot));
    }
  }
}

// The hardware invalidates everywhere at once.
void TimedEnvironment::broadcast(const kernel::FlushRequest& request) {
  for (int i = 0; i < world_.cpus(); ++i) {
    Cpu& target = world_.cpu(CpuId(std::uint32_t(i)));
    if (request.scope == kernel::FlushRequest::Scope::user)
      broadcast_user(target, request);
    else
      broadcast_kernel(target, request);
  }
  cpu_.events.add(Event::flushes_broadcast);
  const std::uint64_t instructions =
      request.full ? 1 : (request.pages + 7) / 8;  // one instruction covers up to 8 pages
  cpu_.charge(Account::local_flush, world_.price(FigureId::flush_broadcast_issue) * instructions);
}

void TimedEnvironment::broadcast_sync() {
  cpu_.charge(Account::local_flush, world_.price(FigureId::flush_broadcast_sync));
}

}  // namespace tollgate::world
