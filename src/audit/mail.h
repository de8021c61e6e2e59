// Mail: an mbox, an mboxrd, a single message, or no mail at all, as the lines that a reader sees. MIME, transfer encodings
// and character sets are the MIME library's; which line of the file a decoded line came from, and format=flowed (RFC
// 3676), are ours.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/lines.h"
#include "base/result.h"

namespace tollgate::audit {

/// One message, or a whole text that is no mail.
struct Message {
  std::string subject;  // "" when there is none
  bool is_mail = false;
  std::size_t first_line = 1;
  std::vector<Line> lines;  // of its text parts, with their numbers in the file
  std::vector<std::string> warnings;
};

/// Calls `receive` for each message of the bytes, in order. Bytes that do not begin as mail does are one message. Binary
/// bytes are an error.
Result<void> read_messages(std::string_view bytes, const std::string& name,
                           const std::function<void(Message)>& receive);

}  // namespace tollgate::audit
