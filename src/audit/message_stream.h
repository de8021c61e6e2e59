// MessageStream: the bytes of a file, as they come, cut into messages. Memory is bounded by the longest message, so an mbox
// of any size can be read, from a pipe too. What a message says is `mail.h`'s.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "audit/mail.h"
#include "base/result.h"

namespace tollgate::audit {

class MessageStream {
 public:
  using Receive = std::function<void(Message)>;

  /// `name` is the file's, for errors. `receive` gets each message as soon as its last byte is known.
  MessageStream(std::string name, Receive receive) : name_(std::move(name)), receive_(std::move(receive)) {}

  /// The next bytes. Bytes that are binary are an error.
  Result<void> add(std::string_view bytes);
  /// There are no more. No bytes at all are an error.
  Result<void> finish();

  /// Most bytes of one message that are read; the rest of a longer one is left out, with a warning. A text that is no mail
  /// is read in pieces of `kMostText` that end at a blank line.
  static constexpr std::size_t kMostMessage = std::size_t{64} << 20;
  static constexpr std::size_t kMostText = std::size_t{8} << 20;

 private:
  enum class Shape { unknown, text, message, box };

  std::string_view pending() const { return std::string_view(buffer_).substr(begin_); }
  Result<void> decide();
  void cut(bool last);
  void cut_box(bool last);
  void cut_text(bool last);
  void keep_head();
  void hand_over(std::size_t size);

  std::string name_;
  Receive receive_;
  Shape shape_ = Shape::unknown;
  std::string buffer_;
  std::size_t begin_ = 0;     // of the current message in the buffer
  std::size_t searched_ = 0;  // bytes of the current message in which no next one begins
  std::size_t line_ = 1;      // of `begin_` in the file
  std::size_t skipped_lines_ = 0;
  bool too_long_ = false;  // bytes of the current message were left out
};

/// All of these bytes: one call for tests and short inputs.
Result<void> read_messages(std::string_view bytes, const std::string& name, const MessageStream::Receive& receive);

}  // namespace tollgate::audit
