#include "lab/experiment.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "config/document.h"
#include "evidence/summary.h"
#include "lab/metrics.h"

namespace tollgate::lab {
namespace {

constexpr double kLongestRunUs = 10e6;

Result<VariantSpec> read_variant(const config::Table& table) {
  VariantSpec variant;
  variant.name = TRY(table.text("name"));
  variant.place = table.place();
  variant.only_without_pcid = TRY(table.optional_boolean("only_without_pcid")).value_or(false);
  const config::Table policy = TRY(table.table("policy"));
  for (const std::string& key : policy.keys()) {
    const std::string value =
        policy.has_text(key) ? TRY(policy.text(key)) : std::to_string(TRY(policy.integer(key, 0, 1 << 20)));
    auto set = kernel::set_policy(variant.policy, key, value);
    if (!set) return fail(set.error().message, policy.place_of(key));
  }
  return variant;
}

Result<std::vector<std::string>> read_metrics(const config::Table& root) {
  std::vector<std::string> names = {TRY(root.text("metric"))};
  for (auto& name : TRY(root.optional_text_list("other_metrics")).value_or(std::vector<std::string>{}))
    names.push_back(std::move(name));
  for (const auto& name : names)
    if (find_metric(name) == nullptr)
      return fail(fmt::format("unknown metric '{}'{}", name, did_you_mean(name, metric_names())),
                  root.place_of(name == names.front() ? "metric" : "other_metrics"));
  return names;
}

Result<std::vector<VariantSpec>> read_variants(const config::Table& root) {
  std::vector<VariantSpec> variants;
  for (const config::Table& table : TRY(root.tables("variant"))) {
    variants.push_back(TRY(read_variant(table)));
    const auto same = [&](const VariantSpec& other) { return other.name == variants.back().name; };
    if (std::count_if(variants.begin(), variants.end(), same) > 1)
      return fail(fmt::format("variant '{}' is there twice", variants.back().name), variants.back().place);
  }
  if (variants.size() < 2) return fail("an experiment compares at least two variants", root.place());
  if (variants.front().only_without_pcid)
    return fail("the first variant is the baseline and must hold on every machine", variants.front().place);
  return variants;
}

Result<std::optional<LayoutSweep>> read_layout(const config::Table& root) {
  const auto table = TRY(root.optional_table("layout"));
  if (!table) return std::optional<LayoutSweep>();
  LayoutSweep sweep;
  sweep.key = TRY(table->text("key"));
  sweep.values = TRY(table->number_list("values", 0, 1e9));
  sweep.meaning = TRY(table->text("meaning"));
  return std::optional<LayoutSweep>(std::move(sweep));
}

}  // namespace

Result<Experiment> load_experiment(const std::string& path, const std::vector<std::string>& run_settings) {
  config::Document document = TRY(config::Document::load(path));
  TRY(document.set_all(run_settings));  // of the experiment's own table [run]
  const config::Table root = document.root();
  Experiment experiment;
  experiment.name = TRY(root.text("name"));
  experiment.title = TRY(root.text("title"));
  experiment.machine = TRY(root.text("machine"));
  experiment.workload = TRY(root.text("workload"));
  experiment.kernel = TRY(root.text("kernel"));
  for (const char* key : {"machine", "workload", "kernel"}) experiment.places[key] = root.place_of(key);
  experiment.metrics = TRY(read_metrics(root));
  const config::Table run = TRY(root.table("run"));
  experiment.warm_us = TRY(run.number("warm_us", 0, kLongestRunUs));
  experiment.measure_us = TRY(run.number("measure_us", 1, kLongestRunUs));
  experiment.variants = TRY(read_variants(root));
  experiment.layout = TRY(read_layout(root));
  experiment.notes = TRY(root.optional_text_list("notes")).value_or(std::vector<std::string>{});
  experiment.missing_inputs = TRY(root.optional_text_list("missing_inputs")).value_or(std::vector<std::string>{});
  TRY(document.finish());
  return experiment;
}

namespace {

/// The settings of one part, as given.
using SettingsByPart = std::map<std::string, std::vector<std::string>>;

Result<SettingsByPart> sort_settings(const std::vector<std::string>& settings) {
  static const std::vector<std::string> kParts = {"machine", "workload", "kernel", "policy", "run"};
  SettingsByPart parts;
  for (const std::string& setting : settings) {
    const std::size_t dot = setting.find('.');
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return fail("want KEY=VALUE", {fmt::format("--set {}", setting), 0, 0});
    const std::string part = setting.substr(0, std::min(dot, equals));
    if (dot > equals && std::find(kParts.begin(), kParts.end(), part) != kParts.end())
      return fail(fmt::format("'{}' is a part: say which of its keys, {}.KEY=VALUE", part, part),
                  {fmt::format("--set {}", setting), 0, 0});
    if (dot > equals || std::find(kParts.begin(), kParts.end(), part) == kParts.end())
      return fail(fmt::format("a key starts with machine., workload., kernel., policy. or run., not '{}'{}", part,
                              hw::is_machine_setting(setting) ? fmt::format(" (did you mean 'machine.{}'?)", setting)
                                                              : did_you_mean(part, kParts)),
                  {fmt::format("--set {}", setting), 0, 0});
    const std::string key = setting.substr(0, equals);
    if (std::count_if(settings.begin(), settings.end(),
                      [&](const std::string& other) { return other.starts_with(key + "="); }) > 1)
      return fail(fmt::format("'{}' is set twice", key), {fmt::format("--set {}", setting), 0, 0});
    parts[part].push_back(setting);
  }
  return parts;
}

Result<void> set_policies(Experiment& experiment, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::size_t dot = setting.find('.');
    const std::size_t equals = setting.find('=');
    for (VariantSpec& variant : experiment.variants) {
      auto set =
          kernel::set_policy(variant.policy, setting.substr(dot + 1, equals - dot - 1), setting.substr(equals + 1));
      if (!set) return fail(set.error().message, {"--set " + setting, 0, 0});
    }
  }
  return {};
}

/// The file that the experiment names under `key`, or that the request names in its place.
Result<std::string> find_named(const DataFinder& find, const Experiment& experiment, const std::string& key,
                               const std::string& own, const std::optional<std::string>& asked) {
  auto path = find(key + "s", asked.value_or(own));
  if (!path && !asked && path.error().place.file.empty()) return fail(path.error().message, experiment.places.at(key));
  return path;
}

Result<workload::Workload> load_workload_of(const QuestionRequest& request, const Experiment& experiment,
                                            const std::vector<std::string>& settings, const DataFinder& find,
                                            const ProgressCallback& progress) {
  constexpr std::string_view kTrace = "trace:";
  const std::string name = request.workload.value_or(experiment.workload);
  if (!name.starts_with(kTrace)) {
    const auto path = TRY(find_named(find, experiment, "workload", experiment.workload, request.workload));
    return workload::load_workload(path, settings, progress);
  }
  workload::Workload base = TRY(workload::load_workload(TRY(find("workloads", "replay")), settings, progress));
  base = TRY(workload::with_recording(std::move(base), name.substr(kTrace.size()), progress));
  base.name = name;
  base.title = fmt::format("replay of {}", name.substr(kTrace.size()));
  return base;
}

/// Drops the variants that the machine has no use for, and settles the rest on what it can do.
Result<void> settle_variants(Question& question) {
  std::vector<VariantSpec> kept;
  for (VariantSpec variant : question.experiment.variants) {
    auto settled = kernel::settle_policy(variant.policy, question.machine.features);
    if (!settled) return fail(settled.error().message, variant.place);
    variant.policy = *settled;
    if (variant.only_without_pcid && variant.policy.pcid == kernel::PcidUse::on) continue;
    kept.push_back(std::move(variant));
  }
  question.experiment.variants = std::move(kept);
  const auto& variants = question.experiment.variants;
  if (variants.size() < 2)
    return fail(fmt::format("on machine '{}' only variant '{}' is left, and nothing to compare it with",
                            question.machine.name, variants.front().name),
                variants.front().place);
  for (std::size_t i = 1; i < variants.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (variants[i].policy == variants[j].policy)
        question.warnings.push_back(
            fmt::format("variant '{}' is the same as '{}' on this machine", variants[i].name, variants[j].name));
  return {};
}

/// A workload without an end has no time until its end, one without switches no time of a switch.
Result<void> check_metrics(const Question& question) {
  const workload::KindInfo& kind = *question.workload.kind;
  for (const std::string& name : question.experiment.metrics) {
    const Metric& metric = *find_metric(name);
    if (!metric.kind.empty() && metric.kind != kind.name)
      return fail(fmt::format("metric '{}' of question '{}' is of workloads of kind '{}', and '{}' is of kind '{}'",
                              name, question.experiment.name, metric.kind, question.workload.name, kind.name));
    if (metric.needs_an_end && kind.extent != workload::Extent::completion)
      return fail(fmt::format("metric '{}' of question '{}' needs a workload that ends, and '{}' runs for ever", name,
                              question.experiment.name, question.workload.name));
  }
  return {};
}

/// Workloads run paths of one architecture's kernels; guests need more VMIDs than CPUs, since a rollover may keep one a CPU.
Result<void> check_guests(const Question& question) {
  const workload::Workload& workload = question.workload;
  const std::string architecture(workload.kind->architecture);
  if (architecture != question.era.architecture)
    return fail(fmt::format("workload '{}' is of kind '{}', which runs on {}; kernel '{}' runs on {}", workload.name,
                            workload.kind->name, architecture, question.era.name, question.era.architecture));
  const int bits = question.machine.features.vmid_bits;
  if (bits == 0 || (1 << bits) - 1 > question.cpus) return {};
  return fail(fmt::format("{} bits make {} VMIDs for {} CPUs: a rollover may keep one a CPU and leave none to give out",
                          bits, (1 << bits) - 1, question.cpus));
}

}  // namespace

Result<Question> load_question(const QuestionRequest& request, const DataFinder& find,
                               const ProgressCallback& progress) {
  SettingsByPart settings = TRY(sort_settings(request.settings));
  Question question;
  question.settings = request.settings;
  if (request.machine && request.machine->find('/') != std::string::npos)
    question.settings.push_back("machine=" + *request.machine);  // whatever name the file gives itself
  question.experiment = TRY(load_experiment(TRY(find("experiments", request.experiment)), settings["run"]));
  TRY(set_policies(question.experiment, settings["policy"]));
  const std::string machine = request.machine.value_or(question.experiment.machine);
  question.machine = TRY(hw::load_machine(
      TRY(find_named(find, question.experiment, "machine", question.experiment.machine, request.machine)),
      settings["machine"], [&](const std::string& name) { return find("machines", name); }));
  question.era = TRY(
      kernel::load_era(TRY(find_named(find, question.experiment, "kernel", question.experiment.kernel, std::nullopt)),
                       settings["kernel"]));
  if (question.machine.architecture != question.era.architecture)
    return fail(fmt::format("machine '{}' is {}; kernel '{}' runs on {}", machine, question.machine.architecture,
                            question.era.name, question.era.architecture));
  question.workload = TRY(load_workload_of(request, question.experiment, settings["workload"], find, progress));
  if (question.workload.kind->needs_recording && question.workload.recording == nullptr)
    return fail("this workload replays a recording and names none: use --workload trace:FILE",
                {question.workload.name, 0, 0});
  if (question.workload.name.starts_with("trace:") && question.workload.recording->system_calls == 0)
    question.warnings.push_back(
        "the trace holds no system calls: their rate is a wide prior; --set workload.program.syscalls_per_minsn=N sets "
        "it");
  if (question.workload.recording != nullptr)
    evidence::append_unique(question.warnings, question.workload.recording->warnings);
  TRY(check_metrics(question));
  question.cpus = question.workload.cpus > 0 ? question.workload.cpus : question.machine.topology.cpus;
  if (question.cpus > question.machine.topology.cpus)
    question.warnings.push_back(
        fmt::format("{} CPUs are simulated; the machine file has {}", question.cpus, question.machine.topology.cpus));
  TRY(check_guests(question));
  TRY(settle_variants(question));
  return question;
}

}  // namespace tollgate::lab
