#include "cases/inputs/directed_inputs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

InputFacts Codes8(Shape shape) {
  InputFacts facts;
  facts.type = DataType::kUint8;
  facts.shape = std::move(shape);
  facts.kind = InputFacts::Kind::kCodes;
  facts.zero_points = {100};
  return facts;
}

std::set<uint64_t> Different(const Tensor& tensor) {
  const std::vector<uint64_t> codes = ReadCodes(tensor.view());
  return {codes.begin(), codes.end()};
}

TEST(DirectedInput, Codes_AreAllThereIfThereIsRoom) {
  EXPECT_EQ(Different(DirectedInput(Codes8({256}), 0, 1)).size(), 256u);
  EXPECT_EQ(Different(DirectedInput(Codes8({16, 32}), 7, 1)).size(), 256u);
}

TEST(DirectedInput, Codes_AreBothEndsAndTheLargestSums) {
  EXPECT_EQ(Different(DirectedInput(Codes8({64}), 1, 1)), (std::set<uint64_t>{0, 255}));
  EXPECT_EQ(Different(DirectedInput(Codes8({64}), 2, 1)), std::set<uint64_t>{255});
  EXPECT_EQ(Different(DirectedInput(Codes8({64}), 3, 1)), std::set<uint64_t>{0});
}

// Each row has one term that is not 0.
TEST(DirectedInput, Codes_OneTermOfEachSum) {
  InputFacts facts = Codes8({4, 10});
  facts.summed = {1};
  const Tensor tensor = DirectedInput(facts, 4, 1);
  for (int row = 0; row < 4; ++row) {
    int others = 0;
    for (int k = 0; k < 10; ++k) {
      others += ReadCode(tensor.view(), row * 10 + k) != 100 ? 1 : 0;
    }
    EXPECT_EQ(others, 1) << row;
  }
}

// Each row has at most 16 neighbouring terms that are not 0, and one at least.
TEST(DirectedInput, Codes_FewTermsOfEachSum) {
  InputFacts facts = Codes8({4, 100});
  facts.summed = {1};
  const Tensor tensor = DirectedInput(facts, 1, 1);
  for (int row = 0; row < 4; ++row) {
    std::vector<int> others;
    for (int k = 0; k < 100; ++k) {
      if (ReadCode(tensor.view(), row * 100 + k) != 100) others.push_back(k);
    }
    ASSERT_FALSE(others.empty()) << row;
    EXPECT_LT(others.back() - others.front(), 16) << row;
  }
}

TEST(DirectedInput, Codes_NextToTheZeroPoint) {
  for (const uint64_t code : Different(DirectedInput(Codes8({64}), 5, 1))) {
    EXPECT_GE(code, 98u);
    EXPECT_LE(code, 102u);
  }
}

float FloatAt(const Tensor& tensor, int64_t index) {
  return std::bit_cast<float>(static_cast<uint32_t>(ReadCode(tensor.view(), index)));
}

uint64_t CodeOf(float value) { return std::bit_cast<uint32_t>(value); }

// Ties of the scale of each channel; the scales are powers of two, so they are exact.
TEST(DirectedInput, Numbers_AreTiesOfTheirChannel) {
  InputFacts facts;
  facts.type = DataType::kFloat;
  facts.shape = {3, 50};
  facts.kind = InputFacts::Kind::kNumbers;
  facts.grid = DataType::kInt8;
  facts.scale_type = DataType::kFloat;
  facts.scales = {CodeOf(0.5F), CodeOf(4.0F), CodeOf(0.0625F)};
  facts.zero_points = {0, 3, 0xFF};
  for (uint32_t i = 0; i < 150; ++i) facts.channel.push_back(i / 50);
  const float scales[] = {0.5F, 4.0F, 0.0625F};
  const Tensor ties = DirectedInput(facts, 0, 1);
  std::set<float> different;
  for (int i = 0; i < 150; ++i) {
    const float quotient = FloatAt(ties, i) / scales[i / 50];
    EXPECT_EQ(std::abs(quotient - std::floor(quotient)), 0.5F) << i;
    different.insert(quotient);
  }
  EXPECT_GT(different.size(), 60u);
  // The ends of the range, of each channel.
  const Tensor ends = DirectedInput(facts, 1, 1);
  for (int i = 0; i < 150; ++i) {
    const int zero_point[] = {0, 3, -1};
    const float code =
        FloatAt(ends, i) / scales[i / 50] + static_cast<float>(zero_point[i / 50]);
    EXPECT_TRUE(std::abs(code - 127) < 4 || std::abs(code + 128) < 4) << i << " " << code;
  }
}

TEST(DirectedInput, IsAFunctionOfItsArguments) {
  const InputFacts facts = Codes8({100});
  EXPECT_EQ(RandomInput(facts, 5), RandomInput(facts, 5));
  EXPECT_NE(RandomInput(facts, 5), RandomInput(facts, 6));
  EXPECT_EQ(DirectedInput(facts, 4, 5), DirectedInput(facts, 4, 5));
}

TEST(DirectedInput, EmptyTensorsAndAllTypes_AreMade) {
  for (const DataType type : AllDataTypes()) {
    for (const Shape& shape : {Shape{0, 3}, Shape{}, Shape{5}}) {
      for (size_t kind = 0; kind < kDirectedInputs; ++kind) {
        InputFacts facts;
        facts.type = type;
        facts.shape = shape;
        for (const auto of : {InputFacts::Kind::kPlain, InputFacts::Kind::kCodes}) {
          if (type == DataType::kFloat8E8M0 && of == InputFacts::Kind::kCodes) continue;
          facts.kind = of;
          EXPECT_EQ(DirectedInput(facts, kind, 1).shape, shape);
          EXPECT_EQ(RandomInput(facts, 1).type, type);
        }
      }
    }
  }
}

}  // namespace
}  // namespace qconform
