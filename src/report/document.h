// Document: a report before it is text or Markdown. One builder makes it, two renderers read it, so that both formats
// say the same. Cells and paragraphs are plain text; the renderers escape, pad and wrap.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tollgate::report {

enum class Align { left, right };

struct Heading {
  int level = 1;  // 1 the title, 2 a section
  std::string text;
};

struct Paragraph {
  std::string text;
};

struct Bullets {
  std::vector<std::string> items;
};

struct Column {
  std::string header;
  Align align = Align::left;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns
};

using Block = std::variant<Heading, Paragraph, Bullets, Table>;
using Document = std::vector<Block>;

/// Columns that UTF-8 `text` takes on a terminal, if every character takes one.
std::size_t display_width(std::string_view text);

/// Plain text, paragraphs and bullets wrapped at 100 columns; tables as wide as their cells. Control characters show
/// as '?'.
std::string render_text(const Document& document);

/// One table in +----+ boxes, every cell to the left: the form that people post to mailing lists.
std::string render_boxed(const Table& table);

/// GitHub Markdown: '|', '<' and what else would be markup is escaped.
std::string render_markdown(const Document& document);

}  // namespace tollgate::report
