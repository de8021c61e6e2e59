#include "audit/mail_head.h"

#include <algorithm>
#include <array>

#include "audit/row.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

/// The value of a parameter of a Content-Type in lower case, without quotes.
std::string_view parameter(std::string_view type, std::string_view name) {
  for (std::size_t at = 0; (at = type.find(name, at)) != std::string_view::npos; ++at) {
    std::size_t value = at + name.size();
    if (value >= type.size() || type[value] != '=') continue;
    ++value;
    if (value < type.size() && type[value] == '"') ++value;
    const std::size_t end = std::min(type.find_first_of("\"; \t", value), type.size());
    return type.substr(value, end - value);
  }
  return {};
}

std::string* field_of(MailHead& head, std::string_view line) {
  const std::string name = lower(line.substr(0, std::min<std::size_t>(line.find(':'), 32)));
  if (name == "subject") return &head.subject;
  if (name == "content-type") return &head.content_type;
  if (name == "content-transfer-encoding") return &head.encoding;
  return nullptr;
}

}  // namespace

bool is_ascii(std::string_view text) {
  unsigned char seen = 0;  // no early end: this form the compiler turns into wide instructions
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}

bool MailHead::is_plain(std::string_view body) const {
  const bool own = encoding.empty() || encoding == "7bit" || encoding == "8bit" || encoding == "binary";
  if (!own) return false;
  if (content_type.empty()) return true;
  if (!content_type.starts_with("text/plain") || parameter(content_type, "format") == "flowed") return false;
  const std::string_view charset = parameter(content_type, "charset");
  if (charset.empty() || charset == "utf-8" || charset == "us-ascii") return true;
  static constexpr std::array<std::string_view, 7> kLikeAscii{"iso-8859", "windows-125", "koi8", "gb",
                                                              "big5",     "euc",         "ansi"};
  const bool like =
      std::any_of(kLikeAscii.begin(), kLikeAscii.end(), [&](auto name) { return charset.starts_with(name); });
  return like && is_ascii(body);
}

MailHead read_head(std::string_view raw) {
  MailHead head;
  std::string* field = nullptr;
  while (head.size < raw.size()) {
    const std::size_t end = std::min(raw.find('\n', head.size), raw.size());
    std::string_view line = raw.substr(head.size, end - head.size);
    head.size = std::min(end + 1, raw.size());
    ++head.lines;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      head.complete = true;
      break;
    }
    const bool folded = line.front() == ' ' || line.front() == '\t';
    if (!folded) field = field_of(head, line);
    if (field != nullptr) *field += folded ? line : trim(line.substr(std::min(line.size(), line.find(':') + 1)));
  }
  head.content_type = lower(head.content_type);
  head.encoding = lower(trim(head.encoding));
  return head;
}

}  // namespace tollgate::audit
