// Small text helpers shared by messages and tables.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, or "" when none is near enough to be a likely slip.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// " (did you mean 'x'?)" or, when nothing is near, " (known: a, b, c)"; "" when there are no candidates.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);

/// 1234567 -> "1,234,567".
std::string with_commas(long long number);

/// "1 CPU", "1,024 CPUs": the plural is `one` with an s.
std::string counted(long long number, std::string_view one);

/// Pages and sizes as people write them: 4096 -> "4K", 2097152 -> "2M".
std::string human_bytes(double bytes);

/// Length of the well-formed UTF-8 sequence that begins at `at` (Unicode standard, table 3-7), or 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// The text, or its beginning and "..." where it has more than `most` bytes; no UTF-8 sequence is cut in two.
std::string shortened(std::string_view text, std::size_t most);

/// Whether any byte is an ASCII control character, line ends and tabs too.
bool has_control(std::string_view text);

/// The text with control characters (but line ends and tabs) and bytes that are no UTF-8 written as \xNN, so that what a
/// user or a file said can be shown without moving the terminal's cursor.
std::string printable(std::string_view text);

}  // namespace tollgate
