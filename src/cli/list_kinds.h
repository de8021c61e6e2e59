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

struct ListKind {
  std::string_view name;     // "machines"
  std::string_view summary;  // what they are, for the list of kinds
  Result<std::vector<ListEntry>> (*entries)();
  /// `settings` are the --set of the command line.
  Result<ListDetail> (*detail)(const std::string& name, const std::vector<std::string>& settings);
};

const std::vector<ListKind>& list_kinds();

}  // namespace tollgate::cli
