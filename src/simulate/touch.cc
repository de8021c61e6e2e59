#include "simulate/touch.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <bit>

#include "base/check.h"

namespace tollgate::simulate {
namespace {

/// Where a reference is looked up, and as what.
struct Place {
  PageWord key = 0;
  PageWord* set = nullptr;
  std::uint64_t last = 1;  // as in Route
  std::uint64_t lanes = 0;
};

/// Every reference by its own route.
class ByRoute {
 public:
  ByRoute(const Sets& sets, const Batch& batch)
      : sets_(sets), words_(batch.words.data()), routes_(batch.routes.data()) {}
  [[gnu::always_inline]] Place operator()(std::uint16_t index) const {
    const Route& route = sets_.routes[routes_[index]];
    const PageWord key = key_of(sets_, route, words_[index]);
    return {key, sets_.keys + set_of(sets_, route, key), route.last, route.lanes};
  }

 private:
  Sets sets_;
  const PageWord* words_;
  const std::uint8_t* routes_;
};

/// All references in one array, which holds their pages as they are: half the instructions of the other.
class InOneArray {
 public:
  static bool fits(const Sets& sets, const Batch& batch) {
    if (!sets.powers_of_two || batch.routes_seen == 0) return false;
    const Route& first = sets.routes[std::size_t(std::countr_zero(batch.routes_seen))];
    for (std::uint32_t seen = batch.routes_seen; seen != 0; seen &= seen - 1)
      if (!(sets.routes[std::size_t(std::countr_zero(seen))] == first)) return false;
    return first.shift == 0;
  }
  InOneArray(const Sets& sets, const Batch& batch)
      : route_(sets.routes[std::size_t(std::countr_zero(batch.routes_seen))]),
        words_(batch.words.data()),
        first_(sets.keys + route_.offset),
        stride_(sets.stride),
        keep_user_(sets.keep_user),
        keep_kernel_too_(sets.keep_user ^ sets.keep_kernel) {}
  [[gnu::always_inline]] Place operator()(std::uint16_t index) const {
    const PageWord word = words_[index];
    const auto kernel = static_cast<PageWord>(static_cast<std::int64_t>(word) >> 63);  // all ones in its half
    return {word & (keep_user_ ^ (keep_kernel_too_ & kernel)), first_ + (word & route_.set_mask) * stride_, route_.last,
            route_.lanes};
  }

 private:
  Route route_;
  const PageWord* words_;
  PageWord* first_;
  std::uint64_t stride_;
  PageWord keep_user_;
  PageWord keep_kernel_too_;  // the bits in which the kernel's mask differs
};

template <typename Places>
std::size_t plain(const Places& given, std::span<const std::uint16_t> which, std::uint16_t* missed) {
  const Places places = given;  // a copy, which the stores below cannot change
  std::size_t count = 0;
  for (const std::uint16_t index : which) {
    const auto [key, set, last, lanes] = places(index);
    const int ways = std::popcount(lanes);
    PageWord carried = key;
    int way = 0;
    for (; way < ways; ++way) {
      const PageWord here = set[way];
      set[way] = carried;
      carried = here;
      if (here == key) break;
    }
    missed[count] = index;
    count += way == ways;
  }
  return count;
}

#ifdef __x86_64__

template <int kVectors, typename Places>
[[gnu::target("avx2,bmi")]] std::size_t avx2(const Places& given, std::span<const std::uint16_t> which,
                                             std::uint16_t* missed) {
  const __m256i lane_bits[2] = {_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128)};
  const Places places = given;  // a copy, which the stores below cannot change
  std::size_t count = 0;
  for (const std::uint16_t index : which) {
    const auto [key, keys, last, lanes] = places(index);
    auto* const set = reinterpret_cast<__m256i*>(keys);
    const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(key));
    __m256i ways[kVectors];
    std::uint64_t here = 0;
    for (int v = 0; v < kVectors; ++v) {
      ways[v] = _mm256_load_si256(set + v);
      const __m256d equal = _mm256_castsi256_pd(_mm256_cmpeq_epi64(ways[v], wanted));
      here |= std::uint64_t(static_cast<unsigned>(_mm256_movemask_pd(equal))) << (4 * v);
    }
    const std::uint64_t ends = here | last;
    const std::uint64_t moved = (ends ^ (ends - 1)) & lanes;  // up to where it was, or all
    __m256i before = wanted;
    for (int v = 0; v < kVectors; ++v) {
      const __m256i turned = _mm256_permute4x64_epi64(ways[v], 0x93);
      const __m256i shifted = _mm256_blend_epi32(turned, before, 3);
      const __m256i bits =
          _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(moved >> (v / 2 * 8))), lane_bits[v % 2]);
      const __m256i stays = _mm256_cmpeq_epi64(bits, _mm256_setzero_si256());
      _mm256_store_si256(set + v, _mm256_blendv_epi8(shifted, ways[v], stays));
      before = turned;
    }
    missed[count] = index;
    count += here == 0;
  }
  return count;
}

