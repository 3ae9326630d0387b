#include "harness/compare/compare.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "harness/compare/inference.h"
#include "harness/core/oracle_model.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

Tensor Codes(DataType type, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, {static_cast<int64_t>(codes.size())});
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

CaseAnswer Expect(DataType type, std::vector<ElementAnswer> elements) {
  const auto count = static_cast<int64_t>(elements.size());
  return CaseAnswer({{type, {count}, std::move(elements)}});
}

std::optional<std::string> NameIn(const Explanations& explanations, size_t tier) {
  const auto& found = explanations[tier];
  return found ? std::optional(found->Name()) : std::nullopt;
}

TEST(Allows, Bits_TheSignOfZeroCounts) {
  const ElementAnswer zero{.code = 0x00};
  EXPECT_TRUE(Allows(DataType::kFloat8E4M3FN, zero, 0x00));
  EXPECT_FALSE(Allows(DataType::kFloat8E4M3FN, zero, 0x80));
  EXPECT_FALSE(Allows(DataType::kFloat4E2M1, zero, 0x8));
}

TEST(Allows, AnyNan_TakesNansAlone) {
  const ElementAnswer nan{.code = 0x7f, .freedom = Freedom::kAnyNan};
  EXPECT_TRUE(Allows(DataType::kFloat8E4M3FN, nan, 0xff));
  EXPECT_FALSE(Allows(DataType::kFloat8E4M3FN, nan, 0x7e));
  // E5M2 has six NaN codes; Inf is none of them.
  EXPECT_TRUE(Allows(DataType::kFloat8E5M2, nan, 0x7d));
  EXPECT_FALSE(Allows(DataType::kFloat8E5M2, nan, 0x7c));
}

// An output that repeats the code of a free element of another one.
TEST(Compare, SameCode_IsTheOneThatWasGiven) {
  const ElementAnswer same{.freedom = Freedom::kSameCode};
  const ElementAnswer any{.freedom = Freedom::kAnyCode};
  Answer y{.type = DataType::kUint8, .shape = {2}, .elements = {same, {.code = 5}}};
  y.same_code_as = OutputElement{.output = 1, .index = 0};
  const CaseAnswer expected(
      {y, {.type = DataType::kUint8, .shape = {1}, .elements = {any}}},
      {"y", "y_zero_point"});
  EXPECT_EQ(expected.same_code_as, 2u);
  for (const uint64_t zero_point : {0, 7}) {
    const auto mismatches = [&](uint64_t first) {
      return Compare(expected,
                     {Codes(DataType::kUint8, {first, 5}),
                      Codes(DataType::kUint8, {zero_point})},
                     4)
          .mismatches();
    };
    EXPECT_EQ(mismatches(zero_point), 0);
    EXPECT_EQ(mismatches(zero_point + 1), 1);
  }
  // Another call may give another one.
  EXPECT_TRUE(MayVary(DataType::kUint8, same, 0, 7));
}

TEST(Allows, Infinity_IsNoWildcard) {
  const ElementAnswer infinity{.code = 0x7c};
  for (uint64_t code = 0; code < 256; ++code) {
    EXPECT_EQ(Allows(DataType::kFloat8E5M2, infinity, code), code == 0x7c);
  }
}

TEST(Allows, FreeSignOfZero_TakesBothZerosAlone) {  // MM-12
  ElementAnswer zero{.code = 0x00};
  zero.zero_sign_is_free = true;
  for (uint64_t code = 0; code < 256; ++code) {
    EXPECT_EQ(Allows(DataType::kFloat8E5M2, zero, code), code == 0x00 || code == 0x80);
    // The FNUZ formats have NaN there.
    EXPECT_EQ(Allows(DataType::kFloat8E5M2FNUZ, zero, code), code == 0x00);
  }
}

TEST(Allows, OneUlp_IsADifference) {
  const ElementAnswer element{.code = 7};
  EXPECT_FALSE(Allows(DataType::kUint8, element, 6));
  EXPECT_FALSE(Allows(DataType::kUint8, element, 8));
}

