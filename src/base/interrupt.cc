#include "base/interrupt.h"

#include <atomic>

namespace tollgate {
namespace {

std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

}  // namespace

bool interrupted() { return g_interrupted.load(std::memory_order_relaxed); }

bool request_interrupt() { return g_interrupted.exchange(true, std::memory_order_relaxed); }

void clear_interrupt() { g_interrupted.store(false, std::memory_order_relaxed); }

}  // namespace tollgate
