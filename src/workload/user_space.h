// A small user address space as the synthetic programs need it: code, stack, data.
#pragma once

#include "world/timed/world.h"

namespace tollgate::workload {

inline constexpr hw::Vpn kCode = 0x400;
inline constexpr hw::Vpn kData = 0x10000;
inline constexpr hw::Vpn kLibrary = hw::vpn_of(0x7f0000000000);
inline constexpr hw::Vpn kStack = hw::vpn_of(0x7ffff0000000);

struct UserSpace {
  hw::Vpn code_pages = 4;
  hw::Vpn data_pages = 4;
};

/// Gives `mm` its areas.
inline void add_user_areas(world::World& world, MmId mm, const UserSpace& layout) {
  auto& space = world.mm(mm).space;
  space.add_area({kCode, layout.code_pages, false, true, 16});
  space.add_area({kData, layout.data_pages, true, false, 1});
  space.add_area({kLibrary, 16, false, true, 16});
  space.add_area({kStack, 16, true, false, 1});
}

inline void set_user_bases(world::Task& task) {
  task.code = kCode;
  task.data = kData;
  task.stack = kStack;
}

/// `total` instructions in `parts` whole shares that differ by one at the most; none is lost.
inline std::vector<std::uint32_t> split(double total, std::size_t parts) {
  const auto whole = std::uint64_t(total + 0.5);
  std::vector<std::uint32_t> shares(parts);
  for (std::size_t i = 0; i < parts; ++i) shares[i] = std::uint32_t(whole * (i + 1) / parts - whole * i / parts);
  return shares;
}

/// Instructions in one page.
inline kernel::PathStep fetch(kernel::Place place, hw::Vpn offset, std::uint32_t instructions) {
  return {kernel::PathStep::Op::fetch, place, offset, instructions};
}
inline kernel::PathStep read(kernel::Place place, hw::Vpn offset) {
  return {kernel::PathStep::Op::read, place, offset, 0};
}
inline kernel::PathStep write(kernel::Place place, hw::Vpn offset) {
  return {kernel::PathStep::Op::write, place, offset, 0};
}

using world::Action;
using world::Entry;

inline Action run(const kernel::Path& path) { return {.kind = Action::Kind::path, .path = &path}; }
inline Action enter_syscall() { return {.kind = Action::Kind::enter, .entry = Entry::syscall}; }
inline Action leave_syscall() { return {.kind = Action::Kind::leave, .entry = Entry::syscall}; }
inline Action finish_operation() { return {.kind = Action::Kind::finish_operation}; }
inline Action numbered(Action::Kind kind, std::uint32_t number) { return {.kind = kind, .number = number}; }

}  // namespace tollgate::workload
