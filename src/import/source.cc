#include "import/source.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace tollgate::import {
namespace {

struct Signature {
  std::string_view begin;
  std::string_view what;
};
constexpr Signature kSignatures[] = {
    {"\x17\x08\x44tracing", "trace-cmd's binary form: import reads the text of trace-cmd report FILE"},
    {"PERFILE2", "perf's binary form: import reads the output of perf stat"},
    {"\xff\xfe", "UTF-16: import reads UTF-8"},
    {"\xfe\xff", "UTF-16: import reads UTF-8"},
    {"\x1f\x8b", "packed with gzip: unpack it first"},
    {"\x28\xb5\x2f\xfd", "packed with zstd: unpack it first"},
};

Result<void> check_text(std::string_view bytes) {
  if (trim(bytes).empty()) return fail("is empty");
  for (const Signature& signature : kSignatures)
    if (bytes.starts_with(signature.begin)) return fail(fmt::format("is {}", signature.what));
  unsigned line = 1;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = utf8_length(bytes, at);
    if (bytes[at] == '\0') return fail_at(line, "is binary: import reads the text that tools print");
    if (length == 0)
      return fail_at(line, fmt::format("is no UTF-8 here (byte 0x{:02x})", static_cast<unsigned char>(bytes[at])));
    line += bytes[at] == '\n';
    at += length;
  }
  return {};
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  unsigned number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, ++number});
  }
  return lines;
}

/// Results are objects, or lists of objects or texts; "[ 0.0] Linux version" and "[error] x" are lines of a log.
bool begins_json(std::string_view text) {
  if (text.starts_with('{')) return true;
  if (!text.starts_with('[')) return false;
  const std::string_view inside = trim(text.substr(1));
  return inside.empty() || std::string_view("{[\"]").find(inside.front()) != std::string_view::npos;
}

}  // namespace

Result<Source> Source::open(std::string name, std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  TRY(check_text(bytes));
  Source source;
  source.name_ = std::move(name);
  source.text_ = bytes;
  source.lines_ = lines_of(bytes);
  source.read_json();
  return source;
}

std::string stem_of(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);  // npos + 1 is 0
  const std::size_t dot = path.find_last_of('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? path : path.substr(0, dot));
}

/// A document begins with the first line, or with the first that is a single bracket.
void Source::read_json() {
  const auto is_begin = [](const Line& line) { return trim(line.text) == "{"; };
  auto begin = std::ranges::find_if(lines_, [](const Line& line) { return !trim(line.text).empty(); });
  if (!begins_json(trim(begin->text))) begin = std::ranges::find_if(lines_, is_begin);
  if (begin == lines_.end()) return;
  const auto first = static_cast<std::size_t>(begin - lines_.begin());
  lines_before_json_ = begin->number - 1;
  auto parsed = parse_json(text_.substr(static_cast<std::size_t>(begin->text.data() - text_.data())), begin->number);
  if (!parsed && read_json_before_text(first)) return;
  if (parsed)
    json_ = std::move(*parsed);
  else
    json_error_ = std::move(parsed).error();
}

/// fio prints its text for people after the JSON when it is asked for both. The document then stands between two lines of one
/// bracket, and no other begins after it.
bool Source::read_json_before_text(std::size_t first) {
  const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto last = std::find_if(begin, lines_.end(), [](const Line& line) { return line.text == "}"; });
  if (begin->text != "{" || last == lines_.end()) return false;
  if (std::any_of(last + 1, lines_.end(), [](const Line& line) { return trim(line.text).starts_with('{'); }))
    return false;
  const auto size = static_cast<std::size_t>(last->text.data() + last->text.size() - begin->text.data());
  auto parsed = parse_json({begin->text.data(), size}, begin->number);
  if (!parsed) return false;
  json_ = std::move(*parsed);
  lines_after_json_ = static_cast<unsigned>(lines_.end() - (last + 1));
  return true;
}

}  // namespace tollgate::import
