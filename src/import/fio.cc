// fio --output-format=json (axboe/fio, stat.c; versions 2.2 to 3.3x). A file is one run: `iops` is operations over run time
// (not iops_mean, the mean of samples within the run), and means of latency and percentiles describe the I/Os of
// that run, so each is one sample. Jobs of one name and group ran together: their rates are added. Jobs of one name in several groups ran one
// after another: they are runs.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "import/catalogue.h"
#include "import/collector.h"

namespace tollgate::import {
namespace {

using evidence::Better;
using evidence::MetricInfo;
using Kind = JsonValue::Kind;

bool recognises(const Source& source) {
  return source.json() && source.json()->has("fio version") && source.json()->has("jobs");
}

/// A part of a sum: what is negative in it would not be seen in the sum.
Result<double> part_at(const JsonValue& object, std::string_view name) {
  const double value = TRY(object.number_at(name));
  if (value >= 0) return value;
  return fail_at(object.find(name)->line, fmt::format("{} is {}: it cannot be negative", name, value));
}

struct Rates {
  double iops = 0;
  double bytes_per_second = 0;
  double operations = 0;
  double latency_ns = 0;  // summed over operations
  std::map<double, double> percentiles;
  int jobs = 0;
  unsigned line = 0;
};

constexpr double kPercentiles[] = {50, 99, 99.9};

/// clat_ns, or clat in us before fio 3.
Result<void> take_latency(const JsonValue& direction, double operations, Rates& rates) {
  const bool ns = direction.has("clat_ns");
  const JsonValue* latency = direction.find(ns ? "clat_ns" : "clat");
  if (latency == nullptr) return {};
  const double unit = ns ? 1 : 1000;
  rates.latency_ns += TRY(part_at(*latency, "mean")) * unit * operations;
  const JsonValue* percentiles = latency->find("percentile");
  if (percentiles == nullptr) return {};
  for (const double wanted : kPercentiles)
    if (const auto value = TRY(percentiles->optional_number_at(fmt::format("{:.6f}", wanted))))
      rates.percentiles[wanted] = *value * unit;
  return {};
}

Result<void> take_direction(const JsonValue& direction, Rates& rates) {
  const double operations = TRY(part_at(direction, "total_ios"));
  rates.iops += TRY(part_at(direction, "iops"));
  rates.bytes_per_second +=
      direction.has("bw_bytes") ? TRY(part_at(direction, "bw_bytes")) : 1024 * TRY(part_at(direction, "bw"));
  rates.operations += operations;
  rates.line = rates.jobs == 0 ? direction.line : rates.line;
  ++rates.jobs;
  return take_latency(direction, operations, rates);
}

/// Name, direction, group: what is added up.
struct RatesKey {
  std::string name, direction;
  double group = 0;
};

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), collector_(source) {}

  Result<evidence::Measurement> read() {
    const JsonValue& root = *source_.json();
    for (const JsonValue& job : *TRY(root.array_at("jobs"))) TRY(take_job(job));
    const bool one_name =
        std::ranges::all_of(all_, [&](const auto& one) { return one.first.name == all_[0].first.name; });
    for (const auto& [key, rates] : all_) {
      TRY(add(key, rates, one_name));
      if (std::ranges::count_if(all_, [&](const auto& one) { return is_again(one.first, key); }) > 1)
        collector_.warn(fmt::format(
            "the groups of job '{}' are taken for runs one after another (stonewall); fio does not say whether "
            "they ran side by side (new_group)",
            key.name));
    }
    collector_.note("fio's iops is operations over run time, not iops_mean; a file is one run");
    return std::move(collector_).finish();
  }

 private:
  Result<void> take_job(const JsonValue& job) {
    const std::string name = TRY(job.text_at("jobname"));
    const double group = job.has("groupid") ? TRY(part_at(job, "groupid")) : 0;
    if (const auto error = TRY(job.optional_number_at("error")); error && *error != 0)
      collector_.warn_at(job.line, fmt::format("job '{}' ended with error {:g}", name, *error));
    for (const char* direction : {"read", "write", "trim"}) {
      const JsonValue* found = job.find(direction);
      if (found == nullptr || !found->is(Kind::object)) continue;
      if (TRY(part_at(*found, "total_ios")) > 0) TRY(take_direction(*found, rates_of({name, direction, group})));
    }
    return {};
  }

  static bool is_again(const RatesKey& one, const RatesKey& other) {
    return one.name == other.name && one.direction == other.direction;
  }

  Rates& rates_of(const RatesKey& key) {
    const auto same = [&](const auto& one) { return is_again(one.first, key) && one.first.group == key.group; };
    const auto found = std::ranges::find_if(all_, same);
    if (found != all_.end()) return found->second;
    return all_.emplace_back(key, Rates{}).second;
  }

  Result<void> add(const RatesKey& key, const Rates& rates, bool one_name) {
    const std::string name = one_name ? key.direction : key.name + "." + key.direction;
    const auto sample = [&](std::string_view what, std::string unit, Better better, double value) {
      return collector_.sample(source_.stem(), MetricInfo{fmt::format("{}.{}", name, what), std::move(unit), better},
                               value, rates.line);
    };
    TRY(sample("iops", "1/s", Better::higher, rates.iops));
    TRY(sample("bytes_per_s", "B/s", Better::higher, rates.bytes_per_second));
    TRY(sample("clat_mean_ns", "ns", Better::lower, rates.latency_ns / rates.operations));
    if (rates.jobs > 1)
      collector_.note(fmt::format("{} jobs '{}' ran together: their rates are added, their percentiles left out",
                                  rates.jobs, key.name));
    else
      for (const auto& [percent, value] : rates.percentiles)
        TRY(sample(fmt::format("clat_p{:g}_ns", percent), "ns", Better::lower, value));
    return {};
  }

  const Source& source_;
  Collector collector_;
  std::vector<std::pair<RatesKey, Rates>> all_;  // in the order of the file
};

Result<evidence::Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer fio_json() { return {"fio JSON", "fio --output-format=json --output=FILE JOB", recognises, read}; }

}  // namespace tollgate::import
