#include "import/catalogue.h"

#include <array>

namespace tollgate::import {

// A format is declared here, defined in the file of its tool, and listed below. None recognises a file of another.
Importer hyperfine_json();
Importer hyperfine_csv();
Importer perf_stat_text();
Importer perf_stat_fields();
Importer perf_stat_json();
Importer fio_json();
Importer time_verbose();
Importer time_default();
Importer time_portable();
Importer time_bash();
Importer time_zsh();
Importer time_fish();
Importer hackbench();
Importer perf_bench();
Importer will_it_scale_csv();
Importer will_it_scale_text();
Importer go_benchmark();
Importer benchstat();
Importer benchstat_old();
Importer google_benchmark();
Importer trace_cmd_report();
Importer tracefs_function_graph();
Importer ministat();
Importer pyperf_json();
Importer lmbench();
Importer session_json();
Importer import_json();

std::span<const Importer> catalogue() {
  static const std::array kImporters = {
      hyperfine_json(),    hyperfine_csv(),
      perf_stat_text(),    perf_stat_fields(),
      perf_stat_json(),    fio_json(),
      time_verbose(),      time_default(),
      time_portable(),     time_bash(),
      time_zsh(),          time_fish(),
      hackbench(),         perf_bench(),
      will_it_scale_csv(), will_it_scale_text(),
      go_benchmark(),      benchstat(),
      benchstat_old(),     google_benchmark(),
      trace_cmd_report(),  tracefs_function_graph(),
      ministat(),          pyperf_json(),
      lmbench(),           session_json(),
      import_json(),
  };
  return kImporters;
}

}  // namespace tollgate::import
