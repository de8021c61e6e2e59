#include "report/tornado.h"

#include <algorithm>
#include <cmath>

namespace tollgate::report {
namespace {

/// The range that all bars share.
class Scale {
 public:
  explicit Scale(std::size_t width) : width_(width) {}

  void hold(const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return;
    low_ = empty_ ? *value : std::min(low_, *value);
    high_ = empty_ ? *value : std::max(high_, *value);
    empty_ = false;
  }
  std::optional<std::size_t> place(const std::optional<double>& value) const {
    if (!value || !std::isfinite(*value)) return std::nullopt;
    const double span = high_ - low_;
    const double share = span > 0 && std::isfinite(span) ? (*value - low_) / span : 0.5;
    return static_cast<std::size_t>(std::lround(share * double(width_ - 1)));
  }

 private:
  std::size_t width_;
  bool empty_ = true;
  double low_ = 0;
  double high_ = 0;
};

std::string drawn(const TornadoBar& bar, const std::optional<double>& centre, const Scale& scale, std::size_t width) {
  std::string text(width, '.');
  const auto low = scale.place(bar.at_low), high = scale.place(bar.at_high), middle = scale.place(centre);
  if (low && high)
    std::fill(text.begin() + std::ptrdiff_t(std::min(*low, *high)),
              text.begin() + std::ptrdiff_t(std::max(*low, *high)), '=');
  if (middle) text[*middle] = '|';
  if (low) text[*low] = 'L';
  if (high) text[*high] = low == high ? 'X' : 'H';
  return text;
}

}  // namespace

std::vector<std::string> tornado(const std::vector<TornadoBar>& bars, std::optional<double> centre, std::size_t width) {
  Scale scale(width);
  scale.hold(centre);
  for (const auto& bar : bars) {
    scale.hold(bar.at_low);
    scale.hold(bar.at_high);
  }
  std::vector<std::string> texts;
  for (const auto& bar : bars) texts.push_back(drawn(bar, centre, scale, width));
  return texts;
}

}  // namespace tollgate::report