TEST(Compare, SubByteElements_AreComparedOneByOne) {
  const CaseAnswer expected =
      Expect(DataType::kInt4, {{.code = 1}, {.code = 2}, {.code = 3}});
  EXPECT_EQ(Compare(expected, {Codes(DataType::kInt4, {1, 2, 3})}, 3).mismatches(), 0);
  const Comparison swapped = Compare(expected, {Codes(DataType::kInt4, {2, 1, 3})}, 3);
  EXPECT_EQ(swapped.mismatches(), 2);
  ASSERT_EQ(swapped.first.size(), 2u);
  EXPECT_EQ(swapped.first[1].index, 1);
  EXPECT_EQ(swapped.first[1].actual, 1u);
}

TEST(Compare, FirstMismatches_AreAsManyAsAskedFor_CountsAreWhole) {
  const CaseAnswer expected = Expect(DataType::kUint8, std::vector<ElementAnswer>(4));
  const Comparison two = Compare(expected, {Codes(DataType::kUint8, {1, 1, 1, 1})}, 2);
  EXPECT_EQ(two.mismatches(), 4);
  EXPECT_EQ(two.first.size(), 2u);
}

TEST(Compare, PaddingBits_AreNobodysElement) {
  const CaseAnswer expected = Expect(DataType::kUint2, {{.code = 1}});
  Tensor y = Codes(DataType::kUint2, {1});
  y.data[0] |= std::byte{0xfc};
  EXPECT_EQ(Compare(expected, {y}, 1).mismatches(), 0);
}

TEST(Compare, FreeElements_AreCountedAndNotJudged) {
  const CaseAnswer expected =
      Expect(DataType::kUint8, {{.code = 0, .freedom = Freedom::kAnyCode}, {.code = 5}});
  const Comparison comparison = Compare(expected, {Codes(DataType::kUint8, {99, 5})}, 1);
  EXPECT_EQ(comparison.mismatches(), 0);
  EXPECT_EQ(comparison.free_elements, 1);
}

RunResult Unsteady(const Tensor& first, const std::vector<Tensor>& others) {
  UnsteadyAnswer unsteady{{first}, {}};
  for (const Tensor& other : others) unsteady.others.push_back({"threads", "", {other}});
  return BackendError{BackendError::Kind::kNondeterministic, "other bits",
                      std::make_shared<const UnsteadyAnswer>(unsteady)};
}

// QL-12: any code, which may be another one each time; QL-23: any NaN.
TEST(Settled, OtherBitsWhereAClauseLeavesThemFree_AreTheFirstAnswer) {
  const CaseAnswer integers =
      Expect(DataType::kUint8, {{.code = 5}, {.freedom = Freedom::kAnyCode}});
  const Tensor first = Codes(DataType::kUint8, {5, 1});
  const RunResult settled =
      Settled(integers, Unsteady(first, {Codes(DataType::kUint8, {5, 2})}));
  ASSERT_TRUE(std::holds_alternative<Outputs>(settled));
  EXPECT_EQ(std::get<Outputs>(settled).front().data, first.data);

  const CaseAnswer floats =
      Expect(DataType::kFloat8E5M2, {{.code = 0x7E, .freedom = Freedom::kAnyNan}});
  const auto nan = [](uint64_t code) { return Codes(DataType::kFloat8E5M2, {code}); };
  EXPECT_TRUE(std::holds_alternative<Outputs>(
      Settled(floats, Unsteady(nan(0x7E), {nan(0xFF), nan(0x7D)}))));
  EXPECT_TRUE(std::holds_alternative<BackendError>(
      Settled(floats, Unsteady(nan(0x7E), {nan(0xFF), nan(0x7C)}))));
}

// Beside a free element, in a second further answer, or in an answer of another form.
TEST(Settled, OtherBitsOfWhatIsJudged_StayAnError) {
  const CaseAnswer expected =
      Expect(DataType::kUint4, {{.freedom = Freedom::kAnyCode}, {.code = 5}});
  const Tensor first = Codes(DataType::kUint4, {1, 5});
  const auto is_error = [&](const RunResult& result) {
    return std::holds_alternative<BackendError>(Settled(expected, result));
  };
  EXPECT_FALSE(is_error(Unsteady(first, {Codes(DataType::kUint4, {2, 5})})));
  EXPECT_TRUE(is_error(Unsteady(first, {Codes(DataType::kUint4, {1, 6})})));
  EXPECT_TRUE(is_error(Unsteady(
      first, {Codes(DataType::kUint4, {2, 5}), Codes(DataType::kUint4, {1, 4})})));
  EXPECT_TRUE(is_error(Unsteady(first, {Codes(DataType::kUint4, {2, 5, 0})})));
  EXPECT_TRUE(is_error(Unsteady(Codes(DataType::kInt4, {1, 5}), {})));
  EXPECT_TRUE(is_error(BackendError{BackendError::Kind::kCrashed, "killed"}));
  EXPECT_TRUE(std::holds_alternative<Refused>(Settled(expected, Refused{"no"})));
}

