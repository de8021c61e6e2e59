#include "audit/patches.h"

#include <algorithm>
#include <array>

namespace tollgate::audit {
namespace {

constexpr std::array<std::string_view, 28> kEndings{
    ".c",  ".h",    ".S",   ".s",  ".cc", ".cpp", ".hpp", ".hh", ".rs", ".py",   ".sh", ".pl", ".go",    ".java",
    ".js", ".dtsi", ".dts", ".ts", ".y",  ".l",   ".lds", ".mk", ".mm", ".yaml", ".in", ".ld", ".cocci", ".tbl"};
constexpr std::array<std::string_view, 4> kNames{"Makefile", "Kconfig", "Kbuild", "defconfig"};

bool is_code_file(std::string_view path) {
  const auto ends = [&](std::string_view end) { return path.ends_with(end); };
  return std::any_of(kEndings.begin(), kEndings.end(), ends) || std::any_of(kNames.begin(), kNames.end(), ends);
}

}  // namespace

bool PatchReader::begins_file(std::string_view line) {
  const bool named = line.starts_with("diff --git ") || line.starts_with("+++ ") || line.starts_with("--- a/");
  if (!named) return false;
  std::string_view path = line.substr(line.rfind(' ') + 1);
  path = path.substr(0, path.find('\t'));
  if (path != "/dev/null") code_ = is_code_file(path);
  in_hunk_ = false;
  return true;
}

bool PatchReader::is_code(std::string_view line, std::size_t depth) {
  if (in_hunk_ && depth == depth_) {
    const bool inside =
        line.empty() || line.front() == ' ' || line.front() == '+' || line.front() == '-' || line.front() == '\\';
    const bool ends = line == "-- " || line == "--" || line.starts_with("--- a/") || line.starts_with("+++ b/");
    if (inside && !ends) return code_;
    in_hunk_ = false;
  }
  if (line.empty()) return false;
  if (line.starts_with("@@ -")) {
    in_hunk_ = true;
    depth_ = depth;
    return true;
  }
  const char first = line.front();
  return (first == 'd' || first == '+' || first == '-') && begins_file(line);
}

}  // namespace tollgate::audit
