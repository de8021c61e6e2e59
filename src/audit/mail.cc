#include "audit/mail.h"

#include <fmt/core.h>
#include <gmime/gmime.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

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

/// Whether the first line is "From " or a header field that mail begins with.
bool begins_as_mail(std::string_view bytes) {
  static constexpr std::array<std::string_view, 16> kFields{
      "from:",        "to:",           "date:",         "subject:",       "message-id:", "received:",
      "return-path:", "delivered-to:", "mime-version:", "x-mozilla",      "reply-to:",   "cc:",
      "list-id:",     "received-spf:", "content-type:", "dkim-signature:"};
  if (bytes.starts_with("From ")) return bytes.substr(0, bytes.find('\n')).size() < 300;
  const std::string first = lower(bytes.substr(0, std::min<std::size_t>(bytes.find('\n'), 64)));
  return std::any_of(kFields.begin(), kFields.end(), [&](std::string_view field) { return first.starts_with(field); });
}

/// Counts lines as offsets rise.
class LineCounter {
 public:
  explicit LineCounter(std::string_view bytes) : bytes_(bytes) {}
  std::size_t line_at(std::size_t offset) {
    offset = std::min(offset, bytes_.size());
    if (offset < at_) {
      at_ = 0;
      line_ = 1;
    }
    line_ += static_cast<std::size_t>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 bytes_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    at_ = offset;
    return line_;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0, line_ = 1;
};

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
std::vector<Numbered> unfold(std::vector<Numbered> lines) {
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

class MessageReader {
 public:
  MessageReader(std::string_view bytes, LineCounter& counter, Message& message)
      : bytes_(bytes), counter_(counter), message_(message) {}

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
    if (g_mime_content_type_is_type(type, "multipart", "alternative")) {
      for (int i = 0; i < count; ++i) {
        GMimeObject* part = g_mime_multipart_get_part(multipart, i);
        GMimeContentType* inner = g_mime_object_get_content_type(part);
        if (g_mime_content_type_is_type(inner, "text", "plain")) return read(part);
      }
    }
    for (int i = 0; i < count; ++i) read(g_mime_multipart_get_part(multipart, i));
  }

  void read_part(GMimePart* part) {
    GMimeContentType* type = g_mime_object_get_content_type(GMIME_OBJECT(part));
    if (!g_mime_content_type_is_type(type, "text", "*")) return;
    if (g_mime_content_type_is_type(type, "text", "html")) {
      message_.warnings.push_back("a part is HTML: its tags are read as text");
    }
    GMimeDataWrapper* content = g_mime_part_get_content(part);
    if (content == nullptr) return;
    const std::string decoded = decode(part);
    const GMimeContentEncoding encoding = g_mime_part_get_content_encoding(part);
    GMimeStream* raw = g_mime_data_wrapper_get_stream(content);
    const auto begin = static_cast<std::size_t>(std::max<gint64>(raw->bound_start, 0));
    const std::size_t end = raw->bound_end < 0 ? bytes_.size() : static_cast<std::size_t>(raw->bound_end);
    const std::string_view raw_text = bytes_.substr(std::min(begin, bytes_.size()), end - std::min(begin, end));
    auto lines = number_lines(decoded, raw_text, counter_.line_at(begin), encoding);
    const char* format = g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), "format");
    if (format != nullptr && lower(format) == "flowed") lines = unfold(std::move(lines));
    for (const Numbered& line : lines) append_line(line.text, line.number, message_.lines);
  }

  static std::string decode(GMimePart* part) {
    Owned<GMimeStream> memory(g_mime_stream_mem_new());
    Owned<GMimeStream> filtered(g_mime_stream_filter_new(memory.get()));
    const char* charset = g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), "charset");
    if (charset != nullptr && g_ascii_strcasecmp(charset, "utf-8") != 0) {
      Owned<GMimeFilter> convert(g_mime_filter_charset_new(charset, "utf-8"));
      if (convert) g_mime_stream_filter_add(GMIME_STREAM_FILTER(filtered.get()), convert.get());
    }
    g_mime_data_wrapper_write_to_stream(g_mime_part_get_content(part), filtered.get());
    g_mime_stream_flush(filtered.get());
    const GByteArray* bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(memory.get()));
    return {reinterpret_cast<const char*>(bytes->data), bytes->len};
  }

  std::string_view bytes_;
  LineCounter& counter_;
  Message& message_;
  std::size_t depth_ = 0;
};

Result<void> read_mail(std::string_view bytes, const std::string& name, const std::function<void(Message)>& receive) {
  start_library();
  const bool box = bytes.starts_with("From ");
  Owned<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(bytes.data(), bytes.size()));
  Owned<GMimeParser> parser(g_mime_parser_new_with_stream(stream.get()));
  g_mime_parser_set_format(parser.get(), box ? GMIME_FORMAT_MBOX : GMIME_FORMAT_MESSAGE);
  g_mime_parser_set_persist_stream(parser.get(), TRUE);
  LineCounter counter(bytes);
  std::size_t messages = 0;
  do {
    Owned<GMimeMessage> parsed(g_mime_parser_construct_message(parser.get(), nullptr));
    if (!parsed) break;
    Message message;
    message.is_mail = true;
    const char* subject = g_mime_message_get_subject(parsed.get());
    message.subject = subject != nullptr ? subject : "";
    message.first_line = counter.line_at(
        static_cast<std::size_t>(std::max<gint64>(box ? g_mime_parser_get_mbox_marker_offset(parser.get()) : 0, 0)));
    MessageReader(bytes, counter, message).read(g_mime_message_get_mime_part(parsed.get()));
    receive(std::move(message));
    ++messages;
  } while (box && !g_mime_parser_eos(parser.get()));
  if (messages == 0) return fail("no message could be read", {name, 1, 0});
  return {};
}

}  // namespace

Result<void> read_messages(std::string_view bytes, const std::string& name,
                           const std::function<void(Message)>& receive) {
  if (bytes.substr(0, 65536).find('\0') != std::string_view::npos)
    return fail("is binary: audit reads mail, Markdown and plain text", {name, 0, 0});
  const bool one_line = bytes.find('\n') >= bytes.size() - std::min<std::size_t>(bytes.size(), 1);
  if (begins_as_mail(bytes) && !one_line) return read_mail(bytes, name, receive);
  receive({"", false, 1, read_lines(bytes), {}});
  return {};
}

}  // namespace tollgate::audit
