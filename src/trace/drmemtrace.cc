#include "trace/drmemtrace.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "trace/format.h"

namespace tollgate::trace {
namespace {

using namespace drmemtrace;

std::uint64_t little_endian(const char* at, int bytes) {
  std::uint64_t number = 0;
  for (int i = bytes - 1; i >= 0; --i) number = number << 8 | static_cast<std::uint8_t>(at[i]);
  return number;
}

std::string noted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}", with_commas(static_cast<long long>(number)), what);
}

bool is_kernel_half(std::uint64_t address) { return address >> 63 != 0; }

}  // namespace

bool is_drmemtrace(std::string_view beginning) {
  if (beginning.size() < kRecordBytes || little_endian(beginning.data(), 2) != kHeader) return false;
  const std::uint64_t version = little_endian(beginning.data() + 4, 8);
  return version >= 1 && version < 64;
}

TraceHeader drmemtrace_header(std::string_view beginning) {
  TraceHeader header;
  header.origin = "DynamoRIO drmemtrace";
  for (; beginning.size() >= kRecordBytes; beginning.remove_prefix(kRecordBytes)) {
    if (little_endian(beginning.data(), 2) != kMarker || little_endian(beginning.data() + 2, 2) != kFileType) continue;
    const std::uint64_t type = little_endian(beginning.data() + 4, 8);
    if (type & kAarch64) header.architecture = "aarch64";
    if (type & (kKernelSyscalls | kWholeSystem)) header.kernel = KernelReferences::included;
    break;
  }
  return header;
}

void DrmemtraceParser::begin_file(std::string name) {
  name_ = std::move(name);
  records_ = 0;
  references_before_ = references_;
  by_ = Streams::by_thread;
  places_.clear();
  at_ = {};
  footer_ = false;
}

Result<std::size_t> DrmemtraceParser::consume(std::string_view bytes) {
  std::size_t done = 0;
  for (; bytes.size() - done >= kRecordBytes; done += kRecordBytes) {
    const char* at = bytes.data() + done;
    const Entry entry{static_cast<std::uint16_t>(little_endian(at, 2)),
                      static_cast<std::uint16_t>(little_endian(at + 2, 2)), little_endian(at + 4, 8)};
    if (!take(entry)) return bad_record(entry);
    ++records_;
  }
  return done;
}

bool DrmemtraceParser::take(const Entry& entry) {
  const std::uint16_t type = entry.type;
  if (type == kRead || type == kWrite)
    access(entry.address, entry.size, type == kRead, type == kWrite);
  else if ((type >= kInstruction && type <= kLastInstruction) || type == kSysenter || type == kTakenJump ||
           type == kUntakenJump || type == kMaybeFetch)
    fetch(entry.address, entry.size);
  else if (type == kEncoding || type == kThreadExit)
    return true;
  else if (type == kMarker)
    marker(entry.size, entry.address);
  else if (type == kBundle)
    bundle(entry);
  else if (type == kNoFetch)
    ++without_fetch_;
  else if (type == kThread)
    thread(entry.address);
  else if (type == kProcess)
    process(entry.address);
  else if (type >= kFirstFlush && type <= kLastFlush)
    ++cache_flushes_;
  else if ((type >= kFirstPrefetch && type <= kLastPrefetch) || type == kHardwarePrefetch ||
           (type >= kFirstNewPrefetch && type <= kLastNewPrefetch))
    ++prefetches_;
  else if (type == kHeader)
    version_ = std::max(version_, entry.address);
  else if (type == kFooter)
    footer_ = true;
  else
    return false;
  return !too_many_streams_;
}

void DrmemtraceParser::fetch(std::uint64_t address, std::uint64_t size) {
  ++references_;
  at_.mode = is_kernel_half(address) ? Mode::kernel : at_.forced;
  at_.next_address = address + size;
  const std::uint64_t first = address >> kPageShift,
                      last = (address + std::max<std::uint64_t>(size, 1) - 1) >> kPageShift;
  sink_.add_fetch(first, 1, at_.mode);
  for (std::uint64_t page = first + 1; page <= last; ++page) sink_.add_fetch(page, 0, at_.mode);
}

void DrmemtraceParser::access(std::uint64_t address, std::uint64_t size, unsigned reads, unsigned writes) {
  ++references_;
  const std::uint64_t first = address >> kPageShift,
                      last = (address + std::max<std::uint64_t>(size, 1) - 1) >> kPageShift;
  sink_.add_data(first, reads, writes, at_.mode);
  for (std::uint64_t page = first + 1; page <= last; ++page) sink_.add_data(page, reads, writes, at_.mode);
}

