#include "trace/tally.h"

#include <algorithm>

namespace tollgate::trace {

void Tally::note_stream(std::uint16_t stream) {
  if (std::ranges::find(totals_.streams, stream) == totals_.streams.end()) totals_.streams.push_back(stream);
}

TraceTotals Tally::totals() const {
  TraceTotals totals = totals_;
  totals.fetch_pages = fetched_.size();
  totals.data_pages = accessed_.size();
  const auto shared = std::ranges::count_if(fetched_, [this](std::uint64_t page) { return accessed_.contains(page); });
  totals.pages = totals.fetch_pages + totals.data_pages - static_cast<std::uint64_t>(shared);
  return totals;
}

}  // namespace tollgate::trace
