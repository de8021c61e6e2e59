// PatchReader: which lines of a mail are source code in a patch. Code holds figures that nobody measured, and most mail on
// the lists is patches: it is left out. A patch of documentation is read, as tables stand there.
#pragma once

#include <cstddef>
#include <string_view>

namespace tollgate::audit {

class PatchReader {
 public:
  /// Takes every line in order, without its quote marks; whether it is code, or a line that frames it.
  bool is_code(std::string_view line, std::size_t depth);

 private:
  bool begins_file(std::string_view line);

  bool code_ = false;     // the file that the patch changes now
  bool in_hunk_ = false;  // after "@@"
  std::size_t depth_ = 0;
};

}  // namespace tollgate::audit
