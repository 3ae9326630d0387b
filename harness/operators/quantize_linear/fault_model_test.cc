// Faults of deployed kernels, each on a case that is worked by hand.
#include "harness/operators/quantize_linear/fault_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/diagnosis/diagnosis.h"
#include "harness/operators/quantize_linear/faults.h"
#include "harness/runner/selection.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using testing::ElementsAre;

Tensor MakeTensor(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

Tensor Floats(Shape shape, const std::vector<float>& values) {
  std::vector<uint64_t> codes;
  for (const float value : values) codes.push_back(std::bit_cast<uint32_t>(value));
  return MakeTensor(DataType::kFloat, std::move(shape), codes);
}

// Returns the codes of y by a fault of the catalogue; of opset 25, without attributes.
std::vector<uint32_t> CodesBy(std::string_view name, const Tensor& x, const Tensor& scale,
                              const Tensor& zero_point) {
  const Operands operands{x.view(), scale.view(), zero_point.view()};
  Node node;
  node.op_type = "QuantizeLinear";
  const auto decoded = DecodeQuantizeLinear(node, 25, operands);
  if (!decoded) {
    ADD_FAILURE() << decoded.error().message;
    return {};
  }
  FaultState state;
  const std::vector<uint32_t> canonical(decoded->x_values.size());
  const FaultSet* set = FindFault(name)->SetFor("QuantizeLinear");
  return EvaluateWithSwitches(*decoded, canonical, set->As<QuantizeLinearSwitches>(),
                              state);
}

TEST(FaultsOfKernels, Int32MinimumInVectors_LeavesTheElementsBehindThem) {
  const auto codes_by = [](uint64_t zero_point) {
    return CodesBy("int32_minimum_in_vectors_of_64",
                   Floats({66}, std::vector<float>(66, 1e38F)), Floats({}, {1}),
                   MakeTensor(DataType::kUint8, {}, {zero_point}));
  };
  std::vector<uint32_t> expected(64, 0);
  expected.insert(expected.end(), {255, 255});
  EXPECT_EQ(codes_by(0), expected);
  // 2^31 - 1 + 1 is -2^31.
  EXPECT_EQ(codes_by(1), std::vector<uint32_t>(66, 0));
}

// Of three elements, the third lies in the high half of its byte, whose low half is read.
// Of three elements of two bits, the second lies where the third is read, and nothing
// lies where the first is.
TEST(FaultsOfKernels, SwappedPacking_MovesTheElementsOfAPartialByte) {
  const auto swapped = [](DataType type, const std::vector<uint32_t>& codes) {
    const auto count = static_cast<int64_t>(codes.size());
    const Tensor x = Floats({count}, std::vector<float>(codes.size()));
    const Tensor scale = Floats({}, {1});
    const Tensor zero = MakeTensor(type, {}, {0});
    Node node;
    node.op_type = "QuantizeLinear";
    const auto decoded =
        DecodeQuantizeLinear(node, 25, Operands{x.view(), scale.view(), zero.view()});
    EXPECT_TRUE(decoded.ok());
    FaultState state;
    const FaultSet* set = FindFault("packing_swapped")->SetFor("QuantizeLinear");
    return EvaluateWithSwitches(*decoded, codes, set->As<QuantizeLinearSwitches>(),
                                state);
  };
  EXPECT_THAT(swapped(DataType::kInt4, {1, 2, 3}), ElementsAre(2, 1, 0));
  EXPECT_THAT(swapped(DataType::kUint2, {1, 2, 3}), ElementsAre(0, 3, 2));
  EXPECT_THAT(swapped(DataType::kUint2, {1, 2, 3, 0}), ElementsAre(0, 3, 2, 1));
}

// 3e9 does not fit INT32, and becomes -2147483648. Plus -1 that is -2147483649, which 32
// bits hold as 2147483647, and INT4 ends at 7. Right are 7 and -8.
TEST(FaultsOfKernels, Int32MinimumWraps_TakesTheWrongEndByTheZeroPoint) {
  const Tensor x = Floats({2}, {3e9F, -3e9F});
  const Tensor scale = Floats({}, {1});
  const Tensor zero = MakeTensor(DataType::kInt4, {}, {0});
  const Tensor minus_one = MakeTensor(DataType::kInt4, {}, {0xF});
  EXPECT_THAT(CodesBy("int32_minimum_wraps", x, scale, zero), ElementsAre(0x8, 0x8));
  EXPECT_THAT(CodesBy("int32_minimum_wraps", x, scale, minus_one), ElementsAre(0x7, 0x7));
  // Without the wrapping sum, -2147483649 is clamped to -8.
  EXPECT_THAT(CodesBy("int32_minimum_on_overflow", x, scale, minus_one),
              ElementsAre(0x8, 0x8));
}

// 3e9 becomes 2147483647, and 1 more is -2147483648, which is clamped to 0. Without a
// zero point there is no sum to wrap.
TEST(FaultsOfKernels, Int32SaturatedWraps_TakesTheWrongEndByTheZeroPoint) {
  const Tensor x = Floats({2}, {3e9F, -3e9F});
  const Tensor scale = Floats({}, {1});
  const Tensor zero = MakeTensor(DataType::kUint8, {}, {0});
  const Tensor one = MakeTensor(DataType::kUint8, {}, {1});
  EXPECT_THAT(CodesBy("int32_saturated_wraps", x, scale, zero), ElementsAre(0xFF, 0));
  EXPECT_THAT(CodesBy("int32_saturated_wraps", x, scale, one), ElementsAre(0, 0));
  // -1 and -2147483648 are 2147483647.
  const Tensor minus_one = MakeTensor(DataType::kInt8, {}, {0xFF});
  EXPECT_THAT(CodesBy("int32_saturated_wraps", x, scale, minus_one),
              ElementsAre(0x7F, 0x7F));
}

// The third of three elements has a byte of its own: -2147483648, so -8. The two before
// it fill a byte, and are 7. By rows of three elements with a scale each, the third
// shares its byte with the first of the next row, and so do both.
TEST(FaultsOfKernels, Int32MinimumInPartialBytes_IsOfTheElementsAtTheEdges) {
  const Tensor scale = Floats({}, {1});
  const Tensor zero = MakeTensor(DataType::kInt4, {}, {0});
  const auto codes = [&](const Tensor& x) {
    return CodesBy("int32_minimum_in_partial_bytes", x, scale, zero);
  };
  EXPECT_THAT(codes(Floats({3}, {3e9F, 3e9F, 3e9F})), ElementsAre(0x7, 0x7, 0x8));
  EXPECT_THAT(codes(Floats({2}, {3e9F, 3e9F})), ElementsAre(0x7, 0x7));
  const Tensor rows = Floats({1, 2, 3}, std::vector<float>(6, 3e9F));
  EXPECT_THAT(CodesBy("int32_minimum_in_partial_bytes", rows, Floats({2}, {1, 1}),
                      MakeTensor(DataType::kInt4, {2}, {0, 0})),
              ElementsAre(0x7, 0x7, 0x8, 0x8, 0x7, 0x7));
}

// 2 by the scales 1, 2, 4, 8, 2, 1 is 2, 1, 0.5, 0.25, 1, 2. The first three take the
// third scale, 4, which gives 0.5, and ties go to 0; the fourth has its own. Of the last
// two both take the last scale, 1.
TEST(FaultsOfKernels, ScaleOfThirdInByte_IsTakenByTheFirstThree) {
  const Tensor x = Floats({1, 6}, {2, 2, 2, 2, 2, 2});
  const Tensor scales = Floats({6}, {1, 2, 4, 8, 2, 1});
  const Tensor zeros = MakeTensor(DataType::kUint2, {6}, {0, 0, 0, 0, 0, 0});
  EXPECT_THAT(CodesBy("scale_of_third_in_byte", x, scales, zeros),
              ElementsAre(0, 0, 0, 0, 2, 2));
  // Zero points are the third's, too: 0.5 rounds to 0, plus 3.
  const Tensor points = MakeTensor(DataType::kUint2, {6}, {0, 1, 3, 1, 1, 0});
  EXPECT_THAT(CodesBy("scale_of_third_in_byte", x, scales, points),
              ElementsAre(3, 3, 3, 1, 2, 2));
}

// The smallest FLOAT8E4M3FNUZ is 2^-10, so -2^-12 is rounded to zero, as 2^-12 is.
TEST(FaultsOfKernels, FnuzNegativeUnderflow_LeavesAZeroAsItIs) {
  const Tensor x = Floats({4}, {-0x1p-12F, 0x1p-12F, -0.0F, -0x1p-10F});
  const Tensor scale = Floats({}, {1});
  const Tensor zero = MakeTensor(DataType::kFloat8E4M3FNUZ, {}, {0});
  EXPECT_THAT(CodesBy("fnuz_negative_underflow", x, scale, zero),
              ElementsAre(0x80, 0x00, 0x00, 0x81));
  EXPECT_THAT(CodesBy("fnuz_negative_zero", x, scale, zero),
              ElementsAre(0x80, 0x00, 0x80, 0x81));
}

// The largest quotient of two FLOAT16 below 2^31 is 2^31 - 2^20, so whether the sum wraps
// shows only if the zero point is below 0; FLOAT has 2^31 - 128.
TEST(FaultsOfKernels, Int32MinimumWraps_IsProvedEqualWhereNoSumWraps) {
  const auto why = [](const char* pattern) {
    return WhyIndistinguishable((*SelectCells({pattern}))[0].cell,
                                *FindFault("int32_minimum_on_overflow"),
                                *FindFault("int32_minimum_wraps"));
  };
  EXPECT_THAT(why("QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor"),
              testing::HasSubstr("int32_sum"));
  EXPECT_EQ(why("QuantizeLinear/21/FLOAT16-FLOAT16-INT8/per_tensor"), "");
  EXPECT_EQ(why("QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor"), "");
  EXPECT_THAT(why("QuantizeLinear/21/FLOAT-FLOAT-UINT4/per_tensor"),
              testing::HasSubstr("int32_sum"));
}

}  // namespace
}  // namespace qconform
