// SmallEnvironment: a SmallWorld's side of the TLB protocols, with the mutations that lie in what a step asks of the world.
#pragma once

#include "kernel/broadcast.h"
#include "kernel/test_support/small_hardware.h"

namespace tollgate::kernel::testing {

class SmallEnvironment {
 public:
  using CpuSet = tollgate::CpuSet;

  SmallEnvironment(SmallWorld& world, CpuId id) : world_(world), id_(id), cpu_(world.cpu(id)) {}

  CpuTlbState& cpu() { return cpu_.tlb; }
  const Policy& policy() const { return world_.policy(); }
  std::uint64_t context_id(MmId mm) const { return world_.mm(mm).context_id; }
  bool needs_branch_barrier(MmId mm) const { return !world_.mm(mm).dumpable; }
  void branch_barrier() { world_.note("branch barrier"); }
  bool can_flush_other_pcid() const { return world_.setup().invpcid; }
  void flush_skipped() {
    ++world_.counts.skipped;
    world_.note("skip");
  }

  std::uint64_t load_tlb_gen(MmId mm) {
    world_.note("read gen of " + name(mm));
    return world_.mm(mm).tlb_gen;
  }
  std::uint64_t bump_tlb_gen(MmId mm) {
    world_.note("bump gen of " + name(mm));
    if (!world_.is(Mutation::gen_bumped_after_mask_read)) return ++world_.mm(mm).tlb_gen;
    cpu_.late_bump = mm;
    return world_.mm(mm).tlb_gen + 1;
  }
  void join_mask(MmId mm) {
    world_.note("join " + name(mm));
    if (!world_.is(Mutation::gen_read_before_mask_joined)) world_.mm(mm).mask.add(id_);
  }
  void leave_mask(MmId mm) {
    world_.note("leave " + name(mm));
    world_.mm(mm).mask.remove(id_);
  }
  CpuSet other_cpus_of(MmId mm) const {
    world_.note("read mask of " + name(mm));
    CpuSet others = world_.mm(mm).mask;
    others.remove(id_);
    return others;
  }
  CpuSet other_online_cpus() const {
    CpuSet others;
    for (int i = 0; i < world_.cpus(); ++i) others.add(CpuId(std::uint32_t(i)));
    others.remove(id_);
    return others;
  }

  void load_root(MmId mm, int slot, hw::NoFlush no_flush) {
    const bool recycled = cpu_.tlb.slots[std::size_t(slot)].context_id != context_id(mm);
    if (world_.is(Mutation::gen_read_before_mask_joined) && mm != kInitMm) world_.mm(mm).mask.add(id_);
    if (world_.is(Mutation::switch_never_flushes) && !recycled) no_flush = hw::NoFlush::set;
    if (world_.is(Mutation::recycled_slot_not_flushed) && recycled) no_flush = hw::NoFlush::set;
    ++(no_flush == hw::NoFlush::set ? world_.counts.kept : world_.counts.flushed_switches);
    if (mm == cpu_.tlb.loaded_mm) ++world_.counts.rechecks;
    world_.note("load " + name(mm) + " slot " + std::to_string(slot) + text(no_flush));
    write_cr3(world_, cpu_, mm, false, slot, no_flush);
  }
  void load_user_root(MmId mm, int slot, hw::NoFlush no_flush) {
    world_.note("load user " + name(mm) + " slot " + std::to_string(slot) + text(no_flush));
    if (no_flush == hw::NoFlush::clear) ++world_.counts.flushing_exits;
    if (world_.is(Mutation::exit_keeps_despite_mask)) no_flush = hw::NoFlush::set;
    write_cr3(world_, cpu_, mm, true, slot, no_flush);
  }

