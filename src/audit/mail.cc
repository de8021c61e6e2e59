#include "audit/mail.h"

#include <fmt/core.h>
#include <gmime/gmime.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "audit/html_text.h"
#include "audit/mail_head.h"
#include "audit/prefilter.h"
#include "audit/row.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMostNested = 30;  // parts within parts

struct Unref {
  void operator()(void* object) const {
    if (object != nullptr) g_object_unref(object);
  }
};
template <typename T>
using Owned = std::unique_ptr<T, Unref>;

void start_library() {
  static std::once_flag once;
  std::call_once(once, [] { g_mime_init(); });
}

std::size_t lines_in(std::string_view bytes) {
  return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

/// Says once a text how many of its lines are no UTF-8; they are read as they stand.
void warn_of_bytes(std::string_view text, std::size_t first_line, Message& message) {
  if (is_ascii(text)) return;
  std::size_t invalid = 0, first = 0, line = first_line;
  bool counted = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      ++line;
      counted = false;
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0 && !counted) {
      counted = true;
      if (invalid++ == 0) first = line;
    }
    at += std::max<std::size_t>(length, 1);
  }
  if (invalid == 0) return;
  message.warnings.push_back(fmt::format("line {}: not UTF-8{}: such bytes are shown as \\xNN", first,
                                         invalid == 1 ? "" : fmt::format(" (nor are {} other lines)", invalid - 1)));
}

/// An mbox writes ">From " for a body line "From ", and ">>From " for ">From " (mboxrd).
std::string_view without_escape(std::string_view line, InBox in_box) {
  if (in_box == InBox::no || !line.starts_with('>')) return line;
  return line.substr(std::min(line.find_first_not_of('>'), line.size())).starts_with("From ") ? line.substr(1) : line;
}

std::vector<Line> read_lines(std::string_view text, std::size_t first_line, InBox in_box) {
  LineReader reader;
  std::size_t done = 0;
  for (const Span& span : spans_with_figures(text)) {
    first_line += lines_in(text.substr(done, span.begin - done));
    for (std::size_t at = span.begin; at < span.end; ++first_line) {
      const std::size_t end = std::min(text.find('\n', at), span.end);
      reader.add(without_escape(text.substr(at, end - at), in_box), first_line);
      at = end + 1;
    }
    done = span.end;
  }
  return reader.take();
}

struct Numbered {
  std::string text;
  std::size_t number;
};

