// Cutting lines of text into words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::import {

/// The words of a line, between spaces and tabs.
std::vector<std::string_view> words_of(std::string_view line);

/// What stands after `begin`, when the text begins so.
std::optional<std::string_view> after(std::string_view text, std::string_view begin);
/// What stands before `end`, when the text ends so.
std::optional<std::string_view> before(std::string_view text, std::string_view end);

bool all_digits(std::string_view text);

}  // namespace tollgate::import
