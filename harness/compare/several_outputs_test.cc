// An operator with two outputs is compared, explained and judged over both.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/closest.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/compare/standing.h"
#include "harness/compare/testing/made_up_operator.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

constexpr OutputInfo kOutputs[] = {{.name = "y"}, {.name = "total"}};
constexpr OperandInfo kOperands[] = {{.name = "x"}};

// UINT8 x -> UINT8 y = x, INT16 total = sum of x. The open clause C-1 lets odd elements
// of y be one more (`odd_up`), and with them the total; C-2 leaves the total (`no_total`)
// at zero.
class WithTotal : public BoundOperator {
 public:
  static ReadingSet OddUp() { return {.readings = {{"C-1", "odd_up"}}, .code = 1}; }
  static ReadingSet NoTotal() { return {.readings = {{"C-2", "no_total"}}, .code = 2}; }

  Result<ModelValidity> Validate(const Operands&) const override {
    return ModelValidity();
  }
  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    Answer y{DataType::kUint8, {}, {}};
    y.shape.assign(operands[0]->shape.begin(), operands[0]->shape.end());
    uint32_t sum = 0;
    for (const uint64_t code : ReadCodes(*operands[0])) {
      const auto x = static_cast<uint32_t>(code);
      y.elements.push_back({.code = x + (readings.code == 1 ? x % 2 : 0)});
      sum += y.elements.back().code;
    }
    Answer total{DataType::kInt16, {}, {{.code = readings.code == 2 ? 0 : sum}}};
    return std::vector<Answer>{std::move(y), std::move(total)};
  }
  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>{{}, OddUp(), NoTotal()};
  }
  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands&, size_t,
                                                        int64_t) const override {
    return std::vector<ElementOperand>();
  }
  Result<std::vector<Tensor>> IsolateElement(const Operands&, size_t,
                                             int64_t) const override {
    return std::vector<Tensor>();
  }
  Result<Dimensions> DimensionsOf(const Operands&) const override { return Dimensions(); }
};

class WithTotalOperator : public Operator {
 public:
  std::string_view op_type() const override { return "WithTotal"; }
  std::span<const OperandInfo> operands() const override { return kOperands; }
  std::span<const OutputInfo> outputs() const override { return kOutputs; }
  std::vector<Clause> clauses() const override { return {}; }
  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int) const override {
    return std::unique_ptr<const BoundOperator>(std::make_unique<WithTotal>());
  }
};

// x = 2, 3, 5: y = 2, 3, 5 and total 10; by odd_up 2, 4, 6 and 12.
class SeveralOutputs : public testing::Test {
 protected:
  SeveralOutputs() {
    model_.node.op_type = "WithTotal";
    model_.node.inputs = {"x"};
    model_.inputs = {{"x", DataType::kUint8, {3}}};
    for (size_t i = 0; i < 3; ++i) x_.data[i] = std::byte(i == 0 ? 2 : 2 * i + 1);
    OracleModel oracle(model_, {.op = &operator_,
                                .since_version = 1,
                                .note = "",
                                .bound = std::make_shared<const WithTotal>()});
    content_ = CellAnswers().Add(std::move(oracle), {x_.view()}).value();
  }

  const CaseAnswer& answer() const { return *content_->canonical(); }
  Outputs Of(const std::vector<uint32_t>& codes) const {
    return PackCodes(answer(), codes);
  }
  std::optional<std::string> ExplanationOf(const std::vector<uint32_t>& codes) const {
    const AnsweredCase answered{content_, content_->canonical(), codes};
    const auto found = ExplainByReadings({&answered, 1}).value()[0];
    return found ? std::optional(found->Name()) : std::nullopt;
  }

  WithTotalOperator operator_;
  Model model_;
  Tensor x_ = Tensor::Zeros(DataType::kUint8, {3});
  std::shared_ptr<ContentAnswers> content_;
};

TEST_F(SeveralOutputs, Elements_LieOneOutputAfterTheOther) {
  ASSERT_EQ(answer().elements.size(), 4u);
  EXPECT_EQ(answer().PlaceOf(2), (ElementPlace{0, 2}));
  EXPECT_EQ(answer().PlaceOf(3), (ElementPlace{1, 0}));
  EXPECT_EQ(answer().TypeOf(2), DataType::kUint8);
  EXPECT_EQ(answer().TypeOf(3), DataType::kInt16);
  EXPECT_EQ(answer().NameOf(1), "y[1]");
  EXPECT_EQ(answer().NumberOf(3), "0 of total");
  const std::vector<uint32_t> codes{2, 3, 5, 10};
  EXPECT_EQ(CodesOf(PackAnswer(answer())), codes);
}

