#include "report/comparison_report.h"

#include "report/sections.h"

namespace tollgate::report {
namespace {

constexpr std::size_t kWhyRows = 5;

Document build(const evidence::Comparison& comparison) {
  Document document;
  add_title(document, comparison);
  add_metrics(document, comparison);
  add_estimates(document, comparison);
  add_why(document, comparison, kWhyRows);
  add_exposure(document, comparison);
  add_published(document, comparison);
  add_list(document, "notes", notes_of(comparison));
  add_list(document, "warnings", comparison.warnings);
  document.push_back(Paragraph{"digest " + comparison.digest});
  return document;
}

}  // namespace

std::string table_text(const evidence::Comparison& comparison) { return render_text(build(comparison)); }
std::string table_markdown(const evidence::Comparison& comparison) { return render_markdown(build(comparison)); }

}  // namespace tollgate::report
