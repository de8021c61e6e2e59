#include "world/explored/checkpoint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <system_error>

namespace tollgate::explored {
namespace {

constexpr std::string_view kMagic = "TGCHECK1";
constexpr std::uint64_t kMostText = 4096;

struct RecordHead {
  std::uint64_t states;  // in this record
  SearchPosition position;
};
static_assert(sizeof(RecordHead) == 40, "written as it lies in memory, little-endian");

template <typename T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
bool get(std::ifstream& in, T& value) {
  return bool(in.read(reinterpret_cast<char*>(&value), sizeof value));
}

std::string header_bytes(const std::string& of) {
  std::string bytes(kMagic);
  put(bytes, std::uint64_t(of.size()));
  bytes += of;
  put(bytes, std::uint64_t(XXH3_64bits(of.data(), of.size())));
  return bytes;
}

}  // namespace

Result<Checkpoint> Checkpoint::open(const std::string& path, const std::string& of, StateStore& store,
                                    SearchPosition& position) {
  Checkpoint checkpoint(path);
  std::error_code error;
  const std::uint64_t file_bytes = std::filesystem::exists(path, error) ? std::filesystem::file_size(path, error) : 0;
  if (error) return fail(fmt::format("{}: {}", path, error.message()));
  if (file_bytes == 0) {
    TRY(checkpoint.append(header_bytes(of)));
    return checkpoint;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(fmt::format("{}: cannot be read", path));
  TRY(checkpoint.read_header(in, of));
  while (TRY(checkpoint.read_record(in, file_bytes, store, position))) {
  }
  return checkpoint;
}

Result<void> Checkpoint::read_header(std::ifstream& in, const std::string& of) {
  std::string magic(kMagic.size(), '\0');
  std::uint64_t length = 0;
  if (!in.read(magic.data(), std::streamsize(magic.size())) || magic != kMagic || !get(in, length) ||
      length > kMostText)
    return fail(fmt::format("{}: not a checkpoint of an exploration", path_));
  std::string text(length, '\0');
  std::uint64_t checksum = 0;
  if (!in.read(text.data(), std::streamsize(length)) || !get(in, checksum) ||
      checksum != XXH3_64bits(text.data(), text.size()))
    return fail(fmt::format("{}: its header is damaged", path_));
  if (text != of) return fail(fmt::format("{}: it is of another exploration: {}; this one is {}", path_, text, of));
  good_ = header_bytes(of).size();
  return {};
}

Result<bool> Checkpoint::read_record(std::ifstream& in, std::uint64_t file_bytes, StateStore& store,
                                     SearchPosition& position) {
  const std::size_t one = store.state_bytes() + sizeof(StateStore::Number);
  RecordHead head;
  std::uint64_t checksum = 0;
  if (!get(in, head) || head.states > (file_bytes - good_) / one) return false;
  std::string bytes(head.states * one, '\0');
  if (!in.read(bytes.data(), std::streamsize(bytes.size())) || !get(in, checksum)) return false;
  std::string whole;
  put(whole, head);
  whole += bytes;
  if (checksum != XXH3_64bits(whole.data(), whole.size())) return false;
  for (std::uint64_t at = 0; at < head.states; ++at) {
    const auto* state = reinterpret_cast<const std::uint8_t*>(bytes.data() + at * one);
    StateStore::Number parent;
    std::memcpy(&parent, state + store.state_bytes(), sizeof parent);
    const auto insertion = store.insert({state, store.state_bytes()}, parent);
    if (insertion == StateStore::Insertion::full) return fail(fmt::format("{}: give more --memory to go on", path_));
    if (insertion == StateStore::Insertion::known) return fail(fmt::format("{}: a state occurs twice", path_));
  }
  position = head.position;
  saved_ = store.size();
  good_ += whole.size() + sizeof checksum;
  return true;
}

Result<void> Checkpoint::save(const StateStore& store, const SearchPosition& position) {
  std::string bytes;
  put(bytes, RecordHead{store.size() - saved_, position});
  for (std::uint64_t number = saved_; number < store.size(); ++number) {
    const auto state = store.state(StateStore::Number(number));
    bytes.append(reinterpret_cast<const char*>(state.data()), state.size());
    put(bytes, store.parent(StateStore::Number(number)));
  }
  put(bytes, std::uint64_t(XXH3_64bits(bytes.data(), bytes.size())));
  TRY(append(bytes));
  saved_ = store.size();
  return {};
}

/// Over whatever half a record a kill left behind.
Result<void> Checkpoint::append(const std::string& bytes) {
  std::error_code error;
  if (std::filesystem::exists(path_, error)) std::filesystem::resize_file(path_, good_, error);
  std::ofstream out(path_, std::ios::binary | std::ios::app);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  out.close();
  if (error || !out) return fail(fmt::format("{}: cannot be written", path_));
  good_ += bytes.size();
  return {};
}

void Checkpoint::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace tollgate::explored
