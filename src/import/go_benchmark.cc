// Go benchmark lines (golang.org/design/14313-benchmark-format): "key: value" configuration, "Unit NAME better=higher", and
// "BenchmarkName-8  ITERATIONS  VALUE UNIT [VALUE UNIT]...". A line that comes again (-count) is another run; a metric is a
// benchmark and a unit.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::Better;

bool is_result(std::string_view text) {
  if (!text.starts_with("Benchmark")) return false;
  const auto words = words_of(text);
  return words.size() >= 4 && words[0].size() > 9 && all_digits(words[1]) && words.size() % 2 == 0;
}

bool recognises(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return is_result(line.text); });
}

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), collector_(source) {}

  Result<evidence::Measurement> read() {
    for (const Line& line : source_.lines()) TRY(take(line));
    return std::move(collector_).finish();
  }

 private:
  Result<void> take(const Line& line) {
    const auto words = words_of(line.text);
    if (words.empty()) return {};
    if (words[0] == "Unit" && words.size() > 2) take_unit(words);
    if (const auto cpu = after(line.text, "cpu: ")) collector_.measurement().machine = trim(*cpu);
    if (const auto package = after(line.text, "pkg: ")) package_ = trim(*package);
    if (const auto failed = after(line.text, "--- FAIL")) collector_.warn_at(line.number, line.text);
    if (is_result(line.text)) return take_result(words, line.number);
    if (words[0].starts_with("Benchmark") && words.size() > 3 && words[3].ends_with("/op"))
      return fail_at(line.number, fmt::format("'{}' is no number of iterations", printable(words[1])));
    if (words[0].starts_with("Benchmark") && words.size() > 2 && all_digits(words[1]))
      return fail_at(line.number, "is a benchmark line with a value that has no unit: the line is truncated");
    return {};
  }

  void take_unit(const std::vector<std::string_view>& words) {
    for (std::size_t i = 2; i < words.size(); ++i)
      if (const auto better = after(words[i], "better="))
        better_[std::string(words[1])] = *better == "higher" ? Better::higher : Better::lower;
  }

  Better better_of(const std::string& unit) const {
    if (const auto told = better_.find(unit); told != better_.end()) return told->second;
    if (unit == "ns/op" || unit == "B/op" || unit == "allocs/op") return Better::lower;
    return unit == "MB/s" ? Better::higher : Better::neither;
  }

  Result<void> take_result(const std::vector<std::string_view>& words, unsigned line) {
    std::string name(words[0].substr(std::string_view("Benchmark").size()));
    // The first package goes without saying; benchmarks of another could have the same names.
    if (first_package_.empty()) first_package_ = package_;
    if (package_ != first_package_) name = package_ + "." + name;
    for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
      const std::string unit(words[i + 1]);
      if (unit.ends_with('/'))
        return fail_at(line, fmt::format("the unit '{}' is not whole: the line is truncated", unit));
      Number number = TRY(collector_.number(words[i], line));
      if (unit == "ns/op" && number.half_unit == 0)
        number.half_unit = 0.5;  // Go prints four digits, none of them exact
      TRY(collector_.sample(source_.stem(), {fmt::format("{} {}", name, unit), unit, better_of(unit)}, number, line));
    }
    return {};
  }

  const Source& source_;
  Collector collector_;
  std::map<std::string, Better> better_;
  std::string package_, first_package_;
};

Result<evidence::Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer go_benchmark() { return {"Go benchmark", "go test -bench . -count 10", recognises, read}; }

}  // namespace tollgate::import
