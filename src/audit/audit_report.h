// An audit as text, Markdown, JSON or SARIF 2.1.0 (for code-review tools).
#pragma once

#include <string>
#include <vector>

#include "audit/finding.h"

namespace tollgate::audit {

/// One file, with all its messages.
struct AuditedFile {
  std::string path;
  std::size_t messages = 0;    // 0: not mail
  std::vector<Audited> texts;  // those with figures, findings or warnings
};

struct AuditCounts {
  std::size_t figures = 0, wrong = 0, doubtful = 0, reporting = 0, unpaired = 0;
};
AuditCounts count_findings(const std::vector<AuditedFile>& files);

std::string_view severity_text(Severity severity);

/// `path:line: severity (kind): message`, the line with the figure marked, the likely slip; a line a clean file.
std::string audit_text_report(const std::vector<AuditedFile>& files);
std::string audit_markdown(const std::vector<AuditedFile>& files);
/// Schema: docs/schema/audit.schema.json.
std::string audit_json(const std::vector<AuditedFile>& files);
std::string audit_sarif(const std::vector<AuditedFile>& files);

}  // namespace tollgate::audit
