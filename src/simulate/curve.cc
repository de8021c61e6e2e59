#include "simulate/curve.h"

#include <bit>
#include <numeric>

namespace tollgate::simulate {

Curve::Curve(Level level, std::uint64_t sets, int ways, Keep keep)
    : level_(level),
      sets_(sets),
      set_mask_(std::has_single_bit(sets) ? sets - 1 : 0),
      ways_(ways),
      keep_(keep),
      keys_(sets * std::uint64_t(ways)) {
  for (auto& distances : at_distance_) distances.resize(std::size_t(ways) + 1);
}

void Curve::refer(const Batch& batch, std::span<const std::uint16_t> which) {
  for (const std::uint16_t index : which) {
    const std::uint8_t route = batch.routes[index];
    if (level_ != Level::l2 && ((route & kFetchBit) != 0) != (level_ == Level::l1i)) continue;
    const int distance = touch(key(batch.words[index]));
    ++at_distance_[(route & kKernelBit) != 0][std::size_t(distance)];
  }
}

/// The place of the key in its list before it came to the front; `ways_` when it was not there.
int Curve::touch(PageWord key) {
  PageWord* const list = set(key);
  PageWord carried = key;
  int place = 0;
  for (; place < ways_; ++place) {
    const PageWord here = list[place];
    list[place] = carried;
    if (here == key) return place;
    if (here == 0) break;
    carried = here;
  }
  if (place == ways_) return ways_;
  for (++place; place < ways_; ++place)
    if (list[place] == key) {
      list[place] = 0;
      return place;
    }
  return ways_;
}

void Curve::remove_page(PageWord word) {
  const PageWord gone = key(word);
  PageWord* const list = set(gone);
  for (int place = 0; place < ways_; ++place)
    if (list[place] == gone) list[place] = 0;
}

std::uint64_t Curve::misses(trace::Mode mode, int ways) const {
  const auto& distances = at_distance_[mode == trace::Mode::kernel];
  return std::accumulate(distances.begin() + ways, distances.end(), std::uint64_t{0});
}

}  // namespace tollgate::simulate
