#include "cli/list_figures.h"

#include <fmt/core.h>

namespace tollgate::cli {

std::string bound_text(double value) { return fmt::format("{}", value); }

report::Table figure_table(const std::vector<ListedFigure>& figures) {
  using report::Align;
  report::Table table{{{"figure"},
                       {"low", Align::right},
                       {"typical", Align::right},
                       {"high", Align::right},
                       {"unit"},
                       {"kind"},
                       {"source"}},
                      {}};
  for (const auto& [name, meaning, figure] : figures) {
    if (figure == nullptr) continue;
    table.rows.push_back({name, bound_text(figure->low), bound_text(figure->typical), bound_text(figure->high),
                          figure->unit, std::string(to_text(figure->kind)), figure->source});
  }
  return table;
}

report::Bullets figure_meanings(const std::vector<ListedFigure>& figures) {
  report::Bullets bullets;
  for (const auto& [name, meaning, figure] : figures) bullets.items.push_back(fmt::format("{}: {}", name, meaning));
  return bullets;
}

void write_figure(report::JsonWriter& json, const config::Figure& figure) {
  json.begin_object();
  json.key("low").number(figure.low).key("typical").number(figure.typical).key("high").number(figure.high);
  json.key("unit").text(figure.unit).key("kind").text(to_text(figure.kind)).key("source").text(figure.source);
  json.end_object();
}

void write_figures(report::JsonWriter& json, const std::vector<ListedFigure>& figures) {
  json.begin_object();
  for (const auto& [name, meaning, figure] : figures) {
    if (figure == nullptr) continue;
    json.key(name);
    write_figure(json, *figure);
  }
  json.end_object();
}

}  // namespace tollgate::cli
