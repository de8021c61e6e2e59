#include "world/explored/check_vcpus.h"

#include <fmt/format.h>

#include <vector>

#include "world/explored/run_model.h"
#include "world/explored/vcpu_model.h"

namespace tollgate::explored {
namespace {

constexpr std::uint32_t kDefaultGenerations = 4;  // where they cannot be renamed

Result<void> check_bounds(const CheckRequest& request) {
  if (request.cpus < 1 || request.cpus > kMostVcpuCpus)
    return fail(fmt::format("--cpus must be from 1 to {}", kMostVcpuCpus));
  if (request.contexts < 1 || request.contexts > kMostVcpus)
    return fail(fmt::format("--vms must be from 1 to {}: they are vCPUs here", kMostVcpus));
  if (request.usable_ids < 1 || request.usable_ids > kMostAsids)
    return fail(
        fmt::format("--ids must be from 1 to {}: every migration uses one up, so any width rolls over", kMostAsids));
  return {};
}

/// By transactions; should an invariant fail, step by step, which finds the shortest counterexample.
Result<Outcome> outcome_of(const VcpuModel& model, const CheckRequest& request) {
  if (request.random) return walk_model(model, request);
  if (request.stride == Stride::step) return explore_model(model, request);
  const auto first = TRY(explore_reduced(model, request, "transactions"));
  if (first && first->verdict != Verdict::violated) return *first;
  const Outcome outcome = TRY(explore_model(model, request));
  return first && outcome.verdict == Verdict::undecided ? *first : outcome;
}

std::vector<std::string> notes_of(const VcpuSetting& setting, const CheckRequest& request, const Outcome& outcome) {
  std::vector<std::string> notes = {
      "exploration is sequentially consistent: reorderings by the processor or the compiler are not explored",
      "TLBs fill between entry and exit only"};
  if (outcome.stride == Stride::transaction)
    notes.push_back(
        outcome.verdict == Verdict::violated
            ? "found by transactions, since memory did not allow the shortest counterexample step by step"
            : "explored by transactions: steps that no other CPU can notice are joined to their neighbours");
  if (setting.cpus == 1 && setting.vcpus <= setting.asids)
    notes.push_back("one CPU with an ASID for every vCPU: none moves, and no generation ends but that of the boot");
  if (setting.most_generations > 0)
    notes.push_back(fmt::format("bounded: only up to generation {} of a CPU", setting.most_generations));
  if (request.random) notes.push_back("random walks find mistakes and prove nothing");
  return notes;
}

}  // namespace

Result<CheckReport> check_vcpus(const CheckRequest& request, std::string_view variant) {
  TRY(check_bounds(request));
  VcpuSetting setting;
  setting.cpus = request.cpus;
  setting.vcpus = request.contexts;
  setting.asids = request.usable_ids;
  setting.most_generations = request.most_generations;
  if (variant == "turns-back") setting.turn_back = TagSetting::TurnBack::possible;
  if (variant == "keeps-asid") setting.migration = kernel::SvmMigration::keep;
  if (variant == "keeps-asid" && setting.most_generations == 0) setting.most_generations = kDefaultGenerations;
  CheckReport report;
  report.setting = fmt::format("{} CPUs, {} vCPUs, {} usable IDs a CPU", setting.cpus, setting.vcpus, setting.asids);
  report.outcome = TRY(outcome_of(VcpuModel(setting), request));
  report.notes = notes_of(setting, request, report.outcome);
  return report;
}

}  // namespace tollgate::explored
