#include "evidence/grouping.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "statistics/moments.h"
#include "statistics/variance_components.h"

namespace tollgate::evidence {
namespace {

using statistics::mean_of;

/// The group of a sample; "" for none.
using KeyOf = std::function<std::string(const Series& series, const Sample& sample)>;
/// Values of a series by group, in the order of the keys.
using Groups = std::map<std::string, std::vector<double>>;

Groups groups_of(const Series& series, const KeyOf& key_of) {
  Groups groups;
  for (const Sample& sample : series.samples)
    if (const std::string key = key_of(series, sample); !key.empty()) groups[key].push_back(sample.value);
  return groups;
}

bool above_zero(const Series& series) {
  return std::ranges::all_of(series.samples, [](const Sample& sample) { return sample.value > 0; });
}

bool below_zero(const Series& series) {
  return std::ranges::any_of(series.samples, [](const Sample& sample) { return sample.value < 0; });
}

std::vector<double> logs_of(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

/// Blocks, runs and the like, in the order of their numbers.
std::string number_key(std::uint32_t number) { return fmt::format("{:010}", number); }

std::string run_key(const Series&, const Sample& sample) { return number_key(sample.run); }
std::string boot_key(const Series&, const Sample& sample) { return sample.boot; }

KeyOf build_key(const Measurement& measurement) {
  std::map<std::pair<std::string, std::uint32_t>, std::string> builds;
  for (const Condition& condition : measurement.conditions)
    if (condition.name == kBuild) builds[{condition.variant, condition.run}] = condition.value;
  return [builds](const Series& series, const Sample& sample) {
    const auto found = builds.find({series.variant, sample.run});
    return found == builds.end() ? std::string() : found->second;
  };
}

/// Every sample of both has a group, and one of the two has several.
bool is_level(const Series& baseline, const Series& variant, const KeyOf& key_of) {
  bool several = false;
  for (const Series* series : {&baseline, &variant}) {
    std::set<std::string> keys;
    for (const Sample& sample : series->samples) keys.insert(key_of(*series, sample));
    if (keys.contains("")) return false;
    several = several || keys.size() > 1;
  }
  return several;
}

bool in_one_boot_each(const Series& baseline, const Series& variant) {
  std::set<std::string> boots[2];
  for (const Sample& sample : baseline.samples) boots[0].insert(sample.boot);
  for (const Sample& sample : variant.samples) boots[1].insert(sample.boot);
  return boots[0].size() == 1 && boots[1].size() == 1 && boots[0] != boots[1] && !boots[0].contains("") &&
         !boots[1].contains("");
}

/// Blocks whose runs lie in different boots are worth no more than those boots: blocks that share a boot become one.
KeyOf block_key(const Series& baseline, const Series& variant) {
  std::map<std::uint32_t, std::set<std::string>> boots_of_block;
  for (const Series* series : {&baseline, &variant})
    for (const Sample& sample : series->samples)
      if (sample.block) boots_of_block[*sample.block].insert(sample.boot);
  const bool apart = std::ranges::any_of(boots_of_block, [](const auto& block) { return block.second.size() > 1; });
  std::map<std::uint32_t, std::uint32_t> joined;  // block: the first block of those joined with it
  for (const auto& [block, boots] : boots_of_block) joined[block] = block;
  for (const auto& [block, boots] : boots_of_block)
    for (const auto& [earlier, others] : boots_of_block) {
      if (!apart || earlier >= block) break;
      if (std::ranges::none_of(boots, [&](const std::string& boot) { return others.contains(boot); })) continue;
      const std::uint32_t from = joined[block], to = joined[earlier];
      for (auto& [number, first] : joined)
        if (first == from) first = to;
    }
  return [joined](const Series&, const Sample& sample) {
    return sample.block ? number_key(joined.at(*sample.block)) : std::string();
  };
}

std::optional<Levels> levels_of(const Groups& baseline, const Groups& variant, const std::string& group, bool logs) {
  Levels levels{.group = group, .share_between = {}, .effective_samples = {}};
  double share = 0, effective = 0;
  for (const Groups* groups : {&baseline, &variant}) {
    std::vector<std::vector<double>> values;
    for (const auto& [key, members] : *groups) values.push_back(logs ? logs_of(members) : members);
    const auto parts = statistics::variance_components(values);
    if (!parts) return levels;
    share += parts->share_between / 2;
    effective += parts->effective_count;
  }
  levels.share_between = share;
  levels.effective_samples = effective;
  return levels;
}

/// Drops groups that only one of the two has.
void keep_common(Groups& groups, const Groups& others) {
  std::erase_if(groups, [&](const auto& group) { return !others.contains(group.first); });
}

void take_groups(Grouped& grouped, const Groups& baseline, const Groups& variant, bool logs) {
  for (const auto& [key, values] : baseline) {
    grouped.baseline.push_back(mean_of(values));
    if (logs) grouped.baseline_logs.push_back(mean_of(logs_of(values)));
  }
  for (const auto& [key, values] : variant) {
    grouped.variant.push_back(mean_of(values));
    if (logs) grouped.variant_logs.push_back(mean_of(logs_of(values)));
  }
}

bool several_in_any(const Groups& groups) {
  return std::ranges::any_of(groups, [](const auto& group) { return group.second.size() > 1; });
}

}  // namespace

Grouped group_runs(const Series& baseline, const Series& variant, const Measurement& measurement) {
  const Order order = measurement.terms.order;
  const bool blocks = order == Order::random_blocks || order == Order::abba;
  const bool logs = above_zero(baseline) && above_zero(variant);
  Grouped grouped;
  grouped.baseline_half_step = baseline.half_step;
  grouped.variant_half_step = variant.half_step;
  grouped.below_zero = below_zero(baseline) || below_zero(variant);
  KeyOf key_of = run_key;
  if (const KeyOf builds = build_key(measurement); blocks) {
    grouped.design = Design::paired;
    grouped.group = "block";
    key_of = block_key(baseline, variant);
  } else if (is_level(baseline, variant, boot_key)) {
    grouped.group = "boot";
    key_of = boot_key;
  } else if (is_level(baseline, variant, builds)) {
    grouped.group = "build";
    key_of = builds;
  } else {
    grouped.one_boot_each = in_one_boot_each(baseline, variant);
  }
  Groups base_groups = groups_of(baseline, key_of), variant_groups = groups_of(variant, key_of);
  if (blocks) {
    const std::size_t all = std::max(base_groups.size(), variant_groups.size());
    keep_common(base_groups, variant_groups);
    keep_common(variant_groups, base_groups);
    if (base_groups.size() < all)
      grouped.notes.push_back(fmt::format("{}: {} of {} blocks lack a run of '{}' or '{}' and are not paired",
                                          baseline.metric.name, all - base_groups.size(), all, baseline.variant,
                                          variant.variant));
  }
  if (several_in_any(base_groups) || several_in_any(variant_groups) || grouped.group == "boot" ||
      grouped.group == "build")
    grouped.levels = levels_of(base_groups, variant_groups, grouped.group, logs);
  take_groups(grouped, base_groups, variant_groups, logs);
  return grouped;
}

}  // namespace tollgate::evidence
