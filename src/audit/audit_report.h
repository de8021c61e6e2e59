// An audit as text, Markdown, JSON or SARIF 2.1.0 (for code-review tools).
#pragma once

#include <string>
#include <vector>

#include "audit/finding.h"

namespace tollgate::audit {

struct AuditCounts {
  std::size_t figures = 0, wrong = 0, doubtful = 0, reporting = 0, unpaired = 0, held = 0;
};

enum class Keep { all, findings };  // findings: figures are counted and let go, as only the JSON lists them

/// One file, with all its messages.
struct AuditedFile {
  std::string path;
  std::size_t messages = 0;    // 0: not mail
  std::vector<Audited> texts;  // those with figures, findings or warnings
  AuditCounts counts;

  /// Counts the text, and keeps of it what a report will show.
  void add(Audited text, Keep keep);
};

AuditCounts sum_counts(const std::vector<AuditedFile>& files);

std::string_view severity_text(Severity severity);

/// `path:line: severity (kind): message`, the line with the figure marked, the likely slip; a line a clean file.
std::string audit_text_report(const std::vector<AuditedFile>& files);
std::string audit_markdown(const std::vector<AuditedFile>& files);
/// Schema: docs/schema/audit.schema.json.
std::string audit_json(const std::vector<AuditedFile>& files);
std::string audit_sarif(const std::vector<AuditedFile>& files);

}  // namespace tollgate::audit
