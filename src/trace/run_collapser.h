// RunCollapser: single references to runs, for one stream. Emits a fetch run, then the data runs its instructions made.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "trace/record.h"

namespace tollgate::trace {

class RunCollapser {
 public:
  /// A longer fetch run is split, so that a reader need never hold or wait for more; splitting moves nothing in a TLB.
  static constexpr std::size_t kMaxDataRuns = 64;
  static constexpr std::uint64_t kMaxInstructions = 1 << 16;

  explicit RunCollapser(std::uint16_t stream) : fetch_{.stream = stream, .kind = Kind::fetch} {}

  /// Adds a fetch; `emit(const Record&)` gets the runs it ended.
  template <typename Emit>
  void fetch(std::uint64_t page, std::uint64_t instructions, Mode mode, Emit&& emit) {
    // The tail of an instruction stays a run of its own, so that look-ups can be counted to the last.
    if (fetching_ && page == fetch_.page && mode == fetch_.mode && instructions != 0 && fetch_.instructions != 0 &&
        fetch_.instructions + instructions <= kMaxInstructions) [[likely]] {
      fetch_.instructions += static_cast<std::uint32_t>(instructions);
      return;
    }
    end_runs(emit);
    begin_fetch(page, mode);
    for (; instructions > kMaxInstructions; instructions -= kMaxInstructions) {
      fetch_.instructions = kMaxInstructions;
      end_runs(emit);
      begin_fetch(page, mode);
    }
    fetch_.instructions = static_cast<std::uint32_t>(instructions);
  }

  template <typename Emit>
  void data(std::uint64_t page, std::uint64_t reads, std::uint64_t writes, Mode mode, Emit&& emit) {
    while (reads > kMaxAccesses || writes > kMaxAccesses) {
      const std::uint64_t some_reads = reads < kMaxAccesses ? reads : kMaxAccesses;
      const std::uint64_t some_writes = writes < kMaxAccesses ? writes : kMaxAccesses;
      data(page, some_reads, some_writes, mode, emit);
      reads -= some_reads;
      writes -= some_writes;
    }
    if (reads + writes == 0) return;
    Record* last = data_runs_ > 0 ? &data_[data_runs_ - 1] : nullptr;
    if (last == nullptr || last->page != page || last->mode != mode || last->reads + reads > kMaxAccesses ||
        last->writes + writes > kMaxAccesses) {
      if (data_runs_ == kMaxDataRuns) end_runs(emit);
      last = &data_[data_runs_++];
      *last = {.page = page, .stream = fetch_.stream, .kind = Kind::data, .mode = mode};
    }
    last->reads += static_cast<std::uint32_t>(reads);
    last->writes += static_cast<std::uint32_t>(writes);
  }

  /// Emits what is open. The next fetch begins a new run even on the same page.
  template <typename Emit>
  void end_runs(Emit&& emit) {
    if (fetching_) emit(static_cast<const Record&>(fetch_));
    for (const Record& run : std::span(data_).first(data_runs_)) emit(run);
    fetching_ = false;
    data_runs_ = 0;
  }

 private:
  static constexpr std::uint64_t kMaxAccesses = std::numeric_limits<std::uint32_t>::max();

  void begin_fetch(std::uint64_t page, Mode mode) {
    fetching_ = true;
    fetch_.page = page;
    fetch_.mode = mode;
  }

  Record fetch_;
  std::array<Record, kMaxDataRuns> data_;
  std::size_t data_runs_ = 0;
  bool fetching_ = false;
};

}  // namespace tollgate::trace
