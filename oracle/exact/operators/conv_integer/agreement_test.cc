// Oracle and judge agree on ConvInteger: random questions over all cells.
// QCONFORM_JUDGE_CASES sets the number of elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "oracle/exact/operators/conv_integer/conv_integer.h"
#include "oracle/exact/testing/convolution_questions.h"

namespace qconform {
namespace {

using agreement::Random;
using exact::ConvIntegerInput;

struct Cell {
  int x = 0;
  int w = 0;
  bool per_channel = false;
};

std::vector<Cell> Cells() {
  std::vector<Cell> cells;
  for (const int x : {exact::kInt8, exact::kUint8}) {
    for (const int w : {exact::kInt8, exact::kUint8}) {
      for (const bool per_channel : {false, true}) cells.push_back({x, w, per_channel});
    }
  }
  return cells;
}

// Zero points are left out now and then; all of one channel differ.
void AddZeroPoints(const Cell& cell, Random& random, ConvIntegerInput& input) {
  const std::vector<int64_t> single =
      random.OneIn(2) ? std::vector<int64_t>{} : std::vector<int64_t>{1};
  if (!random.OneIn(4)) {
    input.x_zero_point = agreement::RandomOperand(cell.x, single, random);
  }
  if (cell.per_channel) {
    input.w_zero_point =
        agreement::RandomOperand(cell.w, {input.w.shape.front()}, random);
  } else if (!random.OneIn(4)) {
    input.w_zero_point = agreement::RandomOperand(cell.w, single, random);
  }
}

std::string Text(const ConvIntegerInput& input) {
  using agreement::OperandText;
  return "\n  " + agreement::ToString(input.attributes) + OperandText("x", input.x) +
         OperandText("w", input.w) + OperandText("x_zero_point", input.x_zero_point) +
         OperandText("w_zero_point", input.w_zero_point);
}

// Returns the number of elements.
int64_t Ask(const ConvIntegerInput& input, const std::vector<Attribute>& attributes,
            agreement::Findings& findings, std::atomic<int64_t>* beyond = nullptr) {
  const agreement::OracleQuestion oracle(
      "ConvInteger", 10, attributes,
      {input.x, input.w, input.x_zero_point, input.w_zero_point});
  const exact::Answer judged = exact::ConvInteger(input);
  const Result<Answer> answered = oracle.Evaluate({});
  const std::string difference =
      answered.ok() ? agreement::Difference(judged, *answered) : answered.error().message;
  if (!difference.empty()) findings.Add(difference + Text(input));
  if (oracle.Readings().size() != 1) findings.Add("there are readings" + Text(input));
  for (const exact::Element& element : judged.elements) {
    if (beyond != nullptr && element.freedom == exact::Freedom::kAnyCode) ++*beyond;
  }
  return static_cast<int64_t>(judged.elements.size());
}

TEST(ConvIntegerAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(300'000);
  const std::vector<Cell> cells = Cells();
  agreement::Findings findings;
  std::atomic<int64_t> elements = 0;
  for (int64_t round = 0; elements < wanted; ++round) {
    agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t index) {
      const Cell& cell = cells[static_cast<size_t>(index)];
      Random random(static_cast<uint64_t>(round * 8 + index));
      for (int i = 0; i < 16; ++i) {
        const agreement::RandomConvolution convolution =
            agreement::MakeConvolution(random);
        ConvIntegerInput input;
        input.attributes = convolution.attributes;
        input.x = agreement::RandomOperand(cell.x, convolution.x_shape, random);
        input.w = agreement::RandomOperand(cell.w, convolution.w_shape, random);
        AddZeroPoints(cell, random, input);
        elements += Ask(input, agreement::NodeAttributes(convolution, random), findings);
      }
    });
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  std::printf("elements %lld\n", static_cast<long long>(elements));
}

// CI-01: sums of the largest products around both ends of INT32.
TEST(ConvIntegerAgreement, LongSums_WrapAlike) {
  const std::vector<Cell> cells = Cells();
  agreement::Findings findings;
  std::atomic<int64_t> beyond = 0;
  std::atomic<int64_t> all = 0;
  agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t index) {
    const Cell& cell = cells[static_cast<size_t>(index)];
    Random random(static_cast<uint64_t>(index));
    const auto end = [](int type, bool low) {
      const exact::Format& format = exact::GetFormat(type);
      return exact::CodeOf(format,
                           exact::Value::Number(low ? format.lowest : format.highest));
    };
    for (int i = 0; i < 6; ++i) {
      const int64_t k = 33026 + random.Between(-2, 2);  // 2^31 / 255^2 is 33025.5
      const bool x_low = random.OneIn(2), w_low = random.OneIn(2);
      ConvIntegerInput input;
      input.x = {cell.x, {1, k, 1}, {}};
      input.w = {cell.w, {1, k, 1}, {}};
      input.x.codes.assign(static_cast<size_t>(k), end(cell.x, x_low));
      input.w.codes.assign(static_cast<size_t>(k), end(cell.w, w_low));
      input.x_zero_point = exact::Codes{cell.x, {}, {end(cell.x, !x_low)}};
      input.w_zero_point = exact::Codes{cell.w, {}, {end(cell.w, !w_low)}};
      if (cell.per_channel) input.w_zero_point->shape = {1};
      all += Ask(input, {}, findings, &beyond);
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(beyond.load(), 0);
  EXPECT_LT(beyond.load(), all.load());
}

}  // namespace
}  // namespace qconform
