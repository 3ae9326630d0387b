// QC-01 and QC-04: which readings there are, and what each computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include "oracle/core/clauses.h"
#include "oracle/core/reading_set.h"
#include "oracle/operators/q_linear_conv/clauses.h"
#include "oracle/operators/q_linear_conv/testing/test_support.h"

namespace qconform::q_linear_conv {
namespace {

using enum DataType;

TEST(QLinearConvReadings, AreThoseOfTheLedger) {
  std::set<std::string> ledger{"QC-04:float_conv", "QC-04:unspecified_requantization"};
  for (const Clause& clause : AllClauses()) {
    for (const ClauseReading& reading : clause.readings) {
      if (reading.canonical) continue;
      ledger.insert(std::string(clause.id) + ":" + std::string(reading.name));
    }
  }
  std::set<std::string> evaluated;
  std::set<uint64_t> codes;
  std::set<std::string> names;
  for (const Readings& readings : AllReadings()) {
    EXPECT_EQ(DecodeReadings(EncodeReadings(readings)), readings);
    codes.insert(EncodeReadings(readings));
    names.insert(Spell(ReadingSet{.readings = NamesOf(readings)}));
    for (const Reading& reading : NamesOf(readings)) {
      evaluated.insert(reading.clause + ":" + reading.name);
    }
  }
  EXPECT_EQ(evaluated, ledger);
  EXPECT_EQ(AllReadings().size(), 12u * 5 + 5 + 1);
  EXPECT_EQ(codes.size(), AllReadings().size());
  EXPECT_EQ(names.size(), AllReadings().size());
  EXPECT_EQ(EncodeReadings({}), 0u);
  EXPECT_EQ(AllReadings().front(), Readings{});
}

// v as the machine computes it, for the readings with a formula in FLOAT or DOUBLE.
struct MachineV {
  double v;
  bool is_float;
};
std::map<std::string, MachineV> MachineVs(int32_t c, float a, float b, float y) {
  const auto f = static_cast<float>(c);
  const auto d = static_cast<double>(c);
  const float ab = a * b / y;
  const float by = a * (b / y);
  const float ay = a / y * b;
  return {{"f32_multiplier_ab_first", {f * ab, true}},
          {"f32_multiplier_by_first", {f * by, true}},
          {"f32_multiplier_ay_first", {f * ay, true}},
          {"f32_dequantize_quantize", {f * a * b / y, true}},
          {"f32_dequantize_quantize_b_first", {f * b * a / y, true}},
          {"f32_combined_dequantize_quantize", {f * (a * b) / y, true}},
          {"f64_product_ab_first", {d * ab, false}},
          {"f64_product_by_first", {d * by, false}},
          {"f64_product_ay_first", {d * ay, false}},
          {"f64_chain", {d * a * b / y, false}},
          {"f64_chain_b_first", {d * b * a / y, false}}};
}

int64_t RoundAndAdd(const MachineV& machine, Rounding rounding, int64_t zero_point) {
  const auto z = static_cast<double>(zero_point);
  const double v = machine.v;
  const double sum =
      machine.is_float
          ? static_cast<double>(static_cast<float>(v) + static_cast<float>(z))
          : v + z;
  double code = 0;
  switch (rounding) {
    case Rounding::kCanonical:
      code = std::nearbyint(v) + z;
      break;
    case Rounding::kTiesAway:
      code = std::round(v) + z;
      break;
    case Rounding::kTiesUp:  // exactly: v - floor(v) is exact
      code = std::floor(v) + (v - std::floor(v) >= 0.5 ? 1 : 0) + z;
      break;
    case Rounding::kZeroPointFirst:
      code = std::nearbyint(sum);
      break;
    case Rounding::kZeroPointFirstAway:
      code = std::round(sum);
      break;
  }
  return static_cast<int64_t>(std::clamp(code, -128.0, 127.0));
}

TEST(QLinearConvReadings, EachFollowsItsFormula) {
  std::mt19937_64 random(51);
  std::set<std::string> differ;  // from the canonical answer, somewhere
  for (int i = 0; i < 4000; ++i) {
    const auto c = static_cast<int32_t>(random() % 60000) - 30000;
    const auto scale = [&random] {
      return std::ldexp(1 + static_cast<float>(random() % (1 << 23)) * 0x1p-23F,
                        static_cast<int>(random() % 4) - 6);
    };
    const float a = scale();
    const float b = scale();
    // Near a tie: v is close to a half of an odd number.
    const double half = static_cast<double>(random() % 200) - 100 + 0.5;
    const auto y = static_cast<float>(std::abs(c * static_cast<double>(a) * b / half));
    if (c == 0 || !(y > 0x1p-100F)) continue;
    const auto zero_point = static_cast<int64_t>(random() % 41) - 20;
    Tensors tensors = TensorsOfSum(c);
    SetScales(tensors, a, b, y);
    tensors.y_zero_point = TensorOf(kInt8, {}, {static_cast<double>(zero_point)});
    const auto machine = MachineVs(c, a, b, y);
    const List canonical = ValuesOf(Evaluate(tensors));
    for (const Readings& readings : AllReadings()) {
      if (readings.bounds != Bounds::kNone) continue;
      const auto found = machine.find(RequantizationName(readings.requantization));
      if (found == machine.end()) continue;
      const List values = ValuesOf(Evaluate(tensors, readings));
      ASSERT_EQ(values, List{RoundAndAdd(found->second, readings.rounding, zero_point)})
          << found->first << " " << static_cast<int>(readings.rounding) << ": " << c
          << " " << a << " " << b << " " << y << " " << zero_point;
      if (values != canonical) differ.insert(found->first);
    }
  }
  EXPECT_GE(differ.size(), 9u);  // DOUBLE is hardly ever off by a code
}

}  // namespace
}  // namespace qconform::q_linear_conv
