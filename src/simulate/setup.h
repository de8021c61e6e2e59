// Setup: what is simulated: the arrays, and how the CPU tags and shares entries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/machine.h"
#include "simulate/touch.h"
#include "simulate/walk_caches.h"

namespace tollgate::simulate {

/// none: a switch of the address space flushes what is not global. pcid: entries are tagged, and a switch flushes the tag
/// it loads unless the trace says that it was kept.
enum class Tags : std::uint8_t { none, pcid };
/// kernel: entries of the kernel's half of addresses are shared by all address spaces, and survive a switch.
enum class Globals : std::uint8_t { none, kernel };
enum class WhyMissed : std::uint8_t { skip, count };

struct Setup {
  std::string name;          // of the machine, or the geometries: "l1d 64x4, l1i 64x4, l2 1536x12"
  hw::DrawnMachine machine;  // its arrays and features are read, not its prices
  Tags tags = Tags::none;
  Globals globals = Globals::none;
  WalkCaches::Entries walk_caches{};
  WhyMissed why = WhyMissed::count;
  Instructions instructions = widest_instructions();
};

/// A machine at its typical figures, with the tags and global pages it has.
Setup machine_setup(const hw::Machine& machine);

/// Entries and ways of one array.
struct Geometry {
  int entries = 0;  // 0: no such array
  int ways = 1;     // or hw::kFullyAssociative
  int sets() const { return ways == hw::kFullyAssociative ? 1 : entries / ways; }
  int ways_of_set() const { return entries / sets(); }
  std::string text() const;
  bool operator==(const Geometry&) const = default;
};
/// "64x4", "1536x12", "32xfull"; `option` names it in errors.
Result<Geometry> parse_geometry(std::string_view text, std::string_view option);

struct Geometries {
  Geometry l1d, l1i, l2;
};
/// Three arrays that hold pages of all sizes, without tags, global entries or walk caches. plru needs powers of two of at
/// most 64 ways.
Result<Setup> geometry_setup(const Geometries& geometries, hw::Replacement policy);

}  // namespace tollgate::simulate
