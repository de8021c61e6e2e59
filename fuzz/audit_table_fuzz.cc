// Any bytes as the lines of a text that holds tables: the rows are split and every check runs, without the mail reader and the
// test that spares most text the reading. Findings lie inside the input, and figures have a verdict.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "audit/audit.h"
#include "audit/lines.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tollgate::audit;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  LineReader reader;
  std::size_t number = 0;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    reader.add(input.substr(at, end - at), ++number);
    at = end + 1;
  }
  const Audited audited = audit_lines("input", reader.take());
  for (const Finding& finding : audited.findings) {
    expect(finding.line >= 1 && finding.line <= number && !finding.message.empty() && !finding.kind.empty());
    expect(finding.column == 0 || finding.column - 1 + finding.width <= finding.excerpt.size());
    if (finding.recomputed) expect(finding.recomputed->low <= finding.recomputed->high);
  }
  for (const Figure& figure : audited.figures)
    expect(figure.line >= 1 && figure.line <= number && !figure.verdict.empty() && !figure.published.empty());
  return 0;
}