  void flush_slot(int slot, Whose whose) {
    ++world_.counts.full;
    world_.note("flush slot " + std::to_string(slot));
    if (world_.is(Mutation::full_flush_forgotten)) return;
    if (flushes_by_page_anyway(slot)) {
      const FlushRequest& request = current_request(whose);
      for (hw::Vpn page = 0; page < request.pages; ++page) {
        drop_page(cpu_, cpu_.pcid, request.first + page);
        if (world_.tagged()) drop_page(cpu_, user_pcid(slot), request.first + page);
      }
      return;
    }
    write_cr3(world_, cpu_, cpu_.tlb.loaded_mm, false, slot, hw::NoFlush::clear);
  }
  void flush_page(hw::Vpn vpn, const FlushRequest& request, Whose) {
    ++world_.counts.pages;
    world_.note("flush page " + std::to_string(vpn & 0xffff));
    if (world_.is(Mutation::last_page_not_flushed) && vpn + 1 == request.first + request.pages) return;
    invlpg(cpu_, vpn);
  }
  void flush_user_half_page(int slot, hw::Vpn vpn, Whose) {
    world_.note("flush user half page " + std::to_string(vpn & 0xffff));
    drop_page(cpu_, user_pcid(slot), vpn);
  }
  void flush_everything(Whose) {
    world_.note("flush everything");
    drop(cpu_, [&](const CachedPage& entry) {
      return !entry.global || !world_.is(Mutation::kernel_globals_kept_at_full_flush);
    });
  }

  void send(const CpuSet& cpus, const FlushRequest& request) {
    ++world_.counts.sends;
    world_.note("send to " + std::to_string(cpus.size()));
    std::uint32_t left = world_.is(Mutation::last_target_not_sent) ? cpus.size() - 1 : cpus.size();
    if (world_.is(Mutation::remote_flush_not_sent)) left = 0;
    cpu_.acknowledgements_due = left;
    cpus.for_each([&](CpuId target) {
      if (left == 0) return;
      --left;
      world_.cpu(target).inbox.push_back({id_, request});
    });
  }
  bool all_acknowledged() const {
    return cpu_.acknowledgements_due == 0 || world_.is(Mutation::acknowledgements_not_awaited);
  }

  void broadcast(const FlushRequest& request) {
    ++world_.counts.broadcasts;
    world_.note("broadcast");
    for (int i = 0; i < world_.cpus(); ++i) {
      SmallCpu& target = world_.cpu(CpuId(std::uint32_t(i)));
      if (request.scope == FlushRequest::Scope::kernel)
        drop(target, [&](const CachedPage& entry) {
          return request.full || (entry.page >= request.first && entry.page < request.first + request.pages);
        });
      else
        broadcast_user(target, request);
    }
  }
  void broadcast_sync() { world_.note("sync"); }

 private:
  static std::string name(MmId mm) { return "mm" + std::to_string(mm.value); }
  static std::string text(hw::NoFlush no_flush) { return no_flush == hw::NoFlush::set ? ", keep" : ", flush"; }
  const FlushRequest& current_request(Whose whose) const {
    return whose == Whose::own ? cpu_.flushing->request : cpu_.handling->request;
  }

  /// Mutations of the test that allows a flush page by page: one of its two halves is missing.
  bool flushes_by_page_anyway(int slot) const {
    const bool handled = cpu_.handling.has_value();
    const FlushRequest& request = current_request(handled ? Whose::requested : Whose::own);
    if (request.full) return false;
    const bool newest = request.new_tlb_gen == world_.mm(request.mm).tlb_gen;
    const bool next = request.new_tlb_gen == cpu_.tlb.slots[std::size_t(slot)].tlb_gen + 1;
    return (world_.is(Mutation::page_flush_despite_gap) && newest) ||
           (world_.is(Mutation::page_flush_despite_newer_gen) && next);
  }

  void broadcast_user(SmallCpu& target, const FlushRequest& request) {
    const auto invalidate = [&](int slot) {
      if (world_.is(Mutation::broadcast_to_loaded_slots_only) &&
          !(slot == target.tlb.loaded_slot && target.tlb.loaded_mm == request.mm))
        return;
      drop(target, [&](const CachedPage& entry) {
        const bool tag = !world_.tagged() || entry.pcid == kernel_pcid(slot) || entry.pcid == user_pcid(slot);
        const bool hit = request.full || (entry.page >= request.first && entry.page < request.first + request.pages);
        return !entry.global && tag && hit;
      });
    };
    receive_broadcast(target.tlb, request, context_id(request.mm), invalidate);
    if (world_.is(Mutation::broadcast_publishes_despite_gap))
      for (TlbSlot& slot : target.tlb.slots)
        if (slot.context_id == context_id(request.mm)) slot.tlb_gen = request.new_tlb_gen;
  }

  SmallWorld& world_;
  CpuId id_;
  SmallCpu& cpu_;
};

static_assert(TlbEnvironment<SmallEnvironment>);
static_assert(UserRootEnvironment<SmallEnvironment>);

}  // namespace tollgate::kernel::testing
