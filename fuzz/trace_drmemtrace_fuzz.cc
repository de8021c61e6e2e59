// The drmemtrace parser, on any bytes, given in pieces of two sizes: it takes or refuses them alike, and names no trouble
// without words.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trace/drmemtrace.h"
#include "trace/record_batcher.h"

namespace {

using namespace tollgate;

std::string outcome(std::string_view bytes, std::size_t piece) {
  std::uint64_t records = 0, sum = 0;
  trace::RecordBatcher batcher([&](std::span<const trace::Record> batch) -> Result<void> {
    records += batch.size();
    for (const trace::Record& record : batch) {
      if (!record.is_event() && record.page >> 52 != 0) std::abort();
      sum = sum * 31 + record.page + record.instructions + record.reads + record.writes + record.stream;
    }
    return {};
  });
  trace::DrmemtraceParser parser(batcher);
  parser.begin_file("bytes");
  std::string window;
  while (!bytes.empty()) {
    window += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    const auto taken = parser.consume(window);
    if (!taken) return taken.error().text();
    window.erase(0, *taken);
  }
  if (const auto finished = parser.finish_file(window); !finished) return finished.error().text();
  if (!batcher.finish()) std::abort();
  for (const std::string& warning : parser.warnings())
    if (warning.empty()) std::abort();
  return std::to_string(records) + ' ' + std::to_string(sum) + ' ' + std::to_string(parser.references());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  trace::drmemtrace_header(bytes);
  if (outcome(bytes, size + 1) != outcome(bytes, 1 + size % 37)) std::abort();
  return 0;
}
