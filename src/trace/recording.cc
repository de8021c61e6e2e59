#include "trace/recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/interrupt.h"
#include "trace/drmemtrace.h"
#include "trace/lackey.h"
#include "trace/recognise.h"
#include "trace/sequential_input.h"

namespace tollgate::trace {
namespace {

constexpr std::size_t kBlock = 1 << 18;  // one read; it stays in the second-level cache while it is parsed

/// Bytes that were read and not yet taken, with the parser's padding behind them.
class Window {
 public:
  Window() : bytes_(kBlock + LackeyParser::kMaxLine + LackeyParser::kPadding, '\0') {}

  std::string_view text() const { return std::string_view(bytes_).substr(0, filled_); }
  Result<std::size_t> read_more(UnpackedInput& input) {
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

/// A file that was opened and looked at.
struct OpenFile {
  UnpackedInput input;
  std::unique_ptr<Window> window;
  Content content;
};

Result<OpenFile> open_file(const std::string& path) {
  OpenFile file{TRY(UnpackedInput::open(TRY(SequentialInput::open(path)))), std::make_unique<Window>(), Content::empty};
  bool ended = false;
  while (!ended && file.window->text().size() < kRecogniseBytes) ended = TRY(file.window->read_more(file.input)) == 0;
  file.content = recognise(file.window->text());
  // Valgrind may have much to say before the first reference; the parser will see whether there is one.
  if (file.content == Content::valgrind_log && !ended) file.content = Content::lackey_text;
  return file;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_directory(path, error);
}

/// The files of a folder; DynamoRIO puts them in one named trace.
Result<std::vector<std::string>> files_in(const std::filesystem::path& path) {
  std::error_code error;
  const auto inner = path / "trace";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(is_folder(inner.string()) ? inner : path, error))
    if (entry.is_regular_file(error)) files.push_back(entry.path().string());
  if (error) return fail(fmt::format("cannot list: {}", error.message()), {path.string()});
  std::ranges::sort(files);
  return files;
}

std::string lackey_origin(std::string_view beginning) {
  const std::string command = lackey_command(beginning);
  std::string origin = command.empty() ? "valgrind lackey" : fmt::format("valgrind lackey: {}", command);
  origin.resize(std::min<std::size_t>(origin.size(), 4096));
  return origin;
}

}  // namespace

struct RecordingReader::State {
  std::string path;
  bool folder = false;
  std::vector<std::string> files;
  std::size_t next = 0;          // of the files
  std::optional<OpenFile> open;  // the one before `next`
  std::size_t foreign = 0;       // files of the folder that hold something else
  Content content = Content::empty;
  TraceHeader header;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::vector<std::string> warnings;

  Result<void> open_next();
  template <typename Parser>
  Result<void> parse(Parser& parser, ReferenceSink& sink, const ProgressCallback& progress);
};

/// Opens the next file that can be read; in a folder others are passed over.
Result<void> RecordingReader::State::open_next() {
  open.reset();
  while (!open && next < files.size()) {
    auto file = open_file(files[next++]);
    if (folder) {
      if (file && file->content == Content::drmemtrace)
        open.emplace(*std::move(file));
      else
        ++foreign;
      continue;
    }
    open.emplace(TRY(std::move(file)));
    if (open->content != Content::drmemtrace && open->content != Content::lackey_text)
      return fail(describe_foreign_text(open->content), {open->input.name()});
  }
  return {};
}

template <typename Parser>
Result<void> RecordingReader::State::parse(Parser& parser, ReferenceSink& sink, const ProgressCallback& progress) {
  do {
    const std::size_t taken = TRY(parser.consume(open->window->text()));
    open->window->drop(taken);
    bytes += taken;
    if (progress) progress(open->input.packed().done(), open->input.packed().size());
    if (interrupted()) return fail("interrupted", {path});
    if (sink.problem() != nullptr) return tl::unexpected(*sink.problem());
  } while (TRY(open->window->read_more(open->input)) > 0);
  if (interrupted()) return fail("interrupted", {path});
  return {};
}

RecordingReader::RecordingReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

Result<RecordingReader> RecordingReader::open(const std::string& path, const RecordingOptions& options) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->folder = is_folder(path);
  state->files = state->folder ? TRY(files_in(path)) : std::vector<std::string>{path};
  TRY(state->open_next());
  if (!state->open) return fail("is a directory without a drmemtrace file; name the file to import", {path});
  const std::string_view beginning = state->open->window->text();
  state->content = state->open->content;
  if (state->content == Content::drmemtrace)
    state->header = drmemtrace_header(beginning);
  else
    state->header.origin = lackey_origin(beginning);
  if (!options.origin.empty()) state->header.origin = options.origin;
  if (!options.architecture.empty()) state->header.architecture = options.architecture;
  return RecordingReader(std::move(state));
}

Result<void> RecordingReader::read(ReferenceSink& sink, const ProgressCallback& progress) {
  State& state = *state_;
  if (state.content == Content::lackey_text) {
    LackeyParser parser(sink, state.open->input.name());
    TRY(state.parse(parser, sink, progress));
    TRY(parser.finish(state.open->window->text()));
    state.lines = parser.lines();
    state.warnings = parser.warnings();
    return {};
  }
  DrmemtraceParser parser(sink);
  while (state.open) {
    parser.begin_file(state.open->input.name());
    TRY(state.parse(parser, sink, progress));
    TRY(parser.finish_file(state.open->window->text()));
    TRY(state.open_next());
  }
  state.warnings = parser.warnings();
  if (state.foreign > 0)
    state.warnings.push_back(fmt::format("{} files of the folder hold no drmemtrace, and are left out", state.foreign));
  return {};
}

const TraceHeader& RecordingReader::header() const { return state_->header; }
bool RecordingReader::is_same_file(const std::string& path) const {
  return state_->open->input.packed().is_same_file(path);
}
std::uint64_t RecordingReader::bytes() const { return state_->bytes; }
std::uint64_t RecordingReader::lines() const { return state_->lines; }
std::vector<std::string> RecordingReader::warnings() const { return state_->warnings; }

}  // namespace tollgate::trace
