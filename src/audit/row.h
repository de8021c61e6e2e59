// Row: a line split into a label and its figures, each with the part it plays: a measured value, a percentage that may be
// recomputed, a spread, or neither (a p-value, a number of runs).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/lines.h"
#include "audit/printed_number.h"

namespace tollgate::audit {

enum class Part { value, percent, spread, other };

struct Token {
  PrintedNumber number;
  Part part = Part::value;
  bool in_parentheses = false;
  std::size_t cell = 0;  // which cell of the row it stands in
};

struct Cell {
  std::string text;  // trimmed
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class RowKind { blank, ruler, text, pipes };  // text: cells by two spaces or more; pipes: by bars

struct Row {
  const Line* line = nullptr;
  RowKind kind = RowKind::blank;
  std::vector<Cell> cells;
  std::vector<Token> tokens;
  std::string label;  // what stands before the first value

  /// Indices into `tokens` of the tokens with this part.
  std::vector<std::size_t> of(Part part) const;
};

Row split_row(const Line& line);
std::vector<Row> split_rows(const std::vector<Line>& lines);

std::string lower(std::string_view text);
/// Whether `word` stands in `text` on its own, in any case of letters.
bool has_word(std::string_view text, std::string_view word);

}  // namespace tollgate::audit
