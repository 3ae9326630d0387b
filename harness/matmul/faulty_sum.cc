#include "harness/matmul/faulty_sum.h"

#include <algorithm>
#include <cstddef>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Kind = FaultySum::Kind;

int64_t Saturated16(int64_t v) { return std::clamp<int64_t>(v, INT16_MIN, INT16_MAX); }
int64_t Saturated32(int64_t v) { return std::clamp<int64_t>(v, INT32_MIN, INT32_MAX); }

int64_t Wrapped24(int64_t v) {
  const int64_t low = v & 0xFFFFFF;
  return low >= 0x800000 ? low - 0x1000000 : low;
}

// Rounds integers to a float type; infinities become ends of INT32.
class ToFloat {
 public:
  explicit ToFloat(DataType type)
      : rounder_(FormatOf(type), RoundingMode::kNearestEven,
                 OverflowPolicy::kNonSaturating) {}

  int64_t operator()(int64_t v) const {
    if (v == 0) return 0;
    const bool negative = v < 0;
    const Rounded rounded =
        rounder_({.value_class = ValueClass::kFinite,
                  .negative = negative,
                  .significand = static_cast<Uint128>(negative ? -v : v)});
    if (rounded.overflow) return negative ? INT32_MIN : INT32_MAX;
    // Integers of these sizes are rounded to integers.
    const int64_t magnitude = rounded.unit >= 0
                                  ? static_cast<int64_t>(rounded.units << rounded.unit)
                                  : static_cast<int64_t>(rounded.units >> -rounded.unit);
    return negative ? -magnitude : magnitude;
  }

 private:
  Rounder rounder_;
};

template <typename Step>
int64_t Accumulate(const FaultyTerms& terms, size_t count, const Step& step) {
  int64_t sum = 0;
  for (size_t k = 0; k < count; ++k) {
    sum =
        step(sum, (terms.a[k] - terms.a_zero_point) * (terms.b[k] - terms.b_zero_point));
  }
  return sum;
}

int64_t Wrapped8(int64_t v, bool is_signed) {
  return is_signed ? int64_t{static_cast<int8_t>(v)} : int64_t{static_cast<uint8_t>(v)};
}

int64_t Saturated8(int64_t v) { return std::clamp<int64_t>(v, INT8_MIN, INT8_MAX); }

// The sum of the products of differences that are changed.
int64_t AccumulateDifferences(const FaultyTerms& terms, size_t count, bool wraps) {
  const auto changed = [wraps](int64_t v, bool is_signed) {
    return wraps ? Wrapped8(v, is_signed) : Saturated8(v);
  };
  int64_t sum = 0;
  for (size_t k = 0; k < count; ++k) {
    sum += changed(terms.a[k] - terms.a_zero_point, terms.a_is_signed) *
           changed(terms.b[k] - terms.b_zero_point, terms.b_is_signed);
  }
  return sum;
}

int64_t AccumulateIn(DataType type, const FaultyTerms& terms, size_t count) {
  const ToFloat round(type);
  return Accumulate(terms, count,
                    [&](int64_t sum, int64_t term) { return round(sum + term); });
}

// The sum of the products of codes, and of the corrections.
int64_t AccumulateCodes(const FaultyTerms& terms, size_t count, bool in_pairs) {
  int64_t codes = 0;
  int64_t corrections = 0;
  int64_t pair = 0;
  for (size_t k = 0; k < count; ++k) {
    const int64_t code = int64_t{terms.a[k]} * terms.b[k];
    corrections +=
        (terms.a[k] - terms.a_zero_point) * (terms.b[k] - terms.b_zero_point) - code;
    if (!in_pairs) {
      codes = Saturated32(codes + code);
      continue;
    }
    pair += code;
    if (k % 2 == 1 || k + 1 == count) {
      codes += Saturated16(pair);
      pair = 0;
    }
  }
  return codes + corrections;
}

int64_t SumOfKind(const FaultyTerms& terms, size_t count, Kind kind) {
  const auto exact = [&] {
    return Accumulate(terms, count, [](int64_t sum, int64_t term) { return sum + term; });
  };
  switch (kind) {
    case Kind::kExact:
      break;
    case Kind::kPairsSaturate16:
      return AccumulateCodes(terms, count, true);
    case Kind::kCodesSaturate32:
      return AccumulateCodes(terms, count, false);
    case Kind::kWrapDifferences:
      return AccumulateDifferences(terms, count, true);
    case Kind::kSaturateDifferences8:
      return AccumulateDifferences(terms, count, false);
    case Kind::kWrap16:
      return Accumulate(terms, count, [](int64_t sum, int64_t term) {
        return sum + static_cast<int16_t>(term);
      });
    case Kind::kSaturate16:
      return Accumulate(terms, count, [](int64_t sum, int64_t term) {
        return Saturated16(sum + term);
      });
    case Kind::kSaturate32:
      return Accumulate(terms, count, [](int64_t sum, int64_t term) {
        return Saturated32(sum + term);
      });
    case Kind::kFloat:
      return AccumulateIn(DataType::kFloat, terms, count);
    case Kind::kFloat16:
      return AccumulateIn(DataType::kFloat16, terms, count);
    case Kind::kBfloat16:
      return AccumulateIn(DataType::kBfloat16, terms, count);
    case Kind::kWrap24:
      return Wrapped24(exact());
    case Kind::kThroughFloat:
      return ToFloat(DataType::kFloat)(exact());
    case Kind::kOutputSaturates16:
      return Saturated16(exact());
  }
  return exact();
}

size_t WholeOf(size_t count, int multiple) {
  return multiple == 0 ? count : count - count % static_cast<size_t>(multiple);
}

}  // namespace

int64_t SumOf(const FaultyTerms& terms, const FaultySum& mistakes) {
  size_t count = WholeOf(terms.a.size(), mistakes.lost_tail);
  if (mistakes.lost_last && count > 0) --count;
  const size_t corrected = std::min(count, WholeOf(count, mistakes.uncorrected_tail));
  int64_t sum = SumOfKind(terms, corrected, mistakes.kind);
  for (size_t k = corrected; k < count; ++k) sum += int64_t{terms.a[k]} * terms.b[k];
  const int64_t cross = terms.a_zero_point * terms.b_zero_point;
  if (mistakes.no_cross_term) sum -= cross * static_cast<int64_t>(count);
  if (mistakes.cross_term_subtracted) sum -= 2 * cross * static_cast<int64_t>(count);
  if (mistakes.padded_cross_term != 0) {
    const int64_t multiple = mistakes.padded_cross_term;
    sum += cross * ((multiple - static_cast<int64_t>(count) % multiple) % multiple);
  }
  return sum;
}

}  // namespace qconform