/// The decoded lines with the file's numbers. Quoted-printable may have folded one line over several; base64 has no lines
/// of its own, so all of its text counts as where it begins.
std::vector<Numbered> number_lines(std::string_view decoded, std::string_view raw, std::size_t first,
                                   GMimeContentEncoding encoding) {
  std::vector<Numbered> out;
  std::size_t number = first, at_raw = 0;
  for (std::size_t at = 0; at < decoded.size();) {
    const std::size_t end = std::min(decoded.find('\n', at), decoded.size());
    out.push_back({std::string(decoded.substr(at, end - at)), number});
    at = end + 1;
    if (encoding == GMIME_CONTENT_ENCODING_BASE64 || encoding == GMIME_CONTENT_ENCODING_UUENCODE) continue;
    bool folded = encoding == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE;
    do {
      const std::size_t stop = std::min(raw.find('\n', at_raw), raw.size());
      std::string_view line = raw.substr(std::min(at_raw, raw.size()), stop - std::min(at_raw, raw.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      folded = folded && line.ends_with('=') && stop < raw.size();
      number += stop < raw.size();
      at_raw = std::min(stop + 1, raw.size());
    } while (folded);
  }
  return out;
}

std::size_t quote_depth(std::string_view text) {
  return static_cast<std::size_t>(std::min(text.find_first_not_of('>'), text.size()));
}

/// Joins what format=flowed folded: lines that end in a space go on in the next of the same depth.
std::vector<Numbered> unfold(std::vector<Numbered>&& lines) {
  std::vector<Numbered> out;
  bool open = false;
  for (Numbered& line : lines) {
    const std::size_t depth = quote_depth(line.text);
    std::string content = line.text.substr(depth);
    if (content.starts_with(' ')) content.erase(0, 1);
    const bool flows = content.ends_with(' ') && content != "-- ";
    const bool joins = open && !out.empty() && quote_depth(out.back().text) == depth;
    if (joins)
      out.back().text += content;
    else
      out.push_back({std::string(depth, '>') + (depth > 0 ? " " : "") + content, line.number});
    open = flows;
  }
  return out;
}

/// The text of an HTML part, with the file's numbers of the lines that it stands in.
std::vector<Numbered> without_tags(std::string_view html, const std::vector<Numbered>& source) {
  std::vector<Numbered> out;
  for (HtmlLine& line : html_lines(html))
    out.push_back({std::move(line.text), source[std::min(line.source, source.size() - 1)].number});
  return out;
}

/// Characters of base64 come in fours.
bool ends_within_base64(std::string_view raw) {
  const auto of_base64 = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/';
  };
  const auto letters = std::count_if(raw.begin(), raw.end(), of_base64);
  return (letters + std::count(raw.begin(), raw.end(), '=')) % 4 != 0;
}

/// Walks the parts of one message that the library has parsed. `bytes` is what it parsed.
class MessageReader {
 public:
  MessageReader(std::string_view bytes, std::size_t first_line, InBox in_box, Message& message)
      : bytes_(bytes), first_line_(first_line), in_box_(in_box), message_(message) {}

  void read(GMimeObject* object) {
    if (object == nullptr || depth_ >= kMostNested) return;
    ++depth_;
    if (GMIME_IS_MULTIPART(object)) {
      read_multipart(GMIME_MULTIPART(object));
    } else if (GMIME_IS_MESSAGE_PART(object)) {
      GMimeMessage* inner = g_mime_message_part_get_message(GMIME_MESSAGE_PART(object));
      if (inner != nullptr) read(g_mime_message_get_mime_part(inner));
    } else if (GMIME_IS_PART(object)) {
      read_part(GMIME_PART(object));
    }
    --depth_;
  }

 private:
  void read_multipart(GMimeMultipart* multipart) {
    const int count = g_mime_multipart_get_count(multipart);
    GMimeContentType* type = g_mime_object_get_content_type(GMIME_OBJECT(multipart));
    if (multipart->write_end_boundary == FALSE)
      message_.warnings.push_back("the message is cut short: its closing boundary is missing");
    if (g_mime_content_type_is_type(type, "multipart", "alternative")) {
      for (int i = 0; i < count; ++i) {
        GMimeObject* part = g_mime_multipart_get_part(multipart, i);
        GMimeContentType* inner = g_mime_object_get_content_type(part);
        if (!g_mime_content_type_is_type(inner, "text", "plain")) continue;
        const std::size_t before = message_.lines.size();
        read(part);
        if (message_.lines.size() > before) return;
      }
    }
    for (int i = 0; i < count; ++i) read(g_mime_multipart_get_part(multipart, i));
  }

  void read_part(GMimePart* part) {
    GMimeContentType* type = g_mime_object_get_content_type(GMIME_OBJECT(part));
    if (!g_mime_content_type_is_type(type, "text", "*")) return;
    GMimeDataWrapper* content = g_mime_part_get_content(part);
    if (content == nullptr) return;
    const std::string decoded = decode(part);
    const GMimeContentEncoding encoding = g_mime_part_get_content_encoding(part);
    GMimeStream* raw = g_mime_data_wrapper_get_stream(content);
    const auto begin = std::min(static_cast<std::size_t>(std::max<gint64>(raw->bound_start, 0)), bytes_.size());
    const std::size_t end = raw->bound_end < 0 ? bytes_.size() : static_cast<std::size_t>(raw->bound_end);
    const std::string_view raw_text = bytes_.substr(begin, end - std::min(begin, end));
    if (encoding == GMIME_CONTENT_ENCODING_BASE64 && ends_within_base64(raw_text))
      message_.warnings.push_back("the message is cut short: it ends within base64");
    if (spans_with_figures(decoded).empty()) return;
    const std::size_t line = first_line_ + lines_in(bytes_.substr(0, begin));
    warn_of_bytes(decoded, line, message_);
    auto lines = number_lines(decoded, raw_text, line, encoding);
    const char* format = g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), "format");
    if (format != nullptr && lower(format) == "flowed") lines = unfold(std::move(lines));
    if (g_mime_content_type_is_type(type, "text", "html")) lines = without_tags(decoded, lines);
    LineReader reader;
    for (const Numbered& one : lines) reader.add(without_escape(one.text, in_box_), one.number);
    for (Line& one : reader.take()) message_.lines.push_back(std::move(one));
  }

  std::string decode(GMimePart* part) {
    Owned<GMimeStream> memory(g_mime_stream_mem_new());
    Owned<GMimeStream> filtered(g_mime_stream_filter_new(memory.get()));
    const char* charset = g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), "charset");
    if (charset != nullptr && g_ascii_strcasecmp(charset, "utf-8") != 0) {
      Owned<GMimeFilter> convert(g_mime_filter_charset_new(charset, "utf-8"));
      if (convert)
        g_mime_stream_filter_add(GMIME_STREAM_FILTER(filtered.get()), convert.get());
      else
        message_.warnings.push_back(
            fmt::format("the character set '{}' is not known: its bytes are read as they stand", printable(charset)));
    }
    g_mime_data_wrapper_write_to_stream(g_mime_part_get_content(part), filtered.get());
    g_mime_stream_flush(filtered.get());
    const GByteArray* bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(memory.get()));
    return {reinterpret_cast<const char*>(bytes->data), bytes->len};
  }

  std::string_view bytes_;
  std::size_t first_line_;
  InBox in_box_;
  Message& message_;
  std::size_t depth_ = 0;
};

