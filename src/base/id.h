// Id<Tag>: a number that names something. Ids compare and print; they cannot be added, and two kinds cannot be mixed.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace tollgate {

template <typename Tag, typename Number = std::uint32_t>
struct Id {
  Number value = std::numeric_limits<Number>::max();  // "none" until set

  constexpr Id() = default;
  constexpr explicit Id(Number number) : value(number) {}
  static constexpr Id none() { return Id(); }
  constexpr bool valid() const { return value != std::numeric_limits<Number>::max(); }
  constexpr auto operator<=>(const Id&) const = default;
};

using CpuId = Id<struct CpuTag>;
using TaskId = Id<struct TaskTag>;
using MmId = Id<struct MmTag>;

template <typename T>
concept Addable = requires(T a, T b) { a + b; };
static_assert(!Addable<CpuId>, "ids are names, not quantities");
static_assert(!std::equality_comparable_with<CpuId, TaskId>, "a CPU is not a task");

}  // namespace tollgate

template <typename Tag, typename Number>
struct std::hash<tollgate::Id<Tag, Number>> {
  std::size_t operator()(tollgate::Id<Tag, Number> id) const { return std::hash<Number>{}(id.value); }
};