TEST_F(SeveralOutputs, Comparison_CountsMismatchesOfBoth) {
  EXPECT_EQ(Compare(answer(), Of({2, 3, 5, 10}), 2).mismatches(), 0);
  const Comparison both = Compare(answer(), Of({2, 3, 6, 11}), 2);
  EXPECT_EQ(both.mismatches(), 2);
  ASSERT_EQ(both.first.size(), 2u);
  EXPECT_EQ(both.first[0].index, 2);
  EXPECT_EQ(both.first[1].index, 3);
  EXPECT_EQ(both.first[1].actual, 11u);
}

TEST_F(SeveralOutputs, WrongForm_NamesTheOutput) {
  Outputs outputs = Of({2, 3, 5, 10});
  EXPECT_EQ(WrongForm(answer(), outputs), "");
  outputs[1].type = DataType::kUint16;
  EXPECT_EQ(WrongForm(answer(), outputs), "total: expected type INT16, got UINT16");
  outputs.pop_back();
  EXPECT_EQ(WrongForm(answer(), outputs), "outputs: expected 2, got 1");
}

TEST_F(SeveralOutputs, AnUnsteadySecondOutput_StaysAnError) {
  const auto result_of = [&](uint32_t total) {
    const UnsteadyAnswer unsteady{Of({2, 3, 5, 10}),
                                  {{"threads", "", Of({2, 3, 5, total})}}};
    return Settled(answer(),
                   BackendError{BackendError::Kind::kNondeterministic, "other bits",
                                std::make_shared<const UnsteadyAnswer>(unsteady)});
  };
  EXPECT_TRUE(std::holds_alternative<Outputs>(result_of(10)));
  EXPECT_TRUE(std::holds_alternative<BackendError>(result_of(11)));
}

TEST_F(SeveralOutputs, OneReading_HasToExplainBoth) {
  EXPECT_EQ(ExplanationOf({2, 3, 5, 10}), "canonical");
  EXPECT_EQ(ExplanationOf({2, 4, 6, 12}), "C-1:odd_up");
  EXPECT_EQ(ExplanationOf({2, 3, 5, 0}), "C-2:no_total");
  EXPECT_EQ(ExplanationOf({2, 4, 6, 10}), std::nullopt);
  EXPECT_EQ(ExplanationOf({2, 4, 6, 0}), std::nullopt);
}

TEST_F(SeveralOutputs, Standing_NamesAReadingOrAnElement) {
  const auto allowed = StandingOf(content_, Of({2, 4, 6, 12})).value();
  EXPECT_TRUE(allowed.allowed());
  EXPECT_EQ(allowed.ReadingNames(), "C-1:odd_up");
  const auto wrong = StandingOf(content_, Of({2, 3, 5, 9})).value();
  EXPECT_FALSE(wrong.allowed());
  ASSERT_TRUE(wrong.first);
  EXPECT_EQ(answer().NameOf(static_cast<size_t>(wrong.first->index)), "total[0]");
}

TEST_F(SeveralOutputs, ReadingsMixedBetweenOutputs_AreAConflict) {
  const std::vector<uint32_t> codes{2, 4, 5, 0};
  const AnsweredCase answered{content_, content_->canonical(), codes};
  const auto conflict = FindConflict({&answered, 1}, Tier::kRegular).value();
  ASSERT_TRUE(conflict);
  EXPECT_EQ(answer().NameOf(conflict->first.element), "y[1]");
  EXPECT_EQ(conflict->first.choice, WithTotal::OddUp());
  EXPECT_EQ(answer().NameOf(conflict->second.element), "y[2]");
  // Each by itself is what some reading allows.
  const std::vector<size_t> indices{1, 2, 3};
  EXPECT_EQ(AdmissibleAlone(answered, indices).value(), std::vector<bool>(3, true));
  const auto closest = ClosestReadings({&answered, 1}, {}).value();
  ASSERT_EQ(closest.size(), 2u);
  EXPECT_EQ(closest[0].Name(), "C-2:no_total");
  const auto followed = AnswerBy(closest[0], answered).value();
  EXPECT_EQ(Compare(*followed, codes, 2).mismatches(), 1);
}

