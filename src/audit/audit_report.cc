#include "audit/audit_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"
#include "report/document.h"
#include "report/json_writer.h"
#include "report/numbers.h"

namespace tollgate::audit {
namespace {

using report::JsonWriter;

std::string summary_of(const AuditedFile& file) {
  const AuditCounts& counts = file.counts;
  std::string text;
  if (file.messages > 0) text = counted(static_cast<long long>(file.messages), "message") + ", ";
  if (counts.figures == 0)
    text += counts.held + counts.wrong + counts.doubtful > 0 ? "no percentage recomputed"
                                                             : "no percentage beside the figures it was computed from";
  else if (counts.unpaired == 0)
    text += fmt::format("{} recomputed", counted(static_cast<long long>(counts.figures), "figure"));
  else
    text += fmt::format("{} of {} figures recomputed", with_commas(static_cast<long long>(counts.figures)),
                        with_commas(static_cast<long long>(counts.figures + counts.unpaired)));
  if (counts.wrong > 0) text += fmt::format(", {} wrong", counts.wrong);
  if (counts.doubtful > 0) text += fmt::format(", {} doubtful", counts.doubtful);
  if (counts.reporting > 0) text += fmt::format(", {}", counted(static_cast<long long>(counts.reporting), "remark"));
  if (counts.held > 0)
    text += fmt::format(", {} between figures", counted(static_cast<long long>(counts.held), "relation"));
  if (counts.figures + counts.held > 0 && counts.wrong + counts.doubtful == 0) text += ": the arithmetic holds";
  return text;
}

/// Columns on a terminal that bytes of the excerpt take.
std::size_t width_of(const Finding& finding, std::size_t begin, std::size_t count) {
  const std::string_view text = finding.excerpt;
  return report::display_width(text.substr(std::min(begin, text.size()), count));
}

/// The table down to the line, and under it the figure marked.
std::string marked(const Finding& finding) {
  std::string text;
  for (const std::string& line : finding.above) text += fmt::format("    | {}\n", printable(line));
  text += fmt::format("    | {}\n", printable(finding.excerpt));
  if (finding.column > 0 && printable(finding.excerpt) == finding.excerpt)
    text += fmt::format("    | {:{}}{:^>{}}\n", "", width_of(finding, 0, finding.column - 1), "",
                        std::max<std::size_t>(width_of(finding, finding.column - 1, finding.width), 1));
  return text;
}

std::string finding_text(const std::string& path, const Finding& finding) {
  std::string text = fmt::format("{}:{}: {} ({}): {}\n", path, finding.line, severity_text(finding.severity),
                                 finding.kind, printable(finding.message));
  if (finding.severity != Severity::reporting) text += marked(finding);
  if (!finding.slip.empty()) text += fmt::format("    likely slip: {}\n", printable(finding.slip));
  return text;
}

void write_range(JsonWriter& json, const std::optional<Range>& range) {
  if (!range) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("low").number(range->low);
  json.key("middle").number(range->middle);
  json.key("high").number(range->high);
  json.end_object();
}

void write_figure(JsonWriter& json, const Figure& figure) {
  json.begin_object();
  json.key("line").whole(figure.line);
  json.key("column").whole(figure.column);
  json.key("label").text(figure.label);
  json.key("before").text(figure.before);
  json.key("after").text(figure.after);
  json.key("published").text(figure.published);
  json.key("verdict").text(figure.verdict);
  json.key("recomputed");
  write_range(json, figure.standard);
  json.end_object();
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object();
  json.key("kind").text(finding.kind);
  json.key("severity").text(severity_text(finding.severity));
  json.key("confidence").text(finding.confidence);
  json.key("line").whole(finding.line);
  json.key("column").whole(finding.column);
  json.key("printed").text(finding.printed);
  json.key("recomputed");
  write_range(json, finding.recomputed);
  json.key("message").text(finding.message);
  json.key("slip").text(finding.slip);
  json.key("excerpt").text(finding.excerpt);
  json.end_object();
}

void write_text(JsonWriter& json, const Audited& text) {
  json.begin_object();
  json.key("subject").text(text.name);
  json.key("unpaired").whole(text.unpaired);
  json.key("figures").begin_array();
  for (const Figure& figure : text.figures) write_figure(json, figure);
  json.end_array();
  json.key("findings").begin_array();
  for (const Finding& finding : text.findings) write_finding(json, finding);
  json.end_array();
  json.key("held").texts(text.held);
  json.key("warnings").texts(text.warnings);
  json.end_object();
}

/// A path as a URI reference (RFC 3986): what may not stand in one is written as %XX.
std::string uri_of(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

void write_sarif_rules(JsonWriter& json, const std::vector<AuditedFile>& files) {
  std::set<std::string> kinds;
  for (const AuditedFile& file : files)
    for (const Audited& text : file.texts)
      for (const Finding& finding : text.findings) kinds.insert(finding.kind);
  json.key("rules").begin_array();
  for (const std::string& kind : kinds) {
    json.begin_object();
    json.key("id").text(kind);
    json.end_object();
  }
  json.end_array();
}

void write_sarif_result(JsonWriter& json, const std::string& path, const Finding& finding) {
  const char* level = finding.severity == Severity::wrong      ? "error"
                      : finding.severity == Severity::doubtful ? "warning"
                                                               : "note";
  json.begin_object();
  json.key("ruleId").text(finding.kind);
  json.key("level").text(level);
  json.key("message").begin_object();
  json.key("text").text(finding.slip.empty() ? finding.message : finding.message + ". Likely slip: " + finding.slip);
  json.end_object();
  json.key("locations").begin_array().begin_object();
  json.key("physicalLocation").begin_object();
  json.key("artifactLocation").begin_object();
  json.key("uri").text(uri_of(path));
  json.end_object();
  json.key("region").begin_object();
  json.key("startLine").whole(std::max<std::size_t>(finding.line, 1));
  json.key("snippet").begin_object();
  json.key("text").text(finding.excerpt);
  json.end_object();
  json.end_object();
  json.end_object();
  json.end_object().end_array();
  json.end_object();
}

}  // namespace

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::wrong:
      return "wrong";
    case Severity::doubtful:
      return "doubtful";
    case Severity::reporting:
      return "remark";
  }
  return "";
}

