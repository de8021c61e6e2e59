// The only user of toml++. It is used in compiled mode (TOML_HEADER_ONLY=0): in header mode malformed input such as "[\n"
// ends in an assertion. Its exceptions stop here, and its tree is copied into ours at once.
#include <toml++/toml.h>

#include <fmt/core.h>

#include "base/text.h"
#include "config/node.h"

static_assert(TOML_HEADER_ONLY == 0, "toml++ aborts on malformed input in header mode");

namespace tollgate::config {
namespace {

// Deep enough for any file a person writes; shallow enough that recursion over the tree is harmless. The library bounds
// brackets but not dotted keys.
constexpr int kMaxDepth = 32;

SourcePlace place_in(const std::string& file, const toml::source_region& region) {
  return {file, static_cast<unsigned>(region.begin.line), static_cast<unsigned>(region.begin.column)};
}

Result<void> check_text(std::string_view text, const std::string& file) {
  SourcePlace place{file, 1, 1};
  for (std::size_t at = 0; at < text.size(); ++place.column) {
    if (text[at] == '\0') return fail("a NUL byte: this is not a text file", place);
    const std::size_t length = utf8_length(text, at);
    if (length == 0)
      return fail(fmt::format("byte 0x{:02x} is not valid UTF-8", static_cast<unsigned char>(text[at])), place);
    if (text[at] == '\n') {
      ++place.line;
      place.column = 0;
    }
    at += length;
  }
  return {};
}

/// Skips the string that begins at `at` (a quote) and returns the index after it; an unclosed string ends the text or, if
/// it may not span lines, the line, which is where the parser itself will stop.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool long_form = text.substr(at, 3) == std::string(3, quote);
  const std::string_view close = long_form ? text.substr(at, 3) : text.substr(at, 1);
  for (at += close.size(); at < text.size();) {
    if (text[at] == '\\' && quote == '"') {
      at += 2;
    } else if (text.substr(at).starts_with(close)) {
      at += close.size();  // a long string may end in one or two quotes of its own
      for (int own = 0; long_form && own < 2 && at < text.size() && text[at] == quote; ++own) ++at;
      return at;
    } else if (text[at] == '\n' && !long_form) {
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

/// Bounds the depth of brackets and of dotted keys before the library builds a tree that recurses as deep.
Result<void> check_depth(std::string_view text, const std::string& file) {
  int brackets = 0;
  int dots = 0;
  unsigned line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = skip_string(text, at);
      line += static_cast<unsigned>(std::count(text.begin() + at, text.begin() + std::min(end, text.size()), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '\n') {
      ++line;
      dots = 0;
    } else if (c == '[' || c == '{') {
      ++brackets;
    } else if ((c == ']' || c == '}') && brackets > 0) {
      --brackets;
    } else if (c == ',' || c == '=') {
      dots = 0;
    } else if (c == '.') {
      ++dots;
    }
    if (brackets > kMaxDepth || dots > kMaxDepth)
      return fail(fmt::format("nested more than {} deep", kMaxDepth), {file, line, 0});
    ++at;
  }
  return {};
}

Node convert(const toml::node& from, const std::string& file);

void convert_table(const toml::table& from, const std::string& file, Node& to) {
  to.kind = Node::Kind::table;
  to.is_inline = from.is_inline();
  for (const auto& [key, value] : from) {
    Node child = convert(value, file);
    child.key = std::string(key.str());
    child.key_place = place_in(file, key.source());
    if (child.place.line == 0) child.place = child.key_place;
    to.children.push_back(std::move(child));
  }
  std::stable_sort(to.children.begin(), to.children.end(), [](const Node& a, const Node& b) {
    return std::pair(a.key_place.line, a.key_place.column) < std::pair(b.key_place.line, b.key_place.column);
  });
}

Node convert(const toml::node& from, const std::string& file) {
  Node node;
  node.place = place_in(file, from.source());
  if (const auto* table = from.as_table()) {
    convert_table(*table, file, node);
  } else if (const auto* array = from.as_array()) {
    node.kind = Node::Kind::array;
    for (const auto& element : *array) node.children.push_back(convert(element, file));
  } else if (const auto* text = from.as_string()) {
    node.kind = Node::Kind::text;
    node.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    node.kind = Node::Kind::integer;
    node.integer = integer->get();
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = Node::Kind::number;
    node.number = number->get();
  } else if (const auto* boolean = from.as_boolean()) {
    node.kind = Node::Kind::boolean;
    node.boolean = boolean->get();
  } else {
    node.kind = Node::Kind::date;
  }
  return node;
}

}  // namespace

Result<Node> read_toml(std::string_view text, const std::string& file) {
  TRY(check_text(text, file));
  TRY(check_depth(text, file));
  try {
    const toml::table parsed = toml::parse(text, std::string_view(file));
    Node root = convert(parsed, file);
    root.place = {file, 1, 1};
    return root;
  } catch (const toml::parse_error& error) {
    return fail(fmt::format("not valid TOML: {}", error.description()), place_in(file, error.source()));
  } catch (const std::exception& error) {
    return fail(fmt::format("not valid TOML: {}", error.what()), {file, 0, 0});
  }
}

}  // namespace tollgate::config
