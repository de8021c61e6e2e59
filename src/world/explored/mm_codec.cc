// The canonical form of an MmState: the least byte string over every renaming of CPUs, mms and pages.
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/check.h"
#include "world/explored/bit_packer.h"
#include "world/explored/mm_model.h"

namespace tollgate::explored {
namespace {

constexpr unsigned kVersionBits = 4;
constexpr std::uint32_t kNoMm = 3;

/// New names by old ones, and back.
struct Names {
  std::array<std::uint8_t, kMostMmCpus> cpu_at{}, place_of_cpu{};
  std::array<std::uint8_t, kMostMms> mm_at{}, place_of_mm{};
  bool pages_swapped = false;
  std::size_t page(std::size_t at) const { return pages_swapped ? kPages - 1 - at : at; }
};

/// One pass over all fields: `field(value, bits)` with a BitWriter stores them. The reader mirrors it below.
template <typename Sink>
class Packer {
 public:
  Packer(Sink& sink, const MmSetting& setting, const Names& names) : sink_(sink), setting_(setting), names_(names) {}

  void pack(const MmState& state) {
    for (std::uint32_t at = 0; at < setting_.cpus; ++at) pack_cpu(state.cpus[names_.cpu_at[at]]);
    for (std::uint32_t at = 0; at <= setting_.mms; ++at) {
      const Mm& mm = state.mms[names_.mm_at[at]];
      sink_.put(mm.tlb_gen, kVersionBits);
      put_set(mm.mask);
      for (std::size_t page = 0; page < kPages; ++page) {
        sink_.put(mm.version[names_.page(page)], kVersionBits);
        sink_.put(mm.settled[names_.page(page)], kVersionBits);
      }
    }
    sink_.put(state.edits, kVersionBits);
  }

 private:
  void put_mm(MmId mm) { sink_.put(mm.valid() ? names_.place_of_mm[mm.value] : kNoMm, 2); }
  void put_cpu(std::uint8_t cpu_plus_one) {
    sink_.put(cpu_plus_one == 0 ? 0 : names_.place_of_cpu[cpu_plus_one - 1u] + 1u, 2);
  }
  void put_set(SmallCpuSet set) {
    for (std::uint32_t at = 0; at < setting_.cpus; ++at) sink_.put(set.contains(names_.cpu_at[at]), 1);
  }
  void put_request(const kernel::FlushRequest& request) {
    put_mm(request.mm);
    sink_.put(std::uint32_t(request.full), 1);
    sink_.put(std::uint32_t(request.pages), 1);
    sink_.put(request.pages == 0 ? 0 : std::uint32_t(names_.page(request.first)), 1);
    sink_.put(std::uint32_t(request.new_tlb_gen), kVersionBits);
  }
  void put_switch(const kernel::SwitchMm& leave) {
    put_mm(leave.next);
    sink_.put(std::uint32_t(leave.label), 3);
    sink_.put(std::uint32_t(leave.next_gen), kVersionBits);
  }
  void put_handler(const kernel::FlushHandler& handler) {
    put_request(handler.request);
    sink_.put(std::uint32_t(handler.whose), 1);
    sink_.put(std::uint32_t(handler.label), 3);
    sink_.put(std::uint32_t(handler.mm_gen), kVersionBits);
    put_switch(handler.leave);
  }
  void put_shootdown(const MmCpu& cpu) {
    const auto& flushing = cpu.flushing;
    put_mm(flushing.debt.mm);
    sink_.put(std::uint32_t(flushing.debt.pages), 1);
    sink_.put(flushing.debt.pages == 0 ? 0 : std::uint32_t(names_.page(flushing.debt.first)), 1);
    sink_.put(std::uint32_t(flushing.label), 3);
    put_request(flushing.request);
    put_set(flushing.targets);
    put_handler(flushing.own);
    sink_.put(flushing.sent, 1);
    sink_.put(std::uint32_t(cpu.edited_version == 0 ? 0 : names_.page(cpu.edited_page)), 1);
    sink_.put(cpu.edited_version, kVersionBits);
  }
  void put_tlb(const MmCpu& cpu) {
    put_mm(cpu.tlb.loaded_mm);
    sink_.put(cpu.tlb.loaded_slot, 3);
    sink_.put(cpu.tlb.next_slot, 3);
    sink_.put(cpu.tlb.user_flush_mask, kernel::kDynamicSlots);
    sink_.put(cpu.tlb.is_lazy, 1);
    for (std::size_t slot = 0; slot < kernel::kDynamicSlots; ++slot) {
      const kernel::TlbSlot& held = cpu.tlb.slots[slot];
      sink_.put(held.context_id == 0 ? 0 : names_.place_of_mm[held.context_id - 1] + 1u, 3);
      sink_.put(std::uint32_t(held.tlb_gen), kVersionBits);
      for (const auto& half : cpu.cached[slot])
        for (std::size_t page = 0; page < kPages; ++page) {
          const CachedPage& entry = half[names_.page(page)];
          sink_.put(entry.version == 0 ? 0 : names_.place_of_mm[entry.mm], 2);
          sink_.put(entry.version, kVersionBits);
        }
    }
  }
  void pack_cpu(const MmCpu& cpu) {
    put_tlb(cpu);
    sink_.put(std::uint32_t(cpu.half), 1);
    sink_.put(std::uint32_t(cpu.doing), 2);
    put_switch(cpu.switching);
    sink_.put(std::uint32_t(cpu.exiting.label), 2);
    put_shootdown(cpu);
    for (std::uint32_t at = 0; at < setting_.cpus; ++at) put_request(cpu.inbox[names_.cpu_at[at]]);
    put_set(cpu.senders);
    put_cpu(cpu.handling);
    put_handler(cpu.handler);
    put_set(cpu.acknowledgements_due);
  }

