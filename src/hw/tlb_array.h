// TlbArray: one set-associative array of tagged entries, with its replacement. It knows keys and sets, not what a flush
// means: flushes are rules given from outside (see tlb_hierarchy.h).
#pragma once

#include <utility>
#include <vector>

#include "base/id.h"
#include "hw/key_array.h"

namespace tollgate::hw {

/// The miss classifier's number for a page of one address space or of all: what a flush of its entry is noted under.
using PageHandle = Id<struct PageHandleTag>;

class TlbArray {
 public:
  struct Entry {
    TlbKey key;
    Translation translation;
    PageHandle page{};  // the miss classifier's name for the page
  };

  TlbArray(int sets, int ways, Replacement replacement)
      : keys_(sets, ways, replacement), entries_(keys_.places()), listed_(keys_.places()) {}

  /// The entry with the first key, else the one with the second, without touching replacement state. nullptr: not here.
  const Entry* peek(TlbKey first, TlbKey second) const {
    const Place place = keys_.find_either(first, second);
    return place == kNowhere ? nullptr : &entries_[place];
  }
  /// The same, and the entry becomes the most recently used. kNowhere: not here.
  Place access(TlbKey first, TlbKey second) {
    const Place place = keys_.find_either(first, second);
    if (place != kNowhere) keys_.used(place);
    return place;
  }
  bool holds(Place place, TlbKey key) const { return keys_.at(place) == key; }
  const Entry& at(Place place) const { return entries_[place]; }
  void used(Place place) { keys_.used(place); }
  /// Puts the entry in, displacing a victim if its set is full; an entry with the same key is overwritten in place.
  Place insert(TlbKey key, const Translation& translation, PageHandle page) {
    return put(keys_.insert(key), key, translation, page);
  }
  /// The same for an entry whose key is known not to be here.
  Place insert_absent(TlbKey key, const Translation& translation, PageHandle page) {
    return put(keys_.insert_absent(key), key, translation, page);
  }
  /// Removes every non-global entry whose key `matches`, telling `removed` about each. Costs the live entries only.
  template <typename Matches, typename Removed>
  void remove_tagged(Matches matches, Removed removed) {
    std::size_t kept = 0;
    for (Place place : tagged_) {
      const TlbKey key = keys_.at(place);
      const bool is_tagged = key.valid() && !key.is_global();
      const bool goes = is_tagged && matches(key);
      if (goes) take(place, removed);
      if (is_tagged && !goes)
        tagged_[kept++] = place;
      else
        listed_[place] = 0;
    }
    tagged_.resize(kept);
  }
  /// Removes every entry that `matches`, global ones too.
  template <typename Matches, typename Removed>
  void remove_any(Matches matches, Removed removed) {
    if (live() == 0) return;
    for (Place place = 0; place < entries_.size(); ++place)
      if (keys_.at(place).valid() && matches(std::as_const(entries_[place]))) take(place, removed);
  }
  /// Removes the entry with exactly this key, if it is here.
  template <typename Removed>
  void remove_key(TlbKey key, Removed removed) {
    if (!holds_any(key.size())) return;
    const Place place = keys_.find(key);
    if (place != kNowhere) take(place, removed);
  }
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (Place place = 0; place < entries_.size(); ++place)
      if (keys_.at(place).valid()) visit(entries_[place]);
  }

  std::size_t live() const { return keys_.live(); }
  bool holds_any(PageSize size) const { return keys_.holds_any(size); }

 private:
  Place put(Place place, TlbKey key, const Translation& translation, PageHandle page) {
    Entry& entry = entries_[place];
    entry.key = key;
    entry.translation = translation;
    entry.page = page;
    if (!key.is_global() && !listed_[place]) {
      listed_[place] = 1;
      tagged_.push_back(place);
    }
    return place;
  }
  template <typename Removed>
  void take(Place place, Removed removed) {
    removed(std::as_const(entries_[place]));
    keys_.remove(place);
  }

  KeyArray keys_;
  std::vector<Entry> entries_;
  std::vector<Place> tagged_;         // where non-global entries are: a superset, each place once
  std::vector<std::uint8_t> listed_;  // by place: in tagged_
};

}  // namespace tollgate::hw
