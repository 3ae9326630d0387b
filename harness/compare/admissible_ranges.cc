#include "harness/compare/admissible_ranges.h"

#include <algorithm>
#include <utility>

#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

void Add(uint64_t first, uint64_t last, AdmissibleRanges& ranges) {
  ranges.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
}

uint64_t SignBit(const NumberFormat& format) { return uint64_t{1} << (format.bits - 1); }

}  // namespace

void AddBetween(DataType type, uint32_t low, uint32_t high, AdmissibleRanges& ranges) {
  const NumberFormat& format = FormatOf(type);
  if (IsNan(format, low)) {
    AddNans(type, ranges);
    return;
  }
  const int64_t least = ValueOrder(format, low);
  const int64_t most = ValueOrder(format, high);
  if (least > most) return;
  if (most >= 0) {
    Add(static_cast<uint64_t>(std::max<int64_t>(least, 0)), static_cast<uint64_t>(most),
        ranges);
  }
  if (format.kind == NumberKind::kInteger && least < 0) {
    const uint64_t mask = (uint64_t{1} << format.bits) - 1;
    Add(static_cast<uint64_t>(least) & mask,
        static_cast<uint64_t>(std::min<int64_t>(most, -1)) & mask, ranges);
  }
  if (format.kind == NumberKind::kFloat && least <= 0) {
    // Without -0 that code is NaN, or there is none.
    const int64_t smallest = std::max<int64_t>(-most, format.has_negative_zero ? 0 : 1);
    if (smallest > -least) return;
    Add(SignBit(format) | static_cast<uint64_t>(smallest),
        SignBit(format) | static_cast<uint64_t>(-least), ranges);
  }
}

void AddNans(DataType type, AdmissibleRanges& ranges) {
  const NumberFormat& format = FormatOf(type);
  const auto with_sign = [&](uint64_t first, uint64_t last) {
    Add(first, last, ranges);
    if (format.is_signed) Add(SignBit(format) | first, SignBit(format) | last, ranges);
  };
  switch (format.nan) {
    case NanEncoding::kNone:
      break;
    case NanEncoding::kIeee:
      with_sign(Infinity(format, false) + 1, SignBit(format) - 1);
      break;
    case NanEncoding::kAllOnes:
      with_sign(CanonicalNan(format), CanonicalNan(format));
      break;
    case NanEncoding::kNegativeZero:
      Add(SignBit(format), SignBit(format), ranges);
      break;
  }
}

void AddArising(DataType type, const ArisingCodes& arising, AdmissibleRanges& ranges) {
  if (arising.nan && IsInteger(type)) {
    Add(0, (uint64_t{1} << BitWidth(type)) - 1, ranges);
  } else if (arising.nan) {
    AddNans(type, ranges);
  }
  if (arising.plus_infinity) {
    Add(arising.plus_infinity_code, arising.plus_infinity_code, ranges);
  }
  if (arising.minus_infinity) {
    Add(arising.minus_infinity_code, arising.minus_infinity_code, ranges);
  }
  if (arising.finite) AddBetween(type, arising.low, arising.high, ranges);
}

void AddElement(DataType type, const ElementAnswer& element, AdmissibleRanges& ranges) {
  Add(element.code, element.code, ranges);
  if (element.zero_sign_is_free) AddBetween(type, element.code, element.code, ranges);
  if (element.freedom == Freedom::kAnyNan) AddNans(type, ranges);
}

void Join(AdmissibleRanges& ranges) {
  std::ranges::sort(ranges, {}, &AdmissibleRange::first);
  AdmissibleRanges joined;
  for (const AdmissibleRange& range : ranges) {
    if (joined.empty() || range.first > uint64_t{joined.back().last} + 1) {
      joined.push_back(range);
    } else {
      joined.back().last = std::max(joined.back().last, range.last);
    }
  }
  ranges = std::move(joined);
}

}  // namespace qconform
