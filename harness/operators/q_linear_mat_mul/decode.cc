#include "harness/operators/q_linear_mat_mul/fault_model.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/q_linear_mat_mul/problem.h"

namespace qconform {
namespace {

constexpr int kUnit = -20;

bool IsSpecial(const ExactValue& value) {
  return value.value_class == ValueClass::kNan ||
         value.value_class == ValueClass::kInfinity;
}

int64_t InUnits(const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return 0;
  const auto magnitude =
      static_cast<int64_t>(value.significand << (value.exponent - kUnit));
  return value.negative ? -magnitude : magnitude;
}

std::vector<ExactValue> Values(const TensorView& tensor) {
  std::vector<ExactValue> values;
  for (const uint64_t code : ReadCodes(tensor)) {
    values.push_back(Decode(FormatOf(tensor.type), code));
  }
  return values;
}

DecodedMatMulSide Side(const TensorView& operand, const TensorView& scale,
                       const TensorView& zero_point, const MatMulStack& stack,
                       bool by_row) {
  DecodedMatMulSide side;
  side.format = &FormatOf(operand.type);
  side.scales = Values(scale);
  for (const ExactValue& value : Values(zero_point)) {
    side.zero_points.push_back(InUnits(value));
    side.zero_point_is_special.push_back(IsSpecial(value) ? 1 : 0);
  }
  const std::vector<ExactValue> values = Values(operand);
  const int64_t lines = by_row ? stack.rows : stack.columns;
  const int64_t terms = by_row ? stack.columns : stack.rows;
  side.units.reserve(values.size());
  for (int64_t matrix = 0; matrix < stack.matrices; ++matrix) {
    for (int64_t line = 0; line < lines; ++line) {
      bool special = false;
      for (int64_t k = 0; k < terms; ++k) {
        const int64_t row = by_row ? line : k;
        const int64_t column = by_row ? k : line;
        const ExactValue& value = values[static_cast<size_t>(
            (matrix * stack.rows + row) * stack.columns + column)];
        special = special || IsSpecial(value);
        side.units.push_back(InUnits(value));
      }
      side.is_special.push_back(special ? 1 : 0);
    }
  }
  return side;
}

size_t Of(const LineIndices& indices, int64_t line) {
  return indices.empty() ? 0 : static_cast<size_t>(indices[static_cast<size_t>(line)]);
}

void SumAll(DecodedMatMul& decoded) {
  const QLinearMatMulLayout& layout = decoded.layout;
  const Int128 limit = Int128{1} << 31;
  for (int64_t matrix = 0; matrix < layout.y.matrices; ++matrix) {
    const auto place = static_cast<size_t>(matrix);
    for (int64_t row = 0; row < layout.y.rows; ++row) {
      for (int64_t column = 0; column < layout.y.columns; ++column) {
        const int64_t a_line = layout.a_matrix[place] * layout.y.rows + row;
        const int64_t b_line = layout.b_matrix[place] * layout.y.columns + column;
        const int64_t y_line = matrix * layout.y.rows + row;
        const size_t a_zero = Of(layout.a_zero_point, a_line);
        const size_t b_zero = Of(layout.b_zero_point, b_line);
        const int64_t* a = decoded.a.units.data() + a_line * decoded.terms;
        const int64_t* b = decoded.b.units.data() + b_line * decoded.terms;
        Int128 sum = 0;
        for (int64_t k = 0; k < decoded.terms; ++k) {
          sum += static_cast<Int128>(a[k] - decoded.a.zero_points[a_zero]) *
                 (b[k] - decoded.b.zero_points[b_zero]);
        }
        const ExactValue& y_scale = decoded.y_scales[Of(layout.y_scale, y_line)];
        const Int128 whole = sum / (Int128{1} << (-2 * kUnit));
        const bool operands =
            decoded.a.is_special[static_cast<size_t>(a_line)] != 0 ||
            decoded.b.is_special[static_cast<size_t>(b_line)] != 0 ||
            decoded.a.zero_point_is_special[a_zero] != 0 ||
            decoded.b.zero_point_is_special[b_zero] != 0 ||
            IsSpecial(decoded.y_zero_points[Of(layout.y_zero_point, y_line)]) ||
            (decoded.integer_operands && (whole >= limit || whole < -limit));
        const bool scales = IsSpecial(decoded.a.scales[Of(layout.a_scale, a_line)]) ||
                            IsSpecial(decoded.b.scales[Of(layout.b_scale, b_line)]) ||
                            IsSpecial(y_scale) ||
                            y_scale.value_class == ValueClass::kZero;
        decoded.sums.push_back(sum);
        decoded.special.push_back(operands ? MatMulSpecial::kOperands
                                  : scales ? MatMulSpecial::kScales
                                           : MatMulSpecial::kNo);
      }
    }
  }
}

}  // namespace

Result<DecodedMatMul> DecodeMatMul(int since_version, const Operands& operands,
                                   const QLinearMatMulReadings& readings) {
  const QLinearMatMulProblem problem = QLinearMatMulProblemOf(since_version, operands);
  const QLinearMatMulResolution resolution = Resolve(problem);
  if (resolution.validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{resolution.validation.clause + ": " + resolution.validation.reason};
  }
  DecodedMatMul decoded;
  decoded.layout = resolution.layout;
  decoded.terms = decoded.layout.a.columns;
  decoded.integer_operands = IsInteger(problem.a.type) && IsInteger(problem.b.type);
  decoded.float_scales = problem.y_scale.type == DataType::kFloat;
  decoded.y = &FormatOf(problem.y_zero_point.type);
  decoded.a =
      Side(problem.a, problem.a_scale, problem.a_zero_point, decoded.layout.a, true);
  decoded.b =
      Side(problem.b, problem.b_scale, problem.b_zero_point, decoded.layout.b, false);
  decoded.y_scales = Values(problem.y_scale);
  decoded.y_zero_points = Values(problem.y_zero_point);
  if (readings.requantization != QLinearMatMulReadings::Requantization::kCanonical) {
    decoded.requantize.emplace(
        RequantizationParametersOf(RequantizationOf(readings), problem.y_scale.type));
  }
  SumAll(decoded);
  return decoded;
}

}  // namespace qconform
