// Words in published text, in any case of letters: what headers, labels and sentences are recognised by.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::audit {

std::string lower(std::string_view text);

/// Whether `word` (lower case) stands in `text` on its own.
bool has_word(std::string_view text, std::string_view word);

/// Up to 32 lists of words or phrases in lower case, looked up together: one pass over a text for all of them.
class WordLists {
 public:
  using List = std::initializer_list<std::string_view>;
  WordLists(std::initializer_list<List> lists);

  /// Which lists have a word in the text: bit i for list i.
  std::uint32_t found_in(std::string_view text) const;

 protected:
  struct Entry {
    std::string_view word;
    std::uint32_t list;  // its bit
  };
  void add(std::string_view word, std::uint32_t list);
  /// The first word at or behind `at` that stands in the text on its own; `at` is then its place, or the text's end.
  const Entry* next_in(std::string_view text, std::size_t& at) const;

 private:
  const Entry* at(std::string_view text, std::size_t at) const;

  std::array<std::vector<Entry>, 128> by_first_;
  std::array<std::uint32_t, 128> seconds_{};  // second characters of the words that begin so: a bit for each, modulo 32
};

/// One list of words or phrases in lower case.
class WordSet : private WordLists {
 public:
  WordSet(List words) : WordLists({words}) {}

  bool any_in(std::string_view text) const { return !first_in(text).empty(); }
  /// The first one of the list that stands in the text, in the order of the text; "" when none does.
  std::string_view first_in(std::string_view text) const;
};

}  // namespace tollgate::audit
