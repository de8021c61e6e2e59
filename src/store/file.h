// The SQLite file behind a store, for those who keep things in it: Store its sessions, Imports its imported results. The only
// place where what the library throws becomes an error.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>
#include <type_traits>

#include "base/result.h"

namespace tollgate::store {

struct DatabaseFile {
  static constexpr int kBusyMilliseconds = 5000;

  std::string path;
  SQLite::Database database;

  DatabaseFile(const std::string& name, int flags) : path(name), database(name, flags, kBusyMilliseconds) {}

  /// Does it; an error names the file.
  template <typename Work>
  auto guarded(Work work) -> Result<decltype(work())> {
    try {
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        return {};
      } else {
        return work();
      }
    } catch (const SQLite::Exception& error) {
      return fail(error.what(), {path});
    }
  }

  SQLite::Statement statement(const char* text) { return {database, text}; }
};

inline void bind(SQLite::Statement& statement, int at, const std::optional<double>& value) {
  if (value)
    statement.bind(at, *value);
  else
    statement.bind(at);
}

}  // namespace tollgate::store
