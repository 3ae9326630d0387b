// Graphs with a node that sums (GR-06): MatMul, Gemm, Conv and means.
#include <algorithm>
#include <bit>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

// How many products make a sum; by turn, or what the generator wants.
int64_t TermsOf(const GraphQuestion& question) {
  constexpr int64_t kTerms[] = {3, 16, 1, 8, 33, 2, 17, 64, 5, 32};
  if (question.plan.elements > 0) return question.plan.elements;
  // BFLOAT16 holds no more small products.
  const bool is_wide = question.cell.types[2] != DataType::kBfloat16;
  if (question.plan.exact && !is_wide) return 16 >> question.index % 3;
  if (question.plan.values == Values::kEnds) return 32;
  return kTerms[question.index % 10];
}

int Log2(int64_t value) {
  return static_cast<int>(std::bit_width(static_cast<uint64_t>(value))) - 1;
}

// What sums of codes less their zero points reach, about.
int SumBits(const GraphQuestion& question, const Parameters& x, const Parameters& w,
            int64_t terms) {
  if (question.plan.values == Values::kSmall) {
    const auto bits_of = [&](const Parameters& codes) {
      return question.SmallCodes(codes) > 3 ? 2 : 1;
    };
    return bits_of(x) + bits_of(w) + (Log2(terms) + 1) / 2;
  }
  if (question.plan.special == kLargeBias) return 17;
  const int largest =
      LargestExponent(FormatOf(x.type)) + LargestExponent(FormatOf(w.type));
  if (question.plan.values == Values::kEnds) return largest + Log2(terms) + 1;
  return largest + Log2(terms) / 2 - 1;
}

ExactValue ScaleOf(const Parameters& parameters, size_t channel = 0) {
  return Decode(FormatOf(parameters.scale_type), parameters.scales[channel]);
}

// The code of an integer type less its zero point.
int64_t Difference(const Parameters& parameters, const Tensor& codes, int64_t index) {
  const NumberFormat& format = FormatOf(parameters.type);
  const int64_t zero = parameters.zero_points.empty()
                           ? 0
                           : ToInteger(format, parameters.zero_points.front());
  return ToInteger(format, ReadCode(codes.view(), index)) - zero;
}

// The parameters of the result. `sum`: a sum of differences that occurs, if it is known.
Parameters ResultParameters(GraphQuestion& question, DataType type, const Parameters& x,
                            const Parameters& w, int64_t terms,
                            std::optional<int64_t> sum) {
  const NumberFormat& wide = FormatOf(DataType::kDouble);
  const ExactValue step = RoundTo(wide, Multiply(ScaleOf(x), ScaleOf(w)));
  const int bits = SumBits(question, x, w, terms);
  std::optional<ExactValue> aim;
  if (sum) aim = RoundTo(wide, Multiply(step, Dyadic(*sum, 0)));
  Parameters y = question.Last(type, x.scale_type, FloorLog2(step) + bits, nullptr, aim);
  if (!question.plan.exact) return y;
  // The exact twin: y_scale is 2, 4, ... steps of the sums, so that some are ties; of a
  // FLOAT bias a quarter of one, or half of one, which has ties.
  int more = std::max(1, bits - LargestExponent(FormatOf(type)) - 1);
  if (question.graph.name.find("FLOAT") != std::string_view::npos) {
    more = question.plan.special == kHalfSteps ? -1 : -2;
  }
  // Some quotients are beyond the range until the zero point is added.
  if (question.folds()) more = bits - LargestExponent(FormatOf(type)) - 1;
  y.scales[0] = question.Scale(x.scale_type, FloorLog2(step) + more, false);
  if (question.has_negative_result()) {
    y.scales[0] = Negated(FormatOf(x.scale_type), y.scales[0]);
  }
  if (question.folds()) return y;
  // Every second content has ties on both sides of 0.
  if (IsInteger(type) && question.index % 2 == 0) {
    const NumberFormat& format = FormatOf(type);
    const int64_t middle = (IntegerMin(format) + IntegerMax(format) + 1) / 2;
    y.zero_points[0] = IntegerCode(format, middle);
  }
  return y;
}

