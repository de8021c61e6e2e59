#include "trace/recognise.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "trace/drmemtrace.h"
#include "trace/format.h"

namespace tollgate::trace {
namespace {

struct Signature {
  std::string_view magic;
  Content content;
};

constexpr std::array<Signature, 8> kSignatures{{
    {kFileMagic, Content::tollgate_trace},
    {std::string_view("\x1f\x8b", 2), Content::gzip},
    {std::string_view("\x28\xb5\x2f\xfd", 4), Content::zstd},
    {std::string_view("\xfd"
                      "7zXZ\0",
                      6),
     Content::xz},
    {std::string_view("BZh", 3), Content::bzip2},
    {std::string_view("\x04\x22\x4d\x18", 4), Content::lz4},
    {std::string_view("PK\x03\x04", 4), Content::zip},
    {std::string_view("\x7f"
                      "ELF",
                      4),
     Content::elf},
}};

bool is_reference_line(std::string_view line) {
  constexpr std::array<std::string_view, 4> kBegin{"I  ", " L ", " S ", " M "};
  return std::ranges::any_of(kBegin, [&](std::string_view begin) { return line.starts_with(begin); });
}

Content recognise_text(std::string_view text) {
  bool valgrind = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (is_reference_line(line)) return Content::lackey_text;
    if (!line.starts_with("==")) return Content::text;
    valgrind = true;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return valgrind ? Content::valgrind_log : Content::text;
}

std::string_view name_of(Content content) {
  switch (content) {
    case Content::empty:
      return "an empty file";
    case Content::tollgate_trace:
      return "a Tollgate trace";
    case Content::lackey_text:
      return "lackey text";
    case Content::drmemtrace:
      return "a DynamoRIO drmemtrace recording";
    case Content::valgrind_log:
      return "a Valgrind log without references";
    case Content::gzip:
      return "a gzip file";
    case Content::zstd:
      return "a zstd file";
    case Content::xz:
      return "an xz file";
    case Content::bzip2:
      return "a bzip2 file";
    case Content::lz4:
      return "an lz4 file";
    case Content::zip:
      return "a zip archive";
    case Content::elf:
      return "a program";
    case Content::binary:
      return "a binary file of a kind we do not know";
    case Content::text:
      return "text of a kind we do not know";
  }
  return "";
}

bool is_packed(Content content) {
  constexpr std::array kPacked{Content::gzip, Content::zstd, Content::xz, Content::bzip2, Content::lz4, Content::zip};
  return std::ranges::find(kPacked, content) != kPacked.end();
}

constexpr std::string_view kRecordWithLackey =
    "record with: valgrind --tool=lackey --trace-mem=yes --log-file=OUT PROGRAM";

}  // namespace

Content recognise(std::string_view beginning) {
  if (beginning.empty()) return Content::empty;
  for (const Signature& signature : kSignatures)
    if (beginning.starts_with(signature.magic)) return signature.content;
  if (is_drmemtrace(beginning)) return Content::drmemtrace;
  beginning = beginning.substr(0, kRecogniseBytes);
  const Content text = recognise_text(beginning);
  if (text == Content::lackey_text) return text;  // an odd byte further down is then named with its line
  if (beginning.find('\0') != std::string_view::npos) return Content::binary;
  const auto odd = std::ranges::count_if(beginning, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte < 0x20 && c != '\n' && c != '\t' && c != '\r');
  });
  if (static_cast<std::size_t>(odd) * 4 > beginning.size()) return Content::binary;
  return text;
}

std::string describe_foreign_trace(Content content) {
  std::string text = fmt::format("is {}, not a Tollgate trace", name_of(content));
  const bool packed = is_packed(content);
  if (content == Content::lackey_text || content == Content::drmemtrace || packed)
    text += fmt::format("; make one of {} with: tollgate trace import FILE -o OUT", packed ? "what it holds" : "it");
  return text;
}

std::string describe_foreign_text(Content content) {
  if (content == Content::tollgate_trace)
    return "is a Tollgate trace already: name the file itself, for it is read from its end";
  if (content == Content::empty) return fmt::format("is empty; {}", kRecordWithLackey);
  if (content == Content::valgrind_log)
    return "is a Valgrind log without references: lackey prints them only with --trace-mem=yes";
  if (is_packed(content)) return fmt::format("is {} that cannot be unpacked: it is damaged", name_of(content));
  std::string text = fmt::format(
      "is {}, neither the text of valgrind --tool=lackey --trace-mem=yes nor a DynamoRIO drmemtrace recording",
      name_of(content));
  if (content == Content::elf) text += fmt::format("; {}", kRecordWithLackey);
  return text;
}

}  // namespace tollgate::trace
