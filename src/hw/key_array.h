// KeyArray: which keys a set-associative array holds, and which of them goes when a set is full. A TLB array hangs its
// entries on it; a paging-structure cache, the page-table lines and the shadow TLB need nothing more.
//
// Every simulated reference that misses a first level scans several sets, so a set is first filtered by one byte of
// hash a way, eight ways a word, and only ways whose byte agrees are compared.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "hw/tlb_key.h"

namespace tollgate::hw {

/// Where a key is: set x row + way, a row being the ways rounded up to whole words of bytes.
using Place = std::uint32_t;
inline constexpr Place kNowhere = ~Place{0};

/// What chooses a key's set: its page, as in a TLB, or a hash of all of it. Page-table lines take the hash: what matters of
/// them is how many there are, not where their tables happen to lie.
enum class Index : std::uint8_t { page, hash };

inline std::uint64_t hash_index(TlbKey key) {
  std::uint64_t state = key.bits();
  return splitmix64(state);
}

class KeyArray {
 public:
  KeyArray(int sets, int ways, Replacement replacement, Index index = Index::page);

  TlbKey at(Place place) const { return keys_[place]; }
  Place find(TlbKey key) const { return find_either(key, key); }
  /// The first key if it is here, else the second. Both are of one page and size.
  Place find_either(TlbKey first, TlbKey second) const {
    const Place base = row_of(first);
    const std::uint64_t wanted = std::uint64_t{hash_of(first)} * kEveryByte;
    Place other = kNowhere;
    for (Place start = base; start < base + row_; start += kWaysAtOnce) {
      // Bit 8b + w of `agree` is byte b of word w, so that one test tells whether any way is worth comparing.
      const Place words = std::min(kWaysAtOnce, base + row_ - start) / kBytesAWord;
      const std::uint64_t* hashes = hashes_.data() + start / kBytesAWord;
      std::uint64_t agree = 0;
      for (Place word = 0; word < words; ++word) agree |= zero_bytes(hashes[word] ^ wanted) >> 7 << word;
      for (; agree != 0; agree &= agree - 1) {
        const Place bit = Place(std::countr_zero(agree));
        const Place place = start + bit % 8 * kBytesAWord + bit / 8;
        if (keys_[place] == first) return place;
        if (keys_[place] == second) other = place;
      }
    }
    return other;
  }
  /// The key here was used: it becomes the most recent one of its set.
  void used(Place place) {
    if (replacement_ == Replacement::lru) [[likely]]
      stamp(place);
    else if (replacement_ == Replacement::plru)
      touch_tree(place);
  }
  /// Puts the key in, displacing a victim if its set is full; a key that is here already is used.
  Place insert(TlbKey key) {
    const Place place = find(key);
    if (place == kNowhere) return insert_absent(key);
    used(place);
    return place;
  }
  /// The same for a key that is known not to be here.
  Place insert_absent(TlbKey key);
  void remove(Place place) {
    --live_[static_cast<std::size_t>(keys_[place].size())];
    --live_count_;
    keys_[place] = TlbKey();
    set_hash(place, kFree);
  }
  /// Removes the key, if it is here.
  void remove_key(TlbKey key) {
    const Place place = find(key);
    if (place != kNowhere) remove(place);
  }
  template <typename Matches>
  void remove_if(Matches matches) {
    for (Place place = 0; live_count_ > 0 && place < keys_.size(); ++place)
      if (keys_[place].valid() && matches(keys_[place])) remove(place);
  }

  std::size_t places() const { return keys_.size(); }
  std::size_t live() const { return live_count_; }
  bool holds_any(PageSize size) const { return live_[static_cast<std::size_t>(size)] != 0; }

 private:
  static constexpr Place kBytesAWord = 8;
  static constexpr Place kWaysAtOnce = 64;
  static constexpr std::uint64_t kEveryByte = 0x0101010101010101;
  static constexpr std::uint8_t kFree = 0;
  static constexpr std::uint8_t kNoWay = 1;  // fills a row up; neither free nor anybody's hash

  static std::uint8_t hash_of(TlbKey key) {
    const auto hash = static_cast<std::uint8_t>(key.page() * 0x9e3779b97f4a7c15 >> 56);
    return hash > kNoWay ? hash : std::uint8_t(hash + 2);
  }
  /// The top bit of every byte that is zero; above the first of them a byte of one may be marked too.
  static std::uint64_t zero_bytes(std::uint64_t word) { return (word - kEveryByte) & ~word & kEveryByte << 7; }
  static Place first_byte(std::uint64_t marks) { return Place(std::countr_zero(marks)) / 8; }
  Place row_of(TlbKey key) const {
    const std::uint64_t index = index_ == Index::page ? key.page() : hash_index(key);
    return Place(by_mask_ ? index & set_mask_ : index % sets_) * row_;
  }
  void set_hash(Place place, std::uint8_t hash) {
    std::uint64_t& word = hashes_[place / kBytesAWord];
    const unsigned shift = place % kBytesAWord * 8;
    word = (word & ~(std::uint64_t{0xff} << shift)) | std::uint64_t{hash} << shift;
  }
  // A stamp is the number of the use above the place's low bits, so the least stamp of a row names its way. 20 bits are
  // more places than the loader admits entries; 44 bits of uses last for days of simulating.
  static constexpr int kStampPlaceBits = 20;
  static constexpr Place kStampPlaceMask = (Place{1} << kStampPlaceBits) - 1;
  void stamp(Place place) {
    clock_ += std::uint64_t{1} << kStampPlaceBits;
    stamps_[place] = clock_ | (place & kStampPlaceMask);
  }
  void recount(TlbKey displaced, TlbKey key);
  Place victim(Place base);
  Place free_way(Place base) const;
  Place oldest(Place base) const;
  Place tree_victim(Place base) const;
  void touch_tree(Place place);

  std::vector<TlbKey> keys_;
  std::vector<std::uint64_t> hashes_;  // a byte a place
  std::vector<std::uint64_t> stamps_;  // lru: last use; fifo: fill
  std::vector<std::uint64_t> trees_;   // plru: one word of tree bits a set
  Place ways_;
  Place row_;
  std::uint64_t sets_;
  std::uint64_t set_mask_;  // where sets is a power of two
  bool by_mask_;
  Index index_;
  Replacement replacement_;
  std::uint64_t clock_ = 0;
  std::size_t live_count_ = 0;
  std::array<std::uint32_t, 4> live_{};  // by size; the fourth "size" is the upper level of a paging-structure cache
  RandomStream random_{0x746c62};
};

}  // namespace tollgate::hw
