// The audit of an mbox whose mail holds no tables, and of one that is all tables: the texts of the labelled corpus.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "audit/audit.h"
#include "audit/message_stream.h"
#include "base/random.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kBytes = 8'000'000;

std::string message(std::size_t number, const std::string& body) {
  return fmt::format(
      "From mboxrd@z Thu Jan  1 00:00:00 1970\nDate: Tue, 19 Aug 2025 18:03:26 +0000\nFrom: A <a{0}@example.org>\n"
      "To: list@example.org\nSubject: Re: [PATCH v2 {0}/9] mm: something\nMessage-ID: <{0}.x@example.org>\n"
      "MIME-Version: 1.0\nContent-Type: text/plain; charset=\"UTF-8\"\nContent-Transfer-Encoding: 8bit\n\n{1}\n\n",
      number, body);
}

/// Words of the lists, a figure every 25 words, some paragraphs quoted; two messages of five carry a patch.
std::string prose_body(RandomStream& random) {
  static constexpr std::array<std::string_view, 32> kWords{
      "the",    "a",       "of",   "to",    "and",  "in",    "that",   "patch",   "page",  "table", "entry",
      "flush",  "kernel",  "mean", "total", "lock", "value", "never",  "path",    "error", "range", "pages",
      "memory", "maximum", "is",   "we",    "call", "this",  "should", "because", "max",   "number"};
  std::string body;
  for (std::uint64_t paragraph = 2 + random.below(4); paragraph > 0; --paragraph) {
    const std::string mark = random.below(2) == 0 ? "> " : "";
    std::string line = mark;
    for (std::uint64_t word = 30 + random.below(60); word > 0; --word) {
      line += random.below(25) == 0 ? std::to_string(random.below(9999)) : std::string(kWords[random.below(32)]);
      if (line.size() > 68) {
        body += line + "\n";
        line = mark;
      } else {
        line += ' ';
      }
    }
    body += line + "\n\n";
  }
  if (random.below(5) >= 2) return body;
  body += "diff --git a/mm/vmalloc.c b/mm/vmalloc.c\n--- a/mm/vmalloc.c\n+++ b/mm/vmalloc.c\n@@ -10,40 +10,40 @@ f()\n";
  for (int line = 0; line < 40; ++line)
    body += line % 3 == 0 ? "+\tif (nr_pages > 128 && total < 64)\n"
                          : " \tunsigned long start = max(va->va_start, 4096);\n";
  return body;
}

std::string prose_box() {
  RandomStream random(1);
  std::string box;
  for (std::size_t i = 0; box.size() < kBytes; ++i) box += message(i, prose_body(random));
  return box;
}

std::string table_box() {
  std::vector<std::string> paths, bodies;
  for (const auto& entry : std::filesystem::directory_iterator(TOLLGATE_SOURCE_DIR "/tests/audit-corpus"))
    if (entry.path().filename().string().starts_with("s") && entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    bodies.push_back(text.str());
  }
  std::string box;
  for (std::size_t i = 0; box.size() < kBytes; ++i) box += message(i, bodies[i % bodies.size()]);
  return box;
}

void audit_box(benchmark::State& state, const std::string& box) {
  for (auto _ : state) {
    std::size_t findings = 0;
    const auto read = read_messages(
        box, "box", [&](const Message& one) { findings += audit_lines(one.subject, one.lines).findings.size(); });
    if (!read) state.SkipWithError(read.error().message.c_str());
    benchmark::DoNotOptimize(findings);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(box.size()));
}

void audit_prose(benchmark::State& state) {
  static const std::string box = prose_box();
  audit_box(state, box);
}
BENCHMARK(audit_prose)->Unit(benchmark::kMillisecond);

void audit_tables(benchmark::State& state) {
  static const std::string box = table_box();
  audit_box(state, box);
}
BENCHMARK(audit_tables)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tollgate::audit
