#include "audit/words.h"

namespace tollgate::audit {
namespace {

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool is_word(char c) {
  const char low = to_lower(c);
  return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  if (end > text.size() || (end < text.size() && is_word(text[end]))) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (to_lower(text[at + i]) != word[i]) return false;
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

WordSet::WordSet(std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) by_first_[static_cast<unsigned char>(word.front()) & 127].push_back(word);
}

std::string_view WordSet::first_in(std::string_view text) const {
  bool within = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!within)
      for (const std::string_view word : by_first_[static_cast<unsigned char>(to_lower(text[at])) & 127])
        if (stands_at(text, at, word)) return word;
    within = is_word(text[at]);
  }
  return {};
}

}  // namespace tollgate::audit
