#include "import/number.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "audit/printed_number.h"
#include "base/text.h"

namespace tollgate::import {
namespace {

tl::unexpected<Error> no_number(std::string_view text, unsigned line) {
  return fail(fmt::format("'{}' is no number", printable(text)), {"", line, 0});
}

std::optional<Number> plain_number(std::string_view text) {
  Number number;
  const char* end = text.data() + text.size();
  if (text.ends_with('.')) return std::nullopt;  // no tool prints a point without digits: the text is cut
  const auto parsed = std::from_chars(text.data(), end, number.value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number.value)) return std::nullopt;
  if (const std::size_t point = text.find('.');
      point != std::string_view::npos && text.find_first_of("eE") == std::string_view::npos)
    number.half_unit = 0.5 * std::pow(10.0, -static_cast<double>(text.size() - point - 1));
  return number;
}

void drop(std::string& text, std::string_view what) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.erase(at, what.size());
}

/// Groups are of three digits, the first of one to three.
bool are_groups(std::string_view whole, std::string_view separator) {
  const std::size_t first = whole.find(separator);
  if (first == std::string_view::npos) return true;
  if (first == 0 || first > 3 || whole[0] == '0') return false;
  for (std::string_view rest = whole.substr(first); !rest.empty();) {
    if (!rest.starts_with(separator) || rest.size() < separator.size() + 3) return false;
    const std::string_view group = rest.substr(separator.size(), 3);
    if (!std::ranges::all_of(group, [](char c) { return c >= '0' && c <= '9'; })) return false;
    rest.remove_prefix(separator.size() + 3);
  }
  return true;
}

/// Without the separators of groups: 1'234 is 1234. Nothing when they do not group by threes.
std::optional<std::string> ungrouped(std::string_view text, std::string_view separator, char point) {
  const std::string_view whole = text.substr(0, text.find(point));
  if (!are_groups(whole, separator)) return std::nullopt;
  std::string digits(whole);
  drop(digits, separator);
  return digits.append(text.substr(whole.size()));
}

std::optional<Number> localised_number(std::string_view text, Comma comma) {
  const bool has_comma = text.find(',') != std::string_view::npos;
  const char point = comma == Comma::decimals_points || (comma == Comma::decimals && has_comma) ? ',' : '.';
  std::string digits(text);
  for (const std::string_view separator : {"'", "\xe2\x80\xaf", "\xc2\xa0", point == ',' ? "." : ","}) {
    if (digits.find(separator) == std::string::npos) continue;
    auto plain = ungrouped(digits, separator, point);
    if (!plain) return std::nullopt;
    digits = std::move(*plain);
  }
  if (point == ',' && std::ranges::count(digits, ',') > 1) return std::nullopt;
  std::ranges::replace(digits, ',', '.');
  auto number = plain_number(digits);
  if (!number) return std::nullopt;
  // Commas that group by threes are perf's own habit; all else was somebody's locale.
  if (point == ',' || text.find_first_of("'\xe2\xc2") != std::string_view::npos)
    number->remark = fmt::format("'{}' was read as {}", printable(text), digits);
  return number;
}

/// 527k, 12.30u: what is printed with a suffix was rounded for people.
std::optional<Number> suffixed_number(std::string_view text) {
  const auto found = audit::numbers_in(text);
  if (found.size() != 1 || found[0].begin != 0 || found[0].end != text.size()) return std::nullopt;
  const audit::PrintedNumber& printed = found[0];
  if (printed.percent || printed.approximate || printed.unit.size() != 1) return std::nullopt;
  if (std::string_view("kKMG").find(printed.unit[0]) == std::string_view::npos) return std::nullopt;
  return Number{printed.value, printed.half_unit,
                fmt::format("'{}' was read as {:.15g}, which its digits leave open by +-{:.3g}", text, printed.value,
                            printed.half_unit)};
}

}  // namespace

Result<Number> read_number(std::string_view text, unsigned line, Comma comma) {
  const bool points_group = comma == Comma::decimals_points && text.find('.') != std::string_view::npos;
  if (auto number = points_group ? std::nullopt : plain_number(text)) return *number;
  if (auto number = localised_number(text, comma)) return *number;
  if (auto number = suffixed_number(text)) return *number;
  return no_number(text, line);
}

Result<Number> read_clock(std::string_view text, unsigned line) {
  Number total;
  std::string_view rest = text;
  for (int parts = 0; parts < 3; ++parts) {
    const std::size_t end = rest.find_first_of(":hm");
    std::string_view part = rest.substr(0, end);
    const bool last = end == std::string_view::npos;
    if (last && text.find_first_of("hm") != std::string_view::npos && !part.ends_with('s')) break;  // "0m0": cut
    if (last && rest.size() < text.size() && part.ends_with('s')) part.remove_suffix(1);
    const bool two_digits = part.size() >= 2 || text.find(':') == std::string_view::npos;
    if (part.starts_with('-') && parts == 0 && last) return read_number(text, line, Comma::decimals);
    if (part.empty() || part[0] < '0' || part[0] > '9' || (parts > 0 && !two_digits)) break;
    Number number = TRY(read_number(part, line, Comma::decimals));
    if (parts > 0 && number.value >= 60) break;
    if (!last && number.half_unit > 0) break;
    total.value = total.value * 60 + number.value;
    total.half_unit = number.half_unit;
    if (total.remark.empty()) total.remark = std::move(number.remark);
    if (last) return total;
    // "1h03s" would be read as minutes: an hour is followed by minutes.
    if (rest[end] == 'h' && rest.find('m', end) == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return fail(fmt::format("'{}' is no time", printable(text)), {"", line, 0});
}

}  // namespace tollgate::import
