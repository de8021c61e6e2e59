// The audit of one text: lines, rows, claims, checks. Pure: text in, findings out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.h"
#include "audit/lines.h"

namespace tollgate::audit {

/// Every check over these lines; `name` is the file's, for messages.
Audited audit_lines(std::string name, const std::vector<Line>& lines);

/// A text that is no mail.
Audited audit_text(std::string name, std::string_view text);

}  // namespace tollgate::audit
