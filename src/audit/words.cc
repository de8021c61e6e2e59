#include "audit/words.h"

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
  const auto first = static_cast<unsigned char>(word.front()) & 127u;
  by_first_[first].push_back({word, list});
  seconds_[first] |= word.size() > 1 ? bit_of(word[1]) : ~std::uint32_t{0};
}

const WordLists::Entry* WordLists::at(std::string_view text, std::size_t at) const {
  const auto first = static_cast<unsigned char>(small(text[at])) & 127u;
  const std::uint32_t seconds = seconds_[first];
  if (seconds == 0 || (at + 1 < text.size() && (seconds & bit_of(small(text[at + 1]))) == 0)) return nullptr;
  for (const Entry& entry : by_first_[first])
    if (stands_at(text, at, entry.word)) return &entry;
  return nullptr;
}

const WordLists::Entry* WordLists::next_in(std::string_view text, std::size_t& at) const {
  bool within = at > 0 && is_word(text[at - 1]);
  for (; at < text.size(); ++at) {
    if (!within)
      if (const Entry* found = this->at(text, at)) return found;
    within = is_word(text[at]);
  }
  return nullptr;
}

std::uint32_t WordLists::found_in(std::string_view text) const {
  std::uint32_t lists = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Entry* found = next_in(text, at);
    if (found == nullptr) break;
    for (const Entry& entry : by_first_[static_cast<unsigned char>(small(text[at])) & 127u])
      if (stands_at(text, at, entry.word)) lists |= entry.list;
  }
  return lists;
}

std::string_view WordSet::first_in(std::string_view text) const {
  std::size_t at = 0;
  const Entry* found = next_in(text, at);
  return found != nullptr ? found->word : std::string_view{};
}

}  // namespace tollgate::audit
