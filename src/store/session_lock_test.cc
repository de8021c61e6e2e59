#include "store/session_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/test_support/temporary_folder.h"

namespace tollgate::store {
namespace {

/// A process that holds the lock until it is killed.
class Holder {
 public:
  Holder(const std::string& store, std::int64_t session) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    process_ = fork();
    if (process_ == 0) {
      const auto lock = SessionLock::take(store, session);
      if (!lock || write(ready[1], "x", 1) != 1) _exit(1);
      pause();
      _exit(0);
    }
    close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
  }
  ~Holder() { end(); }
  void end() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  pid_t process() const { return process_; }

 private:
  pid_t process_;
};

TEST(SessionLock, IsHeldByOneProcessUntilItIsGone) {
  const TemporaryFolder folder;
  const std::string store = folder.file("kept.db", "");
  std::filesystem::create_symlink(store, folder.file("link.db"));
  Holder holder(store, 3);
  for (const auto& path : {store, folder.file("link.db")}) {
    const auto refused = SessionLock::take(path, 3);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text(), "session 3 is being measured by process " + std::to_string(holder.process()));
  }
  EXPECT_TRUE(SessionLock::take(store, 4));
  holder.end();
  const auto lock = SessionLock::take(store, 3);
  EXPECT_TRUE(lock) << lock.error().text();
}

TEST(SessionLock, AFolderThatCannotBeWrittenIsNamed) {
  const auto refused = SessionLock::take("/no/such/folder/kept.db", 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), testing::HasSubstr("/no/such/folder/kept.db-lock"));
}

}  // namespace
}  // namespace tollgate::store