  Sink& sink_;
  const MmSetting& setting_;
  const Names& names_;
};

class Unpacker {
 public:
  Unpacker(BitReader& reader, const MmSetting& setting) : reader_(reader), setting_(setting) {}

  MmState unpack() {
    MmState state;
    for (std::uint32_t at = 0; at < setting_.cpus; ++at) unpack_cpu(state.cpus[at]);
    for (std::uint32_t at = 0; at <= setting_.mms; ++at) {
      Mm& mm = state.mms[at];
      mm.tlb_gen = byte(kVersionBits);
      mm.mask = set();
      for (std::size_t page = 0; page < kPages; ++page) {
        mm.version[page] = byte(kVersionBits);
        mm.settled[page] = byte(kVersionBits);
      }
    }
    state.edits = byte(kVersionBits);
    return state;
  }

 private:
  std::uint8_t byte(unsigned bits) { return std::uint8_t(reader_.get(bits)); }
  MmId mm() {
    const std::uint32_t value = reader_.get(2);
    return value == kNoMm ? MmId::none() : MmId(value);
  }
  SmallCpuSet set() { return {byte(setting_.cpus)}; }
  kernel::FlushRequest request() {
    kernel::FlushRequest request;
    request.mm = mm();
    request.full = reader_.get(1) != 0;
    request.pages = reader_.get(1);
    request.first = reader_.get(1);
    request.new_tlb_gen = reader_.get(kVersionBits);
    return request;
  }
  kernel::SwitchMm switch_mm() {
    kernel::SwitchMm leave;
    leave.next = mm();
    leave.label = kernel::SwitchMm::Label(reader_.get(3));
    leave.next_gen = reader_.get(kVersionBits);
    return leave;
  }
  kernel::FlushHandler handler() {
    kernel::FlushHandler handler;
    handler.request = request();
    handler.whose = kernel::Whose(reader_.get(1));
    handler.label = kernel::FlushHandler::Label(reader_.get(3));
    handler.mm_gen = reader_.get(kVersionBits);
    handler.leave = switch_mm();
    return handler;
  }
  void shootdown(MmCpu& cpu) {
    auto& flushing = cpu.flushing;
    flushing.debt.mm = mm();
    flushing.debt.pages = reader_.get(1);
    flushing.debt.first = reader_.get(1);
    flushing.label = kernel::Shootdown<SmallCpuSet>::Label(reader_.get(3));
    flushing.request = request();
    flushing.targets = set();
    flushing.own = handler();
    flushing.sent = reader_.get(1) != 0;
    cpu.edited_page = byte(1);
    cpu.edited_version = byte(kVersionBits);
  }
  void tlb(MmCpu& cpu) {
    cpu.tlb.loaded_mm = mm();
    cpu.tlb.loaded_slot = byte(3);
    cpu.tlb.next_slot = byte(3);
    cpu.tlb.user_flush_mask = byte(kernel::kDynamicSlots);
    cpu.tlb.is_lazy = reader_.get(1) != 0;
    for (std::size_t slot = 0; slot < kernel::kDynamicSlots; ++slot) {
      cpu.tlb.slots[slot].context_id = reader_.get(3);
      cpu.tlb.slots[slot].tlb_gen = reader_.get(kVersionBits);
      for (auto& half : cpu.cached[slot])
        for (CachedPage& entry : half) {
          entry.mm = byte(2);
          entry.version = byte(kVersionBits);
        }
    }
  }
  void unpack_cpu(MmCpu& cpu) {
    tlb(cpu);
    cpu.half = Half(reader_.get(1));
    cpu.doing = Doing(reader_.get(2));
    cpu.switching = switch_mm();
    cpu.exiting.label = kernel::ExitToUser::Label(reader_.get(2));
    shootdown(cpu);
    for (std::uint32_t at = 0; at < setting_.cpus; ++at) cpu.inbox[at] = request();
    cpu.senders = set();
    cpu.handling = byte(2);
    cpu.handler = handler();
    cpu.acknowledgements_due = set();
  }

