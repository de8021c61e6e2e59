#include "trace/import.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/interrupt.h"
#include "trace/format.h"
#include "trace/lackey.h"
#include "trace/recognise.h"

namespace tollgate::trace {
namespace {

constexpr std::size_t kBlock = 1 << 18;  // one read; it stays in the second-level cache while it is parsed

/// A file or pipe that is read once, from its beginning.
class SequentialInput {
 public:
  static Result<SequentialInput> open(const std::string& path) {
    SequentialInput input(path == "-" ? "standard input" : path);
    input.descriptor_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (input.descriptor_ < 0 || ::fstat(input.descriptor_, &input.status_) != 0)
      return fail(fmt::format("cannot open: {}", std::strerror(errno)), {input.name_});
    if (S_ISDIR(input.status_.st_mode)) return fail("is a directory; name the file to import", {input.name_});
    return input;
  }
  SequentialInput(SequentialInput&& other) noexcept
      : name_(std::move(other.name_)), status_(other.status_), descriptor_(std::exchange(other.descriptor_, -1)) {}
  SequentialInput& operator=(SequentialInput&&) = delete;
  ~SequentialInput() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  const std::string& name() const { return name_; }
  /// Its length; 0 for a pipe.
  std::uint64_t size() const { return S_ISREG(status_.st_mode) ? static_cast<std::uint64_t>(status_.st_size) : 0; }
  bool is_same_file(const std::string& path) const {
    struct stat other{};
    return S_ISREG(status_.st_mode) && ::stat(path.c_str(), &other) == 0 && other.st_dev == status_.st_dev &&
           other.st_ino == status_.st_ino;
  }
  /// At least one byte, at most `count`; 0 at the end.
  Result<std::size_t> read(char* out, std::size_t count) {
    while (true) {
      if (!S_ISREG(status_.st_mode)) TRY(wait_for_bytes());
      const ssize_t got = ::read(descriptor_, out, count);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return fail(fmt::format("cannot read: {}", std::strerror(errno)), {name_});
    }
  }

 private:
  explicit SequentialInput(std::string name) : name_(std::move(name)) {}

  /// A read that waits for a silent pipe would miss a request to stop that came just before it.
  Result<void> wait_for_bytes() const {
    pollfd waiting{descriptor_, POLLIN, 0};
    constexpr int kMilliseconds = 100;
    do {
      if (interrupted()) return fail("interrupted", {name_});
    } while (::poll(&waiting, 1, kMilliseconds) <= 0);
    return {};
  }

  std::string name_;
  struct stat status_{};
  int descriptor_ = -1;
};

/// Text that was read and not yet taken, with the parser's padding behind it.
class TextWindow {
 public:
  TextWindow() : bytes_(kBlock + LackeyParser::kMaxLine + LackeyParser::kPadding, '\0') {}

  std::string_view text() const { return std::string_view(bytes_).substr(0, filled_); }
  Result<std::size_t> read_more(SequentialInput& input) {
    const std::size_t room = bytes_.size() - LackeyParser::kPadding - filled_;
    const std::size_t got = TRY(input.read(bytes_.data() + filled_, std::min(room, kBlock)));
    filled_ += got;
    return got;
  }
  void drop(std::size_t count) {
    std::memmove(bytes_.data(), bytes_.data() + count, filled_ - count);
    filled_ -= count;
  }

 private:
  std::string bytes_;
  std::size_t filled_ = 0;
};

/// Fills the window until the content can be told.
Result<Content> recognise_input(SequentialInput& input, TextWindow& window) {
  bool ended = false;
  while (!ended && window.text().size() < kRecogniseBytes) ended = TRY(window.read_more(input)) == 0;
  const Content content = recognise(window.text());
  // Valgrind may have much to say before the first reference; the parser will see whether there is one.
  if (content == Content::valgrind_log && !ended) return Content::lackey_text;
  return content;
}

TraceHeader header_for(const ImportOptions& options, std::string_view beginning) {
  TraceHeader header;
  header.architecture = options.architecture;
  header.origin = options.origin;
  if (header.origin.empty()) {
    const std::string command = lackey_command(beginning);
    header.origin = command.empty() ? "valgrind lackey" : fmt::format("valgrind lackey: {}", command);
    header.origin.resize(std::min<std::size_t>(header.origin.size(), 4096));
  }
  return header;
}

}  // namespace

Result<ImportReport> import_trace(const std::string& input_path, const std::string& output,
                                  const ImportOptions& options) {
  SequentialInput input = TRY(SequentialInput::open(input_path));
  if (input.is_same_file(output)) return fail("the output is the input; name another file", {output});
  TextWindow window;
  const Content content = TRY(recognise_input(input, window));
  if (content != Content::lackey_text) return fail(describe_foreign_text(content, input_path), {input.name()});
  TraceWriter writer = TRY(TraceWriter::create(output, header_for(options, window.text())));
  LackeyParser parser(writer, input.name());
  std::uint64_t done = 0;
  do {
    const std::size_t taken = TRY(parser.consume(window.text()));
    window.drop(taken);
    done += taken;
    if (options.progress) options.progress(done, input.size());
    if (interrupted()) return fail("interrupted; no trace was written", {output});
    if (writer.problem() != nullptr) return tl::unexpected(*writer.problem());
  } while (TRY(window.read_more(input)) > 0);
  if (interrupted()) return fail("interrupted; no trace was written", {output});
  TRY(parser.finish(window.text()));
  ImportReport report;
  report.totals = TRY(writer.finish());
  report.input_bytes = done;
  report.output_bytes = writer.written();
  report.lines = parser.lines();
  report.warnings = parser.warnings();
  return report;
}

}  // namespace tollgate::trace
