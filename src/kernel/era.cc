#include "kernel/era.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/check.h"
#include "base/text.h"
#include "config/document.h"

namespace tollgate::kernel {

const std::vector<std::string> kPlaceNames = {
    "absolute", "entry_text", "trampoline",   "entry_stack", "tss",        "exception_stack", "idt",
    "percpu",   "task_stack", "task_objects", "user_code",   "user_stack", "user_data"};

std::uint64_t object_large_pages(const Era& era) { return era.memory_bytes / hw::bytes_of(hw::PageSize::k2M) / 4; }

const std::vector<std::string>& required_sequences(const std::string& architecture) {
  static const std::vector<std::string> kPlain = {"syscall.plain", "sysret.plain", "exception.plain", "interrupt.plain",
                                                  "iret.plain"};
  static const std::vector<std::string> kBoth = {"syscall.pti",   "syscall.plain",   "sysret.pti",    "sysret.plain",
                                                 "exception.pti", "exception.plain", "interrupt.pti", "interrupt.plain",
                                                 "iret.pti",      "iret.plain"};
  return architecture == "x86_64" ? kBoth : kPlain;
}

const std::vector<std::string>& required_paths(const std::string& architecture) {
  static const std::vector<std::string> kPrograms = {"lseek",    "syscall", "fault",   "fork", "exec",   "exit",
                                                     "schedule", "eventfd", "madvise", "mmap", "munmap", "tick"};
  static const std::vector<std::string> kGuests = {"fault", "schedule", "tick", "vm_exit", "vcpu_wait", "vcpu_wake"};
  return architecture == "x86_64" ? kPrograms : kGuests;
}

const Path& Era::sequence(const std::string& wanted) const {
  const auto at = sequences.find(wanted);
  CHECK(at != sequences.end(), "the loader demands every sequence");
  return at->second;
}

namespace {

constexpr std::int64_t kMostPages = 32768;
constexpr std::uint32_t kMostInstructions = 1000000;  // of a step
constexpr double kMostPathInstructions = 1e9;
constexpr std::int64_t kPagesInLarge = 512;

Result<Place> parse_place(const std::string& word, const SourcePlace& place) {
  const std::span<const std::string> named = std::span(kPlaceNames).subspan(1);  // layouts alone use absolute pages
  const auto at = std::find(named.begin(), named.end(), word);
  if (at == named.end()) return fail(fmt::format("unknown place '{}'{}", word, did_you_mean(word, named)), place);
  return static_cast<Place>(1 + (at - named.begin()));
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
  return fail(
      fmt::format("'{}' is not a step: want 'fetch PLACE N', 'read PLACE', 'write PLACE', 'load kernel root' or "
                  "'load user root'",
                  text),
      place);
}

/// Pages spread over large pages: one at least in each, and no more than they hold.
Result<void> check_spread(const config::Table& table, std::string_view key, std::int64_t pages,
                          std::string_view large_key, std::int64_t large, std::int64_t most_large,
                          std::string_view limit) {
  if (large > most_large)
    return fail(fmt::format("'{}' is {}, but {} is {}", table.path_of(large_key), large, limit, most_large),
                table.place_of(large_key));
  if (pages < large || pages > large * kPagesInLarge)
    return fail(fmt::format("'{}' is {}, it must be from {} to {} to lie in {} large pages", table.path_of(key), pages,
                            large, large * kPagesInLarge, large),
                table.place_of(key));
  return {};
}

Result<void> check_path(const config::Table& table, const PathSpec& spec, const Era& era) {
  TRY(check_spread(table, "text_pages", spec.text_pages, "text_large_pages", spec.text_large_pages,
                   era.text_large_pages, "memory.text_large_pages"));
  TRY(check_spread(table, "direct_objects", spec.direct_objects, "direct_large_pages", spec.direct_large_pages,
                   std::int64_t(object_large_pages(era)),
                   "the number of 2M pages in the first quarter of memory.bytes"));
  if (spec.instructions.high > kMostPathInstructions)
    return fail(
        fmt::format("'{}' must not be above {} instructions", table.path_of("instructions"), kMostPathInstructions),
        spec.instructions.place);
  return {};
}

Result<PathSpec> read_path(const config::Table& table, const std::string& name, const Era& era) {
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
  TRY(check_path(table, spec, era));
  return spec;
}

enum class LoadedRoot : std::uint8_t { kernel, user };

/// What both roots show under PTI.
bool is_in_user_root(Place place) {
  switch (place) {
    case Place::entry_text:
    case Place::trampoline:
    case Place::entry_stack:
    case Place::tss:
    case Place::exception_stack:
    case Place::idt:
      return true;
    default:
      return false;
  }
}

bool is_read_only(Place place) {
  return place == Place::entry_text || place == Place::trampoline || place == Place::tss || place == Place::idt;
}

/// Entry and exit code must not fault: what a step touches is there, in the root loaded then.
Result<void> check_reference(const PathStep& step, LoadedRoot root, const std::string& name, const SourcePlace& place) {
  const std::string& where = kPlaceNames[static_cast<std::size_t>(step.place)];
  if (step.op == PathStep::Op::write && is_read_only(step.place))
    return fail(fmt::format("sequence '{}' writes {}, which is mapped read-only", name, where), place);
  if (step.place == Place::user_code || step.place == Place::user_stack || step.place == Place::user_data)
    return fail(fmt::format("sequence '{}' touches {}, which may not be present", name, where), place);
  if (root == LoadedRoot::user && !is_in_user_root(step.place))
    return fail(
        fmt::format("sequence '{}' touches {} while the user root is loaded, which does not show it", name, where),
        place);
  return {};
}

/// Under PTI an entry loads the kernel's root, once, and an exit the user's; without PTI there is one root.
Result<void> check_sequence(const Path& path, const std::string& name, const SourcePlace& place) {
  const bool isolated = name.ends_with(".pti");
  const bool leaves = name.starts_with("sysret") || name.starts_with("iret");
  LoadedRoot root = isolated && !leaves ? LoadedRoot::user : LoadedRoot::kernel;
  int loads = 0;
  for (const PathStep& step : path) {
    const bool loads_kernel = step.op == PathStep::Op::load_kernel_root;
    if (!loads_kernel && step.op != PathStep::Op::load_user_root) {
      TRY(check_reference(step, root, name, place));
      continue;
    }
    if (!isolated || loads_kernel == leaves)
      return fail(fmt::format("sequence '{}' must not load the {} root", name, loads_kernel ? "kernel" : "user"),
                  place);
    root = loads_kernel ? LoadedRoot::kernel : LoadedRoot::user;
    ++loads;
  }
  if (loads != int(isolated))
    return fail(fmt::format("sequence '{}' must load the {} root exactly once", name, leaves ? "user" : "kernel"),
                place);
  return {};
}

Result<void> read_sequences(const config::Table& table, Era& era) {
  for (const auto& name : required_sequences(era.architecture)) {
    const auto steps = TRY(table.text_list(name));
    Path& path = era.sequences[name];
    for (const auto& step : steps) path.push_back(TRY(parse_step(step, table.place_of(name))));
    TRY(check_sequence(path, name, table.place_of(name)));
  }
  return {};
}

}  // namespace

Result<Era> load_era(const std::string& path, const std::vector<std::string>& overrides) {
  config::Document document = TRY(config::Document::load(path));
  TRY(document.set_all(overrides, "kernel"));
  const config::Table root = document.root();
  Era era;
  era.name = TRY(root.text("name"));
  era.title = TRY(root.text("title"));
  static constexpr std::array<config::Choice<std::string_view>, 2> kArchitectures{
      {{"x86_64", "x86_64"}, {"aarch64", "aarch64"}}};
  if (root.has_text("architecture"))
    era.architecture = std::string(TRY(root.choice<std::string_view>("architecture", kArchitectures)));
  era.hz = int(TRY(TRY(root.table("tick")).integer("hz", 1, 10000)));
  const config::Table memory = TRY(root.table("memory"));
  era.text_large_pages = int(TRY(memory.integer("text_large_pages", 1, 64)));
  era.rodata_large_pages = int(TRY(memory.integer("rodata_large_pages", 1, 64)));
  era.data_large_pages = int(TRY(memory.integer("data_large_pages", 1, 64)));
  era.memory_bytes = std::uint64_t(TRY(memory.integer("bytes", std::int64_t{1} << 32, std::int64_t{1} << 42)));
  TRY(read_sequences(TRY(root.table("sequence")), era));
  const config::Table paths = TRY(root.table("path"));
  for (const auto& name : required_paths(era.architecture))
    era.paths[name] = TRY(read_path(TRY(paths.table(name)), name, era));
  TRY(document.finish());
  return era;
}

}  // namespace tollgate::kernel
