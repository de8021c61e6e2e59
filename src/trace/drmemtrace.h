// DrmemtraceParser: DynamoRIO's drmemtrace, its final (offline) form, to a sink of page references. A file is records of 12
// bytes, little-endian: type (2), size (2), address or value (8); a header record comes first.
//
// A thread is a stream, but in a file that is sharded by core (file type bit 0x10000) the file is one, and its threads take
// turns in it. A process id becomes an mm switch that keeps its tag, when it changes within a stream. Markers are kept as
// events: system calls and what our own export wrote (drmemtrace_export.h) as what they are, others with their kind.
// Between the markers that begin and end a kernel trace, and at addresses of 2^63 and above, the kernel runs; each stream
// knows that for itself, wherever the file turns to another. Cache flushes,
// prefetches and instructions without a fetch touch no TLB here, as in DynamoRIO's TLB tool, and are only counted.
// Numbers: DynamoRIO's trace_entry.h, versions 1 to 7.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/header.h"
#include "trace/reference_sink.h"

namespace tollgate::trace {

namespace drmemtrace {

inline constexpr std::size_t kRecordBytes = 12;
enum Type : std::uint16_t {
  kRead = 0,
  kWrite = 1,
  kFirstPrefetch = 2,
  kLastPrefetch = 9,
  kInstruction = 10,
  kLastInstruction = 16,
  kBundle = 17,
  kFirstFlush = 18,
  kLastFlush = 21,
  kThread = 22,
  kThreadExit = 23,
  kProcess = 24,
  kHeader = 25,
  kFooter = 26,
  kHardwarePrefetch = 27,
  kMarker = 28,
  kNoFetch = 29,
  kMaybeFetch = 30,
  kSysenter = 31,
  kFirstNewPrefetch = 32,
  kLastNewPrefetch = 46,
  kEncoding = 47,
  kTakenJump = 48,
  kUntakenJump = 49,
};
enum Marker : std::uint16_t {
  kFileType = 9,
  kVersion = 12,
  kSyscall = 25,
  kSyscallTraceStart = 27,
  kSyscallTraceEnd = 28,
  kSwitchTraceStart = 34,
  kSwitchTraceEnd = 35,
  // Above 100 kinds are free for users; these are ours. The second value of an event, if not 0, comes before its first.
  kUserMode = 126,
  kKernelMode = 127,
  kFirstValue = 128,  // + 2 x (kind - 16)
  kSecondValue = 129,
};
inline constexpr std::uint64_t kVersionWritten = 3;
inline constexpr std::uint64_t kNewestVersion = 7;
enum FileType : std::uint64_t {
  kAarch64 = 0x08,
  kX86_64 = 0x40,
  kKernelSyscalls = 0x1000,
  kCoreSharded = 0x10000,
  kWholeSystem = 0x40000,
};

}  // namespace drmemtrace

/// Whether bytes begin as a drmemtrace file does: with a header record of a plausible version.
bool is_drmemtrace(std::string_view beginning);
/// What the first records say of the whole.
TraceHeader drmemtrace_header(std::string_view beginning);

class DrmemtraceParser {
 public:
  explicit DrmemtraceParser(ReferenceSink& sink) : sink_(sink) {}

  /// `name` is the file in errors. Streams go on over files.
  void begin_file(std::string name);
  /// Takes the whole records of `bytes` and returns their length; the caller gives the rest again, with more behind it.
  Result<std::size_t> consume(std::string_view bytes);
  /// `rest` is what is left at the end of a file: an error if there is any, or if it held no reference.
  Result<void> finish_file(std::string_view rest);

  std::uint64_t references() const { return references_; }
  /// What a user should know although the file could be read.
  std::vector<std::string> warnings() const;

 private:
  struct Entry {
    std::uint16_t type;
    std::uint16_t size;
    std::uint64_t address;
  };
  enum class Streams : std::uint8_t { by_thread, by_file };
  /// Where a stream is, while the file may be with another.
  struct Place {
    Mode forced = Mode::user;        // kernel between the markers of a kernel trace
    Mode mode = Mode::user;          // of the instruction fetched last
    std::uint64_t next_address = 0;  // behind it
    std::uint64_t second_value = 0;  // of the event to come
  };

  bool take(const Entry& entry);
  void fetch(std::uint64_t address, std::uint64_t size);
  void access(std::uint64_t address, std::uint64_t size, unsigned reads, unsigned writes);
  void bundle(const Entry& entry);
  void marker(std::uint16_t kind, std::uint64_t value);
  void thread(std::uint64_t id);
  void select(std::uint16_t stream);
  void process(std::uint64_t id);
  tl::unexpected<Error> bad_record(const Entry& entry) const;

  ReferenceSink& sink_;
  std::string name_;
  std::uint64_t records_ = 0;  // of the file
  std::uint64_t references_ = 0;
  std::uint64_t references_before_ = 0;               // of the files before
  std::map<std::uint64_t, std::uint16_t> streams_;    // by thread id
  std::map<std::uint16_t, std::uint64_t> processes_;  // by stream: the one loaded
  std::uint32_t next_stream_ = 0;
  std::uint16_t stream_ = 0;
  Streams by_ = Streams::by_thread;
  std::map<std::uint16_t, Place> places_;  // by stream, of those that the file has turned from
  Place at_;
  std::uint64_t prefetches_ = 0, cache_flushes_ = 0, without_fetch_ = 0;
  std::uint64_t version_ = 0;
  bool footer_ = false;
  bool too_many_streams_ = false;
  std::uint64_t cut_files_ = 0;
};

}  // namespace tollgate::trace
