#include "simulate/bank.h"

#include <algorithm>
#include <bit>
#include <new>

#include "base/check.h"

namespace tollgate::simulate {
namespace {

constexpr int kMostFastWays = 64;  // more do not fit the hot loop's masks

}  // namespace

Bank::Bank(const hw::TlbLayout& layout, int level, Keep keep, Instructions instructions) {
  sets_.keep_user = keep.user;
  sets_.keep_kernel = keep.kernel;
  add_arrays(layout, level);
  allocate();
  const bool fast = std::ranges::all_of(arrays_, [](const Array& array) {
    return array.replacement == hw::Replacement::lru && array.ways <= kMostFastWays;
  });
  if (fast) touch_ = touch_for(instructions, sets_.stride);
}

void Bank::add_arrays(const hw::TlbLayout& layout, int level) {
  std::vector<int> index_of(layout.arrays().size(), -1);
  for (std::size_t i = 0; i < layout.arrays().size(); ++i) {
    const auto& [spec, thread] = layout.arrays()[i];
    if (spec.level != level || thread > 0) continue;
    index_of[i] = int(arrays_.size());
    arrays_.push_back({0, std::uint64_t(spec.sets), spec.ways, spec.replacement, spec.side, {}});
    sets_.powers_of_two &= std::has_single_bit(unsigned(spec.sets));
  }
  route_arrays_.fill(-1);
  for (std::size_t route = 0; route < kRoutes; ++route) {
    const hw::Side side = route & kFetchBit ? hw::Side::instruction : hw::Side::data;
    const auto size = static_cast<hw::PageSize>(route >> kSizeShift);
    const auto home = layout.home(side, level, 0, size);
    if (home.array < 0) continue;
    route_arrays_[route] = index_of[std::size_t(home.array)];
    arrays_[std::size_t(route_arrays_[route])].shifts[std::size_t(size)] = hw::pages_shift(home.held_as);
    sets_.routes[route].shift = hw::pages_shift(home.held_as);
  }
}

void Bank::allocate() {
  int ways = 1;
  for (const Array& array : arrays_) ways = std::max(ways, array.ways);
  sets_.stride = (std::uint64_t(ways) + 7) / 8 * 8;
  std::uint64_t sets = 0;
  for (Array& array : arrays_) {
    array.offset = sets * sets_.stride;
    sets += array.sets;
  }
  key_count_ = std::size_t(std::max<std::uint64_t>(sets, 1) * sets_.stride);
  keys_.reset(new (std::align_val_t{64}) PageWord[key_count_]());
  sets_.keys = keys_.get();
  trees_.assign(sets, 0);
  for (std::size_t i = 0; i < kRoutes; ++i) {
    if (route_arrays_[i] < 0) continue;
    const Array& array = arrays_[std::size_t(route_arrays_[i])];
    Route& route = sets_.routes[i];
    route.offset = array.offset;
    route.sets = array.sets;
    route.set_mask = array.sets - 1;
    if (array.ways > kMostFastWays) continue;
    route.last = std::uint64_t{1} << (array.ways - 1);
    route.lanes = route.last | (route.last - 1);
  }
}

// LRU and FIFO keep a set in order, so that the gap a flush leaves is closed; the others replace by place.
void Bank::close_gaps(const Array& array, PageWord* set) const {
  if (array.replacement == hw::Replacement::lru || array.replacement == hw::Replacement::fifo)
    std::fill(std::remove(set, set + array.ways, PageWord{0}), set + array.ways, 0);
}

std::size_t Bank::touch_by_policy(const Batch& batch, std::span<const std::uint16_t> which, std::uint16_t* missed) {
  std::size_t count = 0;
  for (const std::uint16_t index : which) {
    const std::uint8_t route = batch.routes[index];
    bool hit = false;
    if (route_arrays_[route] >= 0) {
      const PageWord key = key_of(sets_, sets_.routes[route], batch.words[index]);
      hit = touch_one(arrays_[std::size_t(route_arrays_[route])], set_of(sets_, sets_.routes[route], key), key);
    }
    missed[count] = index;
    count += !hit;
  }
  return count;
}

bool Bank::touch_one(const Array& array, std::uint64_t first, PageWord key) {
  PageWord* const set = keys_.get() + first;
  int way = int(std::find(set, set + array.ways, key) - set);
  const bool hit = way < array.ways;
  switch (array.replacement) {
    case hw::Replacement::lru:
      std::move_backward(set, set + (hit ? way : array.ways - 1), set + (hit ? way + 1 : array.ways));
      set[0] = key;
      return hit;
    case hw::Replacement::fifo:
      if (hit) return true;
      std::move_backward(set, set + array.ways - 1, set + array.ways);
      set[0] = key;
      return false;
    case hw::Replacement::random:
      if (!hit) set[victim(array, first)] = key;
      return hit;
    case hw::Replacement::plru:
      break;
  }
  if (!hit) way = victim(array, first);
  set[way] = key;
  // Node n has children 2n and 2n+1; a set bit sends the search for a victim to the upper half.
  std::uint64_t& tree = trees_[first / sets_.stride];
  for (int node = way + array.ways; node > 1; node /= 2) {
    const std::uint64_t bit = std::uint64_t{1} << (node / 2);
    tree = node & 1 ? tree & ~bit : tree | bit;  // point away from the way just used
  }
  return hit;
}

int Bank::victim(const Array& array, std::uint64_t first) {
  const PageWord* const set = keys_.get() + first;
  const auto free = std::find(set, set + array.ways, PageWord{0}) - set;
  if (free < array.ways) return int(free);
  if (array.replacement == hw::Replacement::random) return int(random_.below(std::uint64_t(array.ways)));
  int node = 1;
  while (node < array.ways) node = 2 * node + int(trees_[first / sets_.stride] >> node & 1);
  return node - array.ways;
}

}  // namespace tollgate::simulate
