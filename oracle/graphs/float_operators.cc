#include "oracle/graphs/float_operators.h"

#include <algorithm>
#include <iterator>

namespace qconform {
namespace {

using enum FloatRounding;

struct Row {
  std::string_view op_type;
  FloatRounding rounding;
  std::string_view clause;
};

// Nodes that are not listed move data.
constexpr Row kRows[] = {
    {"MaxPool", kNone, "GR-04"},
    {"ReduceMax", kNone, "GR-04"},
    {"ReduceMin", kNone, "GR-04"},
    {"Max", kNone, "GR-04"},
    {"Min", kNone, "GR-04"},
    {"Relu", kNone, "GR-04"},
    {"Clip", kNone, "GR-04"},
    {"ArgMax", kPosition, "GR-04"},
    {"ArgMin", kPosition, "GR-04"},
    {"Add", kOperation, "GR-05"},
    {"Sub", kOperation, "GR-05"},
    {"Mul", kOperation, "GR-05"},
    {"Div", kOperation, "GR-05"},
    {"LeakyRelu", kOperation, "GR-05"},
    {"PRelu", kOperation, "GR-05"},
    {"HardSigmoid", kOperation, "GR-05"},
    {"HardSwish", kOperation, "GR-05"},
    {"Cast", kNone, "GR-05"},
    {"Neg", kNone, "GR-05"},
    {"Abs", kNone, "GR-05"},
    {"MatMul", kSum, "GR-06"},
    {"Gemm", kSum, "GR-06"},
    {"Conv", kSum, "GR-06"},
    {"AveragePool", kSum, "GR-06"},
    {"GlobalAveragePool", kSum, "GR-06"},
    {"ReduceMean", kSum, "GR-06"},
};

const Row* RowOf(std::string_view op_type) {
  const Row* row = std::ranges::find(kRows, op_type, &Row::op_type);
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

FloatRounding RoundsOf(std::string_view op_type) {
  const Row* row = RowOf(op_type);
  return row == nullptr ? kNone : row->rounding;
}

std::string_view ClauseOf(std::string_view op_type) {
  const Row* row = RowOf(op_type);
  return row == nullptr ? "GR-03" : row->clause;
}

OperandRole RoleOf(std::string_view op_type, size_t input) {
  const bool has_weight = op_type == "MatMul" || op_type == "Gemm" || op_type == "Conv";
  if (has_weight && input == 1) return OperandRole::kWeight;
  if (has_weight && input == 2) return OperandRole::kBias;
  return OperandRole::kData;
}

}  // namespace qconform
