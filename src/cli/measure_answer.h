// What `tollgate measure` prints of a kept session.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "evidence/comparison.h"
#include "store/session.h"

namespace tollgate::cli {

/// The runs, analysed.
Result<evidence::Comparison> answer(const store::Session& session, std::span<const store::Run> runs);

/// The kept sessions, a row each.
std::string list_text(std::span<const store::SessionLine> lines, const std::string& format);

}  // namespace tollgate::cli
