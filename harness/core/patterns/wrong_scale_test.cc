#include "harness/core/patterns/wrong_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What is said of a kernel that divides UINT8 values by `wrong` in place of each scale.
std::string WordsOf(
    const std::function<double(double scale)>& wrong,
    const std::vector<double>& scales = {0.013, 0.11, 0.37, 1.5, 2.75},
    const std::function<double(double)>& round = [](double value) {
      return std::nearbyint(value);
    }) {
  constexpr double kZeroPoint = 100;
  const NumberFormat& y = FormatOf(DataType::kUint8);
  WrongScale found("y_scale", 0x1p-24);
  for (const double scale : scales) {
    for (int i = -1000; i <= 1600; ++i) {
      const double x = i / 10.0 * scale;
      const auto code = [&](double value) {
        return static_cast<uint32_t>(std::clamp(round(value) + kZeroPoint, 0.0, 255.0));
      };
      const uint32_t right = static_cast<uint32_t>(
          std::clamp(std::nearbyint(x / scale) + kZeroPoint, 0.0, 255.0));
      const uint32_t given = code(x / wrong(scale));
      found.Add(scale, x / scale, y, given, kZeroPoint, given != right);
    }
  }
  return found.Words();
}

TEST(WrongScale, ConstantThatIsAdded_IsToldWithItsSize) {
  EXPECT_THAT(WordsOf([](double scale) { return scale + 1e-3; }),
              StartsWith("scales, as if about 0.001 were added to each y_scale"));
}

TEST(WrongScale, FactorOfAll_IsToldWithItsSize) {
  EXPECT_THAT(WordsOf([](double scale) { return scale * 1.01; }),
              StartsWith("scales, as if each y_scale were about 1.01 times as large"));
}

TEST(WrongScale, ApproximateReciprocal_IsToldWithItsError) {
  const auto reciprocal_of_8_bits = [](double scale) {
    int exponent = 0;
    const double digits = std::frexp(1 / scale, &exponent);
    return 1 / std::ldexp(std::trunc(digits * 256) / 256, exponent);
  };
  EXPECT_THAT(WordsOf(reciprocal_of_8_bits),
              HasSubstr("a relative error of its own, up to about 2^-7"));
}

TEST(WrongScale, NothingIsToldOfRightScales) {
  EXPECT_EQ(WordsOf([](double scale) { return scale; }), "");
}

TEST(WrongScale, NothingIsToldOfAnotherRounding) {
  const std::vector<double> scales{0.013, 0.11, 0.37};
  const auto same = [](double scale) { return scale; };
  EXPECT_EQ(WordsOf(same, scales, [](double value) { return std::trunc(value); }), "");
  EXPECT_EQ(WordsOf(same, scales, [](double value) { return std::floor(value); }), "");
  EXPECT_EQ(WordsOf(same, scales, [](double value) { return std::fabs(value); }), "");
  EXPECT_EQ(WordsOf(same, scales, [](double value) { return std::round(value); }), "");
}

// One element by a scale fits many wrong ones.
TEST(WrongScale, NothingIsToldOfFewElements) {
  WrongScale found("y_scale", 0);
  for (const double scale : {0.5, 1.5, 2.5, 3.5}) {
    found.Add(scale, 10, FormatOf(DataType::kUint8), 11, 0, true);
  }
  EXPECT_EQ(found.Words(), "");
}

}  // namespace
}  // namespace qconform
