#include "trace/sequential_input.h"

#include <archive.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/interrupt.h"

namespace tollgate::trace {

Result<SequentialInput> SequentialInput::open(const std::string& path) {
  SequentialInput input(path == "-" ? "standard input" : path);
  input.descriptor_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (input.descriptor_ < 0 || ::fstat(input.descriptor_, &input.status_) != 0)
    return fail(fmt::format("cannot open: {}", std::strerror(errno)), {input.name_});
  if (S_ISDIR(input.status_.st_mode)) return fail("is a directory; name the file to read", {input.name_});
  return input;
}

SequentialInput::SequentialInput(SequentialInput&& other) noexcept
    : name_(std::move(other.name_)),
      status_(other.status_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      done_(other.done_) {}

SequentialInput::~SequentialInput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool SequentialInput::is_same_file(const std::string& path) const {
  struct stat other{};
  return S_ISREG(status_.st_mode) && ::stat(path.c_str(), &other) == 0 && other.st_dev == status_.st_dev &&
         other.st_ino == status_.st_ino;
}

Result<std::size_t> SequentialInput::read(char* out, std::size_t count) {
  while (true) {
    if (!S_ISREG(status_.st_mode)) TRY(wait_for_bytes());
    const ssize_t got = ::read(descriptor_, out, count);
    if (got >= 0) {
      done_ += static_cast<std::size_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) return fail(fmt::format("cannot read: {}", std::strerror(errno)), {name_});
  }
}

/// A read that waits for a silent pipe would miss a request to stop that came just before it.
Result<void> SequentialInput::wait_for_bytes() const {
  pollfd waiting{descriptor_, POLLIN, 0};
  constexpr int kMilliseconds = 100;
  do {
    if (interrupted()) return fail("interrupted", {name_});
  } while (::poll(&waiting, 1, kMilliseconds) <= 0);
  return {};
}

struct UnpackedInput::State {
  explicit State(SequentialInput input) : packed(std::move(input)), block(kBlock) {}

  static la_ssize_t read_block(archive*, void* self, const void** bytes) {
    State& state = *static_cast<State*>(self);
    *bytes = state.block.data();
    auto got = state.packed.read(state.block.data(), state.block.size());
    if (got) return static_cast<la_ssize_t>(*got);
    state.read_error = std::move(got).error();
    return -1;
  }
  Error error() {
    if (read_error) return *read_error;
    const char* words = archive_error_string(unpacker.get());
    return {fmt::format("cannot be unpacked: {}", words != nullptr ? words : "it is damaged"), {packed.name()}};
  }

  struct Free {
    void operator()(archive* reader) const { archive_read_free(reader); }
  };
  static constexpr std::size_t kBlock = 1 << 18;

  SequentialInput packed;
  std::vector<char> block;
  std::unique_ptr<archive, Free> unpacker;
  std::optional<Error> read_error;
  bool in_member = false;
  bool ended = false;
};

UnpackedInput::UnpackedInput(std::unique_ptr<State> state) : state_(std::move(state)) {}
UnpackedInput::UnpackedInput(UnpackedInput&&) noexcept = default;
UnpackedInput::~UnpackedInput() = default;

const SequentialInput& UnpackedInput::packed() const { return state_->packed; }

Result<UnpackedInput> UnpackedInput::open(SequentialInput input) {
  auto state = std::make_unique<State>(std::move(input));
  state->unpacker.reset(archive_read_new());
  archive* const reader = state->unpacker.get();
  // Only what unpacks to one stream: others would take a text for a list of files.
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_zstd(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_lz4(reader);
  archive_read_support_format_zip_streamable(reader);
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);
  if (archive_read_open(reader, state.get(), nullptr, State::read_block, nullptr) != ARCHIVE_OK)
    return tl::unexpected(state->error());
  return UnpackedInput(std::move(state));
}

Result<std::size_t> UnpackedInput::read(char* out, std::size_t count) {
  State& state = *state_;
  while (!state.ended) {
    if (!state.in_member) {
      archive_entry* member = nullptr;
      const int found = archive_read_next_header(state.unpacker.get(), &member);
      state.ended = found == ARCHIVE_EOF;
      if (state.ended) break;
      if (found < ARCHIVE_WARN) return tl::unexpected(state.error());
      state.in_member = true;
    }
    const la_ssize_t got = archive_read_data(state.unpacker.get(), out, count);
    if (got < 0) return tl::unexpected(state.error());
    if (got > 0) return static_cast<std::size_t>(got);
    state.in_member = false;
  }
  return std::size_t{0};
}

std::string UnpackedInput::packing() const {
  std::string text = archive_format(state_->unpacker.get()) == ARCHIVE_FORMAT_ZIP ? "zip" : "";
  for (int i = 0; i + 1 < archive_filter_count(state_->unpacker.get()); ++i) {
    if (!text.empty()) text += ", ";
    text += archive_filter_name(state_->unpacker.get(), i);
  }
  return text;
}

}  // namespace tollgate::trace
