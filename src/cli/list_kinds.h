// What `tollgate list` can list. A kind is one line in list_kinds.cc and two functions: its entries, and what there is to
// say of one of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/document.h"

namespace tollgate::cli {

struct ListEntry {
  std::string name;
  std::string title;
};

/// One entry, whole: as a report, and as a JSON document.
struct ListDetail {
  report::Document document;
  std::string json;
};

/// Whether --set may change what is shown.
enum class Settings { none, taken };

struct ListKind {
  std::string_view name;     // "machines"
  std::string_view summary;  // what they are, for the list of kinds
  Settings settings;
  Result<std::vector<ListEntry>> (*entries)();
  /// `settings` are the --set of the command line; empty where none are taken.
  Result<ListDetail> (*detail)(const std::string& name, const std::vector<std::string>& settings);
};

const std::vector<ListKind>& list_kinds();

/// The entries of a kind that is a folder of files: each file's name, and its title as `title_of` reads it.
Result<std::vector<ListEntry>> file_entries(std::string_view folder,
                                            Result<std::string> (*title_of)(const std::string& path));

}  // namespace tollgate::cli
