// Readings of QLinearMatMul as ReadingSets.
#include <gtest/gtest.h>

#include <set>

#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {
namespace {

using enum DataType;

// Each combination of readings and bounds has a code of its own, from which it comes
// back.
TEST(MatMulReadings, Codes_AreUniqueAndDecode) {
  std::set<uint64_t> codes;
  std::set<std::string> names;
  for (const DataType scale : {kFloat, kFloat16}) {
    for (const DataType y : {kInt8, kFloat8E4M3FN, kFloat8E5M2, kFloat8E5M2FNUZ}) {
      for (const QLinearMatMulReadings& readings : ReadingCombinations(scale, y)) {
        names.insert(ReadingsName(readings));
        for (int bounds = 0; bounds <= int(MatMulBounds::kScaleTypeSumAndQuotient);
             ++bounds) {
          for (const bool wider : {false, true}) {
            const QLinearMatMulReadingCode code{readings, MatMulBounds(bounds), wider};
            EXPECT_EQ(DecodeQLinearMatMulReadings(EncodeReadings(code)), code);
            codes.insert(EncodeReadings(code));
          }
        }
      }
    }
  }
  EXPECT_EQ(codes.size(), names.size() * 14);
  EXPECT_EQ(EncodeReadings(QLinearMatMulReadingCode()), 0u);
}

TEST(MatMulReadings, Names_ParseAsTheyAreSpelled) {
  for (const DataType y : {kInt8, kFloat8E4M3FN, kFloat8E5M2, kFloat8E5M2FNUZ}) {
    for (const QLinearMatMulReadings& readings : ReadingCombinations(kFloat16, y)) {
      const auto parsed = ParseReadings(ReadingsName(readings));
      ASSERT_TRUE(parsed.ok());
      EXPECT_EQ(*parsed, NamesOf(readings));
    }
  }
}

// FLOAT scales have FLOAT multipliers already.
TEST(MatMulReadingsLeftOut, AreNamedWithWhatTheyAreHere) {
  EXPECT_EQ(ReadingsLeftOut(kFloat).size(), 6u);
  EXPECT_EQ(ReadingsLeftOut(kFloat)[3],
            (ReadingLeftOut{{"MM-02", "scale_type_multiplier_ab_first_in_double"},
                            Reading{"MM-02", "f64_product_ab_first"}}));
  EXPECT_TRUE(ReadingsLeftOut(kFloat16).empty());
}

}  // namespace
}  // namespace qconform
