// Era: what one kernel version does on its fixed paths, as a file under kernels/ tells it: how entry and exit run step by
// step, and how many instructions and which kinds of pages each path touches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/figure.h"
#include "hw/mmu.h"

namespace tollgate::kernel {

/// Where a step's page lies, as far as it depends on the CPU or the task that runs it.
enum class Place : std::uint8_t {
  absolute,         // the same page for everyone: kernel text, rodata
  entry_text,       // the large page of entry code
  trampoline,       // cpu_entry_area: the executable page SYSCALL lands in under PTI (4.15 to 4.19)
  entry_stack,      // cpu_entry_area
  tss,              // cpu_entry_area
  exception_stack,  // cpu_entry_area
  idt,              // cpu_entry_area: the read-only IDT and GDT pages
  percpu,           // this CPU's part of the per-CPU area
  task_stack,       // the running task's kernel stack, a vmalloc page
  task_objects,     // the running task's objects in the direct map
  user_code,
  user_stack,
  user_data,
  count,
};
inline constexpr std::size_t kPlaces = static_cast<std::size_t>(Place::count);
/// As written in era files, in the order of Place.
extern const std::vector<std::string> kPlaceNames;

/// One step of a fixed sequence.
struct PathStep {
  enum class Op : std::uint8_t { fetch, read, write, load_kernel_root, load_user_root };
  Op op = Op::fetch;
  Place place = Place::absolute;
  hw::Vpn offset = 0;              // 4K pages from the place's base
  std::uint32_t instructions = 0;  // of a fetch
};
using Path = std::vector<PathStep>;

/// The footprint of a kernel path: counts from a recording or a prior. Layout draws say where the pages lie.
struct PathSpec {
  std::string name;
  config::Figure instructions;
  int text_pages = 1;          // 4K pages of kernel text
  int text_large_pages = 1;    // the 2M pages they lie in
  int direct_objects = 0;      // objects in the direct map
  int direct_large_pages = 0;  // the 2M pages they lie in
  int percpu_pages = 0;        // 4K pages, all in the CPU's one 2M page
  int rodata_pages = 0;
  int stack_pages = 1;
  std::string source;
};

struct Era {
  std::string name;
  std::string title;
  std::string architecture = "x86_64";  // of the machines it runs on
  int hz = 250;
  int text_large_pages = 8;
  int rodata_large_pages = 2;
  int data_large_pages = 2;
  std::uint64_t memory_bytes = 16ull << 30;  // behind the direct map
  /// "syscall.pti", "syscall.plain", "sysret.pti", ...: entry and exit sequences with and without PTI.
  std::map<std::string, Path> sequences;
  std::map<std::string, PathSpec> paths;

  const Path& sequence(const std::string& name) const;
};

/// The sequences and paths that every era file of an architecture must have.
const std::vector<std::string>& required_sequences(const std::string& architecture);
const std::vector<std::string>& required_paths(const std::string& architecture);

/// 2M pages of the direct map that hold the objects of paths: its first quarter, away from the per-CPU areas.
std::uint64_t object_large_pages(const Era& era);

/// Reads and checks an era file; `overrides` are KEY=VALUE in its own keys.
Result<Era> load_era(const std::string& path, const std::vector<std::string>& overrides = {});

}  // namespace tollgate::kernel
