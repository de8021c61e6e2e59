// Any bytes as a TOML file: reading them as a document, as a machine, as published rows, and with a setting taken from the
// first line, ends in values or in an error that says something, never in a stop.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/document.h"
#include "hw/machine.h"
#include "lab/published.h"

namespace {

template <typename T>
void expect_reason(const tollgate::Result<T>& result) {
  if (!result && (result.error().message.empty() || result.error().place.file.empty())) std::abort();
}

/// Draws must keep their ranges whatever the file says.
void draw_one(const tollgate::hw::Machine& machine) {
  for (const auto& array : tollgate::hw::draw_machine(machine, 1, 1).tlb)
    if (array.sets < 1 || array.ways < 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tollgate;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string setting(input.substr(0, input.find('\n')));
  expect_reason(config::Document::parse(input, "input"));
  expect_reason(lab::parse_published(input, "input"));
  const auto machine = hw::parse_machine(input, "input");
  expect_reason(machine);
  if (machine) draw_one(*machine);
  const std::string_view rest = input.substr(std::min(input.size(), setting.size() + 1));
  const auto changed = hw::parse_machine(rest, "input", {setting});
  expect_reason(changed);
  if (changed) draw_one(*changed);
  return 0;
}
