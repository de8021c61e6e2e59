// Imports: results of other tools, kept beside our own sessions in the same file (docs/formats/store.md) as the Measurement
// that they were read as. Keeping one is one transaction: whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/measurement.h"

namespace tollgate::store {

struct DatabaseFile;

struct ImportedSession {
  std::string name;    // one that no other import has
  std::string files;   // as the user named them
  std::string format;  // the importer's name
  std::string digest;  // of the files' bytes: the same results are kept once
  double created = 0;  // when they were kept, seconds since 1970
  evidence::Measurement measurement;
};

/// An imported session in a list; `runs` is the most samples or the highest count of a series, summed over variants.
struct ImportedLine {
  std::string name;
  std::string format;
  double created = 0;
  std::uint32_t variants = 0;
  std::uint64_t runs = 0;
};

enum class IfTaken : std::uint8_t { refuse, replace };

class Imports {
 public:
  explicit Imports(DatabaseFile& file) : file_(&file) {}

  /// The tables of an open file, made where they are not there. Throws as the library does.
  static void prepare(DatabaseFile& file);

  /// All of them or none. Results that are kept under another name are an error; so are others under this name, unless they
  /// are to be replaced.
  Result<void> add(std::span<const ImportedSession> sessions, IfTaken if_taken);
  /// Nothing when no import has that name.
  Result<std::optional<ImportedSession>> find(const std::string& name);
  /// Deletes that import, if there is one.
  Result<void> remove(const std::string& name);
  /// The latest first.
  Result<std::vector<ImportedLine>> list();

 private:
  DatabaseFile* file_;
};

}  // namespace tollgate::store
