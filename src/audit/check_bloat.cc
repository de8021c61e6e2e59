// scripts/bloat-o-meter: the head of its report says how many symbols came, went, grew and shrank and by how many bytes,
// the rows say by how much each, the last line how large the image was before and after. All of it is whole bytes.
#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "audit/checks.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

struct Head {
  int symbols = 0;                      // that came, went, grew or shrank: a row each
  long long up = 0, down = 0, net = 0;  // bytes; what went down is negative
};

std::optional<Head> head_in(const std::string& text) {
  const auto at = text.find("add/remove:");
  if (at == std::string::npos) return std::nullopt;
  int added = 0, removed = 0, grown = 0, shrunk = 0;
  Head head;
  const int read = std::sscanf(text.c_str() + at, "add/remove: %d/%d grow/shrink: %d/%d up/down: %lld/%lld (%lld)",
                               &added, &removed, &grown, &shrunk, &head.up, &head.down, &head.net);
  head.symbols = added + removed + grown + shrunk;
  return read == 7 ? std::optional(head) : std::nullopt;
}

/// What the rows below a head add up to, as far as the "Total:" line or the end of the paragraph.
struct Body {
  int symbols = 0;
  double up = 0, down = 0;              // bytes
  std::optional<long long> difference;  // of the image, after - before
};

Body body_below(const Rows& rows, std::size_t head) {
  Body body;
  for (std::size_t i = head + 1; i < rows.size() && rows[i].kind != RowKind::blank; ++i) {
    const std::string& text = rows[i].line->text;
    if (const auto total = text.find("Total: Before="); total != std::string::npos) {
      long long before = 0, after = 0;
      if (std::sscanf(text.c_str() + total, "Total: Before=%lld, After=%lld", &before, &after) == 2)
        body.difference = after - before;
      break;
    }
    if (rows[i].tokens.empty() || !rows[i].tokens.back().number.has_sign()) continue;
    const double delta = rows[i].tokens.back().number.value;
    (delta > 0 ? body.up : body.down) += delta;
    ++body.symbols;
  }
  return body;
}

/// The first thing that does not hold, as "PRINTED is not ...".
struct Fault {
  long long printed = 0, right = 0;
  std::string what;
};
std::optional<Fault> fault_of(const Head& head, const Body& body) {
  if (head.up + head.down != head.net)
    return Fault{head.net, head.up + head.down, fmt::format("{} and {} together", head.up, head.down)};
  if (body.symbols == head.symbols) {  // else the list was shortened
    const auto up = static_cast<long long>(body.up), down = static_cast<long long>(body.down);
    if (up != head.up) return Fault{head.up, up, "what the rows grew by together"};
    if (down != head.down) return Fault{head.down, down, "what the rows shrank by together"};
  }
  if (body.difference && *body.difference != head.net)
    return Fault{head.net, *body.difference, "the difference of the image, after less before"};
  return std::nullopt;
}

}  // namespace

void check_bloat(const Rows& rows, Audited& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto head = head_in(rows[i].line->text);
    if (!head) continue;
    const auto fault = fault_of(*head, body_below(rows, i));
    if (!fault) {
      out.held.push_back(fmt::format("line {}: the bytes of bloat-o-meter", rows[i].line->number));
      continue;
    }
    Finding finding = finding_at(rows[i]);
    finding.kind = "total";
    finding.printed = std::to_string(fault->printed);
    finding.column = rows[i].line->text.rfind(finding.printed) + 1;
    finding.width = finding.printed.size();
    const auto right = static_cast<double>(fault->right);
    finding.recomputed = Range{right, right, right};
    finding.message = fmt::format("{} is not {}, which is {}", finding.printed, fault->what, fault->right);
    finding.slip = "a digit wrong, or a row lost";
    out.findings.push_back(std::move(finding));
  }
}

}  // namespace tollgate::audit
