#include "cli/list_kinds.h"

#include "cli/list_machines.h"

namespace tollgate::cli {

const std::vector<ListKind>& list_kinds() {
  static const std::vector<ListKind> kinds = {
      {"machines", "machine files: geometry, features, prices", machine_entries, machine_detail},
  };
  return kinds;
}

}  // namespace tollgate::cli
