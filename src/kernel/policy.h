// Policy: the decisions a question varies, each with the kernel era it comes from. One list feeds help, docs and checks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hw/machine.h"
#include "kernel/vmid.h"

namespace tollgate::kernel {

enum class Pti : std::uint8_t { off, on };
/// Which kernel pages carry the global bit. `all`: every kernel page, as without PTI. The others are PTI's sets.
enum class GlobalSet : std::uint8_t { none, entry, entry_text, all };
enum class PcidUse : std::uint8_t { off, on };
enum class ShootdownMode : std::uint8_t { serial, concurrent, broadcast };

struct Policy {
  Pti pti = Pti::off;
  GlobalSet global_pages = GlobalSet::all;
  PcidUse pcid = PcidUse::on;
  ShootdownMode shootdown = ShootdownMode::serial;
  int flush_ceiling = 33;  // pages: ranges up to this many are flushed page by page (tlb_single_page_flush_ceiling)
  VmidAllocator vmid = VmidAllocator::merged;

  bool operator==(const Policy&) const = default;
};

struct PolicyChoice {
  std::string_view value;
  std::string_view meaning;
};
struct PolicyInfo {
  std::string_view key;
  std::string_view era;  // the kernels it models
  std::string_view meaning;
  std::vector<PolicyChoice> choices;  // empty: a number
};
/// Every policy a variant may set, in the order of Policy's members.
const std::vector<PolicyInfo>& policy_catalogue();

/// Sets one policy by its key and value as written in an experiment. Unknown keys and values are errors with a suggestion.
Result<void> set_policy(Policy& policy, std::string_view key, std::string_view value);

/// What the policy amounts to on this machine: PCIDs and broadcasts only where the machine has them; a policy that the
/// machine cannot run is an error.
Result<Policy> settle_policy(const Policy& policy, const hw::Features& features);

/// The values as an experiment writes them, in the order of the catalogue.
std::vector<std::string> policy_values(const Policy& policy);
/// "pti=on global_pages=none ...".
std::string describe(const Policy& policy);

}  // namespace tollgate::kernel
