// Machine: what a file under machines/ says, and DrawnMachine: one set of values drawn from its ranges.
#pragma once

#include <array>
#include <string>
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

/// One TLB array: `entries` in sets of `ways` (ways == entries: fully associative), holding pages of `sizes`.
struct TlbArraySpec {
  std::string name;      // "l1d-4k"
  int level = 1;         // 1 or 2
  Side side = Side::both;
  std::vector<PageSize> sizes;
  config::Figure entries;
  int ways = 1;
  Replacement replacement = Replacement::lru;
  bool per_thread = false;  // private to a hardware thread even where threads share the core's arrays
  SourcePlace place = {};
};

struct Features {
  bool pcid = false;
  bool invpcid = false;
  bool global_pages = true;
  bool broadcast_flush = false;  // INVLPGB and TLBSYNC
};

struct Topology {
  int cpus = 1;              // hardware threads, numbered so that CPU i and i + cpus/2 share a core when threads_per_core is 2
  int threads_per_core = 1;
  int sockets = 1;
};

struct Machine {
  std::string name;
  std::string title;
  std::string architecture;  // "x86_64"
  Features features;
  Topology topology;
  std::vector<TlbArraySpec> tlb;
  std::array<config::Figure, kFigureCount> figures;

  const config::Figure& figure(FigureId id) const { return figures[static_cast<std::size_t>(id)]; }
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
/// entries, negative costs and low > typical > high are errors at file:line:col.
Result<Machine> load_machine(const std::string& path, const std::vector<std::string>& overrides = {});

/// Every figure has its own named stream under `seed`, so that a figure added or overridden moves no other draw.
DrawnMachine draw_machine(const Machine& machine, std::uint64_t seed, std::uint64_t draw);

/// The machine with every figure at its typical value.
DrawnMachine typical_machine(const Machine& machine);

}  // namespace tollgate::hw
