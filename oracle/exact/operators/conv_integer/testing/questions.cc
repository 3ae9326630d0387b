#include "oracle/exact/operators/conv_integer/testing/questions.h"

#include <cstdint>
#include <utility>

namespace qconform::agreement {
namespace {

using exact::ConvIntegerInput;

// They are left out now and then.
void AddZeroPoints(const ConvIntegerCell& cell, Random& random, ConvIntegerInput& input) {
  const std::vector<int64_t> single =
      random.OneIn(2) ? std::vector<int64_t>{} : std::vector<int64_t>{1};
  if (!random.OneIn(4)) {
    input.x_zero_point = RandomOperand(cell.x, single, random);
  }
  if (cell.per_channel) {
    input.w_zero_point = RandomOperand(cell.w, {input.w.shape.front()}, random);
  } else if (!random.OneIn(4)) {
    input.w_zero_point = RandomOperand(cell.w, single, random);
  }
}

}  // namespace

std::vector<ConvIntegerCell> ConvIntegerCells() {
  std::vector<ConvIntegerCell> cells;
  for (const int x : {exact::kInt8, exact::kUint8}) {
    for (const int w : {exact::kInt8, exact::kUint8}) {
      for (const bool per_channel : {false, true}) cells.push_back({x, w, per_channel});
    }
  }
  return cells;
}

ConvIntegerQuestion MakeQuestion(const ConvIntegerCell& cell, Random& random) {
  const RandomConvolution convolution = MakeConvolution(random);
  ConvIntegerQuestion question;
  ConvIntegerInput& input = question.input;
  input.attributes = convolution.attributes;
  input.x = RandomOperand(cell.x, convolution.x_shape, random);
  input.w = RandomOperand(cell.w, convolution.w_shape, random);
  AddZeroPoints(cell, random, input);
  question.attributes = NodeAttributes(convolution, random);
  return question;
}

std::string ToString(const ConvIntegerInput& input) {
  return "\n  " + ToString(input.attributes) + OperandText("x", input.x) +
         OperandText("w", input.w) + OperandText("x_zero_point", input.x_zero_point) +
         OperandText("w_zero_point", input.w_zero_point);
}

OracleQuestion Ask(const ConvIntegerQuestion& question) {
  const ConvIntegerInput& input = question.input;
  return {"ConvInteger",
          10,
          question.attributes,
          {input.x, input.w, input.x_zero_point, input.w_zero_point}};
}

}  // namespace qconform::agreement
