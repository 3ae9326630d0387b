// Readings that differ between the parts of a tier, and bounds.
#include "harness/runner/judge/mixed_readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "harness/compare/testing/made_up_operator.h"
#include "harness/core/operands.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kQuotients = "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor";
constexpr const char* kProducts =
    "QLinearMatMul/21/FLOAT-UINT8-INT8-INT8/per_tensor-per_tensor";
constexpr const char* kFloat8Products =
    "QLinearMatMul/21/FLOAT-FLOAT8E5M2-FLOAT8E5M2-FLOAT8E5M2/per_tensor-per_tensor";

CaseAnswer AnswerOf(const Model& model, std::span<const TensorView> inputs,
                    const std::string& reading) {
  const auto oracle = OracleModel::Create(model);
  const auto choices = oracle->Readings(inputs);
  for (const ReadingSet& choice : *choices) {
    if (Spell(choice) == reading) return *oracle->Evaluate(inputs, choice);
  }
  ADD_FAILURE() << "no " << reading;
  return {};
}

CellRecord RecordOf(Change change, const std::string& cell,
                    Level level = Level::kStandard) {
  ChangedBackend backend(std::move(change));
  std::vector<CellRecord> records = RunOn(backend, {cell}, level);
  EXPECT_EQ(records.size(), 1u);
  return records.empty() ? CellRecord() : std::move(records.front());
}

TEST(MixedReadings, ByOperandForm_AreAdmissible) {
  const CellRecord record = RecordOf(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        if (model.initializers.empty()) return result;
        return PackAnswer(AnswerOf(model, inputs, "QL-04:f32_quotient"));
      },
      kQuotients);
  EXPECT_EQ(record.verdict, Verdict::kAdmissible);
  EXPECT_EQ(record.mismatches(), 0);
  EXPECT_FALSE(record.deviation.has_value());
  ASSERT_FALSE(record.mixed.empty());
  for (const MixedTier& mixed : record.mixed) {
    EXPECT_EQ(mixed.by, kMixedByOperandForm);
    EXPECT_THAT(mixed.parts, Contains(MixedPart{"inputs", "canonical"}));
    EXPECT_THAT(mixed.parts, Contains(MixedPart{"initializers", "QL-04:f32_quotient"}));
  }
  EXPECT_THAT(record.reading,
              HasSubstr("regular: mixed by operand form: inputs canonical, initializers "
                        "QL-04:f32_quotient"));
}

TEST(MixedReadings, ElementByElementInOneForm_AreADeviation) {
  const CellRecord record = RecordOf(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        if (model.initializers.empty()) return result;
        const CaseAnswer other = AnswerOf(model, inputs, "QL-04:f32_quotient");
        Tensor& y = FirstOutput(result);
        for (size_t i = 0; i < other.elements.size(); i += 2) {
          WriteCode(y.mutable_view(), static_cast<int64_t>(i), other.elements[i].code);
        }
        return result;
      },
      kQuotients);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.mixed, IsEmpty());
}

TEST(MixedReadings, ByRows_AreAdmissible) {
  const CellRecord record = RecordOf(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        const auto operands = ResolveOperands(model, inputs);
        const auto a = OperandAt(*operands, 0);
        const size_t rank = a->shape.size();
        if (rank >= 2 && a->shape[rank - 2] > 1) return result;
        return PackAnswer(AnswerOf(model, inputs, "MM-11b:e5m2_infinity"));
      },
      kFloat8Products);
  EXPECT_EQ(record.verdict, Verdict::kAdmissible) << record.reading;
  ASSERT_FALSE(record.mixed.empty());
  EXPECT_EQ(record.mixed.front().by, kMixedByRows);
  EXPECT_THAT(record.mixed[0].parts,
              Contains(MixedPart{"M = 1", "MM-11b:e5m2_infinity"}));
}

// An operator whose rows are two dimensions, none of them called m: one row follows a
// reading, and 20 are canonical.
TEST(MixedReadings, ByRows_OfAnyOperatorThatHasSome) {
  const ReadingSet zero{{{"C-1", "zero"}}, ReadingSet::Kind::kFunction, /*code=*/1, 0};
  const MadeUpOperator op(
      {.evaluate =
           [](const Operands& operands, const ReadingSet& readings) {
             const auto count = static_cast<size_t>(*ElementCount(operands[0]->shape));
             Answer y{DataType::kUint8, {}, {}};
             y.shape.assign(operands[0]->shape.begin(), operands[0]->shape.end());
             y.elements.assign(count, {.code = readings.code == 0 ? 7u : 0u});
             return std::vector{y};
           },
       .readings = {{}, zero},
       .dimensions =
           [](const Operands& operands) {
             Dimensions dimensions;
             for (size_t axis = 0; axis < 2; ++axis) {
               dimensions.push_back({.name = "d" + std::to_string(axis),
                                     .size = operands[0]->shape[axis],
                                     .is_rows = true,
                                     .operands = {{0, axis}},
                                     .outputs = {{0, axis}}});
             }
             return dimensions;
           }});
  Model models[2];
  const Tensor inputs[2] = {Tensor::Zeros(DataType::kUint8, {1, 1}),
                            Tensor::Zeros(DataType::kUint8, {5, 4})};
  std::vector<AskedCase> asked;
  for (size_t i = 0; i < 2; ++i) {
    AskedCase& one = asked.emplace_back();
    one.op_case = std::make_shared<const OpCase>();
    one.content = op.Ask(models[i], inputs[i]);
    one.expected = one.content->canonical();
    one.codes.assign(one.expected->elements.size(), i == 0 ? 0 : 7);
    one.comparison = Compare(*one.expected, one.codes, 1);
  }
  Explanations explanations;
  const auto mixed = ExplainByParts(asked, explanations).value();
  ASSERT_THAT(mixed, SizeIs(1));
  EXPECT_EQ(mixed[0].by, kMixedByRows);
  EXPECT_THAT(mixed[0].parts, ElementsAre(MixedPart{"M = 1", "C-1:zero"},
                                          MixedPart{"M of 16 and more", "canonical"}));
}

