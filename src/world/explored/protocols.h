// The catalogue of protocols that can be checked, with their variants, and the way from a request to what was found. Help,
// listings, tests and the command line all read this one list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "world/explored/outcome.h"
#include "world/explored/tag_state.h"

namespace tollgate::explored {

enum class TooFew : std::uint8_t { refuse, allow };

struct RandomWalks {
  std::uint64_t walks = 1000;
  std::uint64_t depth = 300;
  std::uint64_t seed = 1;
};

struct CheckRequest {
  std::string protocol;
  std::string variant = {};  // empty: the protocol's first
  std::uint32_t cpus = 2;
  std::uint32_t contexts = 4;    // VMs, vCPUs or mms
  std::uint32_t usable_ids = 3;  // 2^bits - 1: index 0 is the host's
  Speculation speculation = Speculation::guest;
  TooFew too_few = TooFew::refuse;      // IDs for the CPUs
  Stride stride = Stride::transaction;  // where the protocol allows it
  std::uint32_t most_generations = 0;
  std::optional<RandomWalks> random = {};
  std::uint64_t memory_limit = std::uint64_t{4096} << 20;  // bytes
  std::string checkpoint = {};         // a path: what was found is kept in PATH.HOW, and taken up again from there
  std::uint64_t checkpoint_every = 0;  // states, a multiple of 4096; 0: as many as the explorer thinks right
  ProgressCallback progress = {};
};

struct CheckReport {
  std::string protocol;
  std::string variant;
  std::string setting;             // "2 CPUs, 4 VMs, 3 IDs"
  std::vector<std::string> notes;  // what the verdict rests on and leaves out
  Outcome outcome;
};

struct VariantInfo {
  std::string_view name;
  std::string_view meaning;
  enum class Known : std::uint8_t { good, bad } known = Known::good;
};

/// What a protocol is about: allocators of tags, tags that every CPU has for itself, or mms on CPUs. Tags have widths and may
/// run out; mms are two at the most.
enum class About : std::uint8_t { tags, vcpus, mms };

struct ProtocolInfo {
  About about;
  std::string_view name;
  std::string_view summary;
  std::vector<VariantInfo> variants;
  Result<CheckReport> (*check)(const CheckRequest& request, std::string_view variant);
};

const std::vector<ProtocolInfo>& protocols();
/// Errors: an unknown name, with the nearest known one.
Result<const ProtocolInfo*> find_protocol(std::string_view name);

/// Errors: an unknown protocol or variant, a setting that makes no sense or is too large, an interruption.
Result<CheckReport> check(const CheckRequest& request);

}  // namespace tollgate::explored
