// Machine: what a file under machines/ says, and DrawnMachine: one set of values drawn from its ranges.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "config/figure.h"
#include "hw/figures.h"

namespace tollgate::hw {

enum class PageSize : std::uint8_t { k4K, k2M, k1G };
inline constexpr int kPageSizes = 3;
/// log2 of 4K pages in one page of this size.
constexpr int pages_shift(PageSize size) { return 9 * static_cast<int>(size); }
constexpr std::uint64_t bytes_of(PageSize size) { return std::uint64_t{4096} << pages_shift(size); }

enum class Side : std::uint8_t { instruction, data, both };
enum class Replacement : std::uint8_t { lru, plru, fifo, random };

std::string_view to_text(PageSize size);            // "4K"
std::string_view to_text(Side side);                // "data"
std::string_view to_text(Replacement replacement);  // "lru"

/// `ways` of an array whose one set holds every entry, however many are drawn.
inline constexpr int kFullyAssociative = 0;

/// One TLB array: `entries` in sets of `ways`, holding pages of `sizes`. Set index: page number modulo number of sets.
struct TlbArraySpec {
  std::string name;  // "l1d-4k"
  int level = 1;     // 1 or 2
  Side side = Side::both;
  std::vector<PageSize> sizes;
  config::Figure entries;
  int ways = 1;  // or kFullyAssociative
  Replacement replacement = Replacement::lru;
  bool per_thread = false;  // private to a hardware thread even where threads share the core's arrays
  SourcePlace place = {};
};

/// `pcid` stands for tags of host translations: PCIDs on x86, ASIDs on arm64.
struct Features {
  bool pcid = false;
  bool invpcid = false;
  bool global_pages = true;
  bool broadcast_flush = false;  // INVLPGB and TLBSYNC; TLBI, DSB
  int asid_bits = 0;             // arm64
  int vmid_bits = 0;             // arm64
};

struct Topology {
  int cpus = 1;  // hardware threads, numbered so that CPU i and i + cpus/2 share a core when threads_per_core is 2
  int threads_per_core = 1;
  int sockets = 1;
};

struct Machine {
  std::string name;
  std::string title;
  std::string architecture;  // "x86_64", "aarch64"
  Features features;
  Topology topology;
  std::vector<TlbArraySpec> tlb;
  std::array<config::Figure, kFigureCount> figures;

  const config::Figure& figure(FigureId id) const { return figures[static_cast<std::size_t>(id)]; }
  /// Whether the machine has what the figure prices: no INVPCID, no price for it. The value is 0 then.
  bool has_figure(FigureId id) const { return !figure(id).source.empty(); }
};

/// One draw: every time in cycles of the drawn reference clock, every array with its number of entries.
struct DrawnMachine {
  std::string name;
  Features features;
  Topology topology;
  struct Array {
    std::string name;
    int level;
    Side side;
    std::array<bool, kPageSizes> holds;
    int sets;
    int ways;
    Replacement replacement;
    bool per_thread;
  };
  std::vector<Array> tlb;
  std::array<double, kFigureCount> values{};

  double value(FigureId id) const { return values[static_cast<std::size_t>(id)]; }
};

/// Reads and checks a machine file. Unknown keys, wrong units, missing figures, 0 ways, ways that do not divide the
/// entries, negative costs and low > typical > high are errors at file:line:col. `based_on = "other"` takes what the file
/// leaves out from other.toml of the same folder, or, where there is none, from the machine that `find_parent` finds.
/// `overrides` are settings "KEY=VALUE" (config::Document::set), applied last; "cpus" is short for "topology.cpus".
using MachineFinder = std::function<Result<std::string>(const std::string& name)>;  // name -> path
Result<Machine> load_machine(const std::string& path, const std::vector<std::string>& overrides = {},
                             const MachineFinder& find_parent = nullptr);

/// The same of a text that stands alone, without based_on; `file` names it in messages.
Result<Machine> parse_machine(std::string_view text, const std::string& file,
                              const std::vector<std::string>& overrides = {});

/// Whether the key of a setting "KEY=VALUE" is one that machine files have: "walk.setup=20", "tlb.l1d-4k.ways=8", "cpus=16".
bool is_machine_setting(std::string_view setting);

/// Every figure has its own named stream under `seed`, so that a figure added or overridden moves no other draw.
DrawnMachine draw_machine(const Machine& machine, std::uint64_t seed, std::uint64_t draw);

/// The machine with every figure at its typical value.
DrawnMachine typical_machine(const Machine& machine);

}  // namespace tollgate::hw
