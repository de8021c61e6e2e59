// Any bytes as mail or text: the audit ends in findings whose places lie inside the input and whose ranges are in order, and
// all four reports can be written.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "audit/audit.h"
#include "audit/audit_report.h"
#include "audit/message_stream.h"

namespace {

using namespace tollgate::audit;

void expect(bool holds) {
  if (!holds) std::abort();
}

void expect_range(const std::optional<Range>& range) {
  if (range) expect(range->low <= range->high);
}

void expect_places(const Audited& audited, std::size_t lines) {
  for (const Finding& finding : audited.findings) {
    expect(finding.line >= 1 && finding.line <= lines && !finding.message.empty() && !finding.kind.empty());
    expect_range(finding.recomputed);
  }
  for (const Figure& figure : audited.figures) {
    expect(figure.line >= 1 && figure.line <= lines && !figure.verdict.empty());
    expect_range(figure.standard);
  }
}

/// The bytes in two pieces are the same messages.
void expect_same_in_pieces(std::string_view input, std::size_t messages, bool readable) {
  std::size_t mails = 0;
  MessageStream stream("input", [&](const Message& message) { mails += message.is_mail; });
  const std::size_t half = input.size() / 2;
  const bool read = stream.add(input.substr(0, half)) && stream.add(input.substr(half)) && stream.finish();
  expect(read == readable && (!read || mails == messages));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  // A message without a line end has one line; a decoder may add one at the end of a part.
  const auto lines = static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n')) + 2;
  AuditedFile file{"input", 0, {}, {}};
  const auto read = read_messages(input, "input", [&](Message message) {
    file.messages += message.is_mail;
    Audited audited = audit_lines(message.subject, message.lines);
    expect_places(audited, lines);
    file.add(std::move(audited), Keep::all);
  });
  expect_same_in_pieces(input, file.messages, read.has_value());
  if (!read) {
    expect(!read.error().message.empty());
    return 0;
  }
  expect(!audit_text_report({file}).empty() && !audit_markdown({file}).empty());
  expect(!audit_json({file}).empty() && !audit_sarif({file}).empty());
  return 0;
}