TEST(Compare, Tiers_AreKeptApart) {
  const CaseAnswer expected =
      Expect(DataType::kUint8, {{.code = 1}, {.code = 2, .tier = Tier::kSubnormal}});
  const Comparison comparison = Compare(expected, {Codes(DataType::kUint8, {1, 3})}, 1);
  EXPECT_EQ(comparison.tiers[static_cast<size_t>(Tier::kRegular)].mismatches, 0);
  EXPECT_EQ(comparison.tiers[static_cast<size_t>(Tier::kSubnormal)].mismatches, 1);
}

TEST(Compare, WrongForm_IsInvalidOutput) {
  const CaseAnswer expected = Expect(DataType::kUint8, {{.code = 1}});
  const Tensor right = Codes(DataType::kUint8, {1});
  EXPECT_NE(Compare(expected, Outputs{}, 1).invalid_output, "");
  EXPECT_NE(Compare(expected, {right, right}, 1).invalid_output, "");
  EXPECT_NE(Compare(expected, {Codes(DataType::kInt8, {1})}, 1).invalid_output, "");
  EXPECT_NE(Compare(expected, {Codes(DataType::kUint8, {1, 1})}, 1).invalid_output, "");
  Tensor short_data = right;
  short_data.data.clear();
  EXPECT_NE(Compare(expected, {short_data}, 1).invalid_output, "");
  Tensor long_data = right;
  long_data.data.push_back(std::byte{0});
  EXPECT_NE(Compare(expected, {long_data}, 1).invalid_output, "");
  // As many bytes in another shape of the same rank.
  CaseAnswer wide = Expect(DataType::kUint8, std::vector<ElementAnswer>(6));
  wide.outputs[0].shape = {2, 3};
  Tensor tall = Tensor::Zeros(DataType::kUint8, {3, 2});
  EXPECT_NE(Compare(wide, {tall}, 1).invalid_output, "");
  tall.shape = {2, 3};
  EXPECT_EQ(Compare(wide, {tall}, 1).invalid_output, "");
}

// G-01: readings combine. Both operands dequantized to FLOAT, a FLOAT sum, and the zero
// point added in FLOAT: the second row is right by the bound alone, the first by
// added_in_p (384 + 16.0000076 is 400 in FLOAT, a tie), the third not by round_then_add.
TEST(ExplainByReadings, FloatMatmulThatAddsTheZeroPointInFloat_IsAdmissible) {
  const auto tensor = [](DataType type, Shape shape, std::vector<uint64_t> codes) {
    Tensor made = Tensor::Zeros(type, std::move(shape));
    for (size_t i = 0; i < codes.size(); ++i) {
      WriteCode(made.mutable_view(), static_cast<int64_t>(i), codes[i]);
    }
    return made;
  };
  using enum DataType;
  const std::vector<Tensor> inputs{
      tensor(kUint8, {3, 3}, {1, 0, 0, 1, 255, 255, 1, 0, 0}),
      tensor(kFloat, {3},
             {0x41800004, 0x4180CCCD, 0x41873333}),  // 16.0000076, 16.1, 16.9
      tensor(kUint8, {3}, {0, 0, 0}),
      tensor(kInt8, {3, 1}, {1, 100, 156}),
      tensor(kFloat, {}, {0x3F800000}),
      tensor(kInt8, {}, {0}),
      tensor(kFloat, {}, {0x3F800000}),
      tensor(kFloat8E4M3FN, {}, {0x7C})};
  Model model{.opset_version = 21,
              .ir_version = 10,
              .node = {},
              .inputs = {},
              .outputs = {{"y", kFloat8E4M3FN, {3, 1}}},
              .initializers = {}};
  model.node.op_type = "QLinearMatMul";
  model.node.outputs = {"y"};
  std::vector<TensorView> views;
  for (const char* name : {"a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point",
                           "y_scale", "y_zero_point"}) {
    const Tensor& input = inputs[views.size()];
    model.node.inputs.emplace_back(name);
    model.inputs.push_back({name, input.type, input.shape});
    views.push_back(input.view());
  }
  const auto oracle = OracleModel::Create(model);
  ASSERT_TRUE(oracle.ok()) << oracle.error().message;
  const auto answer = std::make_shared<const CaseAnswer>(*oracle->Evaluate(views));
  for (const ElementAnswer& element : answer->elements) EXPECT_EQ(element.code, 0x7Du);
  const std::vector<uint32_t> codes{0x7C, 0x7C, 0x7D};
  const AnsweredCase answered{ContentAnswers::Create(model, views, answer), answer,
                              codes};
  const auto explained = ExplainByReadings({&answered, 1});
  ASSERT_TRUE(explained.ok()) << explained.error().message;
  EXPECT_EQ(NameIn(*explained, static_cast<size_t>(Tier::kRegular)),
            "MM-02:float_matmul+QL-24:added_in_p");
}

