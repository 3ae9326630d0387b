#include "oracle/exact/graphs/testing/graph_nodes.h"

#include <algorithm>

namespace qconform::agreement::graphs {

// --- choosers
// ---------------------------------------------------------------------------

static std::string Bound(Builder& b, const std::string& x, const std::string& name) {
  // A bound among the values, or anywhere.
  const exact::GraphTensor tensor = b.Now(x);
  if (!tensor.elements.empty() && b.random().OneIn(2)) {
    const exact::GraphElement& element =
        tensor.elements[b.random().Below(tensor.elements.size())];
    return b.Input(name, Codes{tensor.type, {}, {element.code}});
  }
  return b.Input(name, b.FloatCodes({}));
}

std::string Clipped(Builder& b, const std::string& x) {
  switch (b.random().Below(3)) {
    case 0:
      return b.Node("Clip", {x, Bound(b, x, "min"), Bound(b, x, "max")});
    case 1:
      return b.Node("Clip", {x, Bound(b, x, "min")});
    default:
      return b.Node("Clip", {x, "", Bound(b, x, "max")});
  }
}

static Attributes PoolAttributes(Builder& b, const Shape& shape) {
  Random& random = b.random();
  Attributes attributes;
  Shape kernel, strides, pads(2 * (shape.size() - 2), 0);
  for (size_t d = 2; d < shape.size(); ++d) {
    kernel.push_back(random.Between(1, std::min<int64_t>(3, shape[d])));
    strides.push_back(random.Between(1, 2));
    if (random.OneIn(2)) {
      pads[d - 2] = random.Between(0, kernel.back() - 1);
      pads[shape.size() - 4 + d] = random.Between(0, kernel.back() - 1);
    }
  }
  attributes["kernel_shape"] = Integers(kernel);
  if (random.OneIn(2)) attributes["strides"] = Integers(strides);
  if (random.OneIn(3)) {
    attributes["auto_pad"] =
        Text(random.Pick<std::string>({"SAME_UPPER", "SAME_LOWER", "VALID"}));
  } else if (random.OneIn(2)) {
    attributes["pads"] = Integers(pads);
  }
  return attributes;
}

static Attributes ReduceAttributes(Builder& b, const std::string& op_type,
                                   const Shape& shape, std::vector<std::string>& inputs) {
  Random& random = b.random();
  Attributes attributes;
  Shape axes;
  const auto rank = static_cast<int64_t>(shape.size());
  for (int64_t d = 0; d < rank; ++d) {
    if (random.OneIn(2)) axes.push_back(random.OneIn(3) ? d - rank : d);
  }
  if (random.OneIn(2)) attributes["keepdims"] = Integer(random.Between(0, 1));
  if (axes.empty()) return attributes;
  if (agreement::SinceVersionOf(op_type, b.opset()) >= 18) {
    inputs.push_back(b.Axes(axes));
  } else {
    attributes["axes"] = Integers(axes);
  }
  return attributes;
}

static std::string Image(Builder& b, const std::string& x) {
  const auto count = static_cast<int64_t>(b.Now(x).elements.size());
  const Shape target = b.random().OneIn(2) || count % 4 != 0 ? Shape{1, 1, count}
                                                             : Shape{1, 1, 4, count / 4};
  return b.Node(
      "Reshape",
      {x, b.Input("shape", Indices({static_cast<int64_t>(target.size())}, target))});
}

std::string Choose(Builder& b, const std::string& x) {
  Random& random = b.random();
  const Shape shape = b.ShapeOf(x);
  switch (random.Below(7)) {
    case 0: {
      const std::string image = shape.size() > 2 ? x : Image(b, x);
      return b.Node("MaxPool", {image}, PoolAttributes(b, b.ShapeOf(image)));
    }
    case 1:
    case 2: {
      const std::string op_type = random.OneIn(2) ? "ReduceMax" : "ReduceMin";
      std::vector<std::string> inputs = {x};
      const Attributes attributes = ReduceAttributes(b, op_type, shape, inputs);
      return b.Node(op_type, inputs, attributes);
    }
    case 3: {
      const std::string other =
          random.OneIn(2) ? Bound(b, x, "other") : b.Input("other", b.FloatCodes(shape));
      return b.Node(random.OneIn(2) ? "Max" : "Min", {x, other});
    }
    case 4:
      return b.Node("Relu", {x});
    case 5:
      return Clipped(b, x);
    default:
      return b.Node(random.OneIn(2) ? "Max" : "Min",
                    {x, b.Input("other", b.FloatCodes(shape)), Bound(b, x, "third")});
  }
}

std::string ChooseIndex(Builder& b, const std::string& x) {
  Random& random = b.random();
  const auto rank = static_cast<int64_t>(b.ShapeOf(x).size());
  Attributes attributes;
  if (random.OneIn(2)) attributes["axis"] = Integer(random.Between(-rank, rank - 1));
  if (random.OneIn(2)) attributes["keepdims"] = Integer(random.Between(0, 1));
  if (random.OneIn(2)) attributes["select_last_index"] = Integer(random.Between(0, 1));
  const std::string index =
      b.Node(random.OneIn(2) ? "ArgMax" : "ArgMin", {x}, attributes);
  return b.Node("Cast", {index}, {{"to", Integer(exact::kInt32)}});
}

// --- arithmetic
// -------------------------------------------------------------------------

std::string Compute(Builder& b, const std::string& x, bool may_use_constants) {
  Random& random = b.random();
  const Shape shape = b.ShapeOf(x);
  const auto other = [&] {
    Shape narrow = shape;
    if (random.OneIn(3)) {
      for (int64_t& size : narrow) {
        if (random.OneIn(2)) size = 1;
      }
    }
    if (may_use_constants && random.OneIn(3)) return b.Input("c", b.FloatCodes(narrow));
    return b.Dequantized("b", narrow);
  };
  switch (random.Below(11)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: {
      const std::string op_type = random.Pick<std::string>({"Add", "Sub", "Mul", "Div"});
      const std::string second = random.OneIn(12) ? x : other();
      return random.OneIn(4) ? b.Node(op_type, {second, x})
                             : b.Node(op_type, {x, second});
    }
    case 5: {
      Attributes attributes;
      if (random.OneIn(2)) {
        attributes["alpha"] =
            Number(random.Pick<mpq_class>({mpq_class(1, 4), mpq_class(1, 10), 2, -1}));
      }
      return b.Node("LeakyRelu", {x}, attributes);
    }
    case 6:
      return b.Node("PRelu", {x, other()});
    case 7: {
      Attributes attributes;
      if (random.OneIn(2)) {
        attributes["alpha"] =
            Number(random.Pick<mpq_class>({mpq_class(1, 4), mpq_class(1, 6)}));
        attributes["beta"] =
            Number(random.Pick<mpq_class>({mpq_class(1, 2), mpq_class(1, 3)}));
      }
      return b.Node("HardSigmoid", {x}, attributes);
    }
    case 8:
      if (b.opset() < 14) return b.Node("Abs", {x});
      return b.Node("HardSwish", {x});
    case 9:
      return b.Node("Neg", {x});
    default:
      return b.Node("Abs", {x});
  }
}

// --- sums
// -------------------------------------------------------------------------------

static Attributes ConvolutionAttributes(Builder& b, const Shape& x, const Shape& w,
                                        int64_t group) {
  Random& random = b.random();
  Attributes attributes;
  if (group != 1) attributes["group"] = Integer(group);
  const size_t spatial = x.size() - 2;
  if (random.OneIn(2)) {
    Shape strides;
    for (size_t d = 0; d < spatial; ++d) strides.push_back(random.Between(1, 2));
    attributes["strides"] = Integers(strides);
  }
  if (random.OneIn(3)) {
    attributes["auto_pad"] =
        Text(random.Pick<std::string>({"SAME_UPPER", "SAME_LOWER", "VALID"}));
  } else if (random.OneIn(2)) {
    Shape pads;
    for (size_t d = 0; d < 2 * spatial; ++d) pads.push_back(random.Between(0, 1));
    attributes["pads"] = Integers(pads);
  }
  if (random.OneIn(2)) {
    attributes["kernel_shape"] = Integers(Shape(w.begin() + 2, w.end()));
  }
  return attributes;
}

struct ConvolutionShapes {
  Shape x, w;
  int64_t group = 1;
};

static ConvolutionShapes RandomConvolution(Random& random) {
  ConvolutionShapes all;
  all.group = random.OneIn(3) ? 2 : 1;
  const int64_t channels = random.Between(1, 2), filters = random.Between(1, 2);
  all.x = {1, channels * all.group};
  all.w = {filters * all.group, channels};
  const size_t spatial = random.OneIn(2) ? 1 : 2;
  for (size_t d = 0; d < spatial; ++d) {
    all.x.push_back(random.Between(2, 4));
    all.w.push_back(random.Between(1, 2));
  }
  return all;
}

// A bias in INT32, mostly with the scale f32(x_scale * w_scale) of the operands.
static std::string Bias(Builder& b, const Shape& shape) {
  if (b.random().OneIn(3)) return b.Input("bias", b.FloatCodes(shape, -4, 4));
  Codes codes{exact::kInt32, shape, {}};
  for (size_t i = 0; i < exact::CountOf(shape); ++i) {
    codes.codes.push_back(static_cast<uint32_t>(b.random().Between(-20000, 20000)));
  }
  const std::string x = b.Input("bias", codes);
  return b.DequantizeValue("bias", x);
}

std::string Sum(Builder& b, bool floats_are_data) {
  Random& random = b.random();
  const auto data = [&](const std::string& name, const Shape& shape) {
    return floats_are_data ? b.Input(name, b.FloatCodes(shape))
                           : b.Dequantized(name, shape);
  };
  switch (random.Below(floats_are_data ? 4 : 7)) {
    case 0:
    case 1: {
      const int64_t k = random.Between(1, random.OneIn(4) ? 40 : 6);
      Shape a = {random.Between(1, 3), k}, w = {k, random.Between(1, 3)};
      if (random.OneIn(4)) a.insert(a.begin(), 2);
      const std::string left = data("a", a);
      return b.Node("MatMul", {left, b.Dequantized("b", w, {}, true)});
    }
    case 2: {
      const int64_t m = random.Between(1, 3), k = random.Between(1, 5),
                    n = random.Between(1, 3);
      const bool a_turned = random.OneIn(3), b_turned = random.OneIn(3);
      std::vector<std::string> inputs = {
          data("a", a_turned ? Shape{k, m} : Shape{m, k}),
          b.Dequantized("b", b_turned ? Shape{n, k} : Shape{k, n})};
      if (random.OneIn(2))
        inputs.push_back(Bias(b, random.OneIn(2) ? Shape{n} : Shape{m, n}));
      Attributes attributes;
      if (a_turned) attributes["transA"] = Integer(1);
      if (b_turned) attributes["transB"] = Integer(1);
      if (random.OneIn(3)) {
        attributes["alpha"] =
            Number(random.Pick<mpq_class>({mpq_class(1, 2), mpq_class(1, 3), 1}));
      }
      if (random.OneIn(3)) {
        attributes["beta"] =
            Number(random.Pick<mpq_class>({mpq_class(1, 2), mpq_class(1, 3), 1}));
      }
      return b.Node("Gemm", inputs, attributes);
    }
    case 3: {
      const ConvolutionShapes shapes = RandomConvolution(random);
      std::vector<std::string> inputs = {data("x", shapes.x),
                                         b.Dequantized("w", shapes.w)};
      if (random.OneIn(2)) inputs.push_back(Bias(b, {shapes.w[0]}));
      return b.Node("Conv", inputs,
                    ConvolutionAttributes(b, shapes.x, shapes.w, shapes.group));
    }
    case 4: {
      Shape shape = {1, random.Between(1, 2), random.Between(1, 4), random.Between(1, 4)};
      if (random.OneIn(2)) shape.pop_back();
      const std::string x = data("x", shape);
      Attributes attributes = PoolAttributes(b, shape);
      if (random.OneIn(2))
        attributes["count_include_pad"] = Integer(random.Between(0, 1));
      return b.Node("AveragePool", {x}, attributes);
    }
    case 5: {
      const Shape shape = {1, random.Between(1, 3), random.Between(1, 4),
                           random.Between(1, 4)};
      return b.Node("GlobalAveragePool", {data("x", shape)});
    }
    default: {
      const Shape shape = b.RandomShape(1, 3);
      std::vector<std::string> inputs = {data("x", shape)};
      const Attributes attributes = ReduceAttributes(b, "ReduceMean", shape, inputs);
      return b.Node("ReduceMean", inputs, attributes);
    }
  }
}

// --- dynamic
// ----------------------------------------------------------------------------

std::string Dynamic(Builder& b) {
  Random& random = b.random();
  b.UseFloat();
  const bool is_matrix = random.OneIn(2);
  const ConvolutionShapes shapes = RandomConvolution(random);
  const int64_t k = random.Between(1, 6);
  const Shape x = is_matrix ? Shape{random.Between(1, 3), k} : shapes.x;
  const Shape w = is_matrix ? Shape{k, random.Between(1, 3)} : shapes.w;
  const std::vector<std::string> quantized =
      b.NodeOf("DynamicQuantizeLinear", {b.Input("x", b.FloatCodes(x))}, {}, 3);
  if (random.OneIn(4)) {
    return b.Node("DequantizeLinear", quantized);
  }
  const int type = random.OneIn(2) ? exact::kUint8 : exact::kInt8;
  const std::string weights = b.Input("w", b.QuantizedCodes(type, w));
  std::vector<std::string> inputs = {quantized[0], weights, quantized[2]};
  if (random.OneIn(2)) {
    inputs.push_back(b.Input("w_zero_point", *b.ZeroPoint(type, {}, true)));
  }
  const std::string sum =
      is_matrix
          ? b.Node("MatMulInteger", inputs)
          : b.Node("ConvInteger", inputs, ConvolutionAttributes(b, x, w, shapes.group));
  const std::string cast = b.Node("Cast", {sum}, {{"to", Integer(exact::kFloat)}});
  std::string scale = quantized[1];
  Codes w_scale{exact::kFloat, {}, {b.ScaleCode()}};
  std::string result;
  if (random.OneIn(2)) {
    result = b.Node("Mul", {cast, b.Node("Mul", {scale, b.Input("w_scale", w_scale)})});
  } else {
    result = b.Node("Mul", {cast, scale});
  }
  if (random.OneIn(2))
    result = b.Node("Add", {result, b.Input("bias", b.FloatCodes({}, -4, 4))});
  return result;
}

}  // namespace qconform::agreement::graphs
