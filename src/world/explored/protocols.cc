#include "world/explored/protocols.h"

#include <fmt/format.h>

#include "base/text.h"
#include "world/explored/check_mms.h"
#include "world/explored/check_tags.h"
#include "world/explored/check_vcpus.h"

namespace tollgate::explored {
namespace {

template <typename Info>
Result<const Info*> find(const std::vector<Info>& all, std::string_view name, std::string_view kind) {
  std::vector<std::string> names;
  for (const Info& info : all) {
    if (info.name == name) return &info;
    names.emplace_back(info.name);
  }
  return fail(fmt::format("no {} '{}'{}", kind, name, did_you_mean(name, names)));
}

}  // namespace

const std::vector<ProtocolInfo>& protocols() {
  using Known = VariantInfo::Known;
  static const std::vector<ProtocolInfo> all = {
      {About::tags,
       "vmid",
       "the VMID allocator of KVM on arm64",
       {{"merged", "bitmap, no IPI; schedule-out marks the active slot invalid (Linux 5.18)"},
        {"v5.14", "counter; a rollover throws every CPU out of the guest (Linux up to 5.17)"},
        {"v3-noclear", "bitmap, no IPI; schedule-out leaves the active slot alone"},
        {"v3-clear", "bitmap, no IPI; schedule-out clears the active slot"}},
       check_vmid},
      {About::tags,
       "asid",
       "the host's ASID allocator on arm64",
       {{"cmpxchg", "the fast path publishes only over what it has read (since commit a8ffaaa060b8)"},
        {"unconditional-exchange", "the fast path publishes first and looks afterwards (before it)", Known::bad}},
       check_asid},
      {About::tags,
       "monotonic",
       "tags from a counter that wraps, without generations",
       {{"wrapping", "a wrap flushes every TLB, and nobody learns that its tag is somebody else's now", Known::bad}},
       check_monotonic},
      {About::vcpus,
       "svm-asid",
       "the ASID allocator of KVM on AMD: every CPU has ASIDs of its own",
       {{"per-cpu", "a vCPU that was last run elsewhere gets a new ASID; interrupts are off from there to its entry"},
        {"keeps-asid", "a vCPU keeps its ASID when it moves, if the generations are equal", Known::bad},
        {"turns-back",
         "a vCPU may turn back with the flush that its ASID needs, which is asked for in its control block",
         Known::bad}},
       check_vcpus},
      {About::mms,
       "mm-switch",
       "the x86 mm switch against flushes of both mms",
       {{"pcid", "tag slots with generations"}, {"nopcid", "every root write flushes"}},
       check_mms},
      {About::mms,
       "shootdown",
       "the x86 shootdown against switching and lazy CPUs",
       {{"serial", "the own flush, then the others"}, {"concurrent", "the others' flushes while the own one runs"}},
       check_mms},
      {About::mms,
       "user-flush",
       "the deferred flush of user PCIDs against the return to user mode",
       {{"deferred", "PTI with PCIDs: a mask of slots whose user PCID the exit must flush"}},
       check_mms},
  };
  return all;
}

Result<const ProtocolInfo*> find_protocol(std::string_view name) { return find(protocols(), name, "protocol"); }

Result<CheckReport> check(const CheckRequest& request) {
  const ProtocolInfo& protocol = *TRY(find_protocol(request.protocol));
  const VariantInfo* variant = &protocol.variants.front();
  if (!request.variant.empty())
    variant = TRY(find(protocol.variants, request.variant, fmt::format("variant of {}", protocol.name)));
  CheckRequest named = request;
  named.variant = variant->name;
  if (request.random && !request.checkpoint.empty())
    return fail("random walks keep no checkpoint: leave out --checkpoint or --random");
  CheckReport report = TRY(protocol.check(named, variant->name));
  report.protocol = protocol.name;
  report.variant = variant->name;
  if (variant->known == VariantInfo::Known::bad) report.notes.push_back("this variant is kept because it is wrong");
  return report;
}

}  // namespace tollgate::explored
