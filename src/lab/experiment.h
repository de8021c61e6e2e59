// Experiment: a question as a file under experiments/ asks it; Question: the same with everything it names loaded.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hw/machine.h"
#include "kernel/era.h"
#include "kernel/policy.h"
#include "workload/workload.h"

namespace tollgate::lab {

struct VariantSpec {
  std::string name;
  kernel::Policy policy;
  bool only_without_pcid = false;  // asked only of machines that run without PCIDs
  SourcePlace place = {};
};

/// A sweep over one setting that no input fixes and that the answer steps in or hangs on, shown by `explain`.
struct LayoutSweep {
  std::string key;  // a --set key, such as "kernel.path.lseek.text_large_pages"
  std::vector<double> values;
  std::string meaning;
};

struct Experiment {
  std::string name;
  std::string title;
  std::string machine, workload, kernel;      // names of their files
  std::map<std::string, SourcePlace> places;  // where it names them, by key
  std::vector<std::string> metrics;           // names in the metric catalogue, the primary one first
  double warm_us = 0;                         // run before the window is measured
  double measure_us = 0;                      // the window; unused by workloads that run to completion
  std::vector<VariantSpec> variants;          // the baseline first
  std::optional<LayoutSweep> layout;
  std::vector<std::string> notes;           // how to read the answer
  std::vector<std::string> missing_inputs;  // what would decide the rest
};

/// Finds a data file: kind ("machines") and name -> path.
using DataFinder = std::function<Result<std::string>(const std::string& kind, const std::string& name)>;

struct QuestionRequest {
  std::string experiment;  // a name or a path
  std::optional<std::string> machine;
  std::optional<std::string> workload;  // a name, a path, or trace:FILE
  std::vector<std::string> settings;    // KEY=VALUE; KEY starts with machine., workload., kernel., policy. or run.
};

struct Question {
  Experiment experiment;
  hw::Machine machine;
  kernel::Era era;
  workload::Workload workload;
  int cpus = 1;
  std::optional<double> path_quantile;  // of the kernel paths' instruction counts in every draw, instead of drawn ones
  std::vector<std::string> settings;    // as given
  std::vector<std::string> warnings;
};

Result<Experiment> load_experiment(const std::string& path, const std::vector<std::string>& run_settings = {});
Result<Question> load_question(const QuestionRequest& request, const DataFinder& find,
                               const ProgressCallback& progress);

}  // namespace tollgate::lab
