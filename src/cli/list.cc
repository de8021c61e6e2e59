// tollgate list KIND [NAME]: what there is, and all that is known of one.
#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/list_kinds.h"
#include "cli/output.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

Result<const ListKind*> find_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const ListKind& kind : list_kinds()) {
    if (kind.name == name) return &kind;
    names.emplace_back(kind.name);
  }
  return fail(fmt::format("cannot list '{}'{}", name, did_you_mean(name, names)));
}

report::Document entries_document(const std::vector<ListEntry>& entries) {
  report::Table table{{{"name"}, {"title"}}, {}};
  for (const auto& [name, title] : entries) table.rows.push_back({name, title});
  return {table};
}

std::string entries_json(const ListKind& kind, const std::vector<ListEntry>& entries) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.list/1").key(kind.name).begin_array();
  for (const auto& [name, title] : entries) {
    json.begin_object().key("name").text(name).key("title").text(title).end_object();
  }
  json.end_array().end_object();
  return std::move(json).finish();
}

std::string rendered(const ListDetail& detail, const std::string& format) {
  if (format == "json") return detail.json;
  return format == "markdown" ? report::render_markdown(detail.document) : report::render_text(detail.document);
}

enum class Shown { one, all };

Result<void> check_settable(const ListKind& kind, Shown shown) {
  if (kind.settings == Settings::none)
    return fail(
        fmt::format("--set changes a machine, a workload or a kernel; of the {} it can change nothing", kind.name));
  if (shown == Shown::all) return fail(fmt::format("--set changes one of the {}: name it", kind.name));
  return {};
}

Result<ExitStatus> run_list(const Arguments& arguments) {
  const ListKind& kind = *TRY(find_kind(arguments.text("KIND")));
  const bool one = arguments.given("NAME");
  if (arguments.given("--set")) TRY(check_settable(kind, one ? Shown::one : Shown::all));
  ListDetail detail;
  if (one) {
    detail = TRY(kind.detail(arguments.text("NAME"), arguments.list("--set")));
  } else {
    const std::vector<ListEntry> entries = TRY(kind.entries());
    detail = {entries_document(entries), entries_json(kind, entries)};
  }
  print(rendered(detail, arguments.text("--format")));
  return ExitStatus::kDone;
}

std::string kinds_text() {
  std::vector<std::string> kinds;
  for (const ListKind& kind : list_kinds()) kinds.push_back(fmt::format("{} ({})", kind.name, kind.summary));
  return join(kinds, "; ");
}

}  // namespace

CommandSpec list_command() {
  return {
      .name = "list",
      .summary = "what there is to choose from, and everything known of one",
      .description =
          "Lists what a KIND holds, one line each. With NAME, shows one of them whole: of a machine, every "
          "array and figure with low, typical, high, unit, kind and source; of an experiment, its variants with their "
          "policies and the published results about it.",
      .positionals = {{"KIND", kinds_text()}, {"NAME", "one of them, or the path of a file", Count::kOptional}},
      .options = {{.name = "--format",
                   .value_name = "FORMAT",
                   .help = "text, markdown or json",
                   .default_text = "text",
                   .choices = {"text", "markdown", "json"}},
                  {.name = "--set",
                   .value_name = "KEY=VALUE",
                   .help = "show the machine, workload or kernel with this value changed: walk.setup=20, "
                           "walk.setup=10..30, tlb.l2.entries=1024, program.jobs=2, tick.hz=1000",
                   .repeat = Repeat::kYes}},
      .examples = {"tollgate list experiments", "tollgate list experiments pti-global-lseek",
                   "tollgate list machines skylake-desktop --format markdown"},
      .run = run_list,
  };
}

}  // namespace tollgate::cli
