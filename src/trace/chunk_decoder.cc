#include "trace/chunk_decoder.h"

#include <limits>

#include "base/check.h"
#include "trace/chunk_encoder.h"
#include "trace/format.h"

namespace tollgate::trace {
namespace {

constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void ChunkDecoder::start(std::string_view padded, std::uint16_t stream, UnknownEvents unknown) {
  CHECK(padded.size() >= kPadding, "a chunk is followed by padding");
  const auto* begin = reinterpret_cast<const std::uint8_t*>(padded.data());
  cursor_ = {begin, begin + padded.size() - kPadding};
  for (auto& pages : pages_) pages.clear();
  unknown_events_ = 0;
  unknown_ = unknown;
  stream_ = stream;
  bad_ = false;
}

std::size_t ChunkDecoder::decode(std::span<Record> out) {
  std::size_t count = 0;
  while (count < out.size() && more()) {
    Record& record = out[count];
    record = Record{.stream = stream_};
    const std::uint64_t token = cursor_.next();
    const bool wanted = token == kEventToken ? decode_event(record) : decode_run(token, record);
    if (cursor_.bad()) bad_ = true;
    if (wanted && !bad_) ++count;
  }
  return count;
}

inline bool ChunkDecoder::decode_run(std::uint64_t token, Record& record) {
  const std::uint64_t side = token & 1;
  const std::uint64_t index = (token >> 1) - kFirstIndex;
  auto& pages = pages_[side];
  std::uint64_t key = 0;
  if (index < pages.size()) [[likely]] {
    key = pages[index];
  } else {
    if (token > kNewFetchPage) return refuse();
    key = cursor_.next();
    if (key >> 1 > kMaxPage) return refuse();
    pages.push_back(key);
  }
  record.page = key >> 1;
  record.mode = static_cast<Mode>(key & 1);
  record.kind = static_cast<Kind>(side ? Kind::fetch : Kind::data);
  return decode_counts(record);
}

inline bool ChunkDecoder::decode_counts(Record& record) {
  if (record.kind == Kind::fetch) {
    const std::uint64_t instructions = cursor_.next();
    record.instructions = static_cast<std::uint32_t>(instructions);
    return instructions <= kMaxCount || refuse();
  }
  const std::uint64_t both = *cursor_.at++;
  std::uint64_t reads = both >> 4, writes = both & 15;
  if (both == 0) [[unlikely]] {
    reads = cursor_.next();
    writes = cursor_.next();
    if (reads > kMaxCount || writes > kMaxCount || reads + writes == 0) return refuse();
  }
  record.reads = static_cast<std::uint32_t>(reads);
  record.writes = static_cast<std::uint32_t>(writes);
  return true;
}

bool ChunkDecoder::decode_event(Record& record) {
  const std::uint64_t kind = cursor_.next();
  const std::uint64_t length = cursor_.next();
  if (cursor_.bad() || length > static_cast<std::uint64_t>(cursor_.end - cursor_.at)) return refuse();
  VarintCursor payload{cursor_.at, cursor_.at + length};
  cursor_.at = payload.end;
  if (kind < kFirstEvent || kind >= kFirstEvent + kEventKinds) {
    if (unknown_ == UnknownEvents::refuse) return refuse();
    ++unknown_events_;
    return false;
  }
  record.kind = static_cast<Kind>(kind);
  if (payload.more()) record.page = payload.next();
  if (payload.more()) record.value = payload.next();
  return !payload.bad() || refuse();
}

bool ChunkDecoder::refuse() {
  bad_ = true;
  return false;
}

}  // namespace tollgate::trace
