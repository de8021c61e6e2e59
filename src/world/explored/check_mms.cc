#include "world/explored/check_mms.h"

#include <fmt/format.h>

#include "base/text.h"
#include "world/explored/mm_model.h"
#include "world/explored/run_model.h"

namespace tollgate::explored {
namespace {

constexpr std::uint32_t kDefaultEdits = 2;
constexpr std::uint32_t kMostEdits = 8;

kernel::Policy policy_of(std::string_view variant) {
  kernel::Policy policy;
  if (variant == "nopcid") policy.pcid = kernel::PcidUse::off;
  if (variant == "concurrent") policy.shootdown = kernel::ShootdownMode::concurrent;
  if (variant == "deferred") policy.pti = kernel::Pti::on;
  return policy;
}

}  // namespace

Result<CheckReport> check_mms(const CheckRequest& request, std::string_view variant) {
  MmSetting setting;
  setting.cpus = request.cpus;
  setting.mms = std::min(request.contexts, kMostMms - 1);
  setting.edits = request.most_generations > 0 ? request.most_generations : kDefaultEdits;
  setting.policy = policy_of(variant);
  if (setting.cpus < 1 || setting.cpus > kMostMmCpus)
    return fail(fmt::format("--cpus must be from 1 to {}", kMostMmCpus));
  if (setting.edits > kMostEdits) return fail(fmt::format("--generations must be at most {}", kMostEdits));
  CheckReport report;
  report.setting = fmt::format("{}, {} of {} pages, {}", counted(setting.cpus, "CPU"), counted(setting.mms, "mm"),
                               kPages, counted(setting.edits, "edit"));
  const MmModel model(setting);
  report.outcome = TRY(request.random ? walk_model(model, request) : explore_model(model, request));
  report.notes = shared_notes(request, report.outcome);
  report.notes.push_back(fmt::format("bounded: {} in all; --generations N explores N", counted(setting.edits, "edit")));
  return report;
}

}  // namespace tollgate::explored