/// Up to eight instructions behind the last, their lengths in the bytes of the address.
void DrmemtraceParser::bundle(const Entry& entry) {
  for (int i = 0; i < std::min<int>(entry.size, 8); ++i) fetch(at_.next_address, entry.address >> (8 * i) & 0xff);
}

void DrmemtraceParser::marker(std::uint16_t kind, std::uint64_t value) {
  if (kind >= kFirstValue && kind < kFirstValue + 2 * kEventKinds) {
    const auto index = static_cast<std::uint8_t>((kind - kFirstValue) / 2);
    if (kind % 2 == 0)
      sink_.add_event(static_cast<Kind>(kFirstEvent + index), value, std::exchange(at_.second_value, 0));
    if (kind % 2 == 1) at_.second_value = value;
    return;
  }
  if (kind == kUserMode || kind == kKernelMode) {
    at_.forced = at_.mode = kind == kKernelMode ? Mode::kernel : Mode::user;
    return;
  }
  if (kind == kSyscallTraceStart || kind == kSwitchTraceStart) at_.forced = Mode::kernel;
  if (kind == kSyscallTraceEnd || kind == kSwitchTraceEnd) at_.forced = Mode::user;
  if (kind == kFileType && value & kCoreSharded && by_ == Streams::by_thread) {
    by_ = Streams::by_file;
    select(static_cast<std::uint16_t>(next_stream_++));
  }
  if (kind == kSyscall)
    sink_.add_event(Kind::syscall, value);
  else if (kind != kVersion && kind != kFileType)
    sink_.add_event(Kind::marker, value, std::uint64_t{kind} + 1);
}

void DrmemtraceParser::thread(std::uint64_t id) {
  if (by_ == Streams::by_file) {
    sink_.add_event(Kind::context_switch, id);
    return;
  }
  const auto known = streams_.find(id);
  if (known == streams_.end()) {
    too_many_streams_ = next_stream_ > 0xffff;
    if (too_many_streams_) return;
    streams_[id] = static_cast<std::uint16_t>(next_stream_++);
  }
  select(streams_[id]);
}

void DrmemtraceParser::select(std::uint16_t stream) {
  if (stream != stream_) {
    places_[stream_] = at_;
    at_ = places_[stream];
    stream_ = stream;
  }
  sink_.select_stream(stream);
}

void DrmemtraceParser::process(std::uint64_t id) {
  const auto [loaded, first] = processes_.try_emplace(stream_, id);
  if (!first && loaded->second != id) sink_.add_event(Kind::mm_switch, id, 1);
  if (first && by_ == Streams::by_file) sink_.add_event(Kind::mm_switch, id, 1);
  loaded->second = id;
}

tl::unexpected<Error> DrmemtraceParser::bad_record(const Entry& entry) const {
  if (too_many_streams_) return fail("has more than 65,536 threads, and a trace holds as many streams", {name_});
  return fail(
      fmt::format("record {} (at byte {}) has type {}, and drmemtrace has none such; before it, {} references were "
                  "good",
                  records_ + 1, records_ * kRecordBytes, entry.type,
                  with_commas(static_cast<long long>(references_ - references_before_))),
      {name_});
}

Result<void> DrmemtraceParser::finish_file(std::string_view rest) {
  if (!rest.empty())
    return fail(
        fmt::format("ends inside record {} (at byte {}): it was cut off", records_ + 1, records_ * kRecordBytes),
        {name_});
  if (references_ == references_before_) return fail("holds no instruction and no access", {name_});
  cut_files_ += !footer_;
  return {};
}

std::vector<std::string> DrmemtraceParser::warnings() const {
  std::vector<std::string> texts;
  if (version_ > kNewestVersion)
    texts.push_back(fmt::format("drmemtrace version {} is newer than the {} known here", version_, kNewestVersion));
  if (cut_files_ > 0) texts.push_back("a file has no footer: the recording was cut off");
  if (prefetches_ > 0) texts.push_back(noted(prefetches_, "prefetches are left out: they touch no TLB here"));
  if (cache_flushes_ > 0) texts.push_back(noted(cache_flushes_, "cache flushes are left out: they touch no TLB"));
  if (without_fetch_ > 0)
    texts.push_back(noted(without_fetch_, "instructions are left out that the recording says were not fetched again"));
  return texts;
}

}  // namespace tollgate::trace
