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

Result<ExitStatus> run_list(const Arguments& arguments) {
  const ListKind& kind = *TRY(find_kind(arguments.text("KIND")));
  const bool one = arguments.given("NAME");
  if (!one && arguments.given("--set")) return fail("--set changes one machine: name it");
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
          "array and figure with low, typical, high, unit, kind and source.",
      .positionals = {{"KIND", kinds_text()}, {"NAME", "one of them, or the path of a file", Count::kOptional}},
      .options = {{.name = "--format",
                   .value_name = "FORMAT",
                   .help = "text, markdown or json",
                   .default_text = "text",
                   .choices = {"text", "markdown", "json"}},
                  {.name = "--set",
                   .value_name = "KEY=VALUE",
                   .help = "show NAME with this value changed: walk.setup=20, walk.setup=10..30, tlb.l2.entries=1024",
                   .repeat = Repeat::kYes}},
      .examples = {"tollgate list machines", "tollgate list machines skylake-desktop"},
      .run = run_list,
  };
}

}  // namespace tollgate::cli
