#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace tollgate {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const auto& candidate : candidates) {
    std::size_t distance = edit_distance(word, candidate);
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    if (begins) distance = std::min<std::size_t>(distance, 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  if (candidates.empty()) return "";
  const std::string near = nearest(word, candidates);
  if (!near.empty()) return fmt::format(" (did you mean '{}'?)", near);
  return fmt::format(" (known: {})", join(candidates, ", "));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string with_commas(long long number) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return number < 0 ? "-" + digits : digits;
}

std::string counted(long long number, std::string_view one) {
  std::string text = with_commas(number) + " ";
  text += one;
  return number == 1 ? text : text + "s";
}

std::string human_bytes(double bytes) {
  constexpr const char* kUnits[] = {"B", "K", "M", "G", "T"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return bytes == double(long(bytes)) ? fmt::format("{}{}", long(bytes), kUnits[unit])
                                      : fmt::format("{:.1f}{}", bytes, kUnits[unit]);
}

namespace {

bool continues(std::string_view text, std::size_t at) { return at < text.size() && (text[at] & 0xC0) == 0x80; }

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continues(text, at + i)) return 0;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);  // surrogate, > U+10FFFF
  return overlong || beyond ? 0 : length;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kDots = "...";
  if (text.size() <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t next = 0; next + kDots.size() <= most; next += std::max<std::size_t>(1, utf8_length(text, next)))
    end = next;
  return std::string(text.substr(0, end)) + std::string(kDots);
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool control = length == 1 && (byte < 0x20 || byte == 0x7f) && byte != '\n' && byte != '\t';
    out += length == 0 || control ? fmt::format("\\x{:02x}", byte) : std::string(text.substr(at, length));
    at += length > 0 ? length : 1;
  }
  return out;
}

}  // namespace tollgate