void AuditedFile::add(Audited text, Keep keep) {
  counts.figures += text.figures.size();
  counts.unpaired += text.unpaired;
  counts.held += text.held.size();
  for (const Finding& finding : text.findings) {
    counts.wrong += finding.severity == Severity::wrong;
    counts.doubtful += finding.severity == Severity::doubtful;
    counts.reporting += finding.severity == Severity::reporting;
  }
  if (keep == Keep::findings) {
    text.figures.clear();
    text.held.clear();
  }
  const bool empty = text.figures.empty() && text.held.empty() && text.findings.empty() && text.warnings.empty();
  if (!empty || (keep == Keep::all && text.unpaired > 0)) texts.push_back(std::move(text));
}

AuditCounts sum_counts(const std::vector<AuditedFile>& files) {
  AuditCounts sum;
  for (const AuditedFile& file : files) {
    sum.figures += file.counts.figures;
    sum.unpaired += file.counts.unpaired;
    sum.held += file.counts.held;
    sum.wrong += file.counts.wrong;
    sum.doubtful += file.counts.doubtful;
    sum.reporting += file.counts.reporting;
  }
  return sum;
}

std::string audit_text_report(const std::vector<AuditedFile>& files) {
  std::string out;
  for (const AuditedFile& file : files) {
    for (const Audited& text : file.texts)
      for (const Finding& finding : text.findings) out += finding_text(file.path, finding);
    out += fmt::format("{}: {}\n", file.path, summary_of(file));
  }
  return out;
}

std::string audit_markdown(const std::vector<AuditedFile>& files) {
  report::Document document{report::Heading{1, "Audit of printed figures"}};
  for (const AuditedFile& file : files) {
    document.push_back(report::Heading{2, file.path});
    document.push_back(report::Paragraph{summary_of(file) + "."});
    report::Table table{
        {{"line", report::Align::right}, {"finding"}, {"printed"}, {"what the figures say"}, {"likely slip"}}, {}};
    for (const Audited& text : file.texts)
      for (const Finding& finding : text.findings)
        table.rows.push_back({fmt::format("{}", finding.line),
                              fmt::format("{}: {}", severity_text(finding.severity), finding.kind), finding.printed,
                              finding.message, finding.slip});
    if (!table.rows.empty()) document.push_back(std::move(table));
  }
  return report::render_markdown(document);
}

std::string audit_json(const std::vector<AuditedFile>& files) {
  const AuditCounts counts = sum_counts(files);
  JsonWriter json;
  json.begin_object();
  json.key("schema").text("tollgate.audit/1");
  json.key("files").begin_array();
  for (const AuditedFile& file : files) {
    json.begin_object();
    json.key("path").text(file.path);
    json.key("messages").whole(file.messages);
    json.key("texts").begin_array();
    for (const Audited& text : file.texts) write_text(json, text);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.key("figures").whole(counts.figures);
  json.key("unpaired").whole(counts.unpaired);
  json.key("wrong").whole(counts.wrong);
  json.key("doubtful").whole(counts.doubtful);
  json.key("remarks").whole(counts.reporting);
  json.end_object();
  return std::move(json).finish();
}

std::string audit_sarif(const std::vector<AuditedFile>& files) {
  JsonWriter json;
  json.begin_object();
  json.key("$schema").text("https://json.schemastore.org/sarif-2.1.0.json");
  json.key("version").text("2.1.0");
  json.key("runs").begin_array().begin_object();
  json.key("tool").begin_object();
  json.key("driver").begin_object();
  json.key("name").text("tollgate audit");
  write_sarif_rules(json, files);
  json.end_object();
  json.end_object();
  json.key("results").begin_array();
  for (const AuditedFile& file : files)
    for (const Audited& text : file.texts)
      for (const Finding& finding : text.findings) write_sarif_result(json, file.path, finding);
  json.end_array();
  json.end_object().end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::audit