// The scale of a bias: x_scale * w_scale, rounded; or another one.
Parameters BiasParameters(GraphQuestion& question, const Parameters& x,
                          const Parameters& w) {
  Parameters bias;
  bias.type = DataType::kInt32;
  bias.scale_type = x.scale_type;
  bias.shape = w.shape;
  const NumberFormat& format = FormatOf(x.scale_type);
  for (size_t channel = 0; channel < w.scales.size(); ++channel) {
    uint64_t scale = RoundNearest(format, Multiply(ScaleOf(x), ScaleOf(w, channel)));
    if (IsZero(format, scale)) scale = SmallestPositive(format);
    if (question.index % 2 == 1) {
      const int exponent = FloorLog2(format, scale) + 1;
      // By a factor, or in the last bit, which shows in floats.
      scale = question.index % 8 != 5 || question.plan.exact
                  ? question.Scale(x.scale_type, exponent, !question.plan.exact)
                  : Step(format, scale, 1);
    }
    bias.scales.push_back(scale);
  }
  if (!w.shape.empty()) bias.axis = 0;
  return bias;
}

Tensor BiasCodes(GraphQuestion& question, const Shape& shape, int bits) {
  Tensor bias = Tensor::Zeros(DataType::kInt32, shape);
  const int64_t most = int64_t{1} << std::clamp(bits, 3, 24);
  for (int64_t i = 0; i < Elements(shape); ++i) {
    const int64_t value = question.rng.Between(-most, most);
    WriteCode(bias.mutable_view(), i, static_cast<uint32_t>(value));
  }
  return bias;
}

// Quarters of x_scale * w_scale.
Tensor FloatBias(GraphQuestion& question, const Shape& shape, const Parameters& x,
                 const Parameters& w) {
  const NumberFormat& format = FormatOf(x.scale_type);
  Tensor bias = Tensor::Zeros(x.scale_type, shape);
  const int exponent = FloorLog2(ScaleOf(x)) + FloorLog2(ScaleOf(w)) - 2;
  for (int64_t i = 0; i < Elements(shape); ++i) {
    int64_t quarters = question.rng.Between(-31, 31);
    if (question.plan.special == kHalfSteps) quarters |= 1;
    const ExactValue value = Dyadic(quarters, exponent);
    WriteCode(bias.mutable_view(), i, RoundNearest(format, ToUnrounded(value)));
  }
  return bias;
}

// Appends the bias that the graph's name has, as an input of the node.
void AddBias(GraphQuestion& question, const Shape& shape, const Parameters& x,
             const Parameters& w, int bits, std::vector<std::string>& inputs) {
  if (question.graph.name.starts_with("DQ,DQ,FLOAT")) {
    inputs.push_back(
        question.Feed("bias", FloatBias(question, shape, x, w), Constant::kWeight));
  } else if (question.graph.name.starts_with("DQ,DQ,DQ")) {
    const Parameters bias = BiasParameters(question, x, w);
    inputs.push_back(question.Dequantize("bias", BiasCodes(question, shape, bits), bias,
                                         Constant::kWeight));
  }
}

struct SumTypes {
  DataType x = DataType::kUndefined;
  DataType w = DataType::kUndefined;
  DataType scale = DataType::kUndefined;
  DataType y = DataType::kUndefined;
  bool integers = false;
};

SumTypes SumTypesOf(const GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  return {types[0], types[1], types[2], types[3],
          IsInteger(types[0]) && IsInteger(types[1])};
}

Parameters WeightParameters(GraphQuestion& question, const SumTypes& types,
                            int64_t channels, int64_t axis) {
  Parameters w =
      question.First(types.w, types.scale, question.per_axis() ? channels : 1, true);
  if (question.per_axis()) question.Along(w, axis);
  return w;
}

