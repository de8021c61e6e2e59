// ExitToUser: the CR3 write on the way back to user mode under PTI, as labelled atomic steps. A user PCID whose bit is set
// in the user-flush mask is flushed by that write, which it needs anyway; otherwise the write keeps what is cached.
#pragma once

#include "kernel/environment.h"

namespace tollgate::kernel {

template <typename E>
concept UserRootEnvironment = requires(E env, MmId mm, int slot, hw::NoFlush no_flush) {
  { env.cpu() } -> std::same_as<CpuTlbState&>;
  env.load_user_root(mm, slot, no_flush);  // MOV to CR3: the user half's root and PCID
};

struct ExitToUser {
  enum class Label : std::uint8_t { test_mask, write_flushing, write_keeping, done };

  Label label = Label::test_mask;

  template <UserRootEnvironment E>
  Step step(E& env) {
    CpuTlbState& cpu = env.cpu();
    const auto bit = std::uint8_t(1u << cpu.loaded_slot);
    switch (label) {
      case Label::test_mask:
        label = cpu.user_flush_mask & bit ? Label::write_flushing : Label::write_keeping;
        cpu.user_flush_mask = std::uint8_t(cpu.user_flush_mask & ~bit);
        break;
      case Label::write_flushing:
        env.load_user_root(cpu.loaded_mm, cpu.loaded_slot, hw::NoFlush::clear);
        label = Label::done;
        break;
      case Label::write_keeping:
        env.load_user_root(cpu.loaded_mm, cpu.loaded_slot, hw::NoFlush::set);
        label = Label::done;
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const ExitToUser&) const = default;
};

}  // namespace tollgate::kernel
