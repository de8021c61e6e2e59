// Any text as lackey's: taken whole or in pieces it gives the same references, or the same error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "trace/lackey.h"
#include "trace/writer.h"

namespace {

using tollgate::trace::LackeyParser;

/// The error, or the totals in words.
std::string outcome(std::string_view text, std::size_t piece) {
  auto writer = tollgate::trace::TraceWriter::create("/dev/null", {});
  if (!writer) std::abort();
  LackeyParser parser(*writer, "text");
  std::string window;
  while (true) {
    const std::string padded = window + std::string(LackeyParser::kPadding, '7');
    const auto taken = parser.consume(std::string_view(padded).substr(0, window.size()));
    if (!taken) return taken.error().text();
    window.erase(0, *taken);
    if (text.empty()) break;
    window += text.substr(0, piece);
    text.remove_prefix(std::min(piece, text.size()));
  }
  if (const auto finished = parser.finish(window); !finished) return finished.error().text();
  const auto totals = writer->finish();
  if (!totals) std::abort();
  for (const std::string& warning : parser.warnings())
    if (warning.empty()) std::abort();
  return std::to_string(totals->instructions()) + ' ' + std::to_string(totals->reads()) + ' ' +
         std::to_string(totals->writes()) + ' ' + std::to_string(totals->pages) + ' ' + std::to_string(parser.lines());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (outcome(text, size + 1) != outcome(text, 1 + size % 37)) std::abort();
  return 0;
}
