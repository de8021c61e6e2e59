#include "simulate/walk_caches.h"

#include <algorithm>

namespace tollgate::simulate {

bool StampedCache::search(PageWord key, std::uint32_t& hint) {
  const auto found = std::ranges::find(keys_, key);
  const bool hit = found != keys_.end();
  hint = std::uint32_t(hit ? found - keys_.begin() : std::ranges::min_element(stamps_) - stamps_.begin());
  keys_[hint] = key;
  stamps_[hint] = ++clock_;
  return hit;
}

}  // namespace tollgate::simulate
