// Every format by its files in tests/data/import: what `tollgate import FILE` prints of one is in FILE.expected, checked by
// eye when it was made. To renew one: cd tests/data/import && tollgate import FILE > FILE.expected 2>&1
#include "import/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "import/catalogue.h"
#include "import/test_support/sample_files.h"
#include "report/measurement_report.h"
#include "store/export.h"

namespace tollgate::import {
namespace {

using ::testing::HasSubstr;

std::string shown(const std::string& name, std::string_view bytes) {
  const auto imported = import_results(name, bytes);
  if (!imported) return "tollgate import: " + imported.error().text() + "\n";
  return report::found_text({{imported->file, imported->format, imported->measurement}});
}

class ImportFile : public ::testing::TestWithParam<std::string> {};
TEST_P(ImportFile, HoldsWhatItIsExpectedTo) {
  const std::string bytes = content_of(kData / GetParam());
  EXPECT_EQ(shown(GetParam(), bytes), content_of(kData / (GetParam() + ".expected")));
}
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, ImportFile, ::testing::ValuesIn(data_files()), test_name);

TEST(Import, EveryFormatHasAFile) {
  std::set<std::string, std::less<>> seen;
  for (const std::string& name : data_files())
    if (const auto imported = import_results(name, content_of(kData / name))) seen.insert(imported->format);
  for (const Importer& importer : catalogue()) EXPECT_TRUE(seen.contains(importer.name)) << importer.name;
}

TEST(Import, AFileIsRecognisedByOneImporterAndKeepsItsMeaningWithWindowsLineEnds) {
  for (const std::string& name : data_files()) {
    std::string bytes = content_of(kData / name), windows;
    for (const char c : bytes) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(shown(name, windows), shown(name, bytes)) << name;
  }
}

struct BadInput {
  std::string name, bytes, error;
};

class ImportBad : public ::testing::TestWithParam<BadInput> {};
TEST_P(ImportBad, IsRefusedWithItsPlace) {
  const auto imported = import_results("bad.txt", GetParam().bytes);
  ASSERT_FALSE(imported.has_value());
  EXPECT_THAT(imported.error().text(), HasSubstr(GetParam().error));
}

std::string hyperfine(std::string_view times, std::string_view rest = "") {
  return "{\n \"results\": [\n  {\"command\": \"make\", \"mean\": 1.5,\n  \"times\": [" + std::string(times) + "]" +
         std::string(rest) + "}]}\n";
}

INSTANTIATE_TEST_SUITE_P(
    All, ImportBad,
    ::testing::Values(
        BadInput{"empty", "", "bad.txt: is empty"}, BadInput{"blank", " \n\n", "bad.txt: is empty"},
        BadInput{"binary", std::string("a\nb\0c", 5), "bad.txt:2: is binary"},
        BadInput{"trace_dat", "\x17\x08\x44tracing6", "import reads the text of trace-cmd report"},
        BadInput{"perf_data", "PERFILE2xxxx", "import reads the output of perf stat"},
        BadInput{"utf16", "\xff\xfe{", "is UTF-16"},
        BadInput{"not_utf8", "a\nb\xff\n", "bad.txt:2: is no UTF-8 here (byte 0xff)"},
        BadInput{"foreign", "dear all,\n",
                 "holds no results that import knows; tried: hyperfine JSON, hyperfine CSV, perf stat"},
        BadInput{"fio_terse", "3;fio-3.33;job;0;0;1024;51200;12800;20;0;0;0.00;0.00\n",
                 "bad.txt: is fio's terse output: import reads fio --output-format=json"},
        BadInput{"semicolons", "3;foo;bar;1;2;3;4\n", "bad.txt: holds no results that import knows"},
        BadInput{"log_with_commas", "2026-01-01,web1,cpu,12,100\n", "bad.txt: holds no results that import knows"},
        BadInput{"log_with_times", "12:30:45:cpu0:load:12:55.00\n", "bad.txt: holds no results that import knows"},
        BadInput{"above_100_percent", "3,,x,12,101.00,,\n", "bad.txt: holds no results that import knows"},
        BadInput{"dmesg", "[    0.000000] Linux version 6.1\n[    0.000000] Command line: x\n",
                 "bad.txt: holds no results that import knows"},
        BadInput{"log_levels", "[error] x\n", "bad.txt: holds no results that import knows"},
        BadInput{"cut_list", "[\n{\"a\": 1", "the JSON is truncated"},
        BadInput{"decimal_comma_german", "26311,00,msec,task-clock,26311000,100,00,1,0,CPUs utilized\n",
                 "bad.txt:1: has decimal commas between commas"},
        BadInput{"foreign_json", "{\"a\": [1, 2]}\n", "holds no results that import knows"},
        BadInput{"truncated_json", "{\n \"results\": [\n  {\"command\": \"make\",", "bad.txt:3: the JSON is truncated"},
        BadInput{"truncated_in_a_text", "{\n \"results\": [\n  {\"comm", "the JSON is truncated"},
        BadInput{"quotes_eaten_by_a_shell", "{x:{y:5}}\n", "bad.txt:1: is no JSON here"},
        BadInput{"nan", hyperfine("1, NaN, 2"), "bad.txt:4: is no JSON here: NaN and Infinity are no numbers"},
        BadInput{"negative", hyperfine("1, -1, 2"), "bad.txt:4: elapsed_s is -1: it cannot be negative"},
        BadInput{"no_samples", hyperfine(""), "'make' has 0 samples"},
        BadInput{"text_for_a_number", hyperfine("1, \"x\""), "'times' holds what is no number"},
        BadInput{"null_mean", "{\"results\": [{\"command\": \"x\", \"mean\": null}]}", "'mean' is missing"},
        BadInput{"twice", "{\"results\": [{\"command\": \"x\", \"command\": \"y\", \"mean\": 1}]}",
                 "'command' is there twice"},
        BadInput{"results_twice",
                 "{\"results\": [{\"command\": \"x\", \"mean\": 1, \"times\": [1]}],\n\"results\": []}",
                 "bad.txt:1: 'results' is there twice"},
        BadInput{"deep", "{\"results\": " + std::string(3000, '[') + std::string(3000, ']') + "}", "bad.txt"},
        BadInput{"csv_short", "command,mean,stddev,median,user,system,min,max\nx,1,2\n",
                 "bad.txt:2: has 3 fields, and the header 8"},
        BadInput{"csv_quote", "command,mean,stddev,median,user,system,min,max\n\"x,1,2\n",
                 "bad.txt:2: a quoted field is never closed"},
        BadInput{"csv_no_number", "command,mean,stddev,median,user,system,min,max\nx,a,0,0,0,0,0,0\n",
                 "bad.txt:2: 'a' is no number"},
        BadInput{"csv_nan", "command,mean,stddev,median,user,system,min,max\nx,nan,0,0,0,0,0,0\n",
                 "bad.txt:2: 'nan' is no number"},
        BadInput{"csv_decimal_comma", "26311,000,msec,task-clock,26311000,100.00,1.0,CPUs\n",
                 "bad.txt:1: has decimal commas between commas"},
        BadInput{"interval", "  1.001,66.77,msec,task-clock,66765103,100.00,1.008,CPUs utilized\n",
                 "bad.txt:1: is of perf stat -I"},
        BadInput{"per_cpu", "CPU0,66.77,msec,task-clock,66765103,100.00,1.008,CPUs utilized\n",
                 "bad.txt:1: is of one CPU"},
        BadInput{"per_cpu_text",
                 " Performance counter stats for 'system wide':\n\nCPU0 101.85 msec cpu-clock # 1.0 CPUs\n",
                 "bad.txt:3: is of one CPU, socket, core or node"},
        BadInput{"per_core_text", " Performance counter stats for 'system wide':\n\nS0-D0-C0 1 11 page-faults\n",
                 "bad.txt:3: is of one CPU, socket, core or node"},
        BadInput{"cgroup_text", " Performance counter stats for 'system wide':\n\n 93 page-faults user.slice\n",
                 "bad.txt:3: is of one cgroup, or in a unit that import does not know: 'page-faults'"},
        BadInput{"cgroup", "93,,page-faults,/,1000,100.00,,\n", "bad.txt:1: is of one CPU, socket, thread or cgroup"},
        BadInput{"cgroup_json",
                 "{\"counter-value\" : \"1.0\", \"unit\" : \"\", \"event\" : \"x\", \"cgroup\" : \"/\"}\n",
                 "bad.txt:1: is of one cgroup"},
        BadInput{"not_a_line", "66.77,msec,task-clock,66765103,100.00,1.008,CPUs\nx,y\n",
                 "bad.txt:2: is no line of perf stat -x"},
        BadInput{"import_json_two", R"({"schema": "tollgate.import/1", "files": [1, 2]})",
                 "bad.txt:1: holds what 2 files held; one can be read"},
        BadInput{"json_interval",
                 "{\"interval\" : 1.0, \"counter-value\" : \"1.0\", \"unit\" : \"\", \"event\" : \"x\"}\n",
                 "bad.txt:1: is of perf stat -I"},
        BadInput{
            "json_line_broken",
            "{\"counter-value\" : \"1.0\", \"unit\" : \"\", \"event\" : \"x\"}\n{\"counter-value\" : \"1.0\", \"un\n",
            "bad.txt:2: the JSON is truncated"},
        BadInput{"mixed_units", "1,msec,task-clock,100,100.00,,\n1,ns,task-clock,100,100.00,,\n",
                 "bad.txt:2: mixed units: task-clock is in 'ns' here and in 'ms' on line 1"},
        BadInput{"hackbench_setups",
                 "Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)\nTime: "
                 "0.1\nRunning in process mode with 2 groups using 40 file descriptors each (== 80 tasks)\nTime: 0.1\n",
                 "bad.txt:4: mixes runs that were set up otherwise"},
        BadInput{"ambiguous", "Running in process mode with 1 groups using 40 fds\nTime: 0.1\nreal\t0m0.1s\n",
                 "is ambiguous: it could be bash time, hackbench; choose one with --as FORMAT"},
        BadInput{"will_it_scale_cut", "testcase:x\nwarmup\nmin:1 max:1 total:1\nmeasurement\n",
                 "bad.txt:1: a run without its 'average:'"},
        BadInput{"go_cut", "BenchmarkX-8 100 12 ns/op\nBenchmarkX-8 100 12\n",
                 "bad.txt:2: is a benchmark line with a value that has no unit"},
        BadInput{"go_cut_in_a_unit", "BenchmarkX-8 100 12 ns/", "bad.txt:1: the unit 'ns/' is not whole"},
        BadInput{"hackbench_cut_in_a_number", "Running in process mode with 1 groups using 40 fds\nTime: 0.",
                 "bad.txt:2: '0.' is no number"},
        BadInput{"time_p_broken", "real 0.07\nuser 0.06\nsys 0.00\nreal NaN\nuser 0.06\nsys 0.00\n",
                 "bad.txt:4: 'NaN' is no time"},
        BadInput{"bash_cut_in_a_time", "real\t0m0", "bad.txt:1: '0m0' is no time"},
        BadInput{"ministat_cut", "x a.txt\n+ b.txt\n N Min Max Median Avg Stddev\nx 4 1 2 1.5 1.5 0.1\n",
                 "'b.txt' has no row in the table: the output is truncated"},
        BadInput{"perf_cut", "\n Performance counter stats for 'true' (5 runs):\n\n 1.17 msec task-clock\n",
                 "bad.txt:2: a block without its 'seconds time elapsed': the output is truncated"},
        BadInput{"only_not_counted", "<not counted>,,cycles,0,0.00,,\n", "holds no results"}),
    [](const auto& bad) { return bad.param.name; });

TEST(Import, OfSeveralFormatsThePreferredOneIsTaken) {
  const std::string both = "Running in process mode with 1 groups using 40 fds\nTime: 0.1\nreal\t0m0.2s\n";
  const auto imported = import_results("both.txt", both, {.format = "bash time"});
  ASSERT_TRUE(imported.has_value());
  EXPECT_DOUBLE_EQ(imported->measurement.series[0].samples[0].value, 0.2);
  EXPECT_FALSE(import_results("both.txt", both, {.format = "fio JSON"}));
}

TEST(Import, TheFormatThatIsAskedForIsTakenOrRefusedWithTheReason) {
  const auto error_of = [](std::string_view bytes, const std::string& format) {
    const auto imported = import_results("x", bytes, {.format = format});
    return imported ? "read as " + imported->format : imported.error().text();
  };
  EXPECT_EQ(error_of(hyperfine("1, 2"), "hackbench"), "x: is not of the format 'hackbench': it is hyperfine JSON");
  EXPECT_EQ(error_of(hyperfine("1, 2"), "fio JSON"), "x: is not of the format 'fio JSON': it is hyperfine JSON");
  EXPECT_EQ(error_of("Running in process mode with 1 groups\nTime: 0.1\nreal\t0m0.2s\n", "fio JSON"),
            "x: is not of the format 'fio JSON': it is bash time, hackbench");
  EXPECT_EQ(error_of("hello\n", "fio JSON"), "x: is not of the format 'fio JSON': it is no JSON");
  EXPECT_EQ(
      error_of("{\n\"jobs\": [", "fio JSON"),
      "x:2: is not of the format 'fio JSON': the JSON is truncated: it ends before its arrays, objects or texts do");
  EXPECT_THAT(error_of("3;fio-3.33;job;0;0\n", "fio JSON"), HasSubstr("'fio JSON': it is fio's terse output: "));
  EXPECT_EQ(error_of("hello\n", "hackbench"),
            "x: is not of the format 'hackbench': nothing in it is as `hackbench` prints it");
  EXPECT_EQ(error_of("real\t0m0.2s\n", "bash time"), "read as bash time");
}

/// perf's +- is of the mean; a count may be the last run's, which is as uncertain as one run.
TEST(Import, TheUserTellsTheNumberOfRunsWhereTheFileDoesNot) {
  const std::string perf = "100,,page-faults,2.50%,66765103,100.00,2.836,K/sec\n";
  const auto fields = import_results("p", perf, {.runs = 16}).value().measurement;
  EXPECT_EQ(fields.series[0].summary->count, 16u);
  EXPECT_DOUBLE_EQ(*fields.series[0].summary->standard_error, 10);
  EXPECT_THAT(fields.notes, ::testing::Contains("16 runs: that is not in the file, --runs says it"));
  const std::string csv = content_of(kData / "hyperfine.csv");
  const auto means = import_results("h", csv, {.runs = 12}).value().measurement;
  for (const auto& series : means.series) EXPECT_EQ(series.summary->count, 12u);
  EXPECT_THAT(means.notes, ::testing::Contains(HasSubstr("12 runs: that is not in the file")));
  const std::string json = hyperfine("1, 2");
  EXPECT_EQ(import_results("h", json, {.runs = 3}).error().text(), "h: holds 2 runs of elapsed_s of 'make', not 3");
  EXPECT_TRUE(import_results("h", json, {.runs = 2}));
}

TEST(Import, OurOwnOutputThatIsNotReadIsSaidToBeThat) {
  const auto error_of = [](std::string_view bytes) { return import_results("x", bytes).error().text(); };
  EXPECT_EQ(error_of(R"({"schema": "tollgate.session/2", "id": 1})"),
            "x: is of a newer Tollgate: its schema is tollgate.session/2, and this one reads tollgate.session/1");
  EXPECT_THAT(error_of(R"({"schema": "tollgate.import/3"})"), HasSubstr("and this one reads tollgate.import/1"));
  EXPECT_THAT(error_of(R"({"schema": "tollgate.comparison/1"})"), HasSubstr("is an answer of Tollgate"));
  const auto session = import_results("s", content_of(kData / "session.json")).value();
  EXPECT_EQ(error_of(store::measurement_csv(session.measurement)),
            "x: is measure's CSV, which lacks the terms of the measurement: import reads measure --export json");
}

/// Of a sample file in which the last `from` is `to`; "" when it is read all the same.
std::string error_with(const std::string& file, std::string_view from, std::string_view to) {
  std::string text = content_of(kData / file);
  const auto at = text.rfind(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto imported = import_results(file, text);
  return imported ? std::string() : imported.error().text();
}

TEST(Import, TheRunsOfASessionHoldTogether) {
  const auto error_after = [](std::string_view from, std::string_view to) {
    return error_with("session.json", from, to);
  };
  EXPECT_THAT(error_after("\"run\": 6", "\"run\": 5"), HasSubstr("(measured) is there twice"));
  EXPECT_THAT(error_after("\"position\": 13", "\"position\": 12"),
              HasSubstr("two runs (measured) have the position 12"));
  EXPECT_THAT(error_after("\"wall\": 0.", "\"wall\": -0."), HasSubstr("it cannot be negative"));
  EXPECT_TRUE(error_after("\"wall\": 0.", "\"wall\": 1.").empty());
}

/// Of a time it is known that it cannot be negative, of what a command prints it is not.
TEST(Import, WhatASessionReadOutOfAnOutputMayBeNegative) {
  std::string json = content_of(kData / "session.json");
  json.replace(json.find("\"spec\": \"wall\""), 14, "\"spec\": \"regex:wall[s]=wall: (.*)\"");
  json.replace(json.rfind("\"wall\": 0."), 10, "\"wall\": -0.");
  const auto imported = import_results("s.json", json);
  EXPECT_TRUE(imported.has_value()) << imported.error().text();
}

TEST(Import, AValueOfAnotherLocaleThanTheElapsedTimeIsSaidToBeThat) {
  const auto error_of = [](const std::string& clock, const std::string& elapsed) {
    return import_results("p", " Performance counter stats for 'x':\n\n " + clock + " msec task-clock\n\n " + elapsed +
                                   " seconds time elapsed\n")
        .error()
        .text();
  };
  EXPECT_EQ(error_of("7,85", "0.0702"),
            "p:3: '7,85' is no number: '0.0702', the elapsed time of line 5, is of a locale with decimal points");
  EXPECT_EQ(error_of("7.85", "0,0702"),
            "p:3: '7.85' is no number: '0,0702', the elapsed time of line 5, is of a locale with decimal commas");
}

TEST(Import, AMetricThatEveryRunPrintsIsSaidToBeMissing) {
  const auto warnings_of = [](std::string_view bytes) { return import_results("t.txt", bytes)->measurement.warnings; };
  EXPECT_THAT(warnings_of("real 0.50\nuser 0.40\n"),
              ::testing::Contains("'t' has no sys_s, which every run prints: the output is cut, or was shortened"));
  EXPECT_THAT(warnings_of("real 1.5\n"), ::testing::Contains(HasSubstr("'t' has no user_s and no sys_s, which")));
  EXPECT_THAT(warnings_of("real\t0m1.0s\nuser\t0m0.5s\n"), ::testing::Contains(HasSubstr("'t' has no sys_s")));
  EXPECT_THAT(warnings_of("real 0.50\nuser 0.40\nsys 0.10\n"),
              ::testing::Not(::testing::Contains(HasSubstr("has no"))));
}

TEST(Import, ASpreadThatPerfDoesNotPrintIsUnknownNotZero) {
  const auto imported = import_results("p",
                                       " Performance counter stats for 'true' (5 runs):\n 1 context-switches\n"
                                       " 0.0209 +- 0.0027 seconds time elapsed  ( +- 12.70% )\n");
  ASSERT_TRUE(imported.has_value());
  const auto& summary = imported->measurement.series[1].summary;
  ASSERT_TRUE(summary.has_value());
  EXPECT_DOUBLE_EQ(*summary->mean, 1);
  EXPECT_EQ(summary->count, 5u);
  EXPECT_FALSE(summary->standard_error.has_value());
}

/// perf 6.1.192, of two runs of 491 and 316 page faults: "320 page-faults ( +- 26.56% )" where the mean is 403.
TEST(Import, ACountThatMayBeTheLastRunsIsAsUncertainAsARun) {
  const auto imported =
      import_results("p",
                     " Performance counter stats for './toggle' (4 runs):\n 320 page-faults ( +- 26.56% )\n"
                     " 0 migrations ( +-100.00% )\n"
                     " 0.0331 +- 0.0294 seconds time elapsed  ( +- 88.82% )\n");
  ASSERT_TRUE(imported.has_value());
  const auto& series = imported->measurement.series;
  EXPECT_NEAR(*series[1].summary->standard_error, 2 * 85, 0.1);
  EXPECT_FALSE(series[2].summary->standard_error);
  EXPECT_DOUBLE_EQ(*series[0].summary->standard_error, 0.0294);
  EXPECT_THAT(imported->measurement.warnings, ::testing::Contains(HasSubstr("the count of the last run")));
}

TEST(Import, AMeanWithoutDecimalsIsSaidToBeRounded) {
  const auto imported = import_results("p",
                                       " Performance counter stats for 'true' (5 runs):\n"
                                       " 1 context-switches ( +- 10.00% )\n"
                                       " 0.0209 +- 0.0027 seconds time elapsed  ( +- 12.70% )\n");
  ASSERT_TRUE(imported.has_value());
  EXPECT_DOUBLE_EQ(imported->measurement.series[1].half_step, 0.5);
  EXPECT_DOUBLE_EQ(imported->measurement.series[0].half_step, 0.00005);
  EXPECT_THAT(imported->measurement.warnings,
              ::testing::Contains(HasSubstr("context-switches of 'true' was printed in steps of 1 count: the rounding "
                                            "alone is up to +-50 % of the mean")));
}

TEST(Import, StepsAreSaidOnceAFile) {
  const auto imported = import_results("t.txt", "real\t0m0.070s\nuser\t0m0.050s\nsys\t0m0.020s\n");
  ASSERT_TRUE(imported.has_value());
  EXPECT_THAT(imported->measurement.warnings,
              ::testing::ElementsAre("elapsed_s, user_s, sys_s of 't' were printed in steps of 0.001 s: the rounding "
                                     "alone is up to +-2.5 % of the mean"));
  std::string zsh;
  for (const char* command : {"a", "b", "c", "d", "e"})
    zsh += std::string(command) + "  0.07s user 0.10s system 95% cpu 0.100 total\n";
  const auto several = import_results("z.txt", zsh);
  ASSERT_TRUE(several.has_value());
  EXPECT_THAT(
      several->measurement.warnings,
      ::testing::ElementsAre(HasSubstr("elapsed_s of 'a', 'b', 'c', 'd' and 1 more were printed in steps of 0.001 s"),
                             HasSubstr("user_s, sys_s of 'a', 'b', 'c', 'd' and 1 more were")));
}

TEST(Import, AnAssumptionIsSaid) {
  const auto imported = import_results("de.txt", "real\t0m0,052s\nuser\t0m0,050s\nsys\t0m0,001s\n");
  ASSERT_TRUE(imported.has_value());
  EXPECT_DOUBLE_EQ(imported->measurement.series[0].samples[0].value, 0.052);
  EXPECT_THAT(imported->measurement.warnings[0], HasSubstr("de.txt:1: '0,052' was read as 0.052"));
}

TEST(Import, OfManyAssumptionsTheFirstAreShownAndTheRestCounted) {
  std::string bytes;
  for (int run = 0; run < 200'000; ++run) bytes += "real 0,07\nuser 0.06\nsys 0.01\n";
  const auto imported = import_results("de.txt", bytes);
  ASSERT_TRUE(imported.has_value());
  EXPECT_LT(imported->measurement.warnings.size(), 30u);
  EXPECT_THAT(imported->measurement.warnings, ::testing::Contains(HasSubstr("de.txt:4: '0,07' was read as 0.07")));
  EXPECT_THAT(imported->measurement.warnings,
              ::testing::Contains(HasSubstr("de.txt: 199980 more lines have such warnings")));
}

TEST(Import, UnequalCountsAreSaid) {
  const auto imported = import_results(
      "h.json",
      "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"times\": [1, 1]}, {\"command\": \"b\", \"mean\": 2, "
      "\"times\": [2, 2, 2]}]}");
  ASSERT_TRUE(imported.has_value());
  EXPECT_THAT(imported->measurement.warnings,
              ::testing::ElementsAre("unequal counts: elapsed_s has 2 samples of 'a' and 3 of 'b'"));
}

TEST(Import, RunsThatLackAMetricAreSaid) {
  const auto imported =
      import_results("t.txt", "real\t0m1.0s\nuser\t0m0.5s\nsys\t0m0.1s\nreal\t0m1.1s\nuser\t0m0.6s\n");
  ASSERT_TRUE(imported.has_value());
  EXPECT_THAT(imported->measurement.warnings,
              ::testing::Contains(HasSubstr("sys_s of 't' has 1 values and elapsed_s has 2: which runs lack one is not "
                                            "known")));
}

TEST(Import, OurOwnJsonMustHoldTogether) {
  const auto error_after = [](std::string_view from, std::string_view to) {
    return error_with("import-of-perf-stat-table.json", from, to);
  };
  EXPECT_EQ(error_after("\"seed\": 0", "\"seed\": 1"), "");
  EXPECT_THAT(error_after("\"half_step\": 5e-07", "\"half_step\": -1"), HasSubstr("'half_step' cannot be negative"));
  EXPECT_THAT(error_after("\"metric\": \"task-clock\"", "\"metric\": \"elapsed_s\""), HasSubstr("is there twice"));
  EXPECT_THAT(error_after("\"run\": 1\n", "\"run\": 0\n"), HasSubstr("run 0 is there twice"));
  EXPECT_THAT(error_after("\"value\": 0", "\"value\": -0"), HasSubstr("it cannot be negative"));
  EXPECT_THAT(error_after("\"variant\": \"gzip", "\"variant\": \"xz"), HasSubstr("is no variant"));
  EXPECT_THAT(error_after("\"primary\": \"elapsed_s\"", "\"primary\": \"none\""), HasSubstr("its primary metric"));
}

TEST(Import, CountsOfAPartOfTheMachineAreRefused) {
  for (const char* part : {"CPU3", "S0", "N1", "S0-D0-C0"}) {
    const auto imported =
        import_results("p.txt", std::string("\n Performance counter stats for 'system wide':\n\n") + part +
                                    "   1,234      cycles\n\n       1.001 seconds time elapsed\n");
    ASSERT_FALSE(imported.has_value()) << part;
    EXPECT_THAT(imported.error().text(), HasSubstr("is of one CPU, socket, core or node")) << part;
  }
}

TEST(Import, HyperfinesMemoryIsLeftOutWithItsReason) {
  const auto imported = import_results("h.json", hyperfine("1.5, 1.5", ", \"memory_usage_byte\": [100, 100]"));
  ASSERT_TRUE(imported.has_value());
  EXPECT_EQ(imported->measurement.series.size(), 1u);
  EXPECT_THAT(imported->measurement.notes, ::testing::Contains(HasSubstr("the largest of all runs so far")));
}

TEST(Import, FailedRunsAreSaid) {
  const auto imported = import_results("h.json", hyperfine("1.5, 1.5", ", \"exit_codes\": [0, null]"));
  ASSERT_TRUE(imported.has_value());
  EXPECT_THAT(imported->measurement.warnings, ::testing::Contains("1 of 2 runs of 'make' failed"));
}

TEST(Import, LinesBeforeFiosJsonAreSkippedAndCounted) {
  const std::string bytes = "fio: terminating on signal 2\n" + content_of(kData / "fio.json");
  const auto imported = import_results("fio.json", bytes);
  ASSERT_TRUE(imported.has_value());
  EXPECT_DOUBLE_EQ(imported->measurement.series[0].samples[0].value, 11130.434783);
  EXPECT_THAT(imported->measurement.warnings, ::testing::Contains("fio.json: 1 lines before the JSON were skipped"));
}

TEST(Import, GroupsOfOneFioJobAreSaidToBeTakenForRuns) {
  const std::string read = R"("read": {"total_ios": 4, "iops": 2, "bw_bytes": 8, "clat_ns": {"mean": 5}})";
  const std::string jobs =
      R"({"jobname": "a", "groupid": 0, )" + read + R"(}, {"jobname": "a", "groupid": 1, )" + read + "}";
  const auto imported = import_results("f.json", R"({"fio version": "fio-3.33", "jobs": [)" + jobs + "]}");
  ASSERT_TRUE(imported.has_value()) << imported.error().text();
  EXPECT_EQ(imported->measurement.series[0].samples.size(), 2u);
  EXPECT_THAT(imported->measurement.warnings,
              ::testing::Contains(HasSubstr("the groups of job 'a' are taken for runs")));
}

TEST(Import, PerfsPlusMinusIsTheStandardErrorOfTheMean) {
  const auto imported = import_results("p", "100,,page-faults,2.50%,66765103,100.00,2.836,K/sec\n");
  ASSERT_TRUE(imported.has_value());
  const auto& summary = imported->measurement.series[0].summary;
  ASSERT_TRUE(summary.has_value());
  EXPECT_DOUBLE_EQ(*summary->standard_error, 2.5);
  EXPECT_FALSE(summary->deviation.has_value());
  EXPECT_FALSE(summary->count.has_value());
}

}  // namespace
}  // namespace tollgate::import
