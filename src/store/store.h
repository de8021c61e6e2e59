// Store: the SQLite file that keeps sessions (docs/formats/store.md). Every call is one transaction; a process that is
// killed loses nothing that a call had returned from.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/imports.h"
#include "store/session.h"

namespace tollgate::store {

class Store {
 public:
  /// Opens the file, or makes it and the folders above it. A file of another program or a later version is refused.
  static Result<Store> open(const std::string& path);
  /// Opens a file that must be there.
  static Result<Store> open_existing(const std::string& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Keeps what is fixed before the first run; the session's new id.
  Result<std::int64_t> add(const Session& session);
  /// Keeps the unit and direction of the metric of that name, learnt from the first run.
  Result<void> describe(std::int64_t session, const evidence::MetricInfo& metric);
  /// Keeps a run that is over. A run of the same kind, variant and number is refused: another process made it.
  Result<void> add(std::int64_t session, const Run& run);

  /// Deletes the session with all its runs, as if it had never been; the number of its runs, of every kind. Its id may be given again.
  Result<std::uint64_t> remove(std::int64_t session);

  Result<Session> session(std::int64_t id);
  /// In the order in which they were made.
  Result<std::vector<Run>> runs(std::int64_t session);
  /// The latest first.
  Result<std::vector<SessionLine>> list();
  /// The session of that id or name (the latest of that name); the latest of all for "".
  Result<std::int64_t> find(const std::string& id_or_name);

  /// The results of other tools that are kept beside the sessions. It must not outlive the store.
  Imports imports();

 private:
  struct File;
  explicit Store(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace tollgate::store
