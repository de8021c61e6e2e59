// The words for what is kept, one table a kind: in the store's columns, its exports, plans and the command line.
#pragma once

#include <optional>
#include <span>

#include "config/document.h"
#include "store/session.h"

namespace tollgate::store {

inline constexpr config::Choice<evidence::Order> kOrders[] = {{"random", evidence::Order::random_blocks},
                                                              {"abba", evidence::Order::abba},
                                                              {"sequence", evidence::Order::in_sequence}};
inline constexpr config::Choice<evidence::Better> kBetter[] = {
    {"higher", evidence::Better::higher}, {"lower", evidence::Better::lower}, {"neither", evidence::Better::neither}};
inline constexpr config::Choice<OnFailure> kOnFailure[] = {{"stop", OnFailure::stop}, {"keep", OnFailure::keep}};
inline constexpr config::Choice<RunKind> kRunKinds[] = {
    {"measured", RunKind::measured}, {"noise", RunKind::noise}, {"warmup", RunKind::warmup}};

/// The value of that name, if there is one.
template <typename Enum, std::size_t N>
std::optional<Enum> value_named(const config::Choice<Enum> (&choices)[N], std::string_view name) {
  for (const auto& choice : choices)
    if (choice.name == name) return choice.value;
  return std::nullopt;
}

template <typename Enum, std::size_t N>
std::vector<std::string> names_in(const config::Choice<Enum> (&choices)[N]) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.emplace_back(choice.name);
  return names;
}

}  // namespace tollgate::store
