#include "cli/list_policies.h"

#include <fmt/core.h>

#include "base/text.h"
#include "kernel/policy.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using kernel::PolicyInfo;

Result<const PolicyInfo*> find_policy(const std::string& key) {
  std::vector<std::string> keys;
  for (const PolicyInfo& info : kernel::policy_catalogue()) {
    if (info.key == key) return &info;
    keys.emplace_back(info.key);
  }
  return fail(fmt::format("unknown policy '{}'{}", key, did_you_mean(key, keys)));
}

/// What a variant has that does not set the policy.
std::string default_value(const PolicyInfo& info) {
  return kernel::policy_values({})[std::size_t(&info - kernel::policy_catalogue().data())];
}

std::string usage(const PolicyInfo& info) {
  const bool is_number = info.choices.empty();
  const std::string value = default_value(info);
  return fmt::format(
      "In a variant: policy = {{ {} = {} }}; for all variants of a question: --set policy.{}={}. A variant "
      "that does not set it has {}.",
      info.key, is_number ? value : '"' + value + '"', info.key, value, value);
}

report::Document policy_document(const PolicyInfo& info) {
  report::Document document{report::Heading{1, fmt::format("{}: {}", info.key, info.meaning)},
                            report::Paragraph{fmt::format("Kernel era: {}.", info.era)}};
  report::Table table{{{"value"}, {"meaning"}}, {}};
  for (const auto& [value, meaning] : info.choices) table.rows.push_back({std::string(value), std::string(meaning)});
  if (info.choices.empty()) table.rows.push_back({"a whole number", "0 or more"});
  document.emplace_back(table);
  document.emplace_back(report::Paragraph{usage(info)});
  return document;
}

std::string policy_json(const PolicyInfo& info) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.policy/1");
  json.key("name").text(info.key).key("meaning").text(info.meaning).key("era").text(info.era);
  json.key("default").text(default_value(info)).key("choices").begin_array();
  for (const auto& [value, meaning] : info.choices)
    json.begin_object().key("value").text(value).key("meaning").text(meaning).end_object();
  json.end_array().end_object();
  return std::move(json).finish();
}

}  // namespace

Result<std::vector<ListEntry>> policy_entries() {
  std::vector<ListEntry> entries;
  for (const PolicyInfo& info : kernel::policy_catalogue())
    entries.push_back({std::string(info.key), std::string(info.meaning)});
  return entries;
}

Result<ListDetail> policy_detail(const std::string& name, const std::vector<std::string>&) {
  const PolicyInfo& info = *TRY(find_policy(name));
  return ListDetail{policy_document(info), policy_json(info)};
}

}  // namespace tollgate::cli
