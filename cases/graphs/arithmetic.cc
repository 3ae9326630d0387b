// Graphs with one float operation (GR-05).
#include <algorithm>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

struct Shapes {
  Shape a;
  Shape b;
  Shape out;
};

// Shapes of two operands: equal, or one of them is broadcast.
Shapes ShapesOf(const GraphQuestion& question) {
  const int64_t n = std::max(question.plan.elements, 1);
  if (question.plan.elements == 0) {
    switch (question.index % 5) {
      case 0:
        return {{3, 3, 5}, {3, 3, 5}, {3, 3, 5}};
      case 1:
        return {{3, 3, 5}, {5}, {3, 3, 5}};
      case 2:
        return {{3, 1, 5}, {3, 1}, {3, 3, 5}};
      case 3:
        return {{3, 3, 5}, {}, {3, 3, 5}};
      default:
        return {{3, 3, 5}, {3, 1}, {3, 3, 5}};
    }
  }
  return {{n}, {n}, {n}};
}

// The result of an operation, nearly.
ExactValue Combined(std::string_view op, const ExactValue& a, const ExactValue& b) {
  const NumberFormat& format = FormatOf(DataType::kDouble);
  if (op == "Add") return RoundTo(format, Add(ToUnrounded(a), b));
  if (op == "Sub") {
    ExactValue minus = b;
    minus.negative = !minus.negative;
    return RoundTo(format, Add(ToUnrounded(a), minus));
  }
  if (op == "Mul") return RoundTo(format, Multiply(a, b));
  if (op == "Div") return RoundTo(format, Divide(a, b));
  return a;
}

bool IsBinary(std::string_view op) {
  return op == "Add" || op == "Sub" || op == "Mul" || op == "Div" || op == "PRelu";
}

// Attributes of the nodes with one operand: ONNX's defaults, powers of two, others.
std::vector<Attribute> AttributesOf(const GraphQuestion& question) {
  const int turn = question.index % 4;
  const bool powers = question.plan.scales == Scales::kPowers;
  if (question.op_type() == "LeakyRelu") {
    const float alphas[] = {0.01f, 0.25f, 0.1f, -0.5f};
    if (turn == 0 && !powers) return {};
    return {{"alpha", powers ? alphas[1 + 2 * (turn % 2)] : alphas[turn]}};
  }
  if (question.op_type() == "HardSigmoid") {
    // No default has a slope that falls.
    if (question.folds()) {
      return {{"alpha", turn % 2 == 0 ? -0.25f : 0.3f}, {"beta", 0.25f}};
    }
    if (powers) return {{"alpha", turn % 2 == 0 ? 0.25f : 0.125f}, {"beta", 0.5f}};
    if (turn == 0) return {};
    const float alphas[] = {0.2f, 1.0f / 6.0f, 0.3f, -0.2f};
    return {{"alpha", alphas[turn]}, {"beta", turn == 2 ? 0.6f : 0.5f}};
  }
  return {};
}

// Replaces codes whose difference from the zero point is 0, so that nothing is divided by
// 0.
void AvoidZero(GraphQuestion& question, const Parameters& parameters, Tensor& codes) {
  const NumberFormat& format = FormatOf(parameters.type);
  for (int64_t i = 0; i < Elements(codes.shape); ++i) {
    const uint64_t code = ReadCode(codes.view(), i);
    if (question.ValueOf(parameters, code).value_class == ValueClass::kFinite) continue;
    uint64_t other = Step(format, code, 1);
    if (question.ValueOf(parameters, other).value_class != ValueClass::kFinite) {
      other = Step(format, code, -1);
    }
    if (question.ValueOf(parameters, other).value_class != ValueClass::kFinite) {
      other = LargestFinite(format);
    }
    WriteCode(codes.mutable_view(), i, other);
  }
}

// Few codes beside the zero point, of which a division makes dyadic numbers: with scales
// that are powers of two the results have ties.
void MakeSmallPowers(GraphQuestion& question, const Parameters& parameters,
                     Tensor& codes) {
  const NumberFormat& format = FormatOf(parameters.type);
  const int64_t steps[] = {1, 2, 4, -1, -2, -4};
  for (int64_t i = 0; i < Elements(codes.shape); ++i) {
    const int64_t step = question.rng.Pick(steps);
    uint64_t code = RoundNearest(format, ToUnrounded(Dyadic(step, 0)));
    if (IsInteger(parameters.type)) {
      const uint64_t zero = parameters.zero_points.front();
      code = Step(format, zero, static_cast<int>(step));
      if (code == zero) code = Step(format, zero, step < 0 ? 1 : -1);
    }
    WriteCode(codes.mutable_view(), i, code);
  }
}

// A constant of the float section: of as many bits as the plan says, its size like that
// of the codes' values.
Tensor ConstantOperand(GraphQuestion& question, DataType type, const Shape& shape,
                       int magnitude) {
  Tensor tensor = Tensor::Zeros(type, shape);
  const NumberFormat& format = FormatOf(type);
  const bool powers = question.plan.scales == Scales::kPowers;
  for (int64_t i = 0; i < Elements(shape); ++i) {
    uint64_t code = question.Scale(
        type, magnitude - static_cast<int>(question.rng.Below(3)), !powers);
    if (question.rng.OneIn(2)) code = Negated(format, code);
    WriteCode(tensor.mutable_view(), i, code);
  }
  return tensor;
}

