// TraceHeader and TraceTotals: what a trace file says of itself at its beginning and at its end.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/record.h"

namespace tollgate::trace {

enum class KernelReferences : std::uint8_t { none, included };

struct TraceHeader {
  std::uint16_t major = 1;  // another major version cannot be read
  std::uint16_t minor = 0;  // a newer minor version may hold events this program skips
  std::uint8_t page_shift = 12;
  KernelReferences kernel = KernelReferences::none;
  std::string architecture = "x86_64";
  std::string origin;  // free text: what was recorded, with what
};

struct ModeTotals {
  std::uint64_t instructions = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t fetch_runs = 0;
  std::uint64_t data_runs = 0;

  bool operator==(const ModeTotals&) const = default;
};

struct TraceTotals {
  std::array<ModeTotals, 2> modes{};  // by Mode
  std::array<std::uint64_t, kEventKinds> events{};
  std::uint64_t fetch_pages = 0;       // distinct pages fetched from
  std::uint64_t data_pages = 0;        // distinct pages read or written
  std::uint64_t pages = 0;             // distinct pages of either
  std::uint64_t unknown_events = 0;    // skipped: of a kind this program does not know
  std::vector<std::uint16_t> streams;  // in order of their first record

  std::uint64_t instructions() const { return modes[0].instructions + modes[1].instructions; }
  std::uint64_t reads() const { return modes[0].reads + modes[1].reads; }
  std::uint64_t writes() const { return modes[0].writes + modes[1].writes; }
  std::uint64_t runs() const;
  std::uint64_t events_total() const;
  /// References before collapsing: an instruction is one, a read is one, a write is one.
  std::uint64_t references() const { return instructions() + reads() + writes(); }
  std::uint64_t records() const { return runs() + events_total(); }
  bool operator==(const TraceTotals&) const = default;
};

/// An error that says what to do when the trace was recorded on another architecture than `wanted` ("x86_64").
Result<void> require_architecture(const TraceHeader& header, const std::string& wanted, const std::string& path);

}  // namespace tollgate::trace
