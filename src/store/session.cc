#include "store/session.h"

#include <algorithm>

namespace tollgate::store {

std::uint64_t planned_runs(const Session& session) {
  return std::uint64_t{session.terms.runs} * std::max(1U, session.boots) * session.variants.size();
}

}  // namespace tollgate::store