/// A message that needs decoding.
void read_encoded(std::string_view raw, std::size_t first_line, InBox in_box, Message& message) {
  start_library();
  Owned<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(raw.data(), raw.size()));
  Owned<GMimeParser> parser(g_mime_parser_new_with_stream(stream.get()));
  g_mime_parser_set_format(parser.get(), GMIME_FORMAT_MESSAGE);
  g_mime_parser_set_persist_stream(parser.get(), TRUE);
  Owned<GMimeMessage> parsed(g_mime_parser_construct_message(parser.get(), nullptr));
  if (!parsed) {
    message.warnings.push_back("the message cannot be parsed");
    return;
  }
  MessageReader(raw, first_line, in_box, message).read(g_mime_message_get_mime_part(parsed.get()));
}

std::string decoded_subject(const std::string& subject) {
  if (subject.find("=?") == std::string::npos) return subject;
  start_library();
  const std::unique_ptr<char, decltype(&g_free)> text(g_mime_utils_header_decode_text(nullptr, subject.c_str()),
                                                      &g_free);
  return text ? text.get() : subject;
}

}  // namespace

Message read_message(std::string_view raw, std::size_t first_line, InBox in_box) {
  Message message;
  message.is_mail = true;
  message.first_line = first_line;
  const MailHead head = read_head(raw);
  message.subject = decoded_subject(head.subject);
  if (!head.complete) message.warnings.push_back("the message is cut short: it ends within its header");
  const std::string_view body = raw.substr(head.size);
  if (head.is_plain(body)) {
    message.lines = read_lines(body, first_line + head.lines, in_box);
    if (!message.lines.empty()) warn_of_bytes(body, first_line + head.lines, message);
  } else {
    const std::size_t marker = in_box == InBox::yes ? std::min(raw.find('\n'), raw.size() - 1) + 1 : 0;
    read_encoded(raw.substr(marker), first_line + (marker > 0 ? 1 : 0), in_box, message);
  }
  return message;
}

Message read_text(std::string_view text, std::size_t first_line) {
  Message message;
  message.first_line = first_line;
  message.lines = read_lines(text, first_line, InBox::no);
  if (!message.lines.empty()) warn_of_bytes(text, first_line, message);
  return message;
}

}  // namespace tollgate::audit