// Ends the graph: Relu or Clip if its name has one, and QuantizeLinear.
void Finish(GraphQuestion& question, const SumTypes& types, std::string value,
            const Parameters& y, const Shape& shape) {
  if (question.has("Relu")) value = question.Apply("Relu", {value}, "rectified");
  if (question.has("Clip")) {
    // From 0 to the middle of the upper half of y, or to the greatest code of y.
    const NumberFormat& format = FormatOf(types.scale);
    Tensor low = Tensor::Zeros(types.scale, {});
    Tensor high = Tensor::Zeros(types.scale, {});
    const int exponent = GraphQuestion::Magnitude(y) - 1;
    uint64_t most = question.Scale(types.scale, exponent, !question.plan.exact);
    if (question.index % 3 == 1) {
      const uint64_t greatest = LargestFinite(FormatOf(types.y));
      ExactValue value_of = question.ValueOf(y, greatest);
      value_of.negative = false;
      const uint64_t code = RoundNearest(format, ToUnrounded(value_of));
      if (!IsZero(format, code)) most = code;
    }
    WriteCode(high.mutable_view(), 0, most);
    if (question.index % 3 == 2) {
      WriteCode(low.mutable_view(), 0, Negated(format, most));
    }
    value =
        question.Apply("Clip",
                       {value, question.Feed("min", std::move(low), Constant::kAlways),
                        question.Feed("max", std::move(high), Constant::kAlways)},
                       "clipped");
  }
  question.Return(question.Quantize(value, "y", y), types.y, shape);
}

}  // namespace

void MakeMatMul(GraphQuestion& question) {
  const SumTypes types = SumTypesOf(question);
  const int64_t terms = TermsOf(question);
  const int64_t rows = question.plan.exact ? 5 : 3;
  const int64_t columns = question.index % 3 == 1 ? 7 : 5;
  const bool batched = question.index % 5 == 4 && !question.per_axis();
  const Shape x_shape = batched ? Shape{2, rows, terms} : Shape{rows, terms};
  const Shape w_shape = {terms, columns};
  const Shape y_shape = batched ? Shape{2, rows, columns} : Shape{rows, columns};
  const Parameters x = question.First(types.x, types.scale);
  const Parameters w = WeightParameters(question, types, columns, 1);
  Tensor a = question.Codes(types.x, x_shape, x, false);
  Tensor b = question.Codes(types.w, w_shape, w, false);
  std::optional<int64_t> sum;
  if (types.integers) {
    sum = 0;
    for (int64_t k = 0; k < terms; ++k) {
      *sum += Difference(x, a, k) * Difference(w, b, k * columns);
    }
  }
  const std::vector<std::string> inputs = {
      question.Dequantize("a", std::move(a), x),
      question.Dequantize("b", std::move(b), w, Constant::kWeight)};
  const bool quantized = question.ends_with_codes();
  const std::string value = question.Apply("MatMul", inputs, quantized ? "sum" : "y");
  if (!quantized) return question.Return("y", types.y, y_shape);
  Finish(question, types, value, ResultParameters(question, types.y, x, w, terms, sum),
         y_shape);
}

void MakeGemm(GraphQuestion& question) {
  const SumTypes types = SumTypesOf(question);
  const int turn = question.index;
  // Transposed squares have the shape that they had.
  const bool square = turn % 5 == 2;
  const int64_t terms = square ? 5 : TermsOf(question);
  const int64_t rows = square || question.plan.exact ? 5 : 3;
  const int64_t columns = turn % 2 == 1 && !square ? 7 : 5;
  const bool transposes_a = square;
  const bool transposes_b = turn % 2 == 1 || turn % 10 == 2;
  const Shape a_shape = transposes_a ? Shape{terms, rows} : Shape{rows, terms};
  const Shape b_shape = transposes_b ? Shape{columns, terms} : Shape{terms, columns};
  const Parameters x = question.First(types.x, types.scale);
  const Parameters w = WeightParameters(question, types, columns, transposes_b ? 0 : 1);
  Tensor a = question.Codes(types.x, a_shape, x, false);
  Tensor b = question.Codes(types.w, b_shape, w, false);
  std::optional<int64_t> sum;
  if (types.integers) {
    sum = 0;
    for (int64_t k = 0; k < terms; ++k) {
      *sum += Difference(x, a, transposes_a ? k * rows : k) *
              Difference(w, b, transposes_b ? k : k * columns);
    }
  }
  const int bits = SumBits(question, x, w, terms);
  std::vector<std::string> inputs = {
      question.Dequantize("a", std::move(a), x),
      question.Dequantize("b", std::move(b), w, Constant::kWeight)};
  Shape bias_shape = {columns};
  if (!question.per_axis()) {
    const Shape shapes[] = {
        {columns}, {1, columns}, {rows, columns}, {columns}, {rows, 1}};
    bias_shape = shapes[turn % 5];
  }
  AddBias(question, bias_shape, x, w, bits, inputs);

  std::vector<Attribute> attributes;
  if (transposes_a) attributes.push_back({"transA", int64_t{1}});
  if (transposes_b) attributes.push_back({"transB", int64_t{1}});
  const bool powers = question.plan.exact || question.plan.scales == Scales::kPowers;
  if (turn % 3 == 1) {
    const float alpha = turn % 2 == 0 ? 2.0f : 0.5f;
    attributes.push_back({"alpha", powers ? alpha : 0.3f});
  }
  if (inputs.size() == 3 && turn % 4 >= 2) {
    attributes.push_back({"beta", powers ? 2.0f : 0.7f});
  }
  const bool quantized = question.ends_with_codes();
  const std::string value =
      question.Apply("Gemm", inputs, quantized ? "sum" : "y", attributes);
  if (!quantized) return question.Return("y", types.y, {rows, columns});
  Finish(question, types, value, ResultParameters(question, types.y, x, w, terms, sum),
         {rows, columns});
}

