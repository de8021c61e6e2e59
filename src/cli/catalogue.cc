#include "cli/catalogue.h"

namespace tollgate::cli {

// A verb is declared here, defined in the file of its name, and listed below. It is listed only once it works.
CommandSpec audit_command();
CommandSpec check_command();
CommandSpec compare_command();
CommandSpec explain_command();
CommandSpec import_command();
CommandSpec list_command();
CommandSpec measure_command();
CommandSpec table_command();
CommandSpec trace_command();
CommandSpec validate_command();

const std::vector<CommandSpec>& catalogue() {
  static const std::vector<CommandSpec> verbs = {
      compare_command(), explain_command(), validate_command(), check_command(), list_command(),
      trace_command(),   measure_command(), import_command(),   table_command(), audit_command(),
  };
  return verbs;
}

}  // namespace tollgate::cli
