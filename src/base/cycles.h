// Cycles: an amount of simulated time, in whole cycles of the machine's reference clock. Points in time are Cycles since
// the start of the run. Times add and scale; they do not mix with plain counts.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>

namespace tollgate {

struct Cycles {
  std::int64_t value = 0;

  constexpr Cycles() = default;
  constexpr explicit Cycles(std::int64_t cycles) : value(cycles) {}
  constexpr auto operator<=>(const Cycles&) const = default;
  constexpr Cycles& operator+=(Cycles other) {
    value += other.value;
    return *this;
  }
  constexpr Cycles& operator-=(Cycles other) {
    value -= other.value;
    return *this;
  }
  friend constexpr Cycles operator+(Cycles a, Cycles b) { return Cycles(a.value + b.value); }
  friend constexpr Cycles operator-(Cycles a, Cycles b) { return Cycles(a.value - b.value); }
  friend constexpr Cycles operator*(Cycles a, std::int64_t times) { return Cycles(a.value * times); }
  friend constexpr double operator/(Cycles a, Cycles b) { return double(a.value) / double(b.value); }
};

template <typename A, typename B>
concept AddableTo = requires(A a, B b) { a + b; };
static_assert(AddableTo<Cycles, Cycles>);
static_assert(!AddableTo<Cycles, int> && !AddableTo<Cycles, std::int64_t>, "a count is not a time");

}  // namespace tollgate