void MakeConv(GraphQuestion& question) {
  const SumTypes types = SumTypesOf(question);
  struct Geometry {
    int64_t channels, outputs, groups, kernel, stride, pad, dilation;
    size_t spatial;
  };
  constexpr Geometry kGeometries[] = {{2, 3, 1, 3, 1, 1, 1, 2}, {3, 4, 1, 1, 1, 0, 1, 2},
                                      {4, 4, 4, 3, 1, 1, 1, 2}, {2, 4, 2, 2, 2, 0, 1, 2},
                                      {3, 2, 1, 3, 1, 0, 1, 1}, {2, 3, 1, 2, 1, 1, 2, 2},
                                      {1, 3, 1, 3, 2, 1, 1, 1}};
  constexpr size_t kOfGroups = 3;  // two channels in each of two groups
  const Geometry& g = kGeometries[question.plan.special == kGroups
                                      ? kOfGroups
                                      : static_cast<size_t>(question.index % 7)];
  constexpr int64_t kSizes[] = {5, 6};
  Shape x_shape = {1, g.channels};
  Shape w_shape = {g.outputs, g.channels / g.groups};
  Shape y_shape = {1, g.outputs};
  for (size_t i = 0; i < g.spatial; ++i) {
    x_shape.push_back(kSizes[i]);
    w_shape.push_back(g.kernel);
    const int64_t extent = g.dilation * (g.kernel - 1) + 1;
    y_shape.push_back((kSizes[i] + 2 * g.pad - extent) / g.stride + 1);
  }
  const int64_t terms = Elements(w_shape) / g.outputs;
  const Parameters x = question.First(types.x, types.scale);
  const Parameters w = WeightParameters(question, types, g.outputs, 0);
  Tensor data = question.Codes(types.x, x_shape, x, false);
  Tensor weights = question.Codes(types.w, w_shape, w, false);
  std::optional<int64_t> sum;
  // The first element, of kernels of one element.
  if (types.integers && g.kernel == 1) {
    sum = 0;
    const int64_t plane = Elements(x_shape) / g.channels;
    for (int64_t k = 0; k < terms; ++k) {
      *sum += Difference(x, data, k * plane) * Difference(w, weights, k);
    }
  }
  std::vector<std::string> inputs = {
      question.Dequantize("x", std::move(data), x),
      question.Dequantize("w", std::move(weights), w, Constant::kWeight)};
  AddBias(question, {g.outputs}, x, w, SumBits(question, x, w, terms), inputs);

  std::vector<Attribute> attributes;
  const auto all = [&](int64_t value, size_t times = 1) {
    return std::vector<int64_t>(g.spatial * times, value);
  };
  if (question.index % 2 == 0) attributes.push_back({"kernel_shape", all(g.kernel)});
  if (g.stride != 1) attributes.push_back({"strides", all(g.stride)});
  if (g.pad != 0) attributes.push_back({"pads", all(g.pad, 2)});
  if (g.dilation != 1) attributes.push_back({"dilations", all(g.dilation)});
  if (g.groups != 1) attributes.push_back({"group", g.groups});
  const bool quantized = question.ends_with_codes();
  const std::string value =
      question.Apply("Conv", inputs, quantized ? "sum" : "y", attributes);
  if (!quantized) return question.Return("y", types.y, y_shape);
  Finish(question, types, value, ResultParameters(question, types.y, x, w, terms, sum),
         y_shape);
}

