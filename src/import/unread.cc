#include "import/unread.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace tollgate::import {
namespace {

/// "3;fio-3.33;job;0;0;...": version, fio, the job's name. Version 2 lacks the second field; all have dozens (fio HOWTO, "Terse
/// output").
bool is_fio_terse(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) {
    if (line.text.size() < 2 || line.text[0] < '2' || line.text[0] > '9' || line.text[1] != ';') return false;
    return line.text.substr(2).starts_with("fio-") || (line.text[0] == '2' && std::ranges::count(line.text, ';') > 40);
  });
}

struct Unread {
  bool (*recognises)(const Source&) = nullptr;
  const char* what;
};
constexpr std::array kUnread{
    Unread{is_fio_terse, "is fio's terse output: import reads fio --output-format=json"},
};

}  // namespace

std::optional<Error> why_unread(const Source& source) {
  for (const Unread& unread : kUnread)
    if (unread.recognises(source)) return Error{unread.what};
  return std::nullopt;
}

}  // namespace tollgate::import
