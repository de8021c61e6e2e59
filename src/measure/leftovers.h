// Leftovers: processes that a command leaves behind when its own is gone, in its process group or out of it (setsid, a daemon).
// While this process adopts orphans they become its children, which costs a run without any no more than one look.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tollgate::measure {

/// Whether orphans of what this process starts become its children (prctl PR_SET_CHILD_SUBREAPER) or init's.
void adopt_orphans(bool adopt);

/// The children of this process, those that have ended too.
std::vector<pid_t> children();

/// Ends every child of this process but `kept`, and what they leave in turn, with SIGKILL, and waits for them. Returns how many
/// were alive. What this process may not signal stays.
std::size_t end_children(std::span<const pid_t> kept);

/// Ends every process whose environment holds `mark`, "NAME=VALUE", with SIGKILL. For a child of this process between its
/// fork and its exec.
void end_marked(const std::string& mark);

}  // namespace tollgate::measure
