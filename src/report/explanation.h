// The answer of `tollgate explain`: where a delta comes from, which machine figures it hangs on, at which layout it
// tips, and what nobody told us that would decide the rest. Whoever ran the reruns fills the struct; this file only
// shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/comparison.h"

namespace tollgate::report {

/// One figure with a range, of the machine or of what runs on it, rerun at both ends of its range with the same random streams.
struct SensitivityRow {
  std::string variant;  // whose delta against the baseline
  std::string figure;   // "walk.fetch_near"
  double low = 0;
  double typical = 0;
  double high = 0;
  std::string unit;
  std::string kind;  // measured, published, derived, recalled
  std::string source;
  /// (high - low) x difference of the counts it is multiplied with, variant minus baseline; none for what has no count.
  std::optional<double> leverage;
  // Delta of the primary metric over the draws that were rerun: with the figure at `low`, as drawn, and at `high`.
  std::optional<double> delta_percent_low;
  std::optional<double> delta_percent_drawn;
  std::optional<double> delta_percent_high;
};

/// The delta with one setting of the layout at one value, over the draws. Values of a key come in their own order.
struct LayoutStep {
  std::string variant;
  std::string key;    // "kernel.text_pages"
  std::string value;  // "8"
  double median_percent = 0;
  double low_percent = 0;   // 5 %
  double high_percent = 0;  // 95 %
};

struct Explanation {
  evidence::Comparison comparison;
  std::vector<SensitivityRow> sensitivity;  // the ten machine figures with the largest effect, and the other inputs
  std::vector<LayoutStep> layout;
  std::vector<std::string> missing;  // inputs that would decide the rest
};

/// Where a delta tips: two neighbouring values of a key between which the median makes at least half of its whole
/// range, where the lowest and the highest step of it are apart.
struct TippingPoint {
  std::string variant;
  std::string key;
  LayoutStep before;
  LayoutStep after;
};
std::vector<TippingPoint> tipping_points(const std::vector<LayoutStep>& layout);

/// A published delta whose size the model cannot be held to: over the values of a setting that no input fixes, the medians
/// go from less than half of it to more than twice.
struct Unidentifiable {
  evidence::PublishedRow row;
  LayoutStep least, most;  // the steps of the row's variant with the smallest and the largest median; ranges apart
};
std::vector<Unidentifiable> unidentifiable(const evidence::Comparison& comparison,
                                           const std::vector<LayoutStep>& layout);

std::string explanation_text(const Explanation& explanation);
std::string explanation_markdown(const Explanation& explanation);
std::string explanation_json(const Explanation& explanation);

}  // namespace tollgate::report
