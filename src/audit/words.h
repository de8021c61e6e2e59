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

  /// Which lists have a word in the text: bit i for list i. What is within a phrase found is not looked up again.
  std::uint32_t found_in(std::string_view text) const;
  /// The first word of any list that stands in the text, in the order of the text; "" when none does.
  std::string_view first_in(std::string_view text) const;
  bool any_in(std::string_view text) const { return !first_in(text).empty(); }

 private:
  struct Entry {
    std::string_view word;
    std::uint32_t list;  // its bit
  };
  void add(std::string_view word, std::uint32_t list);
  /// The first word at or behind `at`; `at` is then its place, or the text's end.
  const Entry* next_in(std::string_view text, std::size_t& at) const;
  const Entry* at(std::string_view text, std::size_t at) const;

  std::array<std::vector<Entry>, 256> by_first_;  // by first character, in either case
  std::array<std::uint32_t, 256> seconds_{};      // second characters of those words: a bit for each, modulo 32
};

/// One list of words or phrases in lower case.
class WordSet : public WordLists {
 public:
  WordSet(List words) : WordLists({words}) {}
};

}  // namespace tollgate::audit
