// scripts/bloat-o-meter: the head of its report says how many symbols came, went, grew and shrank and by how many bytes,
// the rows say by how much each, the last line how large the image was before and after. All of it is whole bytes.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <tuple>

#include "audit/checks.h"

namespace tollgate::audit {
namespace {

struct Head {
  double symbols = 0;                // that came, went, grew or shrank: a row each
  double up = 0, down = 0, net = 0;  // bytes; what went down is negative
};

constexpr double kMostBytes = 1e15;  // whole numbers up to there, and their sums, are exact

/// Whole numbers of the text that `format` reads, when they are all there and none is absurdly large.
template <std::size_t N>
std::optional<std::array<double, N>> whole_numbers(const char* text, const char* format) {
  std::array<double, N> numbers{};
  const int read = std::apply([&](auto&... number) { return std::sscanf(text, format, &number...); }, numbers);
  const bool usable = read == static_cast<int>(N) && std::all_of(numbers.begin(), numbers.end(), [](double number) {
                        return std::fabs(number) <= kMostBytes && number == std::trunc(number);
                      });
  return usable ? std::optional(numbers) : std::nullopt;
}

std::optional<Head> head_in(const std::string& text) {
  const auto at = text.find("add/remove:");
  if (at == std::string::npos) return std::nullopt;
  const auto numbers =
      whole_numbers<7>(text.c_str() + at, "add/remove: %lf/%lf grow/shrink: %lf/%lf up/down: %lf/%lf (%lf)");
  if (!numbers) return std::nullopt;
  const auto& [added, removed, grown, shrunk, up, down, net] = *numbers;
  return Head{added + removed + grown + shrunk, up, down, net};
}

/// The first thing that does not hold, as "PRINTED is not ...".
struct Fault {
  double printed = 0, right = 0;
  std::string what;
  std::optional<Spot> row = {};  // the figure, where it is one of a row
};

/// What the rows below a head add up to, as far as the "Total:" line or the end of the paragraph.
struct Body {
  std::optional<Fault> false_delta;  // that is not its row's new size less the old
  double symbols = 0;
  double up = 0, down = 0;           // bytes
  std::optional<double> difference;  // of the image, after - before
};

Body body_below(const Rows& rows, std::size_t head) {
  Body body;
  for (std::size_t i = head + 1; i < rows.size() && rows[i].kind != RowKind::blank; ++i) {
    const std::string& text = rows[i].line->text;
    if (const auto total = text.find("Total: Before="); total != std::string::npos) {
      if (const auto sizes = whole_numbers<2>(text.c_str() + total, "Total: Before=%lf, After=%lf"))
        body.difference = (*sizes)[1] - (*sizes)[0];
      break;
    }
    if (rows[i].tokens.empty() || !rows[i].tokens.back().number.has_sign()) continue;
    const auto& tokens = rows[i].tokens;
    const double delta = tokens.back().number.value;
    if (tokens.size() == 3 && !body.false_delta) {
      const double right = tokens[1].number.value - tokens[0].number.value;
      if (right != delta) body.false_delta = Fault{delta, right, "the new size less the old", Spot{i, 2}};
    }
    (delta > 0 ? body.up : body.down) += delta;
    ++body.symbols;
  }
  return body;
}

std::optional<Fault> fault_of(const Head& head, const Body& body) {
  if (body.false_delta) return body.false_delta;
  if (body.symbols == head.symbols) {  // else the list was shortened
    if (body.up != head.up) return Fault{head.up, body.up, "what the rows grew by together"};
    if (body.down != head.down) return Fault{head.down, body.down, "what the rows shrank by together"};
  }
  if (head.up + head.down != head.net)
    return Fault{head.net, head.up + head.down, fmt::format("{:.0f} and {:.0f} together", head.up, head.down)};
  if (body.difference && *body.difference != head.net)
    return Fault{head.net, *body.difference, "the difference of the image, after less before"};
  return std::nullopt;
}

}  // namespace

void check_bloat(const Rows& rows, Audited& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].tokens.empty()) continue;
    const auto head = head_in(rows[i].line->text);
    if (!head) continue;
    const auto fault = fault_of(*head, body_below(rows, i));
    if (!fault) {
      out.held.push_back(fmt::format("line {}: the bytes of bloat-o-meter", rows[i].line->number));
      continue;
    }
    Finding finding = fault->row ? finding_at(rows, *fault->row) : finding_at(rows[i]);
    finding.kind = fault->row ? "difference" : "total";
    if (!fault->row) {
      finding.printed = fmt::format("{:.0f}", fault->printed);
      finding.column = rows[i].line->text.rfind(finding.printed) + 1;
      finding.width = finding.printed.size();
    }
    finding.recomputed = Range{fault->right, fault->right, fault->right};
    finding.message = fmt::format("{} is not {}, which is {:.0f}", finding.printed, fault->what, fault->right);
    finding.slip = "a digit wrong, or a row lost";
    out.findings.push_back(std::move(finding));
  }
}

}  // namespace tollgate::audit
