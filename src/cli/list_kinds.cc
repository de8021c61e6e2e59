#include "cli/list_kinds.h"

#include "cli/data_paths.h"
#include "cli/list_experiments.h"
#include "cli/list_kernels.h"
#include "cli/list_machines.h"
#include "cli/list_metrics.h"
#include "cli/list_policies.h"
#include "cli/list_protocols.h"
#include "cli/list_workloads.h"

namespace tollgate::cli {

const std::vector<ListKind>& list_kinds() {
  static const std::vector<ListKind> kinds = {
      {"experiments", "questions to ask", Settings::none, experiment_entries, experiment_detail},
      {"machines", "geometry, features, prices", Settings::taken, machine_entries, machine_detail},
      {"workloads", "what programs do", Settings::taken, workload_entries, workload_detail},
      {"policies", "what a variant may set", Settings::none, policy_entries, policy_detail},
      {"protocols", "what `check` explores", Settings::none, protocol_entries, protocol_detail},
      {"kernels", "entry sequences and paths of a kernel era", Settings::taken, kernel_entries, kernel_detail},
      {"metrics", "what is measured", Settings::none, metric_entries, metric_detail},
  };
  return kinds;
}

Result<std::vector<ListEntry>> file_entries(std::string_view folder,
                                            Result<std::string> (*title_of)(const std::string& path)) {
  std::vector<ListEntry> entries;
  for (const std::string& name : TRY(data_names(folder))) {
    const auto path = TRY(find_data_file(folder, name));
    auto title = TRY(title_of(path.string()));
    entries.push_back({name, std::move(title)});
  }
  return entries;
}

}  // namespace tollgate::cli
