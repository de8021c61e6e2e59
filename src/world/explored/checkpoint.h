// Checkpoint: an exploration kept in a file as it goes, so that it can go on after a crash or a kill. The file only grows: a
// header, then a record each time, with the states found since the last one and where the search stands. A record is whole or
// it does not count, so a kill at any moment costs what came after the last whole one. Format: docs/formats/checkpoint.md.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "base/result.h"
#include "world/explored/state_store.h"

namespace tollgate::explored {

/// Where a breadth-first search stands, between two states.
struct SearchPosition {
  std::uint64_t next = 0;       // state to expand
  std::uint64_t level_end = 1;  // first state of the next depth
  std::uint64_t depth = 0;
  std::uint64_t transitions = 0;
};

class Checkpoint {
 public:
  /// Opens or creates the file. What it holds is put into `store`, which must be empty, and `position`. `of` says what is
  /// explored. Errors: the file is of another exploration or damaged, cannot be written, or holds more than the memory allows.
  static Result<Checkpoint> open(const std::string& path, const std::string& of, StateStore& store,
                                 SearchPosition& position);

  /// Adds what is new. After an error the file holds what it held before.
  Result<void> save(const StateStore& store, const SearchPosition& position);

  /// There is a verdict: the file has done its work.
  void remove();

 private:
  explicit Checkpoint(std::string path) : path_(std::move(path)) {}
  Result<void> read_header(std::ifstream& in, const std::string& of);
  /// Whether there was another whole record.
  Result<bool> read_record(std::ifstream& in, std::uint64_t file_bytes, StateStore& store, SearchPosition& position);
  Result<void> append(const std::string& bytes);

  std::string path_;
  std::uint64_t saved_ = 0;  // states
  std::uint64_t good_ = 0;   // bytes of the file that count
};

}  // namespace tollgate::explored