  BitReader& reader_;
  const MmSetting& setting_;
};

Names first_names() {
  Names names;
  std::iota(names.cpu_at.begin(), names.cpu_at.end(), std::uint8_t{0});
  std::iota(names.mm_at.begin(), names.mm_at.end(), std::uint8_t{0});
  names.place_of_cpu = names.cpu_at;
  names.place_of_mm = names.mm_at;
  return names;
}

bool next_names(Names& names, const MmSetting& setting) {
  names.pages_swapped = !names.pages_swapped;
  const bool carry = !names.pages_swapped;
  bool more = !carry || std::next_permutation(names.mm_at.begin() + 1, names.mm_at.begin() + 1 + setting.mms) ||
              std::next_permutation(names.cpu_at.begin(), names.cpu_at.begin() + setting.cpus);
  for (std::uint8_t at = 0; at < kMostMms; ++at) names.place_of_mm[names.mm_at[at]] = at;
  for (std::uint8_t at = 0; at < kMostMmCpus; ++at) names.place_of_cpu[names.cpu_at[at]] = at;
  return more;
}

}  // namespace

MmModel::MmModel(const MmSetting& setting, MmHooks hooks) : setting_(setting), hooks_(hooks) {
  BitCounter counter;
  const Names names = first_names();
  Packer<BitCounter>(counter, setting_, names).pack(initial());
  bytes_ = counter.bytes();
}

void MmModel::encode(const State& state, std::span<std::uint8_t> out) const {
  std::array<std::uint8_t, 512> other;
  CHECK(bytes_ <= other.size(), "a state of this model is longer than its buffer");
  Names names = first_names();
  bool first = true;
  do {
    BitWriter writer(first ? out : std::span(other).first(bytes_));
    Packer<BitWriter>(writer, setting_, names).pack(state);
    writer.finish();
    if (!first && std::memcmp(other.data(), out.data(), bytes_) < 0) std::memcpy(out.data(), other.data(), bytes_);
    first = false;
  } while (next_names(names, setting_));
}

MmModel::State MmModel::decode(std::span<const std::uint8_t> in) const {
  BitReader reader(in);
  return Unpacker(reader, setting_).unpack();
}

}  // namespace tollgate::explored
