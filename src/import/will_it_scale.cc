// will-it-scale (antonblanchard/will-it-scale). runtest.py's CSV has a row a number of tasks, each one run; the row of 0
// tasks is made up, -1 is a run whose output it could not read, and 0 for processes and threads alike an aborted one. A test program's own output
// has a line a second; its "average:" is the run.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/csv.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::Better;

constexpr std::string_view kHeader = "tasks,processes,processes_idle,threads,threads_idle,linear";

bool recognises_csv(const Source& source) { return begins_with_columns(source.lines().front().text, kHeader); }

Result<void> take_row(const CsvTable& table, const CsvRecord& row, const std::string& variant, Collector& collector) {
  const std::string& tasks = table.field(row, "tasks");
  if (!all_digits(tasks)) return fail_at(row.line, fmt::format("'{}' is no number of tasks", printable(tasks)));
  const std::string& processes = table.field(row, "processes");
  const std::string& threads = table.field(row, "threads");
  if (tasks == "0") return {};
  if (processes == "0" && threads == "0") {
    collector.warn_at(row.line, fmt::format("the run of {} tasks was aborted (0 operations) and is left out", tasks));
    return {};
  }
  for (const auto& [name, value] : {std::pair{"processes", processes}, {"threads", threads}}) {
    if (value == "-1" || value == "0") {
      collector.warn_at(row.line, fmt::format("{} of {} tasks has no result ({}) and is left out", name, tasks, value));
      continue;
    }
    TRY(collector.sample(variant, {fmt::format("{}.{}.ops_per_s", name, tasks), "1/s", Better::higher},
                         TRY(collector.number(value, row.line)), row.line));
  }
  return {};
}

Result<evidence::Measurement> read_csv(const Source& source) {
  const CsvTable table = TRY(parse_csv_table(source.text()));
  Collector collector(source);
  for (const CsvRecord& row : table.rows) TRY(take_row(table, row, source.stem(), collector));
  return std::move(collector).finish();
}

// --- testcase:... / warmup / min:A max:B total:C / measurement / ... / average:N

constexpr std::string_view kTestcase = "testcase:";

bool recognises_text(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return line.text.starts_with(kTestcase); }) &&
         std::ranges::any_of(source.lines(), [](const Line& line) { return line.text.starts_with("min:"); });
}

Result<evidence::Measurement> read_text(const Source& source) {
  Collector collector(source);
  std::string testcase;
  unsigned begun = 0;
  bool open = false;
  for (const Line& line : source.lines()) {
    if (const auto name = after(line.text, kTestcase)) {
      if (!testcase.empty() && testcase != trim(*name))
        return fail_at(line.number, fmt::format("another test case than '{}': import them apart", testcase));
      testcase = trim(*name);
      begun = line.number;
      open = true;
    }
    const auto average = after(line.text, "average:");
    if (!average) continue;
    TRY(collector.sample(source.stem(), {"ops_per_s", "1/s", Better::higher},
                         TRY(collector.number(trim(*average), line.number)), line.number));
    open = false;
  }
  if (open) return fail_at(begun, "a run without its 'average:': the output is truncated");
  collector.measurement().title = testcase;
  collector.note("a run is will-it-scale's average; the seconds it is made of are no runs");
  return std::move(collector).finish();
}

}  // namespace

Importer will_it_scale_csv() { return {"will-it-scale CSV", "runtest.py TEST", recognises_csv, read_csv}; }
Importer will_it_scale_text() { return {"will-it-scale", "TEST_processes -t N -s 5", recognises_text, read_text}; }

}  // namespace tollgate::import
