// Interruption: whether the user asked the program to stop. The signal handler of the command line sets it; long loops of
// the library look at it now and then, stop cleanly and return an error. Nothing here installs a handler.
#pragma once

namespace tollgate {

/// True once a stop was asked for. Cheap enough for a loop over chunks or events; safe from any thread.
bool interrupted();

/// Asks for a stop. Safe inside a signal handler. Returns whether a stop had been asked for before.
bool request_interrupt();

/// Forgets the request, for tests that made one.
void clear_interrupt();

}  // namespace tollgate
