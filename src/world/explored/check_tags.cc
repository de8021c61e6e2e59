#include "world/explored/check_tags.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "kernel/vmid.h"
#include "world/explored/run_model.h"
#include "world/explored/tag_model.h"

namespace tollgate::explored {
namespace {

using kernel::TagPolicy;
using Bitmap = kernel::BitmapUpdate<SmallCpuSet>;

Result<void> check_bounds(const CheckRequest& request) {
  if (request.cpus < 1 || request.cpus > kMostTagCpus)
    return fail(fmt::format("--cpus must be from 1 to {}", kMostTagCpus));
  if (request.contexts < 1 || request.contexts > kMostContexts)
    return fail(fmt::format("--vms must be from 1 to {}", kMostContexts));
  if (request.usable_ids > request.cpus || request.too_few == TooFew::allow) return {};
  return fail(fmt::format(
      "{} usable {} for {} {}: a rollover may reserve one a CPU and leave none to hand out, so no verdict would say "
      "anything "
      "of the protocol; give more --bits or --ids, or --allow-too-few to explore it anyway",
      request.usable_ids, request.usable_ids == 1 ? "ID" : "IDs", request.cpus, request.cpus == 1 ? "CPU" : "CPUs"));
}

/// With an ID for every context no rollover comes. IDs beyond that are never all in use, and nothing tells one such width from
/// another.
std::uint32_t explored_ids(const CheckRequest& request) { return std::min(request.usable_ids, request.contexts + 1); }

TagSetting setting_of(const CheckRequest& request, TagPolicy policy) {
  TagSetting setting;
  setting.cpus = request.cpus;
  setting.contexts = request.contexts;
  setting.indices = explored_ids(request) + 1;
  setting.speculation = request.speculation;
  setting.policy = policy;
  setting.most_generations = request.most_generations;
  return setting;
}

std::vector<std::string> notes_of(const CheckRequest& request, const Outcome& outcome) {
  std::vector<std::string> notes = {
      "exploration is sequentially consistent: reorderings by the processor or the compiler are not explored"};
  notes.push_back(request.speculation == Speculation::guest
                      ? "TLBs fill between entry and exit only"
                      : "TLBs fill as long as the base register holds a context, also after exit and schedule-out");
  if (outcome.stride == Stride::transaction)
    notes.push_back(
        outcome.verdict == Verdict::violated
            ? "found by transactions, since memory did not allow the shortest counterexample step by step"
            : "explored by transactions: steps that no other CPU can notice are joined to their neighbours");
  if (request.usable_ids >= request.contexts)
    notes.push_back(
        fmt::format("{} IDs for {} contexts: no rollover can come; explored with {} IDs, which is as many as any",
                    with_commas(request.usable_ids), request.contexts, explored_ids(request)));
  if (request.most_generations > 0)
    notes.push_back(fmt::format("bounded: only up to generation {}", request.most_generations));
  if (request.random) notes.push_back("random walks find mistakes and prove nothing");
  return notes;
}

/// By transactions first, with the wider behaviour: where every invariant holds then, it holds. Where
/// one fails, step by step: that is either the shortest counterexample or the proof that there is none. Should memory not
/// allow that, by transactions again, with the exact behaviour.
template <typename Protocol>
Result<Outcome> outcome_of(TagSetting setting, const CheckRequest& request) {
  const TagModel<Protocol> exact(setting);
  if (request.random) return walk_model(exact, request);
  if (request.stride == Stride::step) return explore_model(exact, request);
  setting.behaviour = Behaviour::wider;
  const auto first = TRY(explore_reduced(TagModel<Protocol>(setting), request, "transactions"));
  if (first && first->verdict != Verdict::violated) return *first;
  Outcome outcome = TRY(explore_model(exact, request));
  if (outcome.verdict != Verdict::undecided) return outcome;
  const auto second = TRY(explore_reduced(exact, request, "exact-transactions"));
  return second ? *second : outcome;
}

template <typename Protocol>
Result<CheckReport> run(const CheckRequest& request, TagSetting setting, std::string_view context_name) {
  CheckReport report;
  report.setting = fmt::format("{} CPUs, {} {}, {} usable IDs", request.cpus, request.contexts, context_name,
                               with_commas(request.usable_ids));
  report.outcome = TRY(outcome_of<Protocol>(setting, request));
  report.notes = notes_of(request, report.outcome);
  return report;
}

TagPolicy vmid_policy(std::string_view variant) {
  const auto at = std::ranges::find(kernel::kVmidAllocators, variant);
  CHECK(at != kernel::kVmidAllocators.end(), "the catalogue of protocols names the variants there are");
  return kernel::vmid_policy(static_cast<kernel::VmidAllocator>(at - kernel::kVmidAllocators.begin()));
}

}  // namespace

Result<CheckReport> check_vmid(const CheckRequest& request, std::string_view variant) {
  TRY(check_bounds(request));
  const TagSetting setting = setting_of(request, vmid_policy(variant));
  if (variant == "v5.14") return run<kernel::CounterUpdate>(request, setting, "VMs");
  return run<Bitmap>(request, setting, "VMs");
}

Result<CheckReport> check_asid(const CheckRequest& request, std::string_view variant) {
  TRY(check_bounds(request));
  TagPolicy policy;
  policy.flush = TagPolicy::Flush::pending;
  if (variant == "unconditional-exchange") policy.fast_path = TagPolicy::FastPath::unconditional_exchange;
  TagSetting setting = setting_of(request, policy);
  setting.turn_back = TagSetting::TurnBack::never;
  return run<Bitmap>(request, setting, "mms");
}

Result<CheckReport> check_monotonic(const CheckRequest& request, std::string_view) {
  TRY(check_bounds(request));
  return run<kernel::WrappingUpdate>(request, setting_of(request, {}), "VMs");
}

}  // namespace tollgate::explored
