#include <algorithm>

#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::exact {
namespace {

using Readings = DequantizeLinearReadings;

bool IsHalf(int y) { return y == kFloat16 || y == kBfloat16; }

bool IsFloat(int x) { return GetFormat(x).set == Format::Set::kFloats; }

bool Is16BitToHalf(int x, int y) { return (x == kInt16 || x == kUint16) && IsHalf(y); }

// DQ-04 names the product.
bool IsDq04(int since_version, int x, int x_scale, int y) {
  return since_version >= 23 && (x_scale != y || Is16BitToHalf(x, y));
}

// What is said of steps 2 and 3.
struct Steps {
  bool difference_in_p = false;
  bool scale_in_p = false;
  Readings::Product product = Readings::Product::kExact;
};

Steps StepsOf(const Readings& readings) {
  return {readings.difference_in_p, readings.scale_in_p, readings.product};
}

// DQ-02 to DQ-04, DQ-11.
std::vector<Steps> AllowedSteps(int since_version, int x, int x_scale, int y) {
  using Product = Readings::Product;
  std::vector<Steps> all = {StepsOf(CanonicalReadings(since_version, x, x_scale, y))};
  // A difference of DQ-08 brings the readings of DQ-04 with it.
  if (IsDq04(since_version, x, x_scale, y) || IsFloat(x)) {
    for (bool difference_in_p : {true, false}) {
      for (bool scale_in_p : {true, false}) {
        all.push_back({difference_in_p, scale_in_p, Product::kExact});
        // Of operands in P, it is not a reading of its own.
        if (!IsHalf(y) || (difference_in_p && scale_in_p)) continue;
        all.push_back({difference_in_p, scale_in_p, Product::kInFloat});
      }
    }
  } else if (since_version == 21 && Is16BitToHalf(x, y)) {  // DQ-03
    all.push_back({false, false, Product::kInFloat});
    all.push_back({true, false, Product::kExact});
  }
  return all;
}

// DQ-05.
std::vector<Readings> AllowedOfInt32(int x_scale, int y) {
  using Difference = Readings::Difference;
  using Product = Readings::Product;
  std::vector<Readings> all;
  for (bool scale_in_p : {false, true}) {
    if (scale_in_p && x_scale == y) continue;
    const auto allow = [&](Difference x, bool x_in_p, Product product) {
      all.push_back({x, x_in_p, scale_in_p, product});
    };
    allow(Difference::kInFloat, false, Product::kExact);
    allow(Difference::kExact, false, Product::kExact);
    allow(Difference::kExact, false, Product::kInDouble);
    if (!IsHalf(y)) continue;
    allow(Difference::kInFloat, false, Product::kInFloat);
    allow(Difference::kExact, true, Product::kExact);
  }
  return all;
}

// DQ-08.
std::vector<Readings::Difference> AllowedDifferences(int x) {
  using Difference = Readings::Difference;
  if (!IsFloat(x)) return {Difference::kExact};
  std::vector<Difference> all = {Difference::kExact, Difference::kInFloat,
                                 Difference::kZeroPointIgnored,
                                 Difference::kInXTypeSaturating};
  if (GetFormat(x).has_nan) all.push_back(Difference::kInXType);
  return all;
}

}  // namespace

Readings CanonicalReadings(int since_version, int x, int x_scale, int y) {
  Readings canonical;
  if (x == kInt32) {
    canonical.difference = Readings::Difference::kInFloat;
    return canonical;
  }
  const bool converts =
      IsDq04(since_version, x, x_scale, y) && x_scale != kFloat8E8M0;  // DQ-11
  canonical.difference_in_p = converts;
  canonical.scale_in_p = converts;
  return canonical;
}

std::vector<Readings> AllowedReadings(int since_version, int x, int x_scale, int y) {
  std::vector<Readings> ways;
  if (x == kInt32) {
    ways = AllowedOfInt32(x_scale, y);
  } else {
    for (Readings::Difference difference : AllowedDifferences(x)) {
      for (const Steps& steps : AllowedSteps(since_version, x, x_scale, y)) {
        ways.push_back(
            {difference, steps.difference_in_p, steps.scale_in_p, steps.product});
      }
    }
  }
  std::vector<Readings> all;
  for (Readings way : ways) {
    for (bool dropped : {false, true}) {
      way.zero_sign_dropped = dropped;
      if (std::find(all.begin(), all.end(), way) == all.end()) all.push_back(way);
    }
  }
  return all;
}

}  // namespace qconform::exact
