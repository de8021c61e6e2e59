// What is due: the runs of a session that are not made yet and can be made now, in their planned order. When variants are
// boots, only the running kernel's can, and only when the order asks for it next.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/host.h"
#include "measure/schedule.h"
#include "store/session.h"

namespace tollgate::measure {

struct DueRun {
  store::RunKind kind = store::RunKind::measured;
  Slot slot;
};

struct Due {
  std::vector<DueRun> runs;
  std::optional<std::uint32_t> boot_next;  // the variant whose kernel is wanted after these runs
};

/// An error when variants are boots and the running kernel is none of them, or more than one.
Result<Due> due_runs(const store::Session& session, std::span<const store::Run> made, const Host& host);

bool matches(const store::BootMatch& match, const Host& host);

/// "kernel 6.1.* with pti=on, without nopti".
std::string to_text(const store::BootMatch& match);

/// The variant that the running kernel is.
Result<std::uint32_t> running_variant(std::span<const store::Variant> variants, const Host& host);

}  // namespace tollgate::measure
