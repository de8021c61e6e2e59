// What an audit says: the figures it could recompute, each with its verdict, and its findings. A finding states what the
// arithmetic says and the slip that would explain it, never an intent.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "audit/arithmetic.h"

namespace tollgate::audit {

enum class Severity {
  wrong,      // a printed figure that the printed figures it stands on cannot give
  doubtful,   // it can, by a formula or a convention that misleads
  reporting,  // nothing is wrong, but a reader cannot judge: no number of runs, no spread
};

struct Figure {
  std::size_t line = 0;  // of the published percentage, from 1
  std::size_t column = 0;
  std::string label;
  std::string before, after, published;  // as printed
  std::string verdict;                   // verdict_name()
  std::optional<Range> standard;         // percent
};

struct Finding {
  std::string kind;  // "unreachable", "truncated", "duplicate-block": docs/audit.md lists them
  Severity severity = Severity::wrong;
  std::size_t line = 0;
  std::size_t column = 0;          // in the line as shown; 0 when it is about the whole line
  std::size_t width = 0;           // of the printed figure
  std::string excerpt;             // the line as read
  std::vector<std::string> above;  // lines of its table, the header first; "..." where some are left out
  std::string printed;
  std::optional<Range> recomputed;
  std::string message;
  std::string slip;                    // the likely slip and the edit that repairs it; "" when none is known
  std::string confidence = "certain";  // certain | likely | possible
};

/// The answer for one file or message.
struct Audited {
  std::string name;
  std::size_t unpaired = 0;  // percentages whose figures were not found
  std::vector<Figure> figures;
  std::vector<Finding> findings;  // in order of line
  std::vector<std::string> held;  // sums and identities that were checked and hold
  std::vector<std::string> warnings;
};

}  // namespace tollgate::audit
