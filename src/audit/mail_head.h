// MailHead: the few header fields that say how to read a message, without the MIME library: most mail on the lists is one
// part of plain text, and what needs no decoding need not be parsed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tollgate::audit {

struct MailHead {
  std::string subject, content_type, encoding;  // as they stand, unfolded; the last two in lower case
  std::size_t lines = 0;                        // of the head, the blank line included
  std::size_t size = 0;                         // bytes, the same
  bool complete = false;                        // ends in a blank line

  /// One part of plain text in an encoding that is its own decoding, as far as `body` goes.
  bool is_plain(std::string_view body) const;
};

/// A "From " line before the first field is part of the head.
MailHead read_head(std::string_view raw);

bool is_ascii(std::string_view text);

}  // namespace tollgate::audit
