// Schedule: the order of the runs, a function of the session's terms alone, so that a session that was interrupted goes on as
// it was planned. Random order within blocks of one run a variant keeps drift, steps and periodic disturbances from looking
// like a difference (docs/measure.md); of three blocks and more, orders are drawn again in which a variant's place beside the
// baseline never changes or changes every time, which a cost of being second or a period of two blocks would need.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "evidence/measurement.h"

namespace tollgate::measure {

struct Slot {
  std::uint32_t variant = 0;
  std::uint32_t number = 0;    // of its variant, from 0
  std::uint32_t position = 0;  // from 0
  std::uint32_t block = 0;
};

/// `rounds` slots of each of `variants`; `purpose` names the random stream under `seed`.
std::vector<Slot> schedule(std::uint32_t variants, std::uint32_t rounds, evidence::Order order, std::uint64_t seed,
                           std::string_view purpose);

}  // namespace tollgate::measure
