// Any words on the command line, one a line of the input: parsing them ends in help, a verb or an error, never a stop.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/text.h"
#include "cli/catalogue.h"
#include "cli/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tollgate;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto outcome = cli::parse(cli::catalogue(), split(input, '\n'), "0");
  if (!outcome && outcome.error().message.empty()) std::abort();  // an error that says nothing
  return 0;
}
