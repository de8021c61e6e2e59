// TagCodec: the canonical form of a TagState as a byte string, and back. One form stands for all states that differ only in
// names that no protocol step and no invariant looks at:
//
// - CPUs are sorted by a signature of their own variables; where signatures tie, every order is tried and the least string wins.
// - Contexts are sorted by everything the state says of them: tag, and per CPU whether it is loaded, in the base register or
//   in the watched TLB entry. Nothing relates two contexts to each other, so equal keys are equal contexts.
// - Generations are renamed. Steps only ask whether a tag's generation is the current one, and whether two whole tags are
//   equal; generations are never reused. So the current one may be called kCurrent, and the older ones that occur with the
//   same index may be numbered by age: kCurrent - 1, kCurrent - 2... Two states equal after that allow the same steps with
//   equal results, for ever. Index 0 is left alone: kNoTag and kInvalidTag keep their values.
// - With `most_generations` generations keep their names.
// - Where a search may find any free index, indices but 0 are sorted as well, by all that the state says of them: whether it
//   is taken, and who has it in which generation. A context has one index and nothing else relates two indices, so those of
//   equal keys are equal. (Keys are mixed into a word: should two mix to the same by chance, two states that are equal count as
//   two.)
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "base/check.h"
#include "world/explored/bit_packer.h"
#include "world/explored/tag_state.h"

namespace tollgate::explored {

template <typename Protocol>
class TagCodec {
 public:
  using State = TagState<Protocol>;
  using Cpu = TagCpu<Protocol>;
  using Tag = kernel::Tag;
  static constexpr std::uint32_t kMarks = kDeadTag.generation + 1;  // generations that index 0 has as a marker
  static constexpr std::uint32_t kCurrent = 40;  // room below for older ones, and above for the next within 64

  explicit TagCodec(const TagSetting& setting) : setting_(setting) {
    index_bits_ = std::bit_width(setting.indices - 1);
    context_bits_ = std::bit_width(setting.contexts);
    cpu_bits_ = std::bit_width(setting.cpus);
    const std::uint32_t holders = setting.contexts + 4 * setting.cpus;
    generation_bits_ = std::bit_width(setting.most_generations > 0 ? setting.most_generations + 1 : holders + kMarks);
    BitCounter counter;
    Order cpus;
    std::iota(cpus.begin(), cpus.end(), std::uint8_t{0});
    Contexts contexts;
    std::iota(contexts.begin(), contexts.end(), std::uint8_t{0});
    pack(counter, State{}, cpus, contexts);
    bytes_ = counter.bytes();
  }

  std::size_t state_bytes() const { return bytes_; }

  void encode(const State& original, std::span<std::uint8_t> out) const {
    State state = original;
    if (setting_.most_generations == 0) rename_generations(state);
    std::array<std::uint64_t, kMostTagCpus> signature;
    Order order;
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) {
      signature[cpu] = signature_of(state, cpu);
      order[cpu] = std::uint8_t(cpu);
    }
    const auto by_signature = [&](std::uint8_t a, std::uint8_t b) {
      return signature[a] != signature[b] ? signature[a] < signature[b] : a < b;
    };
    for (std::uint32_t at = 1; at < setting_.cpus; ++at)
      for (std::uint32_t to = at; to > 0 && by_signature(order[to], order[to - 1]); --to)
        std::swap(order[to], order[to - 1]);
    write(state, order, out);
    std::array<std::uint8_t, 256> other;
    while (next_tied_order(order, signature)) {
      write(state, order, std::span(other).first(bytes_));
      if (std::memcmp(other.data(), out.data(), bytes_) < 0) std::memcpy(out.data(), other.data(), bytes_);
    }
  }

  State decode(std::span<const std::uint8_t> in) const {
    BitReader reader(in);
    State state;
    unpack(reader, state);
    return state;
  }

 private:
  using Order = std::array<std::uint8_t, kMostTagCpus>;      // canonical place -> CPU
  using Contexts = std::array<std::uint8_t, kMostContexts>;  // context -> canonical place
  static constexpr bool kHasTag = requires(Protocol p) { p.tag; };
  static constexpr bool kHasOldActive = requires(Protocol p) { p.old_active; };

