#include "oracle/exact/operators/mat_mul_integer/testing/questions.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "oracle/core/operator.h"
#include "oracle/exact/testing/random_matrices.h"

namespace qconform::agreement {

using exact::MatMulIntegerInput;

std::vector<MatMulIntegerCell> MatMulIntegerCells() {
  std::vector<MatMulIntegerCell> cells;
  for (int a : {exact::kInt8, exact::kUint8}) {
    for (int b : {exact::kInt8, exact::kUint8}) {
      for (bool per_row : {false, true}) {
        for (bool per_column : {false, true}) {
          cells.push_back({a, b, per_row, per_column});
        }
      }
    }
  }
  return cells;
}

MatMulIntegerInput MakeQuestion(const MatMulIntegerCell& cell, Random& random) {
  const MatMulShapes shapes = RandomMatMulShapes(cell.per_row, cell.per_column, random);
  MatMulIntegerInput input;
  input.a = RandomOperands(cell.a, shapes.a, random);
  input.b = RandomOperands(cell.b, shapes.b, random);
  const auto zero_points = [&](int type, const std::vector<int64_t>& shape,
                               bool is_single) {
    if (is_single && random.OneIn(4)) return std::optional<exact::Codes>();
    return std::optional(RandomZeroPoints(type, shape, random));
  };
  input.a_zero_point = zero_points(cell.a, shapes.a_scale, !cell.per_row);
  input.b_zero_point = zero_points(cell.b, shapes.b_scale, !cell.per_column);
  return input;
}

MatMulIntegerInput MakeLongSum(const MatMulIntegerCell& cell, Random& random) {
  LongSum sum = RandomLongSum(cell.a, cell.b, random);
  return {std::move(sum.a), std::move(sum.b), std::move(sum.a_zero_point),
          std::move(sum.b_zero_point)};
}

std::string ToString(const MatMulIntegerInput& input) {
  const auto text = [](exact::Codes codes) {
    if (codes.codes.size() > 400) codes.codes.resize(8);  // of a long sum
    return ToString(codes);
  };
  return "\n  a " + text(input.a) + "\n  b " + text(input.b) + "\n  a_zero_point " +
         (input.a_zero_point ? text(*input.a_zero_point) : "absent") +
         "\n  b_zero_point " +
         (input.b_zero_point ? text(*input.b_zero_point) : "absent");
}

Result<Answer> AskOracle(const MatMulIntegerInput& input) {
  std::vector<Tensor> tensors = {Pack(input.a), Pack(input.b)};
  tensors.reserve(4);
  Operands operands = {tensors[0].view(), tensors[1].view()};
  for (const auto* zero_point : {&input.a_zero_point, &input.b_zero_point}) {
    if (!*zero_point) {
      operands.emplace_back();
      continue;
    }
    tensors.push_back(Pack(**zero_point));
    operands.emplace_back(tensors.back().view());
  }
  const auto bound = FindOperator("MatMulInteger")->Bind({}, 10);
  if (!bound.ok()) return bound.error();
  const auto readings = (*bound)->Readings(operands);
  if (!readings.ok()) return readings.error();
  if (readings->size() != 1) return Error{"there are several readings"};
  auto answers = (*bound)->Evaluate(operands, readings->front());
  if (!answers.ok()) return answers.error();
  return std::move(answers->front());
}

}  // namespace qconform::agreement
