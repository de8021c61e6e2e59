#include "kernel/era.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/text.h"
#include "config/document.h"

namespace tollgate::kernel {

const std::vector<std::string> kPlaceNames = {
    "absolute", "entry_text",   "trampoline", "entry_stack", "tss",       "exception_stack", "idt", "percpu", "task_stack",
    "task_objects", "user_code", "user_stack", "user_data"};

const std::vector<std::string> kRequiredSequences = {"syscall.pti",   "syscall.plain",   "sysret.pti",    "sysret.plain",
                                                     "exception.pti", "exception.plain", "interrupt.pti", "interrupt.plain",
                                                     "iret.pti",      "iret.plain"};

const std::vector<std::string> kRequiredPaths = {"lseek",    "syscall", "fault",   "fork", "exec",   "exit",
                                                 "schedule", "eventfd", "madvise", "mmap", "munmap", "tick"};

const Path& Era::sequence(const std::string& wanted) const {
  const auto at = sequences.find(wanted);
  CHECK(at != sequences.end(), "the loader demands every sequence");
  return at->second;
}

namespace {

constexpr std::int64_t kMostPages = 100000;
constexpr std::uint32_t kMostInstructions = 1000000;

Result<Place> parse_place(const std::string& word, const SourcePlace& place) {
  const auto at = std::find(kPlaceNames.begin(), kPlaceNames.end(), word);
  if (at == kPlaceNames.end() || word == "absolute")
    return fail(fmt::format("unknown place '{}'{}", word, did_you_mean(word, kPlaceNames)), place);
  return static_cast<Place>(at - kPlaceNames.begin());
}

Result<std::uint32_t> parse_instructions(const std::string& word, const SourcePlace& place) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number > kMostInstructions)
    return fail(fmt::format("'{}' is not a number of instructions", word), place);
  return number;
}

Result<PathStep> parse_step(const std::string& text, const SourcePlace& place) {
  const std::vector<std::string> words = split(text, ' ');
  if (text == "load kernel root") return PathStep{PathStep::Op::load_kernel_root, Place::absolute, 0, 0};
  if (text == "load user root") return PathStep{PathStep::Op::load_user_root, Place::absolute, 0, 0};
  if (words.size() == 3 && words[0] == "fetch") {
    const Place where = TRY(parse_place(words[1], place));
    return PathStep{PathStep::Op::fetch, where, 0, TRY(parse_instructions(words[2], place))};
  }
  if (words.size() == 2 && (words[0] == "read" || words[0] == "write")) {
    const Place where = TRY(parse_place(words[1], place));
    return PathStep{words[0] == "read" ? PathStep::Op::read : PathStep::Op::write, where, 0, 0};
  }
  return fail(fmt::format("'{}' is not a step: want 'fetch PLACE N', 'read PLACE', 'write PLACE', 'load kernel root' or "
                          "'load user root'", text), place);
}

Result<PathSpec> read_path(const config::Table& table, const std::string& name) {
  PathSpec spec;
  spec.name = name;
  spec.instructions = TRY(table.figure("instructions", config::Dimension::instructions));
  const auto count = [&](std::string_view key, std::int64_t least) { return table.integer(key, least, kMostPages); };
  spec.text_pages = int(TRY(count("text_pages", 1)));
  spec.text_large_pages = int(TRY(table.integer("text_large_pages", 1, 64)));
  spec.direct_objects = int(TRY(count("direct_objects", 0)));
  spec.direct_large_pages = int(TRY(table.integer("direct_large_pages", spec.direct_objects > 0 ? 1 : 0, 1000)));
  spec.percpu_pages = int(TRY(table.integer("percpu_pages", 0, 64)));
  spec.rodata_pages = int(TRY(count("rodata_pages", 0)));
  spec.stack_pages = int(TRY(table.integer("stack_pages", 0, 4)));
  spec.source = TRY(table.text("source"));
  return spec;
}

Result<void> read_sequences(const config::Table& table, Era& era) {
  for (const auto& name : kRequiredSequences) {
    const auto steps = TRY(table.text_list(name));
    for (const auto& step : steps) era.sequences[name].push_back(TRY(parse_step(step, table.place_of(name))));
  }
  return {};
}

}  // namespace

Result<Era> load_era(const std::string& path, const std::vector<std::string>& overrides) {
  config::Document document = TRY(config::Document::load(path));
  TRY(document.set_all(overrides));
  const config::Table root = document.root();
  Era era;
  era.name = TRY(root.text("name"));
  era.title = TRY(root.text("title"));
  era.hz = int(TRY(TRY(root.table("tick")).integer("hz", 1, 10000)));
  const config::Table memory = TRY(root.table("memory"));
  era.text_large_pages = int(TRY(memory.integer("text_large_pages", 1, 64)));
  era.rodata_large_pages = int(TRY(memory.integer("rodata_large_pages", 1, 64)));
  era.data_large_pages = int(TRY(memory.integer("data_large_pages", 1, 64)));
  era.memory_bytes = std::uint64_t(TRY(memory.integer("bytes", std::int64_t{1} << 32, std::int64_t{1} << 42)));
  TRY(read_sequences(TRY(root.table("sequence")), era));
  const config::Table paths = TRY(root.table("path"));
  for (const auto& name : kRequiredPaths) era.paths[name] = TRY(read_path(TRY(paths.table(name)), name));
  TRY(document.finish());
  return era;
}

}  // namespace tollgate::kernel
