// tollgate audit FILE...: recomputes the tables that others published.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "audit/audit.h"
#include "audit/audit_report.h"
#include "audit/message_stream.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"

namespace tollgate::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kMostWarnings = 10;  // a file: a large mbox may have thousands

/// An open file, or standard input for "-".
class Input {
 public:
  explicit Input(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    if (path == "-")
      file_ = stdin;
    else
      opened_.reset(std::fopen(path.c_str(), "rb"));
    error_ = errno;
    if (opened_) file_ = opened_.get();
    note_input(path);
    std::error_code none;
    if (opened_) total_ = std::filesystem::file_size(path, none);
    if (none) total_ = 0;
  }

  const std::string& name() const { return name_; }

  /// Hands every byte to the stream, piece by piece.
  Result<void> read_into(audit::MessageStream& stream, const ProgressCallback& progress) {
    const auto cannot = [&](int error) {
      return fail(fmt::format("cannot read: {}", std::strerror(error)), {name_, 0, 0});
    };
    if (file_ == nullptr) return cannot(error_);
    std::string piece(kPiece, '\0');
    std::uint64_t done = 0;
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file_)) {
      TRY(stream.add(std::string_view(piece).substr(0, got)));
      done += got;
      if (progress) progress(done, total_);
      if (interrupted()) return fail("interrupted");
    }
    if (std::ferror(file_) != 0) return cannot(errno);
    return stream.finish();
  }

 private:
  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened_{nullptr, &std::fclose};
  std::FILE* file_ = nullptr;
  int error_ = 0;            // of opening it
  std::uint64_t total_ = 0;  // bytes; 0: unknown
};

void print_warnings(const std::string& name, const std::vector<std::string>& warnings, std::size_t count) {
  for (const std::string& warning : warnings) fmt::print(stderr, "tollgate audit: warning: {}: {}\n", name, warning);
  if (count > warnings.size())
    fmt::print(stderr, "tollgate audit: warning: {}: {} more warnings; --format json lists them\n", name,
               count - warnings.size());
}

Result<audit::AuditedFile> audit_file(const std::string& path, audit::Keep keep) {
  Input input(path);
  audit::AuditedFile file{input.name(), 0, {}, {}};
  std::vector<std::string> warnings;
  std::size_t count = 0;
  {
    ProgressBar bar("auditing " + input.name());
    audit::MessageStream stream(input.name(), [&](audit::Message message) {
      audit::Audited text = audit::audit_lines(message.subject, message.lines);
      text.warnings = std::move(message.warnings);
      for (const std::string& warning : text.warnings)
        if (count++ < kMostWarnings) warnings.push_back(warning);
      file.messages += message.is_mail;
      file.add(std::move(text), keep);
    });
    TRY(input.read_into(stream, bar.callback()));
  }
  print_warnings(input.name(), warnings, count);
  return file;
}

Result<ExitStatus> run_audit(const Arguments& arguments) {
  const std::string form = arguments.text("--format");
  const audit::Keep keep = form == "json" ? audit::Keep::all : audit::Keep::findings;
  std::vector<audit::AuditedFile> files;
  bool all_read = true;  // a file that cannot be read does not hide what the others say
  for (const std::string& path : arguments.list("FILE")) {
    auto file = audit_file(path, keep);
    if (interrupted()) return fail("interrupted");
    if (file) {
      files.push_back(*std::move(file));
      continue;
    }
    all_read = false;
    fmt::print(stderr, "tollgate audit: {}\n", printable(file.error().text()));
  }
  if (files.empty()) return ExitStatus::kBadInput;
  const auto counts = audit::sum_counts(files);
  const bool no = counts.wrong > 0 || (arguments.flag("--strict") && counts.doubtful + counts.reporting > 0);
  TRY(write_output(arguments.text("-o"), form == "json"       ? audit::audit_json(files)
                                         : form == "markdown" ? audit::audit_markdown(files)
                                         : form == "sarif"    ? audit::audit_sarif(files)
                                                              : audit::audit_text_report(files)));
  if (!all_read) return ExitStatus::kBadInput;
  return no && !arguments.flag("--exit-zero") ? ExitStatus::kNo : ExitStatus::kDone;
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
                  {"--exit-zero", "", "exit with 0 whatever is found; bad input is still an error"},
                  {"--format", "FORMAT", "the form of the output", "text", {"text", "markdown", "json", "sarif"}},
                  {"-o", "FILE", "write there instead of to standard output"}},
      .examples = {"tollgate audit cover-letter.txt", "b4 mbox -o - MESSAGE-ID | tollgate audit -",
                   "tollgate audit --format json thread.mbox"},
      .run = run_audit,
  };
}

}  // namespace tollgate::cli
