// Making a recording ready for replay: one packed step a run, and areas for the pages it touched.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/interrupt.h"
#include "trace/reader.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 28;  // 2 GiB of steps: a replay is held in memory
constexpr int kFaultAround = 16;                              // pages a file fault maps (fault_around_bytes, 64K)

/// What was done to a page, over the whole recording.
struct PageUse {
  bool fetched = false;
  bool written = false;
  bool from_file() const { return fetched || !written; }
};

/// Neighbouring pages of one sort become one area.
std::vector<kernel::Area> make_areas(const std::map<hw::Vpn, PageUse>& pages) {
  std::vector<kernel::Area> areas;
  for (const auto& [vpn, use] : pages) {
    const bool file = use.from_file() && !use.written;
    if (!areas.empty()) {
      kernel::Area& last = areas.back();
      if (last.first + last.pages == vpn && last.file_backed == file) {
        ++last.pages;
        continue;
      }
    }
    areas.push_back({vpn, 1, !file, file, file ? kFaultAround : 1});
  }
  return areas;
}

void append(Recording& recording, hw::Vpn vpn, hw::Reference reference, std::uint32_t instructions) {
  while (instructions > world::ReplayStep::kMaxInstructions) {
    recording.steps.emplace_back(vpn, reference, world::ReplayStep::kMaxInstructions);
    instructions -= world::ReplayStep::kMaxInstructions;
  }
  recording.steps.emplace_back(vpn, reference, instructions);
}

void add_reference(Recording& recording, std::map<hw::Vpn, PageUse>& pages, const trace::Record& record) {
  const hw::Vpn vpn = record.page & hw::kVpnMask;
  PageUse& use = pages[vpn];
  recording.references += record.instructions + record.reads + record.writes;
  if (record.kind == trace::Kind::fetch) {
    use.fetched = true;
    recording.instructions += record.instructions;
    append(recording, vpn, hw::Reference::fetch, record.instructions);
  } else {
    use.written |= record.writes > 0;
    append(recording, vpn, record.writes > 0 ? hw::Reference::write : hw::Reference::read, 0);
  }
}

/// What a trace holds beyond the program that is replayed.
struct LeftOut {
  std::uint16_t replayed_stream = 0;
  std::uint64_t other_streams = 0;
  std::uint64_t kernel = 0;

  std::vector<std::string> warnings(const std::string& path) const {
    std::vector<std::string> texts;
    if (other_streams > 0)
      texts.push_back(fmt::format("{}: only stream {} is replayed; {} records of other streams are left out", path,
                                  replayed_stream, other_streams));
    if (kernel > 0)
      texts.push_back(
          fmt::format("{}: {} kernel references are left out: the kernel's paths are modelled", path, kernel));
    return texts;
  }
};

}  // namespace

Result<std::shared_ptr<const Recording>> load_recording(const std::string& path, const ProgressCallback& progress) {
  trace::TraceReader reader = TRY(trace::TraceReader::open(path));
  TRY(trace::require_architecture(reader.header(), "x86_64", path));
  if (reader.header().page_shift != 12)
    return fail(fmt::format("the trace has pages of {} bytes, and 4096 are needed", 1ull << reader.header().page_shift),
                {path, 0, 0});
  auto recording = std::make_shared<Recording>();
  recording->name = path;
  std::map<hw::Vpn, PageUse> pages;
  LeftOut left_out;
  std::uint64_t records = 0;
  while (true) {
    const std::span<const trace::Record> batch = TRY(reader.next_batch());
    if (batch.empty()) break;
    if (interrupted()) return fail("interrupted");
    if (records == 0) left_out.replayed_stream = batch.front().stream;
    if (batch.front().stream != left_out.replayed_stream) {
      left_out.other_streams += batch.size();
      continue;
    }
    for (const trace::Record& record : batch) {
      if (record.kind == trace::Kind::syscall) ++recording->system_calls;
      if (record.is_event()) continue;
      if (record.mode == trace::Mode::kernel || record.page >> 36 & 1) {
        ++left_out.kernel;
        continue;
      }
      add_reference(*recording, pages, record);
    }
    records += batch.size();
    if (recording->steps.size() > kMostSteps)
      return fail(fmt::format("recording has over {} page runs: too long to replay from memory", kMostSteps),
                  {path, 0, 0});
    if (progress) progress(records, 0);
  }
  if (recording->instructions == 0) return fail("recording holds no user instructions to replay", {path, 0, 0});
  recording->areas = make_areas(pages);
  recording->warnings = left_out.warnings(path);
  return std::shared_ptr<const Recording>(std::move(recording));
}

}  // namespace tollgate::workload
