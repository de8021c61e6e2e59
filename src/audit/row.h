// Row: a line split into a label and its figures, each with the part it plays: a measured value, a percentage that may be
// recomputed, a spread, a factor ("1.5x"), or none of these (a p-value, a number of runs).
#pragma once

#include <array>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/lines.h"
#include "audit/printed_number.h"
#include "audit/words.h"

namespace tollgate::audit {

enum class Part { value, percent, spread, factor, other };
inline constexpr std::size_t kParts = 5;

struct Token {
  PrintedNumber number;
  Part part = Part::value;
  bool in_parentheses = false;
  std::size_t cell = 0;  // which cell of the row it stands in
  bool in_list = false;  // of "0.112/0.154/0.201"
};

struct Cell {
  std::string_view text;  // trimmed, of the line
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class RowKind { blank, ruler, text, pipes };  // text: cells by two spaces or more; pipes: by bars

/// Lives no longer than the lines it was read from.
struct Row {
  using allocator_type = std::pmr::polymorphic_allocator<>;
  explicit Row(allocator_type memory) : cells(memory), tokens(memory), by_part_(memory) {}
  Row(const Row&) = delete;  // the views below may point into `tidied`
  Row& operator=(const Row&) = delete;

  const Line* line = nullptr;
  RowKind kind = RowKind::blank;
  std::pmr::vector<Cell> cells;  // none for prose far from any figure
  std::pmr::vector<Token> tokens;
  std::string_view label;  // what stands before the first value
  std::string tidied;      // the text that cells and label are of, where it is not the line's own

  /// Indices into `tokens` of the tokens with this part.
  std::span<const std::size_t> of(Part part) const {
    const auto at = static_cast<std::size_t>(part);
    return std::span(by_part_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }
  void set_part(std::size_t token, Part part);
  void sort_parts();

 private:
  std::pmr::vector<std::size_t> by_part_;         // tokens, those of one part together
  std::array<std::size_t, kParts + 1> starts_{};  // of each part in it
};

/// The rows of a text, with all that they hold in `memory`: there are many of them, and they end together.
using Rows = std::pmr::vector<Row>;
Rows split_rows(const std::vector<Line>& lines, std::pmr::memory_resource& memory);

}  // namespace tollgate::audit
