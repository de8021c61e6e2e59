// What `tollgate measure --list` prints of the kept sessions.
#pragma once

#include <span>
#include <string>

#include "store/imports.h"
#include "store/session.h"

namespace tollgate::cli {

/// The kept sessions, a row each, imported ones last.
std::string list_text(std::span<const store::SessionLine> lines, std::span<const store::ImportedLine> imported,
                      const std::string& format);

}  // namespace tollgate::cli
