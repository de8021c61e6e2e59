#include "import/text_lines.h"

#include <algorithm>

namespace tollgate::import {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kSpace = " \t";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpace, end);
  }
  return words;
}

std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
  if (!text.starts_with(begin)) return std::nullopt;
  return text.substr(begin.size());
}

std::optional<std::string_view> before(std::string_view text, std::string_view end) {
  if (!text.ends_with(end)) return std::nullopt;
  return text.substr(0, text.size() - end.size());
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace tollgate::import
