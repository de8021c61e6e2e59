#include "trace/chunk_encoder.h"

#include "trace/varint.h"

namespace tollgate::trace {

PageSeen ChunkEncoder::add(const Record& record) {
  ++records_;
  references_ += std::uint64_t{record.instructions} + record.reads + record.writes;
  if (record.is_event()) {
    put_event(record);
    return PageSeen::before;
  }
  const PageSeen seen = put_page(record);
  if (record.kind == Kind::fetch)
    put_varint(bytes_, record.instructions);
  else
    put_accesses(record);
  return seen;
}

PageSeen ChunkEncoder::put_page(const Record& record) {
  const std::uint64_t side = record.kind == Kind::fetch;
  PageIndex& pages = pages_[side];
  const std::uint64_t key = PageIndex::key(record.page, record.mode);
  const std::uint32_t known = pages.size();
  const std::uint64_t index = pages.find_or_add(key);
  if (index < known) {
    put_varint(bytes_, (index + kFirstIndex) << 1 | side);
    return PageSeen::before;
  }
  put_varint(bytes_, side ? kNewFetchPage : kNewDataPage);
  put_varint(bytes_, key);
  return PageSeen::first_time;
}

void ChunkEncoder::put_accesses(const Record& record) {
  if (record.reads < 16 && record.writes < 16) {
    bytes_.push_back(static_cast<char>(record.reads << 4 | record.writes));
    return;
  }
  bytes_.push_back(0);
  put_varint(bytes_, record.reads);
  put_varint(bytes_, record.writes);
}

void ChunkEncoder::put_event(const Record& record) {
  std::string payload;
  if (record.page != 0 || record.value != 0) put_varint(payload, record.page);
  if (record.value != 0) put_varint(payload, record.value);
  put_varint(bytes_, kEventToken);
  put_varint(bytes_, static_cast<std::uint64_t>(record.kind));
  put_varint(bytes_, payload.size());
  bytes_ += payload;
}

void ChunkEncoder::clear() {
  bytes_.clear();
  for (PageIndex& pages : pages_) pages.clear();
  records_ = 0;
  references_ = 0;
}

}  // namespace tollgate::trace
