// The canonical form of a VcpuState, and back. One form stands for all states that differ only in names:
//
// - CPUs: every order is tried, and the least string wins.
// - vCPUs are sorted by everything the state says of them; nothing relates two of them, so equal keys are equal vCPUs.
// - Generations, unless they are bounded. A vCPU's is compared with that of the CPU it last ran on and of no other, since moving
//   makes it forget. That CPU's only grows. So an ASID is either current there or will never be; the current generation is
//   called 1 everywhere, and an ASID that is not current is forgotten. (Where moving does not make it forget, numbers
//   of two CPUs are compared, and the exploration must be bounded.)
#include <algorithm>
#include <bit>
#include <numeric>

#include "base/check.h"
#include "world/explored/bit_packer.h"
#include "world/explored/vcpu_model.h"

namespace tollgate::explored {
namespace {

using CpuOrder = std::array<std::uint8_t, kMostVcpuCpus>;  // canonical place -> CPU
using kernel::kNeverRan;
using kernel::SvmVcpu;

constexpr unsigned kPlaceBits = 3;  // 0, or a place + 1
constexpr std::size_t kMostBytes = 64;

/// All the state says of a vCPU. CPUs are named by their place.
struct VcpuRecord {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  std::uint32_t last = 0;    // where it last ran: the place + 1
  std::uint32_t loaded = 0;  // where it is loaded: the place + 1
  std::uint32_t flush = 0;
  std::uint32_t watched = 0;
  auto operator<=>(const VcpuRecord&) const = default;
};

struct Layout {
  const VcpuSetting& setting;
  unsigned index_bits = std::bit_width(setting.asids + 1);
  unsigned generation_bits = setting.most_generations == 0 ? 1 : std::bit_width(setting.most_generations + 1);

  template <typename Sink>
  void put(Sink& sink, const VcpuRecord& record) const {
    sink.put(record.index, index_bits);
    sink.put(record.generation, generation_bits);
    sink.put(record.last, kPlaceBits);
    sink.put(record.loaded, kPlaceBits);
    sink.put(record.flush, 1);
    sink.put(record.watched, 1);
  }

  template <typename Sink>
  void put_cpu(Sink& sink, const VcpuCpu& cpu) const {
    sink.put(std::uint32_t(cpu.phase), 3);
    sink.put(std::uint32_t(cpu.update.label), 3);
    sink.put(cpu.asids.next, index_bits);
    sink.put(cpu.asids.generation, generation_bits);
  }

  template <typename Sink>
  void put_state(Sink& sink, const VcpuState& state, const CpuOrder& order) const {
    CpuOrder place_of{};
    for (std::uint32_t place = 0; place < setting.cpus; ++place) place_of[order[place]] = std::uint8_t(place);
    const WatchedEntry& watched = state.watched;
    sink.put(watched.cpu == kNoCpu ? 0 : place_of[watched.cpu] + 1u, kPlaceBits);
    sink.put(watched.index, index_bits);
    sink.put(watched.clash, 1);
    for (std::uint32_t place = 0; place < setting.cpus; ++place) put_cpu(sink, state.cpus[order[place]]);
    std::array<VcpuRecord, kMostVcpus> records;
    for (std::uint32_t vcpu = 0; vcpu < setting.vcpus; ++vcpu) {
      records[vcpu] = record_of(state, place_of, vcpu);
      for (std::uint32_t to = vcpu; to > 0 && records[to] < records[to - 1]; --to)
        std::swap(records[to], records[to - 1]);
    }
    for (std::uint32_t at = 0; at < setting.vcpus; ++at) put(sink, records[at]);
  }

