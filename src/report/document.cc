#include "report/document.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"
#include "base/text.h"

namespace tollgate::report {
namespace {

constexpr std::size_t kWidth = 100;

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// One line without control characters: names come from files, and a terminal obeys what it is sent.
std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return out;
}

/// `text` in lines of kWidth, the first after `first`, the others after as many spaces.
std::string wrapped(std::string_view text, std::string_view first) {
  const std::string indent(first.size(), ' ');
  std::string out, line(first);
  for (const auto& word : split(one_line(text), ' ')) {
    if (word.empty()) continue;
    const bool fresh = line.size() == first.size();
    if (!fresh && display_width(line) + 1 + display_width(word) > kWidth) {
      out += line + "\n";
      line = indent;
    } else if (!fresh) {
      line += ' ';
    }
    line += word;
  }
  return out + line + "\n";
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string space(width - std::min(width, display_width(cell)), ' ');
  return align == Align::left ? cell + space : space + cell;
}

std::string table_line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                       const std::vector<Column>& columns) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i) line += " | ";
    line += padded(cells[i], widths[i], columns[i].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::vector<std::vector<std::string>> cells_of(const Table& table) {
  std::vector<std::vector<std::string>> lines{{}};
  for (const auto& column : table.columns) lines[0].push_back(one_line(column.header));
  for (const auto& row : table.rows) {
    CHECK(row.size() == table.columns.size(), "a row has a cell for every column");
    lines.emplace_back();
    for (const auto& cell : row) lines.back().push_back(one_line(cell));
  }
  return lines;
}

std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  return widths;
}

std::string text_of(const Table& table) {
  const auto lines = cells_of(table);
  const auto widths = widths_of(lines);
  std::string out;
  for (const auto& line : lines) out += table_line(line, widths, table.columns);
  return out;
}

std::string text_of(const Bullets& bullets) {
  std::string out;
  for (const auto& item : bullets.items) out += wrapped(item, "- ");
  return out;
}

bool is_word(std::string_view text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
}

/// Whether the character at `at` could be markup. An underscore inside a word is none on GitHub, and names have many.
bool is_markup(std::string_view text, std::size_t at) {
  if (text[at] == '_') return at == 0 || !is_word(text, at - 1) || !is_word(text, at + 1);
  if (text[at] == '#') return at == 0;
  return std::string_view("\\`*[]<>|~&").find(text[at]) != std::string_view::npos;
}

std::string escaped(std::string_view text) {
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_markup(line, at)) out += '\\';
    out += line[at];
  }
  return out;
}

std::string marks(int level) { return std::string(static_cast<std::size_t>(level) + 1, '#') + " "; }

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line.append(" ").append(escaped(cell)).append(" |");
  return line + "\n";
}

std::string markdown_of(const Table& table) {
  const auto lines = cells_of(table);
  std::string out = markdown_line(lines[0]) + "|";
  for (const auto& column : table.columns) out += column.align == Align::left ? " --- |" : " ---: |";
  out += "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += markdown_line(lines[i]);
  return out;
}

std::string markdown_of(const Bullets& bullets) {
  std::string out;
  for (const auto& item : bullets.items) out.append("- ").append(escaped(item)).append("\n");
  return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string render_text(const Document& document) {
  std::string out;
  bool close_up = true;  // a section's heading belongs to the block that follows it
  for (const Block& block : document) {
    if (!close_up) out += "\n";
    out += std::visit(Overloaded{[](const Heading& heading) { return wrapped(heading.text, ""); },
                                 [](const Paragraph& paragraph) { return wrapped(paragraph.text, ""); },
                                 [](const auto& other) { return text_of(other); }},
                      block);
    close_up = std::holds_alternative<Heading>(block);
  }
  return out;
}

std::string render_boxed(const Table& table) {
  const auto lines = cells_of(table);
  const auto widths = widths_of(lines);
  std::string rule = "+";
  for (const std::size_t width : widths) rule += std::string(width + 2, '-') + "+";
  rule += "\n";
  std::string out = rule;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += "|";
    for (std::size_t cell = 0; cell < lines[i].size(); ++cell)
      out += " " + padded(lines[i][cell], widths[cell], Align::left) + " |";
    out += i == 0 ? "\n" + rule : "\n";
  }
  return out + rule;
}

std::string render_markdown(const Document& document) {
  std::string out;
  for (const Block& block : document) {
    if (!out.empty()) out += "\n";
    out += std::visit(
        Overloaded{[](const Heading& heading) { return marks(heading.level) + escaped(heading.text) + "\n"; },
                   [](const Paragraph& paragraph) { return escaped(paragraph.text) + "\n"; },
                   [](const auto& other) { return markdown_of(other); }},
        block);
  }
  return out;
}

}  // namespace tollgate::report
