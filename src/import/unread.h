// What import knows by sight and does not read: the reader is told what to give it instead.
#pragma once

#include <optional>
#include <string>

#include "import/source.h"

namespace tollgate::import {

/// What a source is that no importer recognises, with what to do: "fio's terse output: ..."; nothing where it is not known.
std::optional<std::string> known_but_unread(const Source& source);

}  // namespace tollgate::import
