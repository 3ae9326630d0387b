// Ranges of codes against a look at each code, of all types of up to 16 bits.
#include "harness/compare/admissible_ranges.h"

#include <gtest/gtest.h>

#include <vector>

#include "harness/core/allows.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

std::vector<DataType> SmallTypes() {
  std::vector<DataType> types;
  for (int number = 1; number < 64; ++number) {
    const auto type = static_cast<DataType>(number);
    if (BitWidth(type) > 0 && BitWidth(type) <= 16) types.push_back(type);
  }
  return types;
}

bool Holds(const AdmissibleRanges& ranges, uint32_t code) {
  for (const AdmissibleRange& range : ranges) {
    if (range.first <= code && code <= range.last) return true;
  }
  return false;
}

// Compares with `expected(code)` for all codes of the type.
template <typename Expected>
void ExpectRanges(DataType type, AdmissibleRanges ranges, const Expected& expected) {
  Join(ranges);
  for (size_t i = 1; i < ranges.size(); ++i) {
    EXPECT_GT(ranges[i].first, ranges[i - 1].last + 1) << DataTypeName(type);
  }
  for (uint32_t code = 0; code < 1u << BitWidth(type); ++code) {
    ASSERT_EQ(Holds(ranges, code), expected(code)) << DataTypeName(type) << " " << code;
  }
}

TEST(AdmissibleRanges, Between_AreWhatIsWithin) {
  int visited = 0;
  for (const DataType type : SmallTypes()) {
    const NumberFormat& format = FormatOf(type);
    const uint32_t end = 1u << BitWidth(type);
    const uint32_t step = end > 256 ? end / 16 + 1 : end > 64 ? 5 : 1;
    for (uint32_t low = 0; low < end; low += step) {
      for (uint32_t high = 0; high < end; high += step) {
        if (IsNan(format, high) && !IsNan(format, low)) continue;
        AdmissibleRanges ranges;
        AddBetween(type, low, high, ranges);
        ExpectRanges(type, ranges,
                     [&](uint32_t code) { return IsWithin(type, code, low, high); });
        ++visited;
      }
    }
  }
  EXPECT_GT(visited, 10'000);
}

TEST(AdmissibleRanges, OfAnElement_AreWhatItAllows) {
  for (const DataType type : SmallTypes()) {
    const NumberFormat& format = FormatOf(type);
    for (uint32_t code = 0; code < 1u << BitWidth(type); code += 3) {
      const bool nan = IsNan(format, code);
      const ElementAnswer element{.code = code,
                                  .freedom = nan ? Freedom::kAnyNan : Freedom::kNone,
                                  .zero_sign_is_free = IsZero(format, code)};
      if (BitWidth(type) == 16 && !nan && !element.zero_sign_is_free) continue;
      AdmissibleRanges ranges;
      AddElement(type, element, ranges);
      ExpectRanges(type, ranges,
                   [&](uint32_t other) { return Allows(type, element, other); });
      if (BitWidth(type) == 16 && nan) break;  // all NaNs are alike
    }
  }
}

TEST(AdmissibleRanges, OfWhatMayArise_AreWhatItHolds) {
  for (const DataType type : SmallTypes()) {
    for (uint32_t what = 0; what < 8; ++what) {
      const ArisingCodes arising{.nan = (what & 1) != 0,
                                 .finite = (what & 2) != 0,
                                 .low = 1,
                                 .high = 2,
                                 .plus_infinity = (what & 4) != 0,
                                 .plus_infinity_code = 3};
      AdmissibleRanges ranges;
      AddArising(type, arising, ranges);
      ExpectRanges(type, ranges, [&](uint32_t code) { return arising.Hold(type, code); });
    }
  }
}

}  // namespace
}  // namespace qconform