// QuantizeLinear-23 of one element.
Model OneElement(const std::vector<Tensor>& inputs, DataType y, int64_t precision) {
  Model model{.opset_version = 23,
              .ir_version = 11,
              .node = {},
              .inputs = {},
              .outputs = {{"y", y, {1}}},
              .initializers = {}};
  model.node.op_type = "QuantizeLinear";
  model.node.outputs = {"y"};
  if (precision != 0) model.node.attributes = {{"precision", precision}};
  model.node.attributes.push_back({"axis", int64_t{0}});
  model.node.attributes.push_back({"output_dtype", static_cast<int64_t>(y)});
  for (const Tensor& input : inputs) {
    constexpr const char* kNames[] = {"x", "y_scale", "y_zero_point"};
    model.node.inputs.emplace_back(kNames[model.inputs.size()]);
    model.inputs.push_back({model.node.inputs.back(), input.type, input.shape});
  }
  return model;
}

// What explains these codes of y, one for each value of `precision`.
std::optional<std::string> ExplainedOverPrecisions(const std::vector<Tensor>& inputs,
                                                   DataType y,
                                                   const std::array<uint32_t, 3>& codes) {
  constexpr std::array<int64_t, 3> kPrecisions{0, 1, 11};
  std::vector<Model> models;
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.view());
  for (size_t i = 0; i < codes.size(); ++i) {
    models.push_back(OneElement(inputs, y, kPrecisions[i]));
  }
  CellAnswers cell;
  std::vector<AnsweredCase> answered;
  for (size_t i = 0; i < codes.size(); ++i) {
    const auto content = cell.Add(models[i], views);
    EXPECT_TRUE(content.ok()) << content.error().message;
    answered.push_back({*content, (*content)->canonical(), {&codes[i], 1}});
  }
  const auto explanations = ExplainByReadings(answered);
  EXPECT_TRUE(explanations.ok()) << explanations.error().message;
  const auto tier = static_cast<size_t>(answered[0].answer->elements[0].tier);
  return NameIn(*explanations, tier);
}

// G-01: what is no matter of P is read alike for every value of `precision`.
TEST(ExplainByReadings, AZeroPointReadingOfOnePrecisionAlone_ExplainsNothing) {
  using enum DataType;
  const std::vector<Tensor> inputs{Codes(kFloat, {0x3FC00000}),    // 1.5
                                   Codes(kFloat, {0x3F800000}),    // 1
                                   Codes(kFloat8E4M3FN, {0x38})};  // 1
  const auto explained = [&](const std::array<uint32_t, 3>& codes) {
    return ExplainedOverPrecisions(inputs, kFloat8E4M3FN, codes);
  };
  constexpr uint32_t kAdded = 0x42;    // 2.5
  constexpr uint32_t kIgnored = 0x3C;  // 1.5
  EXPECT_EQ(explained({kAdded, kAdded, kAdded}), "canonical");
  EXPECT_EQ(explained({kIgnored, kIgnored, kIgnored}), "QL-24:zero_point_ignored");
  EXPECT_EQ(explained({kIgnored, kAdded, kAdded}), std::nullopt);
  EXPECT_EQ(explained({kAdded, kIgnored, kAdded}), std::nullopt);
  EXPECT_EQ(explained({kIgnored, kIgnored, kAdded}), std::nullopt);
}

