// The text of an HTML part of a mail: what a reader sees, as lines, the cells of a table between bars.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::audit {

struct HtmlLine {
  std::string text;
  std::size_t source = 0;  // the line of the part that it begins in, from 0
};

/// Any bytes: tags that are not closed, entities that do not exist and such stand as they are. Comments, scripts and styles
/// are left out; what a <blockquote> holds is quoted with "> ". Time is linear in the length.
std::vector<HtmlLine> html_lines(std::string_view html);

}  // namespace tollgate::audit
