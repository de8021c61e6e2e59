// Any bytes as another tool's result file: import ends in an error that names the file and says something, or in a measurement
// whose numbers are finite and not negative. Files that are read can be shown, merged, compared and posted.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "evidence/analysis.h"
#include "import/merge.h"
#include "report/measurement_report.h"
#include "report/post_table.h"

namespace {

using namespace tollgate;

constexpr std::size_t kMostSeries = 50;  // more only makes it slow

void expect(bool holds) {
  if (!holds) std::abort();
}

void expect_number(const std::optional<double>& value) {
  if (value) expect(std::isfinite(*value) && *value >= 0);
}

/// Only our own sessions may hold pairs and values below zero.
void expect_sound(const evidence::Measurement& measurement, bool session) {
  expect(!measurement.variants.empty() && !measurement.series.empty());
  for (const auto& series : measurement.series) {
    expect(series.samples.empty() == series.summary.has_value() && !series.source.empty());
    for (const auto& sample : series.samples) {
      expect(std::isfinite(sample.value) && (session || sample.value >= 0));
      expect(session || !sample.block);
    }
    if (!series.summary) continue;
    const auto& summary = *series.summary;
    for (const auto& value :
         {summary.mean, summary.median, summary.min, summary.max, summary.deviation, summary.standard_error})
      expect_number(value);
    expect(!summary.count || *summary.count > 0);
  }
}

void compare_with_itself(const import::Imported& imported) {
  auto merged = import::merge({{"a", imported}, {"b", imported}});
  expect(merged.has_value());
  const auto comparison = evidence::analyse(*merged);
  if (!comparison) return;
  for (const auto style : {report::TableStyle::box, report::TableStyle::perf_stat, report::TableStyle::before_after})
    expect(!report::post_table(*merged, *comparison, style).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto imported = import::import_results("input", {reinterpret_cast<const char*>(data), size});
  if (!imported) {
    expect(!imported.error().message.empty() && imported.error().place.file == "input");
    return 0;
  }
  expect_sound(imported->measurement, imported->format.starts_with("Tollgate"));
  const std::vector<report::FoundResults> found{{imported->file, imported->format, imported->measurement}};
  expect(!report::found_text(found).empty() && !report::found_json(found).empty());
  if (imported->measurement.series.size() <= kMostSeries) compare_with_itself(*imported);
  return 0;
}
