// From a kept session to the samples that the analysis reads, with what its reader must know: what was kept although it
// failed, and what is missing.
#pragma once

#include <span>

#include "evidence/measurement.h"
#include "store/session.h"

namespace tollgate::store {

/// The measured runs. A session that is not whole yields what there is, and a warning.
evidence::Measurement measurement_of(const Session& session, std::span<const Run> runs);

/// The runs of the baseline against itself, as a measurement of the variants "NAME" and "NAME again".
evidence::Measurement noise_of(const Session& session, std::span<const Run> runs);

}  // namespace tollgate::store
