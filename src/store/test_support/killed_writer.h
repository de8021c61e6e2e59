// A process that writes to a store and is killed with SIGKILL while it does, for tests.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <functional>

namespace tollgate::store {

/// Runs `write_all(say)` in a child, which says a word a piece of work and never ends by itself, and kills it after `words`. All
/// the words that it said, also those between the last that was waited for and its end.
inline std::size_t words_of_killed_writer(std::size_t words,
                                          const std::function<void(const std::function<void()>&)>& write_all) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) {
    ADD_FAILURE() << "no pipe";
    return 0;
  }
  const pid_t writer = fork();
  if (writer == 0) {
    write_all([&] {
      if (write(pipe_ends[1], "x", 1) != 1) _exit(1);
    });
    _exit(1);
  }
  char byte = 0;
  std::size_t said = 0;
  while (said < words && read(pipe_ends[0], &byte, 1) == 1) ++said;
  kill(writer, SIGKILL);
  int status = 0;
  waitpid(writer, &status, 0);
  close(pipe_ends[1]);
  while (read(pipe_ends[0], &byte, 1) == 1) ++said;
  close(pipe_ends[0]);
  EXPECT_TRUE(WIFSIGNALED(status));
  return said;
}

}  // namespace tollgate::store
