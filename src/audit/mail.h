// Mail: one message, or a text that is no mail, as the lines that a reader sees. MIME, transfer encodings and character
// sets are the MIME library's; which line of the file a decoded line came from, and format=flowed (RFC 3676), are ours.
// `message_stream.h` cuts files into messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/lines.h"

namespace tollgate::audit {

struct Message {
  std::string subject;  // "" when there is none
  bool is_mail = false;
  std::size_t first_line = 1;
  std::vector<Line>
      lines;  // of its text parts, with their numbers in the file; none when there can be no figure in them
  std::vector<std::string> warnings;
};

enum class InBox { no, yes };  // yes: it begins with its "From " line, and body lines that began so have a '>' before

/// `raw` is the whole message, `first_line` the number of its first line in the file.
Message read_message(std::string_view raw, std::size_t first_line, InBox in_box);

/// A text that is no mail, or a piece of it.
Message read_text(std::string_view text, std::size_t first_line);

}  // namespace tollgate::audit
