// RecordBatcher: single references to batches of records, collapsed into runs as in a trace file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "trace/reference_sink.h"
#include "trace/run_collapser.h"

namespace tollgate::trace {

/// Takes records; they are gone after the call. An error ends the reading.
using TakeRecords = std::function<Result<void>(std::span<const Record>)>;

class RecordBatcher final : public ReferenceSink {
 public:
  explicit RecordBatcher(TakeRecords take) : take_(std::move(take)) {
    batch_.reserve(kBatch + 1);
    select_stream(0);
  }

  void select_stream(std::uint16_t stream) override {
    current_ = &streams_.try_emplace(stream, stream).first->second;
    stream_ = stream;
  }
  void add_fetch(std::uint64_t page, std::uint64_t instructions, Mode mode) override {
    current_->fetch(page, instructions, mode, [this](const Record& run) { emit(run); });
  }
  void add_data(std::uint64_t page, std::uint64_t reads, std::uint64_t writes, Mode mode) override {
    current_->data(page, reads, writes, mode, [this](const Record& run) { emit(run); });
  }
  void add_event(Kind kind, std::uint64_t first, std::uint64_t second) override {
    current_->end_runs([this](const Record& run) { emit(run); });
    emit({.page = first, .value = second, .stream = stream_, .kind = kind});
  }
  const Error* problem() const override { return problem_ ? &*problem_ : nullptr; }

  /// Hands out what is left.
  Result<void> finish() {
    for (auto& [stream, runs] : streams_) runs.end_runs([this](const Record& run) { emit(run); });
    flush();
    if (problem_) return tl::unexpected(*problem_);
    return {};
  }

 private:
  static constexpr std::size_t kBatch = 4096;

  void emit(const Record& record) {
    batch_.push_back(record);
    if (batch_.size() == kBatch) flush();
  }
  void flush() {
    if (auto taken = problem_ ? Result<void>() : take_(batch_); !taken) problem_ = std::move(taken).error();
    batch_.clear();
  }

  TakeRecords take_;
  std::map<std::uint16_t, RunCollapser> streams_;
  RunCollapser* current_ = nullptr;
  std::uint16_t stream_ = 0;
  std::vector<Record> batch_;
  std::optional<Error> problem_;
};

}  // namespace tollgate::trace
