#include "audit/words.h"

#include <algorithm>

namespace tollgate::audit {
namespace {

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

/// Of each byte: its small letter, and whether words are made of it.
struct Letters {
  std::array<char, 256> small{};
  std::array<bool, 256> word{};
  constexpr Letters() {
    for (int c = 0; c < 256; ++c) {
      const char low = small[static_cast<std::size_t>(c)] = to_lower(static_cast<char>(c));
      word[static_cast<std::size_t>(c)] = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') || low == '_';
    }
  }
};
constexpr Letters kLetters;

char small(char c) { return kLetters.small[static_cast<unsigned char>(c)]; }
bool is_word(char c) { return kLetters.word[static_cast<unsigned char>(c)]; }

/// The same for both cases of a letter.
std::uint32_t bit_of(char c) { return std::uint32_t{1} << (static_cast<unsigned char>(c) & 31); }

bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  if (end > text.size() || (end < text.size() && is_word(text[end]))) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (small(text[at + i]) != word[i]) return false;
  return true;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = to_lower(c);
  return out;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at)
    if ((at == 0 || !is_word(text[at - 1])) && stands_at(text, at, word)) return true;
  return false;
}

WordLists::WordLists(std::initializer_list<List> lists) {
  std::uint32_t bit = 1;
  for (const List& list : lists) {
    for (const std::string_view word : list) add(word, bit);
    bit <<= 1;
  }
}

void WordLists::add(std::string_view word, std::uint32_t list) {
  const auto first = static_cast<unsigned char>(word.front());
  const bool letter = first >= 'a' && first <= 'z';
  for (const unsigned key : {unsigned{first}, letter ? first & ~0x20u : 256u}) {
    if (key > 255) continue;
    by_first_[key].push_back({word, list});
    seconds_[key] |= word.size() > 1 ? bit_of(word[1]) : ~std::uint32_t{0};
  }
}

const WordLists::Entry* WordLists::at(std::string_view text, std::size_t at) const {
  if (at + 1 < text.size() && (seconds_[static_cast<unsigned char>(text[at])] & bit_of(text[at + 1])) == 0)
    return nullptr;
  for (const Entry& entry : by_first_[static_cast<unsigned char>(text[at])])
    if (stands_at(text, at, entry.word)) return &entry;
  return nullptr;
}

const WordLists::Entry* WordLists::next_in(std::string_view text, std::size_t& at) const {
  while (at < text.size()) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    if (begins && seconds_[static_cast<unsigned char>(text[at])] != 0)
      if (const Entry* found = this->at(text, at)) return found;
    if (is_word(text[at++]))
      while (at < text.size() && is_word(text[at])) ++at;
  }
  return nullptr;
}

std::uint32_t WordLists::found_in(std::string_view text) const {
  std::uint32_t lists = 0;
  for (std::size_t at = 0; next_in(text, at) != nullptr;) {
    std::size_t longest = 1;
    for (const Entry& entry : by_first_[static_cast<unsigned char>(text[at])]) {
      if (!stands_at(text, at, entry.word)) continue;
      lists |= entry.list;
      longest = std::max(longest, entry.word.size());
    }
    at += longest;
  }
  return lists;
}

std::string_view WordLists::first_in(std::string_view text) const {
  std::size_t at = 0;
  const Entry* found = next_in(text, at);
  return found != nullptr ? found->word : std::string_view{};
}

}  // namespace tollgate::audit