template <int kVectors, typename Places>
[[gnu::target("avx512f,bmi")]] std::size_t avx512(const Places& given, std::span<const std::uint16_t> which,
                                                  std::uint16_t* missed) {
  const Places places = given;  // a copy, which the stores below cannot change
  std::size_t count = 0;
  for (const std::uint16_t index : which) {
    const auto [key, set, last, lanes] = places(index);
    const __m512i wanted = _mm512_set1_epi64(static_cast<long long>(key));
    __m512i ways[kVectors];
    std::uint64_t here = 0;
    for (int v = 0; v < kVectors; ++v) {
      ways[v] = _mm512_load_si512(set + 8 * v);
      here |= std::uint64_t{_mm512_cmpeq_epi64_mask(ways[v], wanted)} << (8 * v);
    }
    const std::uint64_t ends = here | last;
    const std::uint64_t moved = (ends ^ (ends - 1)) & lanes;  // up to where it was, or all
    __m512i before = wanted;
    for (int v = 0; v < kVectors; ++v) {
      const auto here_moved = static_cast<__mmask8>(moved >> (8 * v));
      _mm512_store_si512(set + 8 * v, _mm512_mask_alignr_epi64(ways[v], here_moved, ways[v], before, 7));
      before = ways[v];
    }
    missed[count] = index;
    count += here == 0;
  }
  return count;
}

template <int kVectors>
std::size_t touch_avx2(const Sets& sets, const Batch& batch, std::span<const std::uint16_t> which,
                       std::uint16_t* missed) {
  if (InOneArray::fits(sets, batch)) return avx2<kVectors>(InOneArray(sets, batch), which, missed);
  return avx2<kVectors>(ByRoute(sets, batch), which, missed);
}
template <int kVectors>
std::size_t touch_avx512(const Sets& sets, const Batch& batch, std::span<const std::uint16_t> which,
                         std::uint16_t* missed) {
  if (InOneArray::fits(sets, batch)) return avx512<kVectors>(InOneArray(sets, batch), which, missed);
  return avx512<kVectors>(ByRoute(sets, batch), which, missed);
}

#endif

std::size_t touch_plain(const Sets& sets, const Batch& batch, std::span<const std::uint16_t> which,
                        std::uint16_t* missed) {
  if (InOneArray::fits(sets, batch)) return plain(InOneArray(sets, batch), which, missed);
  return plain(ByRoute(sets, batch), which, missed);
}

}  // namespace

std::string_view to_text(Instructions instructions) {
  switch (instructions) {
    case Instructions::plain:
      return "plain";
    case Instructions::avx2:
      return "AVX2";
    case Instructions::avx512:
      return "AVX-512";
  }
  return "";
}

Instructions widest_instructions() {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("bmi")) return Instructions::plain;
  if (__builtin_cpu_supports("avx512f")) return Instructions::avx512;
  if (__builtin_cpu_supports("avx2")) return Instructions::avx2;
#endif
  return Instructions::plain;
}

Touch touch_for(Instructions instructions, std::uint64_t stride) {
  CHECK(stride % 8 == 0, "sets are kept in whole cache lines");
#ifdef __x86_64__
  constexpr std::array<Touch, 4> kAvx2{touch_avx2<2>, touch_avx2<4>, touch_avx2<6>, touch_avx2<8>};
  constexpr std::array<Touch, 4> kAvx512{touch_avx512<1>, touch_avx512<2>, touch_avx512<3>, touch_avx512<4>};
  const std::size_t lines = stride / 8;
  if (lines <= 4 && instructions == Instructions::avx2) return kAvx2[lines - 1];
  if (lines <= 4 && instructions == Instructions::avx512) return kAvx512[lines - 1];
#endif
  (void)instructions;
  return touch_plain;
}

}  // namespace tollgate::simulate
