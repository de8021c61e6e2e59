// Result<T>: expected problems are values. An Error says what is wrong, where (file:line:col where there is one), and
// what may have been meant. TRY(expression) yields the value or returns the error to the caller.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace tollgate {

/// A place in an input file. `line` and `column` count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

struct [[nodiscard]] Error {
  std::string message;
  SourcePlace place = {};

  /// "file:line:col: message", leaving out what is not known.
  std::string text() const;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail("...")` from any function that returns a Result.
inline tl::unexpected<Error> fail(std::string message, SourcePlace place = {}) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(place)});
}

/// The value of a result that is known to hold one; nothing for Result<void>.
template <typename T>
T take_value(Result<T>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace tollgate

// The counter gives every expansion its own name, so that one TRY may stand inside another's expression.
// Not behind another element of a braced initialiser: GCC 12 leaks what was made before it when it returns there.
#define TRY(expression) TOLLGATE_TRY_AS(TOLLGATE_TRY_NAME(__COUNTER__), expression)
#define TOLLGATE_TRY_NAME(counter) TOLLGATE_TRY_PASTE(counter)
#define TOLLGATE_TRY_PASTE(counter) try_result_##counter
#define TOLLGATE_TRY_AS(name, expression)               \
  __extension__({                                       \
    auto name = (expression);                           \
    if (!name) [[unlikely]]                             \
      return ::tl::unexpected(std::move(name).error()); \
    ::tollgate::take_value(std::move(name));            \
  })
