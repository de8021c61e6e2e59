// Figures as `tollgate list` shows them, whatever they are figures of: a table of ranges and sources, what each means, JSON.
#pragma once

#include <string>
#include <vector>

#include "config/figure.h"
#include "report/document.h"
#include "report/json_writer.h"

namespace tollgate::cli {

/// A figure under the name that --set knows it by.
struct ListedFigure {
  std::string name;
  std::string meaning;
  const config::Figure* figure = nullptr;  // none: has no value here, and the meaning says why
};

report::Table figure_table(const std::vector<ListedFigure>& figures);
report::Bullets figure_meanings(const std::vector<ListedFigure>& figures);

void write_figure(report::JsonWriter& json, const config::Figure& figure);
/// The next value: an object with a key a figure.
void write_figures(report::JsonWriter& json, const std::vector<ListedFigure>& figures);

/// A bound as the file has it: all its digits and no separators.
std::string bound_text(double value);

}  // namespace tollgate::cli
