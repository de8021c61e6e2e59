#include "evidence/names.h"

#include <fmt/core.h>

#include "base/check.h"

namespace tollgate::evidence {

std::string_view to_text(Origin origin) {
  switch (origin) {
    case Origin::predicted:
      return "predicted";
    case Origin::measured:
      return "measured";
    case Origin::observed:
      return "observed";
    case Origin::published:
      return "published";
  }
  CHECK(false, "an origin without a word");
}

std::string_view to_text(Order order) {
  switch (order) {
    case Order::unknown:
      return "unknown";
    case Order::in_sequence:
      return "in sequence";
    case Order::random_blocks:
      return "random blocks";
    case Order::abba:
      return "abba";
  }
  CHECK(false, "an order without a word");
}

std::string_view to_text(Design design) { return design == Design::paired ? "paired" : "unpaired"; }

std::string_view to_text(Finding finding) {
  switch (finding) {
    case Finding::changed:
      return "changed";
    case Finding::equivalent:
      return "equivalent";
    case Finding::inconclusive:
      return "inconclusive";
  }
  CHECK(false, "a finding without a word");
}

std::string finding_text(const RealEstimate& estimate, Better better) {
  const std::string_view word = to_text(estimate.finding);
  if (estimate.finding != Finding::changed || better == Better::neither) return std::string(word);
  const bool rises = *estimate.shift_percent > 0;
  return fmt::format("{} ({})", word, rises == (better == Better::higher) ? "better" : "worse");
}

}  // namespace tollgate::evidence