  static std::uint64_t mixed(std::uint64_t word) {
    word *= 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 29) * 0xbf58476d1ce4e5b9u;
    return word ^ word >> 32;
  }

  /// Numbers indices in the order in which they are met; 0 stays 0.
  struct LocalNames {
    std::array<std::uint8_t, kMostIndices> name{};
    std::uint8_t met = 0;
    std::uint32_t of(std::uint32_t index) {
      if (index != 0 && name[index] == 0) name[index] = ++met;
      return name[index];
    }
  };

  template <typename Visitor>
  void for_each_tag(State& state, Visitor visit) const {
    for (std::uint32_t context = 0; context < setting_.contexts; ++context) visit(state.tags[context]);
    for (std::uint32_t number = 0; number < setting_.cpus; ++number) {
      Cpu& cpu = state.cpus[number];
      visit(cpu.active);
      visit(cpu.reserved);
      if constexpr (kHasTag) visit(cpu.update.tag);
      if constexpr (kHasOldActive) visit(cpu.update.old_active);
    }
  }

  /// A counter allocator compares no whole tags: all its stale generations are one.
  void rename_generations(State& state) const {
    const std::uint32_t current = state.generation;
    const std::uint32_t oldest = current > 63 ? current - 63 : 0;
    std::array<std::uint64_t, kMostIndices> stale{};  // a bit a generation, per index
    const auto bit_of = [&](const Tag& tag) { return std::uint64_t{1} << (std::max(tag.generation, oldest) - oldest); };
    if constexpr (kHasOldActive) {
      for_each_tag(state, [&](Tag& tag) {
        if (tag.generation != current) stale[tag.index] |= bit_of(tag);
      });
    }
    for_each_tag(state, [&](Tag& tag) {
      if (tag.index == 0 && tag.generation < kMarks) return;
      if (tag.generation == current)
        tag.generation = kCurrent;
      else if constexpr (kHasOldActive)
        tag.generation = kCurrent - std::uint32_t(std::popcount(stale[tag.index] & ~(bit_of(tag) - 1)));
      else
        tag.generation = kCurrent - 1;
    });
    state.generation = kCurrent;
  }

  /// Of what a CPU holds apart from names of contexts and other CPUs.
  std::uint64_t signature_of(const State& state, std::uint32_t number) const {
    const Cpu& cpu = state.cpus[number];
    std::uint64_t signature = std::uint64_t(cpu.phase) | std::uint64_t(cpu.update.label) << 4 |
                              std::uint64_t(cpu.interrupts_off) << 8 | std::uint64_t(cpu.exit_requested) << 9 |
                              std::uint64_t(cpu.flush_pending) << 10 |
                              std::uint64_t(state.lock_holder == number + 1) << 11 |
                              std::uint64_t(state.watched.cpu == number) << 12 | std::uint64_t(cpu.unflushed) << 13;
    LocalNames names;
    const auto name_of = [&](std::uint32_t index) { return indices_have_names() ? index : names.of(index); };
    const auto mix = [&](const Tag& tag) {
      signature = mixed(signature ^ (std::uint64_t(tag.generation) << 32 | name_of(tag.index)));
    };
    mix(cpu.active);
    mix(cpu.reserved);
    if constexpr (kHasTag) mix(cpu.update.tag);
    if constexpr (kHasOldActive) mix(cpu.update.old_active);
    mix({0, cpu.base_index});
    return signature;
  }

  bool next_tied_order(Order& order, const std::array<std::uint64_t, kMostTagCpus>& signature) const {
    for (std::uint32_t first = 0; first < setting_.cpus;) {
      std::uint32_t last = first + 1;
      while (last < setting_.cpus && signature[order[last]] == signature[order[first]]) ++last;
      if (std::next_permutation(order.begin() + first, order.begin() + last)) return true;
      first = last;  // that group is back in its first order: carry to the next one
    }
    return false;
  }

  /// All that the state says of a context but its index, in 50 bits.
  std::uint64_t context_key(const State& state, const Order& order, std::uint32_t context) const {
    std::uint64_t key = state.tags[context].generation;
    for (std::uint32_t place = 0; place < setting_.cpus; ++place) {
      const Cpu& cpu = state.cpus[order[place]];
      key = key << 3 | std::uint64_t(cpu.context == context) << 2 | std::uint64_t(cpu.base_context == context) << 1 |
            std::uint64_t(state.watched.cpu == order[place] && state.watched.context == context);
    }
    return key;
  }

  /// Where each context goes in the canonical form, given the order of CPUs.
  Contexts place_contexts(const State& state, const Order& order) const {
    std::array<std::uint64_t, kMostContexts> keys;
    Contexts sorted;
    for (std::uint32_t context = 0; context < setting_.contexts; ++context) {
      keys[context] = std::uint64_t(state.tags[context].index) << 56 | context_key(state, order, context);
      sorted[context] = std::uint8_t(context);
    }
    const auto less = [&](std::uint8_t a, std::uint8_t b) { return keys[a] < keys[b]; };
    for (std::uint32_t at = 1; at < setting_.contexts; ++at)
      for (std::uint32_t to = at; to > 0 && less(sorted[to], sorted[to - 1]); --to)
        std::swap(sorted[to], sorted[to - 1]);
    Contexts place_of;
    for (std::uint32_t place = 0; place < setting_.contexts; ++place) place_of[sorted[place]] = std::uint8_t(place);
    return place_of;
  }

  void write(const State& state, const Order& order, std::span<std::uint8_t> out) const {
    BitWriter writer(out);
    if (indices_have_names()) {
      pack(writer, state, order, place_contexts(state, order));
    } else {
      State renamed = state;
      rename_indices(renamed, order);
      pack(writer, renamed, order, place_contexts(renamed, order));
    }
    writer.finish();
  }

  bool indices_have_names() const { return !kHasOldActive || setting_.behaviour == Behaviour::exact; }

  /// Sums, so that the order in which a holder is met says nothing: `role` and `place` tell holders apart.
  void rename_indices(State& state, const Order& order) const {
    std::array<std::uint64_t, kMostIndices> key{};
    const auto add = [&](std::uint32_t index, std::uint64_t role, std::uint64_t what) {
      key[index] += mixed(role << 56 | what);
    };
    for (std::uint32_t place = 0; place < setting_.cpus; ++place) {
      const Cpu& cpu = state.cpus[order[place]];
      const auto add_tag = [&](const Tag& tag, std::uint64_t role) {
        add(tag.index, role, std::uint64_t(place) << 32 | tag.generation);
      };
      add_tag(cpu.active, 1);
      add_tag(cpu.reserved, 2);
      if constexpr (kHasTag) add_tag(cpu.update.tag, 3);
      if constexpr (kHasOldActive) add_tag(cpu.update.old_active, 4);
      add(cpu.base_index, 5, place);
    }
    for (std::uint32_t context = 0; context < setting_.contexts; ++context)
      add(state.tags[context].index, 6, context_key(state, order, context));
    add(state.watched.index, 7, 0);
    for (std::uint32_t index = 1; index < setting_.indices; ++index) key[index] += state.taken >> index & 1;
    std::array<std::uint8_t, kMostIndices> sorted;
    std::iota(sorted.begin(), sorted.end(), std::uint8_t{0});
    std::stable_sort(sorted.begin() + 1, sorted.begin() + setting_.indices,
                     [&](std::uint8_t a, std::uint8_t b) { return key[a] > key[b]; });
    std::array<std::uint8_t, kMostIndices> name{};
    std::uint32_t taken = 0;
    for (std::uint32_t place = 0; place < setting_.indices; ++place) {
      name[sorted[place]] = std::uint8_t(place);
      taken |= (state.taken >> sorted[place] & 1) << place;
    }
    state.taken = taken;
    state.watched.index = name[state.watched.index];
    for_each_tag(state, [&](Tag& tag) { tag.index = name[tag.index]; });
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu)
      state.cpus[cpu].base_index = name[state.cpus[cpu].base_index];
  }

  /// By age; with index 0, the generations of the markers before that.
  template <typename Sink>
  void pack_tag(Sink& sink, Tag tag) const {
    sink.put(tag.index, index_bits_);
    const std::uint32_t marks = tag.index == 0 ? kMarks : 0;
    const bool as_it_is = setting_.most_generations > 0 || tag.generation < marks;
    sink.put(as_it_is ? tag.generation : marks + kCurrent - tag.generation, generation_bits_);
  }
  Tag unpack_tag(BitReader& reader) const {
    Tag tag;
    tag.index = reader.get(index_bits_);
    tag.generation = reader.get(generation_bits_);
    const std::uint32_t marks = tag.index == 0 ? kMarks : 0;
    if (setting_.most_generations == 0 && tag.generation >= marks) tag.generation = marks + kCurrent - tag.generation;
    return tag;
  }

  template <typename Sink>
  void pack(Sink& sink, const State& state, const Order& order, const Contexts& places) const {
    Order place_of{};
    for (std::uint32_t place = 0; place < setting_.cpus; ++place) place_of[order[place]] = std::uint8_t(place);
    sink.put(state.cursor, index_bits_);
    sink.put(state.taken >> 1, setting_.indices - 1);
    sink.put(state.lock_holder == 0 ? 0 : place_of[state.lock_holder - 1u] + 1u, cpu_bits_);
    if (setting_.most_generations > 0) sink.put(state.generation, generation_bits_);
    pack_watched(sink, state.watched, place_of, places);
    for (std::uint32_t place = 0; place < setting_.cpus; ++place)
      pack_cpu(sink, state.cpus[order[place]], place_of, places);
    std::array<std::uint8_t, kMostContexts> context_at{};
    for (std::uint32_t context = 0; context < setting_.contexts; ++context)
      context_at[places[context]] = std::uint8_t(context);
    for (std::uint32_t place = 0; place < setting_.contexts; ++place) pack_tag(sink, state.tags[context_at[place]]);
  }

  template <typename Sink>
  void pack_watched(Sink& sink, const WatchedEntry& watched, const Order& place_of, const Contexts& places) const {
    sink.put(watched.cpu == kNoCpu ? 0 : place_of[watched.cpu] + 1u, cpu_bits_);
    sink.put(watched.index, index_bits_);
    sink.put(watched.context == kNoContext ? 0 : places[watched.context] + 1u, context_bits_);
    sink.put(watched.clash, 1);
  }

  template <typename Sink>
  void pack_cpu(Sink& sink, const Cpu& cpu, const Order& place_of, const Contexts& places) const {
    const auto put_context = [&](std::uint8_t context) {
      sink.put(context == kNoContext ? 0 : places[context] + 1u, context_bits_);
    };
    sink.put(std::uint32_t(cpu.phase), 3);
    sink.put(std::uint32_t(cpu.update.label), 4);
    sink.put(cpu.interrupts_off | cpu.exit_requested << 1 | cpu.flush_pending << 2 | cpu.unflushed << 3, 4);
    pack_tag(sink, cpu.active);
    pack_tag(sink, cpu.reserved);
    if constexpr (kHasTag) pack_tag(sink, cpu.update.tag);
    if constexpr (kHasOldActive) {
      pack_tag(sink, cpu.update.old_active);
      SmallCpuSet remaining;
      for (std::uint32_t other = 0; other < setting_.cpus; ++other)
        if (cpu.update.remaining.contains(other)) remaining.add(place_of[other]);
      sink.put(remaining.bits, setting_.cpus);
    }
    put_context(cpu.context);
    put_context(cpu.base_context);
    sink.put(cpu.base_index, index_bits_);
  }

  void unpack(BitReader& reader, State& state) const {
    state.cursor = reader.get(index_bits_);
    state.taken = reader.get(setting_.indices - 1) << 1;
    state.lock_holder = std::uint8_t(reader.get(cpu_bits_));
    state.generation = setting_.most_generations > 0 ? reader.get(generation_bits_) : kCurrent;
    state.watched.cpu = std::uint8_t(reader.get(cpu_bits_) - 1u);  // 0 becomes kNoCpu
    state.watched.index = std::uint8_t(reader.get(index_bits_));
    state.watched.context = std::uint8_t(reader.get(context_bits_) - 1u);
    state.watched.clash = reader.get(1) != 0;
    for (std::uint32_t place = 0; place < setting_.cpus; ++place) unpack_cpu(reader, state.cpus[place]);
    for (std::uint32_t place = 0; place < setting_.contexts; ++place) state.tags[place] = unpack_tag(reader);
  }

  void unpack_cpu(BitReader& reader, Cpu& cpu) const {
    const auto get_context = [&] { return std::uint8_t(reader.get(context_bits_) - 1u); };  // 0 becomes kNoContext
    cpu.phase = Phase(reader.get(3));
    cpu.update.label = typename Protocol::Label(reader.get(4));
    const std::uint32_t flags = reader.get(4);
    cpu.interrupts_off = flags & 1;
    cpu.exit_requested = flags >> 1 & 1;
    cpu.flush_pending = flags >> 2 & 1;
    cpu.unflushed = flags >> 3 & 1;
    cpu.active = unpack_tag(reader);
    cpu.reserved = unpack_tag(reader);
    if constexpr (kHasTag) cpu.update.tag = unpack_tag(reader);
    if constexpr (kHasOldActive) {
      cpu.update.old_active = unpack_tag(reader);
      cpu.update.remaining.bits = std::uint8_t(reader.get(setting_.cpus));
    }
    cpu.context = get_context();
    cpu.base_context = get_context();
    cpu.base_index = std::uint8_t(reader.get(index_bits_));
  }

  TagSetting setting_;
  std::uint32_t index_bits_ = 0, context_bits_ = 0, cpu_bits_ = 0, generation_bits_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tollgate::explored