void MakeMean(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const std::string_view op = question.op_type();
  const int turn = question.index;
  // Means of a power of two of elements are exact.
  const bool powers = question.plan.exact || question.plan.scales == Scales::kPowers;
  const bool few = question.plan.few_terms;
  Shape in = {1, 2, 4, 4};
  Shape out = in;
  std::vector<std::string> inputs;
  std::vector<Attribute> attributes;
  int64_t terms = 4;
  if (op == "GlobalAveragePool") {
    in = powers ? Shape{4, 5, 2, 4} : Shape{4, 5, 3, 4 + turn % 2};
    if (few) in = {4, 5, 1, powers ? 2 : 3};
    out = {4, 5, 1, 1};
    terms = in[2] * in[3];
  } else if (op == "ReduceMean") {
    in = powers ? Shape{5, 5, 8} : Shape{4, 3, 7};
    if (few) in = {5, 3, 2};
    const bool keepdims = turn % 2 == 0;
    const int64_t axis = powers || turn % 3 == 0 ? 2 : 1;
    out.clear();
    for (int64_t i = 0; i < 3; ++i) {
      if (i != axis) out.push_back(in[static_cast<size_t>(i)]);
      if (i == axis && keepdims) out.push_back(1);
    }
    terms = in[static_cast<size_t>(axis)];
    const std::vector<int64_t> axes = {turn % 4 == 3 ? axis - 3 : axis};
    if (question.opset() < 18) {
      attributes.push_back({"axes", axes});
    } else {
      inputs.push_back(question.Feed("axes", axes));
    }
    if (!keepdims) attributes.push_back({"keepdims", int64_t{0}});
  } else {
    const int64_t kernel = powers || turn % 3 == 0 ? 2 : 3;
    const int64_t stride = turn % 2 == 0 ? 1 : 2;
    // Without count_include_pad the divisor differs at the border.
    const int64_t pad = turn % 4 == 1 || turn % 4 == 2 ? 1 : 0;
    const int64_t rows = few ? 1 : kernel;
    attributes.push_back({"kernel_shape", std::vector<int64_t>{rows, kernel}});
    if (stride != 1)
      attributes.push_back({"strides", std::vector<int64_t>{stride, stride}});
    if (pad != 0) {
      // Padding is narrower than the window.
      const int64_t above = rows > 1 ? pad : 0;
      attributes.push_back({"pads", std::vector<int64_t>{above, pad, above, pad}});
      if (powers || turn % 4 == 2)
        attributes.push_back({"count_include_pad", int64_t{1}});
    }
    terms = rows * kernel;
    for (size_t axis = 2; axis < 4; ++axis) {
      const int64_t extent = axis == 2 ? rows : kernel;
      const int64_t padded = in[axis] + (extent > 1 ? 2 * pad : 0);
      out[axis] = (padded - extent) / stride + 1;
    }
  }
  const Parameters x = question.First(types[0], types[1]);
  Tensor codes = question.Codes(types[0], in, x, false);
  const ExactValue aim = question.ValueOf(x, ReadCode(codes.view(), 0));
  inputs.insert(inputs.begin(), question.Dequantize("x", std::move(codes), x));
  const std::string value = question.Apply(op, inputs, "mean", attributes);
  Parameters y = question.Last(types[2], types[1], GraphQuestion::Magnitude(x), &x, aim);
  if (question.plan.exact) {
    // Half a step of the means, or one: some are ties.
    const int exponent = FloorLog2(FormatOf(types[1]), x.scales[0]);
    y.scales[0] = question.Scale(types[1], exponent - Log2(terms) + 1 + turn % 2, false);
  }
  question.Return(question.Quantize(value, "y", y), types[2], out);
}

}  // namespace qconform::generators