// Makes the codes of 0 to 1 those of the whole range, or at least of its upper half.
void SpreadFromZeroToOne(GraphQuestion& question, Parameters& y) {
  const NumberFormat& format = FormatOf(y.type);
  const NumberFormat& scale_format = FormatOf(y.scale_type);
  const int largest = LargestExponent(format);
  y.scales[0] = question.Scale(y.scale_type, -largest - 1, true);
  const bool falls = question.has_negative_result();
  if (falls) y.scales[0] = Negated(scale_format, y.scales[0]);
  if (!IsInteger(y.type)) return;
  y.zero_points[0] = IntegerCode(format, falls ? IntegerMax(format) : IntegerMin(format));
}

}  // namespace

void MakeArithmetic(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const DataType scale = types[1];
  const std::string_view op = question.op_type();
  const bool two = question.graph.name.starts_with("DQ,");
  Shapes shapes = ShapesOf(question);
  if (!IsBinary(op)) shapes.out = shapes.a;
  // PRelu broadcasts its slope only.
  if (op == "PRelu" && question.plan.elements == 0 && question.index % 5 == 2) {
    shapes = {{3, 3, 5}, {3, 1}, {3, 3, 5}};
  }

  // (1) Operands.
  Parameters a = question.First(types[0], scale);
  const bool powers = question.plan.scales == Scales::kPowers;
  const int largest = LargestExponent(FormatOf(types[0]));
  // Values that reach both bounds of these, and lie between them.
  if (op == "HardSigmoid" && (powers || question.folds()))
    a.scales[0] = question.Scale(scale, 2 - largest, !powers);
  if (powers && op == "HardSwish")
    a.scales[0] = question.Scale(scale, 4 - largest, false);
  Tensor codes = question.Codes(types[0], shapes.a, a);
  int magnitude = GraphQuestion::Magnitude(a);
  ExactValue aim = question.ValueOf(a, ReadCode(codes.view(), 0));
  std::vector<std::string> inputs;
  if (two) {
    const bool plain = op != "Add" && op != "Sub";
    Parameters b = question.First(types[0], scale, 1, plain);
    const bool sums = op == "Add" || op == "Sub";
    if (sums) {
      // Of like size, so that both matter.
      b.scales[0] = question.Last(types[0], scale, magnitude, &a).scales[0];
    }
    Tensor other = question.Codes(types[0], shapes.b, b);
    if (op == "Div" && question.plan.values != Values::kSpecials) {
      AvoidZero(question, b, other);
    }
    int other_magnitude = GraphQuestion::Magnitude(b);
    if (powers && plain) {
      MakeSmallPowers(question, b, other);
      other_magnitude -= largest - 2;
    }
    aim = Combined(op, aim, question.ValueOf(b, ReadCode(other.view(), 0)));
    if (sums) magnitude += 1;
    if (op == "Mul") magnitude += other_magnitude;
    if (op == "Div") magnitude -= other_magnitude - (powers ? 2 : largest / 2);
    if (op == "PRelu") magnitude += std::max(other_magnitude, 0);
    inputs.push_back(question.Dequantize("a", std::move(codes), a));
    inputs.push_back(question.Dequantize("b", std::move(other), b));
  } else {
    inputs.push_back(question.Dequantize("x", std::move(codes), a));
    if (IsBinary(op)) {
      const bool sums = op == "Add" || op == "Sub";
      const int size = sums ? magnitude : static_cast<int>(question.rng.Between(-3, 2));
      Tensor constant = ConstantOperand(question, scale, shapes.b, size);
      aim = Combined(op, aim, Decode(FormatOf(scale), ReadCode(constant.view(), 0)));
      if (sums) magnitude += 1;
      if (op == "Mul") magnitude += size + (powers ? 1 : 0);
      if (op == "Div") magnitude -= size - (powers ? 3 : 0);
      inputs.push_back(question.Feed("b", std::move(constant), Constant::kWeight));
      // The constant may stand on either side, where that is the same type of node.
      if (question.index % 4 == 1 && op != "Div") std::swap(inputs[0], inputs[1]);
    }
    if (op == "HardSigmoid") magnitude = -1;
  }

  // (2) Nodes.
  const bool relu = question.has("Relu");
  const bool quantized = question.ends_with_codes();
  std::string value = question.Apply(op, inputs, quantized || relu ? "result" : "y",
                                     AttributesOf(question));
  if (relu) value = question.Apply("Relu", {value}, "rectified");
  if (!quantized) return question.Return(value, types[2], shapes.out);
  // Products and quotients have other ties than a; HardSigmoid gives 0 to 1, whatever x
  // is.
  const bool own_ties = op == "Mul" || op == "Div" || op == "HardSigmoid";
  const bool unlike = op == "HardSigmoid" || (powers && own_ties);
  Parameters y = question.Last(types[2], scale, magnitude, unlike ? nullptr : &a, aim);
  if (powers && op == "HardSigmoid")
    y.scales[0] = question.Scale(scale, 1 - largest, false);
  if (op == "HardSigmoid" && question.folds()) SpreadFromZeroToOne(question, y);
  question.Return(question.Quantize(value, "y", y), types[2], shapes.out);
}

}  // namespace qconform::generators
