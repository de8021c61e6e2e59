// Results that reach their destination or say that they did not: a full disk must never look like an answer.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::cli {

/// Gives closed standard streams to /dev/null, so that no file of ours gets their number and standard error may always be written
/// to. Writing to a closed standard output stays an error.
void hold_standard_streams();

/// Writes to standard output. A failure is remembered and reported by finish_output.
void print(std::string_view text);

/// Says that the answer comes from this file ("-": standard input): write_output does not write over it.
void note_input(const std::string& path);

/// Writes the file whole, or says why not, such as that it is an input; no path ("") and "-" mean standard output.
Result<void> write_output(const std::string& path, std::string_view text);

/// Flushes standard output and says whether everything that was printed arrived.
Result<void> finish_output();

}  // namespace tollgate::cli
