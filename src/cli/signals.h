// Signals: what Ctrl-C, a termination request and a closed pipe do to the program.
#pragma once

namespace tollgate::cli {

/// The first SIGINT, SIGTERM or SIGHUP asks for a clean stop (base/interrupt.h); the second ends the program at once, with
/// status 130. Under nohup, which ignores SIGHUP, it stays ignored. A closed pipe ends it quietly, even under a parent that ignores SIGPIPE.
void install_signal_handlers();

}  // namespace tollgate::cli
