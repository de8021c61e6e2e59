#include "kernel/layout.h"

#include <algorithm>

#include "base/check.h"

namespace tollgate::kernel {
namespace {

using evidence::MemoryKind;
using hw::PageSize;
using hw::Vpn;

constexpr Vpn kLarge = 512;                                 // 4K pages in a 2M page
constexpr Vpn kTextBase = hw::vpn_of(0xffffffff80000000);   // the image's 1 GiB window
constexpr Vpn kEntryArea = hw::vpn_of(0xfffffe0000001000);  // first CPU's cpu_entry_area, after the IDT page
constexpr Vpn kDirectMap = hw::vpn_of(0xffff880000000000);
constexpr Vpn kVmalloc = hw::vpn_of(0xffffc90000000000);
constexpr Vpn kEntryAreaPages = 13;    // 8K ro, 4K rw, 12K ro, 4K ro-x, 24K rw: one CPU's lines in the page-table dump
constexpr Vpn kPerCpuPages = 64;       // 4K pages of the per-CPU area that paths use
constexpr Vpn kStackStride = 8;        // four stack pages, their guard page, alignment
constexpr Vpn kStackWindow = 1 << 12;  // task stacks mapped

/// In the entry area only the entry stack and the exception stacks may be written.
bool is_writable_entry_page(Vpn page_of_area) { return page_of_area == 2 || page_of_area >= 7; }

/// `count` different numbers below `bound`, in drawn order.
std::vector<Vpn> choose(RandomStream& stream, Vpn count, Vpn bound) {
  std::vector<Vpn> all(bound);
  for (Vpn i = 0; i < bound; ++i) all[i] = i;
  for (Vpn i = 0; i < count; ++i) std::swap(all[i], all[i + stream.below(bound - i)]);
  all.resize(count);
  return all;
}

/// Different 4K pages scattered over large pages: at least one in each, from `base` on. The era's loader sees to it that
/// they fit.
std::vector<Vpn> scatter(RandomStream& stream, int pages, int large_pages, Vpn base, Vpn window) {
  std::vector<Vpn> out;
  if (pages == 0) return out;
  const auto large = choose(stream, std::min<Vpn>(Vpn(large_pages), window), window);
  while (out.size() < std::size_t(pages)) {
    const Vpn page = base + large[out.size() % large.size()] * kLarge + stream.below(kLarge);
    if (std::find(out.begin(), out.end(), page) == out.end()) out.push_back(page);
  }
  return out;
}

/// Pages of a CPU's per-CPU area; the first is among them, where entry code finds what it needs.
std::vector<Vpn> percpu_pages(RandomStream& stream, int pages) {
  if (pages == 0) return {};
  std::vector<Vpn> out = choose(stream, Vpn(pages) - 1, kPerCpuPages - 1);
  for (Vpn& page : out) ++page;
  out.insert(out.begin(), 0);
  return out;
}

}  // namespace

KernelMap::KernelMap(const Era& era, const Policy& policy, int cpus, RandomStream layout) : pti_(policy.pti) {
  const bool isolated = policy.pti == Pti::on;
  const bool all = policy.global_pages == GlobalSet::all;
  const bool text_shown = policy.global_pages == GlobalSet::entry_text;
  const bool entry_global = all || text_shown || policy.global_pages == GlobalSet::entry;
  const Vpn image = kTextBase + kLarge * (8 + layout.below(200));  // KASLR moves the image in steps of 2M
  const Vpn text_pages = Vpn(era.text_large_pages) * kLarge;
  text_ = image;
  entry_text_ = text_ + text_pages;
  rodata_ = entry_text_ + kLarge;
  const Vpn data = rodata_ + Vpn(era.rodata_large_pages) * kLarge;
  direct_map_ = kDirectMap;
  direct_pages_ = era.memory_bytes / 4096;
  percpu_ = direct_map_ + direct_pages_ / 2 / kLarge * kLarge;
  vmalloc_ = kVmalloc;
  const bool in_user = !isolated;
  add({text_, text_pages, PageSize::k2M, MemoryKind::kernel_text, false, all || text_shown, in_user || text_shown});
  add({entry_text_, kLarge, PageSize::k2M, MemoryKind::entry_area, false, entry_global, true});
  add({rodata_, data - rodata_, PageSize::k2M, MemoryKind::kernel_text, false, all, in_user || text_shown});
  add({data, Vpn(era.data_large_pages) * kLarge, PageSize::k2M, MemoryKind::kernel_data, true, all, in_user});
  add({kEntryArea, kEntryAreaPages * Vpn(cpus), PageSize::k4K, MemoryKind::entry_area, true, entry_global, true});
  add({direct_map_, direct_pages_, PageSize::k2M, MemoryKind::direct_map, true, all, in_user});
  add({vmalloc_, kStackWindow * kStackStride, PageSize::k4K, MemoryKind::kernel_data, true, all, in_user});
}

void KernelMap::add(KernelRange range) {
  const auto at = std::lower_bound(ranges_.begin(), ranges_.end(), range,
                                   [](const KernelRange& a, const KernelRange& b) { return a.first < b.first; });
  ranges_.insert(at, range);
}

bool KernelMap::find(Vpn vpn, View view, hw::Mapping& mapping) const {
  auto at =
      std::upper_bound(ranges_.begin(), ranges_.end(), vpn, [](Vpn v, const KernelRange& r) { return v < r.first; });
  if (at == ranges_.begin()) return false;
  --at;
  if (vpn - at->first >= at->pages || (view == View::user && !at->in_user_root)) return false;
  const Vpn first = vpn >> hw::pages_shift(at->size) << hw::pages_shift(at->size);
  const bool writable =
      at->first == kEntryArea ? is_writable_entry_page((vpn - kEntryArea) % kEntryAreaPages) : at->writable;
  mapping = {first, at->size, writable, at->global, at->kind, 0, first};
  return true;
}

Vpn KernelMap::entry_area(int cpu) const { return kEntryArea + kEntryAreaPages * Vpn(cpu); }
Vpn KernelMap::percpu(int cpu) const { return percpu_ + kLarge * Vpn(cpu); }
Vpn KernelMap::task_stack(std::uint32_t task) const { return vmalloc_ + task % kStackWindow * kStackStride; }

Path lay_out(const PathSpec& spec, const Era& era, const KernelMap& map, double instructions, RandomStream image,
             RandomStream objects) {
  const auto text = scatter(image, spec.text_pages, spec.text_large_pages, map.text_first(), Vpn(era.text_large_pages));
  const Vpn direct_window = object_large_pages(era);
  std::vector<PathStep> data;
  for (int page = 0; page < spec.stack_pages; ++page)
    data.push_back({PathStep::Op::write, Place::task_stack, Vpn(page), 0});
  for (Vpn page : scatter(objects, spec.direct_objects, spec.direct_large_pages, map.direct_map(), direct_window))
    data.push_back({PathStep::Op::read, Place::absolute, page, 0});
  for (Vpn page : percpu_pages(image, spec.percpu_pages)) data.push_back({PathStep::Op::write, Place::percpu, page, 0});
  for (int page = 0; page < spec.rodata_pages; ++page)
    data.push_back({PathStep::Op::read, Place::absolute, map.rodata_first() + image.below(512), 0});

  // Code and data alternate as evenly as they can; the instructions are spread over the code pages.
  Path path;
  const auto total = std::uint32_t(instructions);
  const auto share = total / std::uint32_t(text.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    path.push_back({PathStep::Op::fetch, Place::absolute, text[i],
                    i == 0 ? total - share * std::uint32_t(text.size() - 1) : share});
    for (const std::size_t until = data.size() * (i + 1) / text.size(); next < until; ++next)
      path.push_back(data[next]);
  }
  return path;
}

}  // namespace tollgate::kernel
