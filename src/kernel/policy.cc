#include "kernel/policy.h"

#include <fmt/core.h>

#include <charconv>

#include "base/text.h"

namespace tollgate::kernel {

const std::vector<PolicyInfo>& policy_catalogue() {
  static const std::vector<PolicyInfo> kCatalogue = {
      {"pti",
       "4.15 and later",
       "page-table isolation: user mode runs on a root without the kernel's memory",
       {{"off", "one root"}, {"on", "a kernel and a user root, with their own PCIDs where there are PCIDs"}}},
      {"global_pages",
       "none: 4.15; entry, entry-text: 4.17 (the 2018 series); all: without PTI",
       "which kernel pages carry the global bit",
       {{"none", "none at all, as PTI had it first"},
        {"entry", "entry text and cpu_entry_area"},
        {"entry-text", "those and the kernel text, which the user root then shows too"},
        {"all", "every kernel page; only without PTI"}}},
      {"pcid",
       "4.14 and later",
       "tag translations with PCIDs",
       {{"off", "nopcid"}, {"on", "six slots, where the CPU has PCIDs"}}},
      {"shootdown",
       "serial: 4.14; concurrent: the 2019 series, merged in 5.13; broadcast: 6.14",
       "how other CPUs' translations are invalidated",
       {{"serial", "flush here, then interrupt the others and wait"},
        {"concurrent", "interrupt the others, flush here meanwhile, then wait"},
        {"broadcast", "the hardware's broadcast (INVLPGB, TLBSYNC)"}}},
      {"flush_ceiling", "3.17 and later", "pages up to which a range is flushed page by page", {}},
      {"vmid",
       "v5.14: until 5.17; v3-noclear, v3-clear: the 2021 series; merged: 5.18 and later",
       "how KVM on arm64 gives VMIDs to guests",
       {{"v5.14", "a counter; when it wraps, every CPU is interrupted and every guest needs a new one"},
        {"v3-noclear", "a bitmap; a rollover keeps what runs, or last ran, on each CPU"},
        {"v3-clear", "the same, and the CPU's slot is set to zero when a vCPU is put"},
        {"merged", "the same, and the slot is set to a value that was never handed out"}}},
  };
  return kCatalogue;
}

namespace {

constexpr int kMostCeiling = 1 << 20;  // pages: a range of 4 GiB

const PolicyInfo* find_policy(std::string_view key) {
  for (const auto& info : policy_catalogue())
    if (info.key == key) return &info;
  return nullptr;
}

Result<int> choice_index(const PolicyInfo& info, std::string_view value) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < info.choices.size(); ++i) {
    if (info.choices[i].value == value) return int(i);
    names.emplace_back(info.choices[i].value);
  }
  return fail(fmt::format("policy '{}' has no value '{}'{}", info.key, value, did_you_mean(value, names)));
}

Result<int> whole_number(std::string_view key, std::string_view value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 0 || number > kMostCeiling)
    return fail(fmt::format("policy '{}' wants a whole number from 0 to {}, not '{}'", key, kMostCeiling, value));
  return number;
}

}  // namespace

Result<void> set_policy(Policy& policy, std::string_view key, std::string_view value) {
  const PolicyInfo* info = find_policy(key);
  if (info == nullptr) {
    std::vector<std::string> keys;
    for (const auto& known : policy_catalogue()) keys.emplace_back(known.key);
    return fail(fmt::format("unknown policy '{}'{}", key, did_you_mean(key, keys)));
  }
  if (info->choices.empty()) {
    policy.flush_ceiling = TRY(whole_number(key, value));
    return {};
  }
  const int index = TRY(choice_index(*info, value));
  if (key == "pti") policy.pti = static_cast<Pti>(index);
  if (key == "global_pages") policy.global_pages = static_cast<GlobalSet>(index);
  if (key == "pcid") policy.pcid = static_cast<PcidUse>(index);
  if (key == "shootdown") policy.shootdown = static_cast<ShootdownMode>(index);
  if (key == "vmid") policy.vmid = static_cast<VmidAllocator>(index);
  return {};
}

Result<Policy> settle_policy(const Policy& policy, const hw::Features& features) {
  Policy settled = policy;
  if (!features.pcid) settled.pcid = PcidUse::off;
  if (settled.pti == Pti::on && settled.global_pages == GlobalSet::all)
    return fail(
        "policy global_pages = 'all' shows the kernel to user mode: with pti = 'on' choose none, entry or entry-text");
  if (settled.shootdown == ShootdownMode::broadcast && !features.broadcast_flush)
    return fail("policy shootdown = 'broadcast' needs a machine with features.broadcast_flush = true");
  if (!features.global_pages) settled.global_pages = GlobalSet::none;
  if (features.asid_bits > 0 && settled.pti == Pti::on)
    return fail("policy pti = 'on' is modelled for x86-64 only: on arm64 choose off");
  return settled;
}

std::vector<std::string> policy_values(const Policy& policy) {
  const int choices[] = {int(policy.pti), int(policy.global_pages), int(policy.pcid), int(policy.shootdown)};
  std::vector<std::string> values;
  for (std::size_t i = 0; i < std::size(choices); ++i)
    values.emplace_back(policy_catalogue()[i].choices[std::size_t(choices[i])].value);
  values.push_back(std::to_string(policy.flush_ceiling));
  values.emplace_back(kVmidAllocators[std::size_t(policy.vmid)]);
  return values;
}

std::string describe(const Policy& policy) {
  std::vector<std::string> settings = policy_values(policy);
  for (std::size_t i = 0; i < settings.size(); ++i)
    settings[i] = fmt::format("{}={}", policy_catalogue()[i].key, settings[i]);
  return join(settings, " ");
}

}  // namespace tollgate::kernel
