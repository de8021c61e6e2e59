// CHECK: an assertion about our own mistakes. It stays on in release builds; no input may reach one.
#pragma once

#include <source_location>
#include <string_view>

namespace tollgate {

[[noreturn]] void check_failed(std::string_view condition, std::string_view why, std::source_location where);

}  // namespace tollgate

#define CHECK(condition, why)                                                       \
  do {                                                                              \
    if (!(condition)) [[unlikely]]                                                  \
      ::tollgate::check_failed(#condition, (why), std::source_location::current()); \
  } while (false)
