#include "base/result.h"

#include <fmt/core.h>

namespace tollgate {

std::string Error::text() const {
  if (place.file.empty()) return message;
  if (place.line == 0) return fmt::format("{}: {}", place.file, message);
  if (place.column == 0) return fmt::format("{}:{}: {}", place.file, place.line, message);
  return fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, message);
}

}  // namespace tollgate
