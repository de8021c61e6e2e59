// tollgate audit FILE...: recomputes the tables that others published.
#include <fmt/core.h>

#include <cstdio>

#include "audit/audit.h"
#include "audit/audit_report.h"
#include "audit/mail.h"
#include "cli/input_file.h"
#include "cli/output.h"
#include "cli/question.h"

namespace tollgate::cli {
namespace {

using Files = std::vector<audit::AuditedFile>;

bool worth_keeping(const audit::Audited& text) {
  return !text.figures.empty() || !text.findings.empty() || !text.warnings.empty() || text.unpaired > 0;
}

Result<audit::AuditedFile> audit_file(const std::string& path) {
  const std::string bytes = TRY(read_bytes(path));
  audit::AuditedFile file{input_name(path), 0, {}};
  if (bytes.empty()) return fail("is empty", {file.path, 0, 0});
  TRY(audit::read_messages(bytes, file.path, [&](audit::Message message) {
    audit::Audited text = audit::audit_lines(message.subject, message.lines);
    text.warnings.insert(text.warnings.end(), message.warnings.begin(), message.warnings.end());
    file.messages += message.is_mail;
    if (worth_keeping(text)) file.texts.push_back(std::move(text));
  }));
  return file;
}

Result<ExitStatus> run_audit(const Arguments& arguments) {
  Files files;
  for (const std::string& path : arguments.list("FILE")) files.push_back(TRY(audit_file(path)));
  for (const auto& file : files)
    for (const auto& text : file.texts)
      for (const auto& warning : text.warnings)
        fmt::print(stderr, "tollgate audit: warning: {}: {}\n", file.path, warning);
  const std::string form = arguments.text("--format");
  const auto counts = audit::count_findings(files);
  const bool no = counts.wrong > 0 || (arguments.flag("--strict") && counts.doubtful + counts.reporting > 0);
  TRY(write_output(arguments.text("-o"), form == "json"       ? audit::audit_json(files)
                                         : form == "markdown" ? audit::audit_markdown(files)
                                         : form == "sarif"    ? audit::audit_sarif(files)
                                                              : audit::audit_text_report(files)));
  return no ? ExitStatus::kNo : ExitStatus::kDone;
}

}  // namespace

CommandSpec audit_command() {
  return {
      .name = "audit",
      .summary = "recompute the tables that others published, and say which figures cannot be",
      .description =
          "Reads mail (mbox or single messages, quoted, encoded), Markdown or plain text, finds percentages beside the "
          "figures they were computed from, recomputes them with the rounding of both figures, and reports what cannot "
          "be, with file and line. Exits with 1 when a figure is wrong.",
      .positionals = {{"FILE", "what to read; - for standard input", Count::kMany}},
      .options = {{"--strict", "", "exit with 1 for doubtful figures and remarks too"},
                  {"--format", "FORMAT", "the form of the output", "text", {"text", "markdown", "json", "sarif"}},
                  {"-o", "FILE", "write there instead of to standard output"}},
      .examples = {"tollgate audit cover-letter.txt", "b4 mbox -o - MESSAGE-ID | tollgate audit -",
                   "tollgate audit --format json thread.mbox"},
      .run = run_audit,
  };
}

}  // namespace tollgate::cli
