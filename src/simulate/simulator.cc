#include "simulate/simulator.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tollgate::simulate {

struct Simulator::Stream {
  std::uint16_t id = 0;
  std::uint32_t space = 1;
  std::array<std::vector<PageWord>, 2> last;  // the filter, by side: the word used last of each slot
  std::array<std::uint64_t, 4> lookups{};     // by route bits
  std::vector<Core> cores;                    // by setup

  void forget_last() {
    for (auto& words : last) std::ranges::fill(words, 0);
  }
};

Simulator::Simulator(std::vector<Setup> setups, PageSizes sizes, std::vector<CurveRequest> curves)
    : setups_(std::move(setups)), sizes_(std::move(sizes)), curve_requests_(std::move(curves)) {
  make_filter();
}

Simulator::Simulator(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

void Simulator::make_filter() {
  for (std::size_t side = 0; side < 2; ++side) {
    Filter& filter = filter_[side];
    std::array<int, hw::kPageSizes> shifts{-1, -1, -1};
    for (const Setup& setup : setups_) {
      const hw::TlbLayout layout(setup.machine);
      for (int size = 0; size < hw::kPageSizes; ++size) {
        if (!sizes_.may_be(static_cast<hw::PageSize>(size))) continue;
        const auto home =
            layout.home(side != 0 ? hw::Side::instruction : hw::Side::data, 1, 0, static_cast<hw::PageSize>(size));
        int& shift = shifts[std::size_t(size)];
        if (home.array < 0 || (shift >= 0 && shift != hw::pages_shift(home.held_as)))
          filter.off[std::size_t(size)] = true;
        if (home.array < 0) continue;
        shift = hw::pages_shift(home.held_as);
        filter.slots = std::gcd(filter.slots, std::uint64_t(layout.arrays()[std::size_t(home.array)].spec.sets));
      }
    }
    const auto level = side != 0 ? Curve::Level::l1i : Curve::Level::l1d;
    for (const CurveRequest& curve : curve_requests_)
      if (curve.level == level) filter.slots = std::gcd(filter.slots, curve.sets);
    filter.slots = std::max<std::uint64_t>(filter.slots, 1);
    filter.mask = std::has_single_bit(filter.slots) ? filter.slots - 1 : 0;
    for (std::size_t size = 0; size < hw::kPageSizes; ++size)
      filter.shifts[size] = filter.off[size] ? 0 : std::max(shifts[size], 0);
  }
}

Simulator::Stream& Simulator::stream_of(std::uint16_t id) {
  for (const auto& stream : streams_)
    if (stream->id == id) return *stream;
  auto stream = std::make_unique<Stream>();
  stream->id = id;
  for (std::size_t side = 0; side < 2; ++side) stream->last[side].resize(std::size_t(filter_[side].slots));
  for (const Setup& setup : setups_) stream->cores.emplace_back(setup);
  for (const CurveRequest& curve : curve_requests_) stream->cores.front().attach(curve.level, curve.sets, curve.ways);
  return *streams_.emplace_back(std::move(stream));
}

Result<void> Simulator::take(std::span<const trace::Record> records) {
  while (!records.empty()) {
    Stream& stream = stream_of(records.front().stream);
    if (records.front().is_event()) {
      TRY(take_event(stream, records.front()));
      records = records.subspan(1);
      continue;
    }
    const auto some = records.first(std::min(kBatch, records.size()));
    records = records.subspan(sizes_.needs_notes() ? take_runs<false>(stream, some) : take_runs<true>(stream, some));
  }
  return {};
}

/// Records to ask memory for ahead of the one at hand, 8 KiB: a batch that was put by comes from far away.
constexpr std::ptrdiff_t kAhead = 256;

/// Takes the runs up to an event or another stream, and returns how many they were.
template <bool kOneSize>
std::size_t Simulator::take_runs(Stream& stream, std::span<const trace::Record> runs) {
  const hw::PageSize one_size = sizes_.of(0);
  const PageWord space = PageWord(stream.space) << kSpaceShift;
  const std::array<Filter, 2> filter = filter_;
  const std::array<PageWord*, 2> last{stream.last[0].data(), stream.last[1].data()};
  std::array<std::uint64_t, 4> lookups{};
  std::size_t count = 0;
  std::uint32_t routes_seen = 0;
  const trace::Record* run = runs.data();
  for (const trace::Record* const end = run + runs.size(); run != end; ++run) {
    if (run->is_event() || run->stream != stream.id) [[unlikely]]
      break;
    __builtin_prefetch(run + kAhead);
    const std::size_t side = run->kind == trace::Kind::fetch;
    const std::size_t mode_and_side = side | std::size_t(run->mode) << 1;
    const std::uint64_t accesses = std::uint64_t{run->instructions} + run->reads + run->writes;
    lookups[mode_and_side] += accesses + (accesses == 0);  // a fetch without instructions: the tail of one
    const hw::PageSize size = kOneSize ? one_size : sizes_.of(run->page);
    const Filter& here = filter[side];
    const int shift = here.shifts[std::size_t(size)];
    const std::uint64_t held = run->page >> shift;
    const PageWord word = page_word(held << shift, size, 0) | space;
    PageWord& before = last[side][here.slot_of(held)];
    words_[count] = word;
    const std::size_t route = mode_and_side | std::size_t(size) << kSizeShift;
    routes_[count] = std::uint8_t(route);
    routes_seen |= 1u << route;
    count += before != word || here.off[std::size_t(size)];
    before = word;
  }
  const auto taken = std::size_t(run - runs.data());
  for (std::size_t i = 0; i < lookups.size(); ++i) stream.lookups[i] += lookups[i];
  drain(stream, count, routes_seen);
  return taken;
}

void Simulator::drain(Stream& stream, std::size_t count, std::uint32_t routes_seen) {
  const Batch batch{std::span(words_).first(count), std::span(routes_).first(count), routes_seen};
  for (Core& core : stream.cores) core.refer(batch);
}

Result<std::uint32_t> Simulator::space_of(std::uint64_t name) {
  const auto found = spaces_.find(name);
  if (found != spaces_.end()) return found->second;
  // 1 is the space before the first switch.
  const auto space = std::uint32_t(spaces_.size()) + 2;
  if (space > kMaxSpaces)
    return fail("the trace has more than 65,534 address spaces, and that is what can be told apart");
  spaces_.emplace(name, space);
  return space;
}

Result<void> Simulator::take_event(Stream& stream, const trace::Record& event) {
  if (event.kind == trace::Kind::mm_switch) {
    const std::uint32_t space = TRY(space_of(event.page));
    const auto kept = event.value != 0 ? Core::Kept::yes : Core::Kept::no;
    for (Core& core : stream.cores) core.switch_space(stream.space, space, kept);
    stream.space = space;
    ++switches_;
    stream.forget_last();
  } else if (event.kind == trace::Kind::flush) {
    flush(stream, event);
    ++flushes_;
    stream.forget_last();
  }
  return {};
}

void Simulator::flush(Stream& stream, const trace::Record& event) {
  if (event.value == 0) {
    for (Core& core : stream.cores) core.flush_everything(stream.space);
    return;
  }
  constexpr std::uint64_t kOneByOne = 64;
  for (Core& core : stream.cores) {
    if (event.value > kOneByOne) {
      core.flush_range(event.page, event.value, stream.space);
      continue;
    }
    for (std::uint64_t page = event.page; page - event.page < event.value;) {
      const hw::PageSize size = sizes_.of(page);
      core.flush_page(page_word(page >> hw::pages_shift(size) << hw::pages_shift(size), size, stream.space));
      page = ((page >> hw::pages_shift(size)) + 1) << hw::pages_shift(size);
    }
    core.flush_walk_caches(stream.space);
  }
}

std::vector<StreamResult> Simulator::results() const {
  std::vector<StreamResult> results;
  for (const auto& stream : streams_) {
    StreamResult& result = results.emplace_back();
    result.stream = stream->id;
    for (const Core& core : stream->cores) {
      SideCounts& counts = result.counts.emplace_back(core.counts());
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i].lookups = stream->lookups[i];
    }
    const auto curves = stream->cores.front().curves();
    result.curves.assign(curves.begin(), curves.end());
  }
  return results;
}

}  // namespace tollgate::simulate
