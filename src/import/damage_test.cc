// Sample files that something happened to: cut at any byte, or with a number that is written otherwise. What is read of one is
// refused with its place, or said, or right.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include "import/import.h"
#include "import/test_support/sample_files.h"

namespace tollgate::import {
namespace {

using Values = std::map<std::pair<std::string, std::string>, std::vector<double>>;

/// Every figure of every series; an absent one is -1, which no value is.
Values values_of(const evidence::Measurement& measurement) {
  Values values;
  for (const auto& series : measurement.series) {
    auto& all = values[{series.variant, series.metric.name}];
    for (const auto& sample : series.samples) all.push_back(sample.value);
    if (!series.summary) continue;
    const auto& known = *series.summary;
    for (const auto& value : {known.mean, known.median, known.min, known.max, known.deviation, known.standard_error})
      all.push_back(value.value_or(-1));
    all.push_back(known.count ? static_cast<double>(*known.count) : -1);
  }
  return values;
}

bool warns_of_a_cut(const Imported& imported) {
  return std::ranges::any_of(imported.measurement.warnings, [](const std::string& warning) {
    return warning.find("the file may be cut") != std::string::npos;
  });
}

bool names_its_place(const Error& error, const std::string& name) {
  return error.text().starts_with(name + ":") && !error.message.empty();
}

/// Figures of `part` that the whole file does not have in that place.
std::size_t strange_figures(const Values& part, const Values& whole) {
  std::size_t strange = 0;
  for (const auto& [key, values] : part) {
    const auto all = whole.find(key);
    for (std::size_t i = 0; i < values.size(); ++i)
      strange += all == whole.end() || i >= all->second.size() || values[i] != all->second[i];
  }
  return strange;
}

std::size_t count_of(const Values& values) {
  std::size_t count = 0;
  for (const auto& [key, all] : values) count += all.size();
  return count;
}

/// How many figures the last line of `bytes`, which is not whole, may have brought.
std::size_t figures_of_last_line(const std::string& name, const std::string& bytes, std::size_t figures) {
  const auto before = import_results(name, bytes.substr(0, bytes.rfind('\n') + 1));
  return before ? figures - std::min(figures, count_of(values_of(before->measurement))) : figures;
}

/// Sums over the lines of a recording change with every line.
bool adds_up_lines(const Imported& imported) {
  return imported.format == "trace-cmd report" || imported.format == "function_graph";
}

class Damaged : public ::testing::TestWithParam<std::string> {};

/// At a line's end nothing shows that more lines followed: what is read are then the first of the whole file's runs. Within a
/// line a warning says so, and only what that line says may be another figure than the whole file's.
TEST_P(Damaged, CutAtAnyByteItIsRefusedOrSaidOrReadAsItIs) {
  const std::string& name = GetParam();
  const std::string bytes = content_of(kData / name);
  const auto whole = import_results(name, bytes);
  if (!whole) return;
  EXPECT_FALSE(warns_of_a_cut(*whole));
  const Values values = values_of(whole->measurement);
  for (std::size_t end = 0; end < bytes.size(); ++end) {
    const auto part = import_results(name, bytes.substr(0, end));
    if (!part) {
      EXPECT_TRUE(names_its_place(part.error(), name)) << part.error().text();
      continue;
    }
    EXPECT_EQ(part->format, whole->format) << "cut at " << end;
    if (adds_up_lines(*part)) continue;
    const Values found = values_of(part->measurement);
    const std::size_t allowed =
        warns_of_a_cut(*part) ? figures_of_last_line(name, bytes.substr(0, end), count_of(found)) : 0;
    EXPECT_LE(strange_figures(found, values), allowed)
        << "cut at " << end << ": " << bytes.substr(end > 60 ? end - 60 : 0, std::min<std::size_t>(end, 60));
  }
}

/// Where the numbers of a text begin and end: digits with what stands between them, not part of a word, in JSON not of a name.
std::vector<std::pair<std::size_t, std::size_t>> numbers_of(std::string_view text, bool json) {
  const auto is = [&](std::size_t at, auto wanted) {
    return at < text.size() && wanted(static_cast<unsigned char>(text[at])) != 0;
  };
  const auto digit = [](unsigned char c) { return std::isdigit(c); };
  const auto alpha = [](unsigned char c) { return std::isalpha(c); };
  std::vector<std::pair<std::size_t, std::size_t>> numbers;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    quoted = text[at] == '\n' ? false : quoted != (text[at] == '"');
    if (!is(at, digit)) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (is(at, digit) || (at < text.size() && (text[at] == '.' || text[at] == ',') && is(at + 1, digit))) ++at;
    const bool in_word = begin > 0 && (is(begin - 1, alpha) || text[begin - 1] == '-');
    if (!in_word && !(json && quoted)) numbers.emplace_back(begin, at);
  }
  return numbers;
}

std::set<std::string> said(const evidence::Measurement& measurement) {
  return {measurement.warnings.begin(), measurement.warnings.end()};
}

/// All figures, whatever their names: a number in a name may change.
std::multiset<double> figures_of(const evidence::Measurement& measurement) {
  std::multiset<double> figures;
  for (const auto& [key, all] : values_of(measurement)) figures.insert(all.begin(), all.end());
  return figures;
}

/// A number that is no plain one is refused, or its reading is said, or it is none that is read.
TEST_P(Damaged, ANumberWrittenOtherwiseIsRefusedOrSaidOrNotRead) {
  const std::string& name = GetParam();
  const std::string bytes = content_of(kData / name);
  const auto whole = import_results(name, bytes);
  if (!whole || whole->format.starts_with("Tollgate")) return;  // our own values may be below zero
  const auto figures = figures_of(whole->measurement);
  for (const std::string other : {"NaN", "inf", "-1", "26311,000", "1'234", "527k", "1e999", "0x12", "12e", "1.2.3"}) {
    if (other == "527k" && whole->format.starts_with("benchstat")) continue;  // its own way
    for (const auto& [begin, end] : numbers_of(bytes, bytes.find("{\n") != std::string::npos)) {
      const std::string changed = bytes.substr(0, begin) + other + bytes.substr(end);
      const auto read = import_results(name, changed);
      if (!read) {
        EXPECT_TRUE(names_its_place(read.error(), name)) << read.error().text();
        continue;
      }
      if (figures_of(read->measurement) == figures || said(read->measurement) != said(whole->measurement)) continue;
      ADD_FAILURE() << name << ": '" << bytes.substr(begin, end - begin) << "' as '" << other
                    << "' in: " << changed.substr(begin > 40 ? begin - 40 : 0, 90);
    }
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Damaged, ::testing::ValuesIn(data_files()), test_name);

}  // namespace
}  // namespace tollgate::import