  VcpuRecord record_of(const VcpuState& state, const CpuOrder& place_of, std::uint32_t vcpu) const {
    const SvmVcpu& of = state.vcpus[vcpu];
    VcpuRecord record{of.tag.index, of.tag.generation};
    if (of.last_cpu != kNeverRan) record.last = place_of[of.last_cpu] + 1u;
    for (std::uint32_t cpu = 0; cpu < setting.cpus; ++cpu)
      if (state.cpus[cpu].vcpu == vcpu) record.loaded = place_of[cpu] + 1u;
    record.flush = of.flush_at_entry;
    record.watched = state.watched.cpu != kNoCpu && state.watched.context == vcpu;
    return record;
  }
};

/// Whether a CPU is about to give the vCPU an ASID and has noted already that it runs there.
bool is_noted(const VcpuSetting& setting, const VcpuState& state, std::uint32_t vcpu) {
  return std::any_of(state.cpus.begin(), state.cpus.begin() + setting.cpus, [&](const VcpuCpu& cpu) {
    return cpu.vcpu == vcpu && cpu.phase == Phase::updating &&
           cpu.update.label != kernel::SvmAsidUpdate::Label::notice_move;
  });
}

void rename_generations(const VcpuSetting& setting, VcpuState& state) {
  for (std::uint32_t number = 0; number < setting.vcpus; ++number) {
    SvmVcpu& vcpu = state.vcpus[number];
    const bool current =
        vcpu.last_cpu != kNeverRan && vcpu.tag.generation == state.cpus[vcpu.last_cpu].asids.generation;
    vcpu.tag = current ? kernel::Tag{kernel::kFirstGeneration, vcpu.tag.index} : kernel::kNoTag;
    if (!current && !is_noted(setting, state, number)) vcpu.last_cpu = kNeverRan;
  }
  for (VcpuCpu& cpu : state.cpus) cpu.asids.generation = kernel::kFirstGeneration;
}

CpuOrder first_order() {
  CpuOrder order;
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  return order;
}

}  // namespace

VcpuModel::VcpuModel(const VcpuSetting& setting, VcpuHooks hooks) : setting_(setting), hooks_(hooks) {
  CHECK(setting.migration == kernel::SvmMigration::forget || setting.most_generations > 0,
        "generations of two CPUs are compared, so they cannot be renamed");
  BitCounter counter;
  Layout{setting_}.put_state(counter, State{}, first_order());
  bytes_ = counter.bytes();
  CHECK(bytes_ <= kMostBytes, "a state of vCPUs fits the buffer in which orders are compared");
}

void VcpuModel::encode(const State& original, std::span<std::uint8_t> out) const {
  State state = original;
  if (setting_.most_generations == 0) rename_generations(setting_, state);
  std::array<std::uint8_t, kMostBytes> bytes{};
  CpuOrder order = first_order();
  bool first = true;
  do {
    BitWriter writer(bytes);
    Layout{setting_}.put_state(writer, state, order);
    writer.finish();
    if (first || std::memcmp(bytes.data(), out.data(), bytes_) < 0) std::memcpy(out.data(), bytes.data(), bytes_);
    first = false;
  } while (std::next_permutation(order.begin(), order.begin() + setting_.cpus));
}

VcpuState VcpuModel::decode(std::span<const std::uint8_t> in) const {
  const Layout layout{setting_};
  BitReader reader(in);
  State state;
  state.watched.cpu = std::uint8_t(reader.get(kPlaceBits) - 1u);  // 0 becomes kNoCpu
  state.watched.index = std::uint8_t(reader.get(layout.index_bits));
  state.watched.clash = reader.get(1) != 0;
  for (std::uint32_t place = 0; place < setting_.cpus; ++place) {
    VcpuCpu& cpu = state.cpus[place];
    cpu.phase = Phase(reader.get(3));
    cpu.update.label = kernel::SvmAsidUpdate::Label(reader.get(3));
    cpu.asids.next = reader.get(layout.index_bits);
    cpu.asids.generation = reader.get(layout.generation_bits);
  }
  for (std::uint8_t number = 0; number < setting_.vcpus; ++number) {
    SvmVcpu& vcpu = state.vcpus[number];
    vcpu.tag.index = reader.get(layout.index_bits);
    vcpu.tag.generation = reader.get(layout.generation_bits);
    const std::uint32_t last = reader.get(kPlaceBits);
    vcpu.last_cpu = last == 0 ? kNeverRan : last - 1;
    const std::uint32_t loaded = reader.get(kPlaceBits);
    if (loaded != 0) state.cpus[loaded - 1].vcpu = number;
    vcpu.flush_at_entry = reader.get(1) != 0;
    if (reader.get(1) != 0) state.watched.context = number;
  }
  return state;
}

}  // namespace tollgate::explored
