#include "store/session.h"

#include <algorithm>

namespace tollgate::store {

std::uint64_t planned_runs(const Session& session) {
  return std::uint64_t{session.terms.runs} * std::max(1U, session.boots) * session.variants.size();
}

std::string_view to_text(RunKind kind) {
  switch (kind) {
    case RunKind::measured:
      return "measured";
    case RunKind::noise:
      return "noise";
    case RunKind::warmup:
      return "warmup";
  }
  return "?";
}

}  // namespace tollgate::store
