#include "measure/schedule.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace tollgate::measure {
namespace {

constexpr std::uint32_t kLeastToChoose = 3;  // rounds: two are always in one order or in both
constexpr int kMostDraws = 1000;             // of ten variants in three rounds one draw in 46 will do

/// Fisher and Yates.
void shuffle(std::vector<std::uint32_t>& items, RandomStream& random) {
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[random.below(left)]);
}

/// Whether some variant comes before the baseline in all blocks, in none, or in every other one.
bool is_telltale(const std::vector<Slot>& slots, std::uint32_t variants) {
  const std::size_t blocks = slots.size() / variants;
  std::vector<std::vector<std::uint32_t>> positions(variants, std::vector<std::uint32_t>(blocks));
  for (const Slot& slot : slots) positions[slot.variant][slot.block] = slot.position;
  return std::any_of(positions.begin() + 1, positions.end(), [&](const std::vector<std::uint32_t>& of_variant) {
    std::size_t turns = 0;
    for (std::size_t block = 1; block < blocks; ++block)
      turns += (of_variant[block] < positions[0][block]) != (of_variant[block - 1] < positions[0][block - 1]);
    return turns == 0 || turns == blocks - 1;
  });
}

std::vector<Slot> in_blocks(std::uint32_t variants, std::uint32_t rounds, bool shuffled, RandomStream& random) {
  std::vector<Slot> slots;
  std::vector<std::uint32_t> block(variants);
  std::iota(block.begin(), block.end(), 0U);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (shuffled)
      shuffle(block, random);
    else if (round > 0)
      std::reverse(block.begin(), block.end());
    for (const std::uint32_t variant : block) slots.push_back({variant, round, std::uint32_t(slots.size()), round});
  }
  return slots;
}

}  // namespace

std::vector<Slot> schedule(std::uint32_t variants, std::uint32_t rounds, evidence::Order order, std::uint64_t seed,
                           std::string_view purpose) {
  std::vector<Slot> slots;
  if (order == evidence::Order::in_sequence) {
    for (std::uint32_t variant = 0; variant < variants; ++variant)
      for (std::uint32_t round = 0; round < rounds; ++round)
        slots.push_back({variant, round, std::uint32_t(slots.size()), round});
    return slots;
  }
  RandomStream random = RandomStream::named(seed, purpose);
  const bool shuffled = order == evidence::Order::random_blocks;
  slots = in_blocks(variants, rounds, shuffled, random);
  for (int draw = 1; shuffled && rounds >= kLeastToChoose && draw < kMostDraws && is_telltale(slots, variants); ++draw)
    slots = in_blocks(variants, rounds, shuffled, random);
  return slots;
}

}  // namespace tollgate::measure
