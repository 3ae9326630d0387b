// Graphs that begin with DynamicQuantizeLinear.
#include <algorithm>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

// Floats for DynamicQuantizeLinear. By the plan: with a scale that is a power of two and
// values at ties, with all bits in use, of one sign, or with special values among them.
Tensor Activations(GraphQuestion& question, const Shape& shape) {
  const NumberFormat& format = FormatOf(DataType::kFloat);
  const int64_t count = Elements(shape);
  Tensor x = Tensor::Zeros(DataType::kFloat, shape);
  const int turn = question.index;
  const bool powers = question.plan.exact || question.plan.scales == Scales::kPowers;
  int exponent = static_cast<int>(question.rng.Between(-8, 2));
  if (question.plan.scales == Scales::kTiny) exponent = -125;
  if (question.plan.scales == Scales::kHuge) exponent = 118;
  // Of 255 steps this many lie below 0.
  const int64_t belows[] = {128, 0, 255, 100, 1, 37};
  const int64_t below = belows[turn % 6];
  const auto put = [&](int64_t index, uint64_t code) {
    WriteCode(x.mutable_view(), index, code);
  };
  for (int64_t i = 0; i < count; ++i) {
    uint64_t code = 0;
    if (powers) {
      // Whole and half steps within the range.
      const int64_t halves = question.rng.Between(-2 * below, 2 * (255 - below));
      code = RoundNearest(format, ToUnrounded(Dyadic(halves, exponent - 1)));
    } else {
      code =
          question.Scale(DataType::kFloat,
                         exponent + static_cast<int>(question.rng.Between(0, 6)), true);
      if (turn % 3 == 2 || (turn % 3 == 0 && question.rng.OneIn(2))) {
        code = Negated(format, code);
      }
    }
    put(i, code);
  }
  if (powers && count >= 2) {
    const int64_t at = question.rng.Below(static_cast<uint32_t>(count));
    put(at, RoundNearest(format, ToUnrounded(Dyadic(-below, exponent))));
    put((at + 1) % count,
        RoundNearest(format, ToUnrounded(Dyadic(255 - below, exponent))));
  }
  if (question.plan.values == Values::kSpecials) {
    const uint64_t specials[] = {CanonicalNan(format), Infinity(format, false),
                                 Infinity(format, true), 0x80000000};
    for (int64_t i = 0; i <= turn % 2; ++i) {
      put(question.rng.Below(static_cast<uint32_t>(count)), specials[(turn + i) % 4]);
    }
  }
  if (question.plan.special == 1) {  // all equal, or all 0
    const uint64_t first = turn % 2 == 0 ? 0 : ReadCode(x.view(), 0);
    for (int64_t i = 0; i < count; ++i) put(i, first);
  }
  return x;
}

Tensor FloatsOf(GraphQuestion& question, const Shape& shape, int exponent) {
  const NumberFormat& format = FormatOf(DataType::kFloat);
  const bool powers = question.plan.exact || question.plan.scales == Scales::kPowers;
  Tensor tensor = Tensor::Zeros(DataType::kFloat, shape);
  for (int64_t i = 0; i < Elements(shape); ++i) {
    uint64_t code = question.Scale(
        DataType::kFloat, exponent + static_cast<int>(question.rng.Below(3)), !powers);
    if (question.plan.scales == Scales::kNegative && question.rng.OneIn(2)) {
      code = Negated(format, code);
    }
    WriteCode(tensor.mutable_view(), i, code);
  }
  return tensor;
}

}  // namespace

void MakeDynamic(GraphQuestion& question) {
  const DataType w_type = question.cell.types[1];
  const int turn = question.index;
  const bool convolves = question.has("ConvInteger");
  const bool multiplies = question.has("MatMulInteger");
  constexpr int64_t kTerms[] = {8, 3, 16, 33, 1, 5};
  const int64_t terms =
      question.plan.elements > 0 ? question.plan.elements : kTerms[turn % 6];

  // (1) Shapes.
  const int64_t rows = 3;
  const int64_t columns = turn % 2 == 0 ? 5 : 7;
  const bool padded = turn % 2 == 1;
  Shape x_shape = {rows, terms};
  Shape w_shape = {terms, columns};
  Shape y_shape = {rows, columns};
  Shape channel_shape = {columns};
  if (convolves) {
    x_shape = {1, 2, 5, 5};
    w_shape = {3, 2, 3, 3};
    y_shape = padded ? Shape{1, 3, 5, 5} : Shape{1, 3, 3, 3};
    channel_shape = {3, 1, 1};
  } else if (!multiplies) {
    y_shape = x_shape;
  }

  // (2) The quantization of x.
  question.Feed("x", Activations(question, x_shape));
  question.Add("DynamicQuantizeLinear", {"x"}, {"codes", "x_scale", "x_zero_point"});
  if (!multiplies && !convolves) {
    question.Add("DequantizeLinear", {"codes", "x_scale", "x_zero_point"}, {"y"});
    question.Return("y", DataType::kFloat, y_shape);
  } else {
    // (3) The sum.
    Parameters w = question.First(w_type, DataType::kFloat, 1, true);
    question.Feed("w", question.Codes(w_type, w_shape, w), Constant::kWeight);
    std::vector<std::string> inputs = {"codes", "w", "x_zero_point"};
    if (turn % 3 != 2) {
      Tensor zero_point = Tensor::Zeros(w_type, {});
      WriteCode(zero_point.mutable_view(), 0, w.zero_points[0]);
      inputs.push_back(
          question.Feed("w_zero_point", std::move(zero_point), Constant::kParameter));
    }
    std::vector<Attribute> attributes;
    if (convolves && padded) {
      attributes.push_back({"pads", std::vector<int64_t>{1, 1, 1, 1}});
    }
    question.Add(question.op_type(), inputs, {"sums"}, attributes);
    question.Add("Cast", {"sums"}, {"sums_as_floats"},
                 {{"to", static_cast<int64_t>(DataType::kFloat)}});

    // (4) The scales, and a bias.
    const bool per_channel = turn % 2 == 0;
    std::string scale = "x_scale";
    const std::string_view name = question.graph.name;
    if (name.find("Mul-Mul") != std::string_view::npos) {
      question.Feed("w_scale",
                    FloatsOf(question, per_channel ? channel_shape : Shape{}, -7),
                    Constant::kParameter);
      question.Add("Mul", {"x_scale", "w_scale"}, {"scale"});
      scale = "scale";
    }
    const bool adds = question.has("Add");
    question.Add("Mul", {"sums_as_floats", scale}, {adds ? "scaled" : "y"});
    if (adds) {
      question.Feed("bias", FloatsOf(question, channel_shape, 0), Constant::kWeight);
      question.Add("Add", {"scaled", "bias"}, {"y"});
    }
    question.Return("y", DataType::kFloat, y_shape);
    if (turn % 4 == 3) question.Return("sums", DataType::kInt32, y_shape);
  }
  if (turn % 4 != 3) return;
  // Whoever fuses the graph has to give these as well.
  question.Return("codes", DataType::kUint8, x_shape);
  question.Return("x_scale", DataType::kFloat, {});
  question.Return("x_zero_point", DataType::kUint8, {});
}

}  // namespace qconform::generators
