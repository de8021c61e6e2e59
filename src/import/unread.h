// What import knows by sight and does not read: the reader is told what to give it instead.
#pragma once

#include <optional>

#include "base/result.h"
#include "import/source.h"

namespace tollgate::import {

/// Why a source that no importer recognises is not read; nothing where it is not known what it is.
std::optional<Error> why_unread(const Source& source);

}  // namespace tollgate::import
