#include "cli/data_paths.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "cli/output.h"

namespace tollgate::cli {
namespace {

namespace fs = std::filesystem;

/// "machine" for "machines", "a machine": what one of them is called in a message.
std::string_view singular(std::string_view kind) {
  return kind.ends_with('s') ? kind.substr(0, kind.size() - 1) : kind;
}
std::string one_of(std::string_view kind) {
  const std::string_view name = singular(kind);
  const bool vowel = std::string_view("aeiou").find(name.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", name);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

}  // namespace

Result<fs::path> data_folder() {
  if (const char* chosen = std::getenv("TOLLGATE_DATA"); chosen != nullptr && *chosen != '\0') {
    if (is_folder(chosen)) return fs::path(chosen);
    return fail("TOLLGATE_DATA names no folder", {chosen});
  }
  const fs::path source = TOLLGATE_SOURCE_DIR;
  if (is_folder(source)) return source;
  std::error_code ignored;
  const fs::path shared = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "share/tollgate";
  if (is_folder(shared)) return shared;
  return fail(fmt::format("cannot find the data folder: neither {} nor {} is there; set TOLLGATE_DATA", source.string(),
                          shared.string()));
}

Result<std::vector<std::string>> data_names(std::string_view kind) {
  const fs::path folder = TRY(data_folder()) / kind;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".toml") names.push_back(at->path().stem().string());
  }
  if (error) return fail(error.message(), {folder.string()});
  std::sort(names.begin(), names.end());
  return names;
}

Result<fs::path> find_data_file(std::string_view kind, std::string_view name) {
  std::error_code error;
  if (name.find('/') != std::string_view::npos || name.ends_with(".toml")) {
    const fs::path path = name;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) return fail("no such file", {path.string()});
    if (fs::is_directory(status)) return fail(fmt::format("a folder, not {} file", one_of(kind)), {path.string()});
    note_input(path);
    return path;
  }
  const auto names = TRY(data_names(kind));
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return fail(fmt::format("unknown {} '{}'{}", singular(kind), name, did_you_mean(name, names)));
  }
  const fs::path path = TRY(data_folder()) / kind / (std::string(name) + ".toml");
  note_input(path);
  return path;
}

}  // namespace tollgate::cli
