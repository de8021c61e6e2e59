// What `tollgate measure` prints of a kept session.
#pragma once

#include <span>
#include <string>

#include "store/session.h"

namespace tollgate::cli {

/// The answer in the form that --format asks for.
std::string answer_text(const store::Session& session, std::span<const store::Run> runs, const std::string& format);

/// The kept sessions, a row each.
std::string list_text(std::span<const store::SessionLine> lines, const std::string& format);

}  // namespace tollgate::cli