// y = x, and `scale` is 1 as FLOAT. y has bounds by two readings: one more by `one_more`,
// and 9 alone, whatever x is, by `arising`. `scale` has none: it stays 1, bit by bit.
TEST(SeveralOutputsWithBounds, AnOutputWithoutBounds_IsHeldToItsAnswer) {
  constexpr uint32_t kOne = 0x3f800000;
  const ReadingSet one_more{
      {{"C-1", "one_more"}}, ReadingSet::Kind::kBounded, /*code=*/1, 0};
  const ReadingSet arising{
      {{"C-2", "arising"}}, ReadingSet::Kind::kArising, /*code=*/2, 0};
  const MadeUpOperator op(
      {.evaluate =
           [](const Operands& operands, const ReadingSet& readings) {
             const auto x = static_cast<uint32_t>(ReadCode(*operands[0], 0));
             Answer y{DataType::kUint8, {1}, {{.code = x}}};
             Answer scale{DataType::kFloat, {}, {{.code = kOne}}};
             if (readings.is_bounded()) y.bounds = {{x, x + 1, x, x + 1}};
             if (readings.code == 2) {
               y.bounds[0].arising = {.finite = true, .low = 9, .high = 9};
             }
             return std::vector{y, scale};
           },
       .readings = {{}, one_more, arising},
       .outputs = {{.name = "y"}, {.name = "scale"}}});
  Model model;
  Tensor x = Tensor::Zeros(DataType::kUint8, {1});
  x.data[0] = std::byte{5};
  const auto content = op.Ask(model, x);
  const auto explanation = [&](uint32_t y, uint32_t scale) -> std::string {
    const std::vector<uint32_t> codes{y, scale};
    const AnsweredCase answered{content, content->canonical(), codes};
    const auto found = ExplainByReadings({&answered, 1}).value()[0];
    return found ? found->Name() : "none";
  };
  EXPECT_EQ(explanation(5, kOne), "canonical");
  EXPECT_EQ(explanation(6, kOne), "C-1:one_more");
  EXPECT_EQ(explanation(9, kOne), "C-2:arising");
  EXPECT_EQ(explanation(7, kOne), "none");
  for (const uint32_t y : {5u, 6u, 9u}) {
    EXPECT_EQ(explanation(y, kOne + 1), "none") << y;
  }
}

// Codes have 32 bits: a wider output is an error instead of being cut.
TEST(OracleModel, AnOutputOfMoreThan32Bits_IsAnError) {
  DataType type = DataType::kFloat;
  const MadeUpOperator op({.evaluate = [&](const Operands&, const ReadingSet&) {
    return std::vector{Answer{type, {}, {{.code = 1}}}};
  }});
  Model model;
  model.node.inputs = {"x"};
  model.inputs = {{"x", DataType::kUint8, {}}};
  const Tensor x = Tensor::Zeros(DataType::kUint8, {});
  const OracleModel oracle(
      model,
      {.op = &op, .since_version = 1, .note = "", .bound = op.Bind({}, 1).value()});
  const std::vector<TensorView> inputs{x.view()};
  EXPECT_TRUE(oracle.Evaluate(inputs).ok());
  type = DataType::kDouble;
  const auto answer = oracle.Evaluate(inputs);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message, "y: expected a type of at most 32 bits, got DOUBLE");
}

// Records name an output if there is another, or if sentences would call it y wrongly.
TEST(CaseAnswer, RecordsNameTheOutputThatSentencesWouldNot) {
  const Answer one{DataType::kUint8, {1}, {{.code = 1}}};
  const CaseAnswer y({one}, {"y"});
  EXPECT_EQ(y.RecordedName(0), "");
  EXPECT_EQ(y.ElementAt("", {0}), 0u);
  const CaseAnswer sums({one}, {"Sums"});
  EXPECT_EQ(sums.RecordedName(0), "Sums");
  EXPECT_EQ(sums.ElementAt("Sums", {0}), 0u);
  const CaseAnswer two({one, one}, {"y", "scale"});
  EXPECT_EQ(two.RecordedName(0), "y");
  EXPECT_EQ(two.RecordedName(1), "scale");
}

}  // namespace
}  // namespace qconform
