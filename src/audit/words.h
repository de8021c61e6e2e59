// Words in published text, in any case of letters: what headers, labels and sentences are recognised by.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::audit {

std::string lower(std::string_view text);

/// Whether `word` (lower case) stands in `text` on its own.
bool has_word(std::string_view text, std::string_view word);

/// A list of words or phrases in lower case, looked up together: one pass over the text for all of them.
class WordSet {
 public:
  WordSet(std::initializer_list<std::string_view> words);

  bool any_in(std::string_view text) const { return !first_in(text).empty(); }
  /// The first one of the list that stands in the text, in the order of the text; "" when none does.
  std::string_view first_in(std::string_view text) const;

 private:
  std::array<std::vector<std::string_view>, 128> by_first_;
};

}  // namespace tollgate::audit
