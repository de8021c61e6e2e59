// Layout: where one draw of a kernel's memory lies, which of it each root shows, and which of it is global.
// Address ranges are those of x86-64 with four-level paging in 4.16 (Documentation/x86/x86_64/mm.txt).
#pragma once

#include <vector>

#include "base/random.h"
#include "kernel/era.h"
#include "kernel/policy.h"

namespace tollgate::kernel {

enum class View : std::uint8_t { kernel, user };

/// A run of equal kernel mappings.
struct KernelRange {
  hw::Vpn first = 0;
  hw::Vpn pages = 0;  // 4K pages
  hw::PageSize size = hw::PageSize::k4K;
  evidence::MemoryKind kind = evidence::MemoryKind::kernel_data;
  bool writable = true;
  bool global = false;
  bool in_user_root = false;
};

/// The kernel half of every root.
class KernelMap {
 public:
  /// `cpus` decides the per-CPU ranges. Draws the image's position and nothing that depends on the policy.
  KernelMap(const Era& era, const Policy& policy, int cpus, RandomStream layout);

  /// The leaf entry for a kernel address in a view, or nothing.
  bool find(hw::Vpn vpn, View view, hw::Mapping& mapping) const;
  const std::vector<KernelRange>& ranges() const { return ranges_; }
  hw::Vpn text_first() const { return text_; }
  hw::Vpn rodata_first() const { return rodata_; }
  hw::Vpn entry_text() const { return entry_text_; }
  hw::Vpn entry_area(int cpu) const;
  hw::Vpn percpu(int cpu) const;
  hw::Vpn direct_map() const { return direct_map_; }
  /// A task's kernel stack: four vmalloc pages and a guard page each, in a window of 4,096 stacks.
  hw::Vpn task_stack(std::uint32_t task) const;
  Pti pti() const { return pti_; }

 private:
  void add(KernelRange range);

  Pti pti_;
  hw::Vpn text_ = 0, rodata_ = 0, entry_text_ = 0, direct_map_ = 0, direct_pages_ = 0, vmalloc_ = 0, percpu_ = 0;
  std::vector<KernelRange> ranges_;  // by address
};

/// Turns a footprint into steps on the pages of one draw. `image` chooses what is the same on every CPU: pages of text and
/// read-only data, offsets in the per-CPU area; `objects` the pages of the objects this CPU works on. Both are the path's own.
Path lay_out(const PathSpec& spec, const Era& era, const KernelMap& map, double instructions, RandomStream image,
             RandomStream objects);

}  // namespace tollgate::kernel
