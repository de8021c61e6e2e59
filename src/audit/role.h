// The role that the words of a header or a label give to a column or a row: the one compared with, the one compared, the
// change between them, a spread, a count.
#pragma once

#include <string_view>

namespace tollgate::audit {

enum class Role { none, before, after, change, spread, count };

Role role_of(std::string_view words);

/// Of a row's label. A longer one is a sentence, in which "old" and "new" name no sides.
Role role_of_label(std::string_view label);

/// What an improvement is for the quantity the words name.
enum class Better { unknown, higher, lower };
Better better_of(std::string_view words);

/// 1 where the last word is of a rise ("goes up"), -1 where of a fall ("reduced"), else 0.
int direction_at_end(std::string_view words);

}  // namespace tollgate::audit