TEST(BoundOnly, TwoReadingsMixedElementByElement_AreSaidToBe) {
  const CellRecord record = RecordOf(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        const CaseAnswer other = AnswerOf(model, inputs, "MM-02:f32_dequantize_quantize");
        Tensor& y = FirstOutput(result);
        for (size_t i = 0; i < other.elements.size(); i += 2) {
          if (other.elements[i].tier != Tier::kRegular) continue;
          WriteCode(y.mutable_view(), static_cast<int64_t>(i), other.elements[i].code);
        }
        return result;
      },
      kProducts);
  ASSERT_EQ(record.verdict, Verdict::kAdmissible) << record.reading;
  EXPECT_THAT(record.reading, HasSubstr("regular: MM-02:float_matmul"));
  ASSERT_THAT(record.bound_only, SizeIs(1));
  EXPECT_EQ(record.bound_only[0].tier, "regular");
  EXPECT_THAT(record.bound_only[0].readings, SizeIs(2));
  EXPECT_THAT(record.bound_only[0].Text(),
              HasSubstr("explained by a bound only; each element also follows"));
}

double ValueOfCode(DataType type, uint64_t code) {
  const ExactValue value = Decode(FormatOf(type), code);
  double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent);
  if (value.value_class == ValueClass::kInfinity) magnitude = INFINITY;
  if (value.value_class == ValueClass::kNan) return NAN;
  return value.negative ? -magnitude : magnitude;
}

double ValueOf(const Tensor& tensor, int64_t index) {
  return ValueOfCode(tensor.type, ReadCode(tensor.view(), index));
}

float RoundedTo(DataType type, double value) {
  if (type == DataType::kFloat) return static_cast<float>(value);
  const ExactValue exact =
      Decode(FormatOf(DataType::kDouble), std::bit_cast<uint64_t>(value));
  return static_cast<float>(ValueOfCode(
      type, Round(FormatOf(type), ToUnrounded(exact), RoundingMode::kNearestEven,
                  OverflowPolicy::kNonSaturating)));
}

// Dequantizes in a type, multiplies and adds up forwards in FLOAT, gives a sum of that
// type, divides and quantizes.
uint64_t MatMulBy(DataType type, const std::vector<Tensor>& operands) {
  enum { kA, kAScale, kAZero, kB, kBScale, kBZero, kYScale, kYZero };
  const auto scalar = [&](int place) {
    return static_cast<float>(ValueOf(operands[static_cast<size_t>(place)], 0));
  };
  float sum = 0;
  for (int64_t k = 0; k < operands[kA].shape[1]; ++k) {
    const double a = ValueOf(operands[kA], k) - scalar(kAZero);
    const double b = ValueOf(operands[kB], k) - scalar(kBZero);
    sum += RoundedTo(type, a * scalar(kAScale)) * RoundedTo(type, b * scalar(kBScale));
  }
  const float v = RoundedTo(type, RoundedTo(type, sum) / scalar(kYScale));
  const bool is_signed = operands[kYZero].type == DataType::kInt8;
  const double low = is_signed ? -128 : 0;
  if (std::isnan(v)) return 0;
  const double rounded = std::nearbyint(std::fmin(std::fmax(v, -1e6f), 1e6f));
  const double y = std::fmin(std::fmax(rounded + scalar(kYZero), low), low + 255);
  return static_cast<uint8_t>(static_cast<int>(y));
}

Change MatMulOf(DataType type) {
  return [type](const Model& model, auto inputs, RunResult result) -> RunResult {
    const auto oracle = OracleModel::Create(model);
    Tensor& y = FirstOutput(result);
    const int64_t count = *ElementCount(y.shape);
    for (int64_t i = 0; i < count; ++i) {
      WriteCode(y.mutable_view(), i,
                MatMulBy(type, *oracle->IsolateElement(inputs, {0, i})));
    }
    return result;
  };
}

// MM-02: of integers, too.
TEST(ScaleTypeMatMul, OfIntegers_IsAdmissibleByItsName) {
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    const CellRecord record =
        RecordOf(MatMulOf(type), "QLinearMatMul/21/" + std::string(DataTypeName(type)) +
                                     "-UINT8-INT8-INT8/per_tensor-per_tensor");
    EXPECT_EQ(record.verdict, Verdict::kAdmissible) << record.reading;
    EXPECT_THAT(record.reading, HasSubstr("regular: MM-02:scale_type_matmul"));
  }
}

// MM-20: whatever the scales are.
TEST(FloatMatMul, OfTheMachine_IsAdmissibleInEveryTier) {
  for (const char* cell :
       {kProducts, "QLinearMatMul/21/FLOAT-INT8-INT8-UINT8/per_row-per_column",
        "QLinearMatMul/10/FLOAT-UINT8-UINT8-UINT8/per_tensor-per_column"}) {
    const CellRecord record = RecordOf(MatMulOf(DataType::kFloat), cell);
    EXPECT_TRUE(IsPass(record.verdict)) << cell << ": " << record.reading;
    EXPECT_THAT(record.reading, HasSubstr("degenerate_scale: MM-02:float_matmul"))
        << cell;
  }
}

}  // namespace
}  // namespace qconform