TEST(ExplainByReadings, AReadingOfSignsOrInfinityOfOnePrecisionAlone_ExplainsNothing) {
  using enum DataType;
  const struct {
    const char* reading;
    DataType y;
    uint64_t x;
    std::optional<uint64_t> zero_point;
    uint32_t canonical, other;
  } rows[] = {
      {"QL-20a:zero_point_added", kFloat8E4M3FN, 0x80000000, 0x00, 0x80, 0x00},
      {"QL-22:fnuz_infinity_largest", kFloat8E4M3FNUZ, 0x7F800000, {}, 0x80, 0x7F},
      {"QL-20a:missing_zero_point_added", kFloat8E5M2, 0x80000000, {}, 0x80, 0x00},
      {"QL-20a:missing_zero_point_added", kFloat4E2M1, 0x80000000, {}, 0x8, 0x0},
      // -1/8, which rounds to -0, and -0 + -0.
      {"QL-26:zero_sign_dropped", kFloat4E2M1, 0xBE000000, 0x8, 0x8, 0x0},
  };
  for (const auto& row : rows) {
    std::vector<Tensor> inputs{Codes(kFloat, {row.x}), Codes(kFloat, {0x3F800000})};
    if (row.zero_point) inputs.push_back(Codes(row.y, {*row.zero_point}));
    const auto explained = [&](const std::array<uint32_t, 3>& codes) {
      return ExplainedOverPrecisions(inputs, row.y, codes);
    };
    EXPECT_EQ(explained({row.canonical, row.canonical, row.canonical}), "canonical");
    EXPECT_EQ(explained({row.other, row.other, row.other}), row.reading);
    EXPECT_EQ(explained({row.other, row.canonical, row.canonical}), std::nullopt)
        << row.reading;
    EXPECT_EQ(explained({row.canonical, row.canonical, row.other}), std::nullopt)
        << row.reading;
  }
}

// Operand forms and opset_versions share an answer; each of their outputs is looked at.
TEST(ExplainByReadings, WrongBitsInTheSecondOfTwoCasesOfOneAnswer_AreNotExplained) {
  using enum DataType;
  const std::vector<Tensor> inputs{Codes(kFloat, {0x3FC00000}),
                                   Codes(kFloat, {0x3F800000}),
                                   Codes(kFloat8E4M3FN, {0x38})};
  const Model model = OneElement(inputs, kFloat8E4M3FN, 0);
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.view());
  const auto oracle = OracleModel::Create(model);
  ASSERT_TRUE(oracle.ok()) << oracle.error().message;
  const auto answer = std::make_shared<const CaseAnswer>(*oracle->Evaluate(views));
  const std::vector<uint32_t> ignored{0x3C};
  const std::vector<uint32_t> wrong{0x01};
  const auto content = ContentAnswers::Create(model, views, answer);
  const std::vector<AnsweredCase> alike{{content, answer, ignored},
                                        {content, answer, ignored}};
  const std::vector<AnsweredCase> unlike{{content, answer, ignored},
                                         {content, answer, wrong}};
  const auto tier = static_cast<size_t>(Tier::kRegular);
  EXPECT_EQ(NameIn(*ExplainByReadings(alike), tier), "QL-24:zero_point_ignored");
  EXPECT_EQ(NameIn(*ExplainByReadings(unlike), tier), std::nullopt);
}

// One element that a reading allows says nothing of the others.
TEST(AdmissibleAlone, EachElement_IsAskedAboutByItself) {
  using enum DataType;
  std::vector<Tensor> inputs{Codes(kFloat, {0x3FC00000, 0x3FC00000, 0x3FC00000}),
                             Codes(kFloat, {0x3F800000}), Codes(kFloat8E4M3FN, {0x38})};
  inputs[1].shape = {};
  inputs[2].shape = {};
  Model model = OneElement(inputs, kFloat8E4M3FN, 0);
  model.outputs[0].shape = {3};
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.view());
  const auto oracle = OracleModel::Create(model);
  ASSERT_TRUE(oracle.ok()) << oracle.error().message;
  const auto answer = std::make_shared<const CaseAnswer>(*oracle->Evaluate(views));
  // 2.5, the zero point added; 1.5, ignored; neither.
  const std::vector<uint32_t> codes{0x42, 0x3C, 0x01};
  const std::vector<size_t> indices{0, 1, 2};
  const auto admissible = AdmissibleAlone(
      {ContentAnswers::Create(model, views, answer), answer, codes}, indices);
  ASSERT_TRUE(admissible.ok()) << admissible.error().message;
  EXPECT_EQ(*admissible, (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace qconform
