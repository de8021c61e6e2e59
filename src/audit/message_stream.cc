#include "audit/message_stream.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "audit/row.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kHead = 65536;  // bytes by which the kind of a file is known
constexpr std::size_t kLongestMarker = 300;

std::size_t lines_in(std::string_view bytes) {
  return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

/// Whether the first line is "From " or a header field that mail begins with.
bool begins_as_mail(std::string_view bytes) {
  static constexpr std::array<std::string_view, 16> kFields{
      "from:",        "to:",           "date:",         "subject:",       "message-id:", "received:",
      "return-path:", "delivered-to:", "mime-version:", "x-mozilla",      "reply-to:",   "cc:",
      "list-id:",     "received-spf:", "content-type:", "dkim-signature:"};
  if (bytes.starts_with("From ")) return bytes.substr(0, bytes.find('\n')).size() < kLongestMarker;
  const std::string first = lower(bytes.substr(0, std::min<std::size_t>(bytes.find('\n'), 64)));
  return std::any_of(kFields.begin(), kFields.end(), [&](std::string_view field) { return first.starts_with(field); });
}

/// "From somebody Thu Jan  1 00:00:00 1970": a line that begins so and holds a time of day. Prose has none.
bool is_marker(std::string_view line) {
  if (line.size() > kLongestMarker) return false;
  const auto digit = [&](std::size_t at) { return line[at] >= '0' && line[at] <= '9'; };
  for (std::size_t at = 5; at + 8 <= line.size(); ++at)
    if (line[at + 2] == ':' && line[at + 5] == ':' && digit(at) && digit(at + 1) && digit(at + 3) && digit(at + 4) &&
        digit(at + 6) && digit(at + 7))
      return true;
  return false;
}

/// Where the next "From " line after a blank one begins, or npos; `searched` is how far there is none for certain.
std::size_t find_marker(std::string_view bytes, std::size_t& searched) {
  constexpr std::string_view kMark = "\nFrom ";
  std::size_t at = searched;
  while (at < bytes.size()) {
    const void* found = memmem(bytes.data() + at, bytes.size() - at, kMark.data(), kMark.size());
    if (found == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    const std::size_t end = bytes.find('\n', at + 1);
    const bool blank = at > 0 && (bytes[at - 1] == '\n' || (at > 1 && bytes[at - 1] == '\r' && bytes[at - 2] == '\n'));
    if (end == std::string_view::npos && bytes.size() - at <= kLongestMarker) {
      searched = at;  // the line may go on
      return std::string_view::npos;
    }
    if (blank && is_marker(bytes.substr(at + 1, std::min(end, bytes.size()) - at - 1))) return at + 1;
    ++at;
  }
  searched = bytes.size() - std::min(bytes.size(), kMark.size());
  return std::string_view::npos;
}

}  // namespace

Result<void> MessageStream::decide() {
  const std::string_view bytes = pending().substr(0, kHead);
  if (bytes.empty()) return fail("is empty", {name_, 0, 0});
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    return fail("is UTF-16: 'iconv -f utf-16 -t utf-8' makes a text of it that audit reads", {name_, 0, 0});
  if (bytes.find('\0') != std::string_view::npos)
    return fail("is binary: audit reads mail, Markdown and plain text", {name_, 0, 0});
  const bool one_line = bytes.find('\n') >= bytes.size() - 1;
  shape_ = one_line || !begins_as_mail(bytes) ? Shape::text : bytes.starts_with("From ") ? Shape::box : Shape::message;
  return {};
}

Result<void> MessageStream::add(std::string_view bytes) {
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_ += bytes;
  if (shape_ == Shape::unknown) {
    if (buffer_.size() < kHead) return {};
    TRY(decide());
  }
  cut(false);
  return {};
}

Result<void> MessageStream::finish() {
  if (shape_ == Shape::unknown) TRY(decide());
  cut(true);
  return {};
}

void MessageStream::cut(bool last) {
  if (shape_ == Shape::box) return cut_box(last);
  if (shape_ == Shape::text) return cut_text(last);
  if (last) return hand_over(pending().size());
  searched_ = pending().size();
  keep_head();
}

void MessageStream::cut_box(bool last) {
  for (std::size_t next = 0; next != std::string_view::npos;) {
    next = find_marker(pending(), searched_);
    if (next != std::string_view::npos) hand_over(next);
  }
  if (last && !pending().empty()) hand_over(pending().size());
  keep_head();
}

/// Of a message too long to hold, the head stays and the end of what is there, in which the next may begin, with the line
/// end before it, by which a blank line is known.
void MessageStream::keep_head() {
  constexpr std::size_t kLineEnd = 2;
  if (pending().size() <= kMostMessage + kHead || searched_ <= kMostMessage + kLineEnd) return;
  too_long_ = true;
  const std::size_t from = begin_ + kMostMessage, to = begin_ + searched_ - kLineEnd;
  skipped_lines_ += lines_in(std::string_view(buffer_).substr(from, to - from));
  buffer_.erase(from, to - from);
  searched_ = kMostMessage + kLineEnd;
}

void MessageStream::cut_text(bool last) {
  while (pending().size() > kMostText || (last && !pending().empty())) {
    const std::string_view piece = pending().substr(0, kMostText);
    std::size_t end = piece.size();
    if (piece.size() < pending().size()) {
      const std::size_t blank = piece.rfind("\n\n"), line = piece.rfind('\n');
      if (line != std::string_view::npos) end = line + 1;
      if (blank != std::string_view::npos) end = blank + 2;
    }
    hand_over(end);
  }
}

void MessageStream::hand_over(std::size_t size) {
  const std::string_view bytes = pending().substr(0, size);
  const std::size_t first = line_;
  line_ += lines_in(bytes) + skipped_lines_;
  Message message = shape_ == Shape::text ? read_text(bytes, first)
                                          : read_message(bytes.substr(0, kMostMessage), first,
                                                         shape_ == Shape::box ? InBox::yes : InBox::no);
  const bool is_cut = too_long_ || (shape_ != Shape::text && size > kMostMessage);
  if (is_cut) message.warnings.push_back("the message is longer than 64 MiB: the rest of it is not read");
  begin_ += size;
  searched_ = 0;
  skipped_lines_ = 0;
  too_long_ = false;
  receive_(std::move(message));
}

Result<void> read_messages(std::string_view bytes, const std::string& name, const MessageStream::Receive& receive) {
  MessageStream stream(name, receive);
  TRY(stream.add(bytes));
  return stream.finish();
}

}  // namespace tollgate::audit
