// Simulator: a trace through one or many setups in one pass.
//
// A reference to the page that was used last of all pages that could share its set hits in every setup and moves nothing,
// whatever the replacement, so it is only counted. The pages that could share a set are those with the same number modulo
// the greatest common divisor of all numbers of sets. What is left goes to the cores, a batch at a time.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "simulate/core.h"
#include "simulate/page_sizes.h"
#include "trace/record.h"

namespace tollgate::simulate {

/// A request for a curve: misses of one level of the first setup for 1 to `ways` ways, with the sets it has.
struct CurveRequest {
  Curve::Level level = Curve::Level::l1d;
  std::uint64_t sets = 1;
  int ways = 1;
};

struct StreamResult {
  std::uint16_t stream = 0;
  std::vector<SideCounts> counts;  // by setup
  std::vector<Curve> curves;       // by request
};

class Simulator {
 public:
  Simulator(std::vector<Setup> setups, PageSizes sizes, std::vector<CurveRequest> curves = {});
  Simulator(Simulator&&) noexcept;
  ~Simulator();

  /// Records in order within their stream. An error: more than 65,535 address spaces.
  Result<void> take(std::span<const trace::Record> records);
  /// By stream, in order of their first record.
  std::vector<StreamResult> results() const;
  const std::vector<Setup>& setups() const { return setups_; }
  /// Events that were heeded.
  std::uint64_t switches() const { return switches_; }
  std::uint64_t flushes() const { return flushes_; }

 private:
  struct Stream;
  /// Which words of a side are compared with which.
  struct Filter {
    std::uint64_t slots = 0;                   // pages with the same number modulo this may share a set
    std::uint64_t mask = 0;                    // slots - 1 where that is a power of two, else 0
    std::array<int, hw::kPageSizes> shifts{};  // in what a page of each size is held, in all setups
    std::array<bool, hw::kPageSizes> off{};    // setups disagree on that, or have no place for it: nothing is dropped
    std::uint64_t slot_of(std::uint64_t page) const { return mask != 0 ? page & mask : slots == 1 ? 0 : page % slots; }
  };

  Stream& stream_of(std::uint16_t id);
  void make_filter();
  template <bool kOneSize>
  std::size_t take_runs(Stream& stream, std::span<const trace::Record> runs);
  void drain(Stream& stream, std::size_t count, std::uint32_t routes_seen);
  Result<void> take_event(Stream& stream, const trace::Record& event);
  void flush(Stream& stream, const trace::Record& event);
  Result<std::uint32_t> space_of(std::uint64_t name);

  std::vector<Setup> setups_;
  PageSizes sizes_;
  std::vector<CurveRequest> curve_requests_;
  std::vector<std::unique_ptr<Stream>> streams_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> spaces_;  // by the trace's name; from 1
  std::array<Filter, 2> filter_{};                                  // by side
  std::array<PageWord, kBatch> words_;
  std::array<std::uint8_t, kBatch> routes_;
  std::uint64_t switches_ = 0;
  std::uint64_t flushes_ = 0;
};

}  // namespace tollgate::simulate
