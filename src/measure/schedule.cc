#include "measure/schedule.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace tollgate::measure {
namespace {

/// Fisher and Yates.
void shuffle(std::vector<std::uint32_t>& items, RandomStream& random) {
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[random.below(left)]);
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
  std::vector<std::uint32_t> block(variants);
  std::iota(block.begin(), block.end(), 0U);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (order == evidence::Order::random_blocks)
      shuffle(block, random);
    else if (round > 0)
      std::reverse(block.begin(), block.end());
    for (const std::uint32_t variant : block) slots.push_back({variant, round, std::uint32_t(slots.size()), round});
  }
  return slots;
}

}  // namespace tollgate::measure
