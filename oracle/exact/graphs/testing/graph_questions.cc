#include "oracle/exact/graphs/testing/graph_questions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/compose.h"

namespace qconform::agreement {
namespace {

using exact::Codes;
using exact::Format;
using exact::GraphAttribute;
using exact::GraphNode;
using exact::Value;
using Shape = std::vector<int64_t>;

GraphAttribute Integer(int64_t v) {
  GraphAttribute attribute;
  attribute.integer = v;
  return attribute;
}

GraphAttribute Integers(Shape v) {
  GraphAttribute attribute;
  attribute.integers = std::move(v);
  return attribute;
}

GraphAttribute Number(const mpq_class& v) {
  GraphAttribute attribute;
  attribute.number =
      exact::RoundToPrecision(exact::GetFormat(exact::kFloat), Value::Number(v)).number;
  return attribute;
}

GraphAttribute Text(const std::string& v) {
  GraphAttribute attribute;
  attribute.text = v;
  return attribute;
}

using Attributes = std::map<std::string, GraphAttribute>;

Codes Indices(const Shape& shape, const Shape& values) {
  Codes codes{exact::kInt64, shape, {}};
  for (int64_t v : values) codes.codes.push_back(static_cast<uint64_t>(v));
  return codes;
}

// How scales of a question are drawn.
enum class Scales : uint8_t { kAny, kPowersOfTwo, kDegenerate };

class Builder {
 public:
  Builder(int opset, Random& random) : opset_(opset), random_(random) {
    float_type_ = opset < 19 || random.OneIn(2)
                      ? exact::kFloat
                      : random.Pick<int>({exact::kFloat16, exact::kBfloat16});
    scales_ = random.OneIn(4)    ? Scales::kPowersOfTwo
              : random.OneIn(12) ? Scales::kDegenerate
                                 : Scales::kAny;
    has_specials_ = random.OneIn(10);
  }

  Random& random() { return random_; }
  int opset() const { return opset_; }
  int float_type() const { return float_type_; }
  const Format& float_format() const { return exact::GetFormat(float_type_); }
  void UseFloat() { float_type_ = exact::kFloat; }

  std::string Input(const std::string& name, Codes codes) {
    std::string unique = name;
    for (int i = 1; question_.inputs.contains(unique); ++i) {
      unique = name + std::to_string(i);
    }
    question_.inputs[unique] = std::move(codes);
    return unique;
  }

  std::string Node(const std::string& op_type, const std::vector<std::string>& inputs,
                   const Attributes& attributes = {}) {
    return NodeOf(op_type, inputs, attributes, 1)[0];
  }

  std::vector<std::string> NodeOf(const std::string& op_type,
                                  const std::vector<std::string>& inputs,
                                  const Attributes& attributes, size_t outputs) {
    GraphNode node;
    node.op_type = op_type;
    node.since_version = SinceVersionOf(op_type, opset_);
    node.inputs = inputs;
    for (size_t i = 0; i < outputs; ++i) {
      node.outputs.push_back("v" + std::to_string(next_++));
    }
    node.attributes = attributes;
    question_.graph.nodes.push_back(node);
    return node.outputs;
  }

  // The value that the composition gives so far.
  exact::GraphTensor Now(const std::string& name) const {
    return exact::Compose(question_.graph, question_.inputs).at(name);
  }
  Shape ShapeOf(const std::string& name) const { return Now(name).shape; }

  int QuantizedType() {
    std::vector<int> types = {exact::kUint8, exact::kInt8, exact::kUint8, exact::kInt8};
    if (opset_ >= 21) {
      for (int type : {exact::kUint4, exact::kInt4, exact::kUint16, exact::kInt16}) {
        types.push_back(type);
      }
    }
    if (opset_ >= 19 && random_.OneIn(4)) {
      for (int type : {exact::kFloat8E4M3FN, exact::kFloat8E5M2, exact::kFloat8E4M3FNUZ,
                       exact::kFloat8E5M2FNUZ}) {
        types.push_back(type);
      }
    }
    return types[random_.Below(types.size())];
  }

  Codes QuantizedCodes(int type, const Shape& shape) {
    const Format& format = exact::GetFormat(type);
    Codes codes{type, shape, {}};
    const bool is_small = random_.OneIn(3);
    for (size_t i = 0; i < exact::CountOf(shape); ++i) {
      if (is_small && format.set == Format::Set::kIntegers) {
        codes.codes.push_back(random_.Below(4));
      } else if (format.bits <= 8 && format.set == Format::Set::kIntegers) {
        codes.codes.push_back(random_.Below(uint64_t{1} << format.bits));
      } else {
        codes.codes.push_back(RandomCode(format, random_));
      }
      if (format.set == Format::Set::kFloats && !has_specials_ &&
          !exact::ValueOf(format, codes.codes.back()).IsNumber()) {
        codes.codes.back() = 1;
      }
    }
    return codes;
  }

  mpq_class ScaleValue() {
    if (scales_ == Scales::kPowersOfTwo) {
      return exact::PowerOfTwo(static_cast<int>(random_.Between(-6, 2)));
    }
    const mpq_class v = (1 + mpq_class(random_.Between(0, 0xFFFFFF), 0x1000000)) *
                        exact::PowerOfTwo(static_cast<int>(random_.Between(-9, 1)));
    return random_.OneIn(12) ? mpq_class(-v) : v;
  }

  uint64_t ScaleCode() {
    const Format& format = float_format();
    if (scales_ == Scales::kDegenerate && random_.OneIn(3)) {
      return RandomCode(format, random_);
    }
    return exact::Round(format, Value::Number(ScaleValue()), exact::Overflow::kSaturate);
  }

  // The shape of scales of a tensor, and the attributes that say so.
  std::pair<Shape, Attributes> Layout(const Shape& shape, bool may_be_blocked) {
    if (shape.empty() || random_.OneIn(2)) return {{}, {}};
    const int64_t rank = static_cast<int64_t>(shape.size());
    const int64_t axis = random_.Between(0, rank - 1);
    const int64_t written = random_.OneIn(3) ? axis - rank : axis;
    if (may_be_blocked && opset_ >= 21 && random_.OneIn(3) &&
        shape[static_cast<size_t>(axis)] > 1) {
      Shape blocks = shape;
      const int64_t size = random_.Between(1, shape[static_cast<size_t>(axis)]);
      int64_t& along = blocks[static_cast<size_t>(axis)];
      along = (along + size - 1) / size;
      // A single block of a rank-1 tensor looks like a scale for the whole tensor.
      if (rank > 1) {
        return {blocks, {{"axis", Integer(written)}, {"block_size", Integer(size)}}};
      }
    }
    return {{shape[static_cast<size_t>(axis)]}, {{"axis", Integer(written)}}};
  }

  std::optional<Codes> ZeroPoint(int type, const Shape& shape, bool required) {
    if (!required && random_.OneIn(4)) return std::nullopt;
    const Format& format = exact::GetFormat(type);
    Codes codes{type, shape, {}};
    for (size_t i = 0; i < exact::CountOf(shape); ++i) {
      const bool is_zero = format.set != Format::Set::kIntegers ||
                           type == exact::kInt32 || random_.OneIn(3);
      if (is_zero) {
        codes.codes.push_back(0);
      } else if (random_.OneIn(3)) {
        codes.codes.push_back(exact::CodeOf(
            format, Value::Number(random_.Pick<mpq_class>(
                        {format.lowest, format.highest, format.lowest + 1}))));
      } else {
        codes.codes.push_back(random_.Below(uint64_t{1} << format.bits));
      }
    }
    return codes;
  }

  // DequantizeLinear of new codes, or of a value that is there.
  std::string Dequantized(const std::string& name, const Shape& shape,
                          std::optional<int> type = {}, bool may_be_blocked = false) {
    const int x = type ? *type : QuantizedType();
    return DequantizeValue(name, Input(name, QuantizedCodes(x, shape)), may_be_blocked);
  }

  std::string DequantizeValue(const std::string& name, const std::string& x,
                              bool may_be_blocked = false) {
    const exact::GraphTensor tensor = Now(x);
    const auto [layout, attributes] = Layout(tensor.shape, may_be_blocked);
    Codes scale{float_type_, layout, {}};
    for (size_t i = 0; i < exact::CountOf(layout); ++i)
      scale.codes.push_back(ScaleCode());
    std::vector<std::string> inputs = {x, Input(name + "_scale", scale)};
    last_scale_ = scale;
    if (const auto zero_point = ZeroPoint(tensor.type, layout, false)) {
      inputs.push_back(Input(name + "_zero_point", *zero_point));
    }
    return Node("DequantizeLinear", inputs, attributes);
  }

  // QuantizeLinear of a value, with a scale that takes one of its elements next to a tie.
  std::string Quantized(const std::string& name, const std::string& x,
                        std::optional<int> type = {}) {
    const exact::GraphTensor tensor = Now(x);
    int y = type ? *type : QuantizedType();
    const auto [layout, attributes] = Layout(tensor.shape, false);
    const Format& format = exact::GetFormat(tensor.type);
    Codes scale{tensor.type, layout, {}};
    const bool repeats = last_scale_ && random_.OneIn(4) &&
                         last_scale_->type == tensor.type &&
                         last_scale_->codes.size() == exact::CountOf(layout);
    for (size_t i = 0; i < exact::CountOf(layout); ++i) {
      scale.codes.push_back(repeats ? last_scale_->codes[i]
                                    : AimedScale(tensor, format, y));
    }
    std::vector<std::string> inputs = {x, Input(name + "_scale", scale)};
    if (const auto zero_point = ZeroPoint(y, layout, y != exact::kUint8)) {
      inputs.push_back(Input(name + "_zero_point", *zero_point));
    }
    return Node("QuantizeLinear", inputs, attributes);
  }

  Codes FloatCodes(const Shape& shape, int low = -8, int high = 8) {
    const Format& format = float_format();
    Codes codes{float_type_, shape, {}};
    const bool is_short = random_.OneIn(3);
    for (size_t i = 0; i < exact::CountOf(shape); ++i) {
      if (has_specials_ && random_.OneIn(6)) {
        codes.codes.push_back(RandomCode(format, random_));
        continue;
      }
      if (random_.OneIn(12)) {
        codes.codes.push_back(random_.OneIn(2) ? 0 : uint64_t{1} << (format.bits - 1));
        continue;
      }
      mpq_class v = (1 + mpq_class(random_.Between(0, 0xFFFFFF), 0x1000000)) *
                    exact::PowerOfTwo(static_cast<int>(random_.Between(low, high)));
      if (is_short) v = random_.Between(0, 64);
      if (random_.OneIn(2)) v = -v;
      codes.codes.push_back(
          exact::Round(format, Value::Number(v), exact::Overflow::kSaturate));
    }
    return codes;
  }

  Shape RandomShape(size_t least_rank, size_t most_rank, int64_t most = 4) {
    Shape shape(least_rank + random_.Below(most_rank - least_rank + 1));
    int64_t count = 1;
    for (int64_t& size : shape) {
      size =
          random_.Between(1, std::max<int64_t>(1, std::min<int64_t>(most, 40 / count)));
      count *= size;
    }
    return shape;
  }

  GraphQuestion Finish(const std::vector<std::string>& outputs) {
    question_.opset = opset_;
    question_.graph.outputs = outputs;
    std::map<std::string, Codes> used;
    for (const GraphNode& node : question_.graph.nodes) {
      for (const std::string& name : node.inputs) {
        const auto found = question_.inputs.find(name);
        if (found == question_.inputs.end() || used.contains(name)) continue;
        used.insert(*found);
        question_.graph.inputs.push_back(name);
      }
    }
    question_.inputs = std::move(used);
    return std::move(question_);
  }

 private:
  uint64_t AimedScale(const exact::GraphTensor& tensor, const Format& format, int y) {
    if (scales_ == Scales::kDegenerate && random_.OneIn(3)) {
      return RandomCode(format, random_);
    }
    if (tensor.elements.empty() || scales_ == Scales::kPowersOfTwo || random_.OneIn(5)) {
      return exact::Round(format, Value::Number(ScaleValue()),
                          exact::Overflow::kSaturate);
    }
    const exact::GraphElement& element =
        tensor.elements[random_.Below(tensor.elements.size())];
    const Value v = exact::ValueOf(format, element.code);
    if (!v.IsNumber() || v.IsZero()) {
      return exact::Round(format, Value::Number(ScaleValue()),
                          exact::Overflow::kSaturate);
    }
    const Format& target = exact::GetFormat(y);
    mpq_class boundary = RandomBoundary(target, random_);
    if (target.set == Format::Set::kIntegers && random_.OneIn(2)) {
      boundary = random_.Between(0, 20) + mpq_class(1, 2);
    }
    if (sgn(boundary) == 0) boundary = mpq_class(1, 2);
    mpq_class scale = v.number / boundary;
    if (sgn(scale) < 0 && !random_.OneIn(8)) scale = -scale;
    return CodeNear(format, scale, random_.OneIn(2) ? 0 : 2, random_);
  }

  int opset_;
  Random& random_;
  int float_type_ = exact::kFloat;
  Scales scales_ = Scales::kAny;
  bool has_specials_ = false;
  std::optional<Codes> last_scale_;
  GraphQuestion question_;
  int next_ = 0;
};

int RandomOpset(Random& random) { return random.Pick<int>({13, 19, 21, 23, 24, 25}); }

// --- movers
// -----------------------------------------------------------------------------

// The axes of a node that has them as an attribute before a definition.
std::string Axes(Builder& b, const Shape& axes) {
  return b.Input("axes", Indices({static_cast<int64_t>(axes.size())}, axes));
}

std::vector<std::string> Move(Builder& b, const std::string& x) {
  Random& random = b.random();
  const Shape shape = b.ShapeOf(x);
  const auto rank = static_cast<int64_t>(shape.size());
  if (rank == 0) return {b.Node("Unsqueeze", {x, Axes(b, {0})})};
  const auto axis = [&] {
    const int64_t at = random.Between(0, rank - 1);
    return random.OneIn(3) ? at - rank : at;
  };
  const auto size_at = [&](int64_t at) {
    return shape[static_cast<size_t>(at < 0 ? at + rank : at)];
  };
  switch (random.Below(16)) {
    case 0:
      return {b.Node("Identity", {x})};
    case 1: {
      if (random.OneIn(4)) return {b.Node("Transpose", {x})};
      Shape perm;
      for (int64_t d = 0; d < rank; ++d) perm.push_back(d);
      for (size_t i = perm.size(); i > 1; --i)
        std::swap(perm[i - 1], perm[random.Below(i)]);
      return {b.Node("Transpose", {x}, {{"perm", Integers(perm)}})};
    }
    case 2: {
      Shape target = random.OneIn(2) ? Shape{-1} : Shape{0, -1};
      if (random.OneIn(3)) target = Shape(shape.rbegin(), shape.rend());
      return {b.Node(
          "Reshape",
          {x, b.Input("shape", Indices({static_cast<int64_t>(target.size())}, target))})};
    }
    case 3: {
      Attributes attributes;
      if (random.OneIn(2)) attributes["axis"] = Integer(random.Between(-rank, rank));
      return {b.Node("Flatten", {x}, attributes)};
    }
    case 4: {
      Shape ones;
      for (int64_t d = 0; d < rank; ++d) {
        if (shape[static_cast<size_t>(d)] == 1)
          ones.push_back(random.OneIn(2) ? d : d - rank);
      }
      if (ones.empty() || random.OneIn(3)) return {b.Node("Squeeze", {x})};
      return {b.Node("Squeeze", {x, Axes(b, ones)})};
    }
    case 5: {
      Shape axes = {random.Between(-rank - 1, rank)};
      return {b.Node("Unsqueeze", {x, Axes(b, axes)})};
    }
    case 6: {
      const int64_t at = axis(), size = size_at(at);
      const int64_t step = random.Pick<int64_t>({1, 1, 2, -1, -2});
      int64_t start = random.Between(0, size - 1), end = size;
      if (step < 0) {
        start = random.OneIn(2) ? size + 5 : size - 1;
        end = random.OneIn(2) ? INT64_MIN : -size - 1;
      } else if (random.OneIn(3)) {
        end = INT64_MAX;
      }
      if (random.OneIn(3) && start < size) start -= size;
      return {b.Node("Slice", {x, b.Input("starts", Indices({1}, {start})),
                               b.Input("ends", Indices({1}, {end})),
                               b.Input("axes", Indices({1}, {at})),
                               b.Input("steps", Indices({1}, {step}))})};
    }
    case 7: {
      const int64_t at = axis(), size = size_at(at);
      if (size < 2) return {b.Node("Identity", {x})};
      const int64_t first = random.Between(1, size - 1);
      if (size % 2 == 0 && b.opset() < 18 && random.OneIn(2)) {
        return b.NodeOf("Split", {x}, {{"axis", Integer(at)}}, 2);
      }
      if (b.opset() >= 18 && random.OneIn(2)) {
        return b.NodeOf("Split", {x},
                        {{"axis", Integer(at)}, {"num_outputs", Integer(2)}}, 2);
      }
      return b.NodeOf("Split", {x, b.Input("split", Indices({2}, {first, size - first}))},
                      {{"axis", Integer(at)}}, 2);
    }
    case 8:
      return {b.Node("Concat", {x, x}, {{"axis", Integer(axis())}})};
    case 9: {
      const int64_t at = axis(), size = size_at(at);
      Shape indices;
      for (int i = 0; i < 3; ++i) indices.push_back(random.Between(-size, size - 1));
      const Shape where = random.OneIn(2) ? Shape{3} : Shape{1, 3};
      return {b.Node("Gather", {x, b.Input("indices", Indices(where, indices))},
                     {{"axis", Integer(at)}})};
    }
    case 10: {
      const int64_t at = axis(), size = size_at(at);
      Shape indices;
      for (size_t i = 0; i < exact::CountOf(shape); ++i) {
        indices.push_back(random.Between(-size, size - 1));
      }
      return {b.Node("GatherElements", {x, b.Input("indices", Indices(shape, indices))},
                     {{"axis", Integer(at)}})};
    }
    case 11: {
      Shape target = shape;
      for (int64_t& size : target) {
        if (size == 1) size = random.Between(1, 3);
      }
      if (random.OneIn(2)) target.insert(target.begin(), 2);
      return {b.Node(
          "Expand",
          {x, b.Input("shape", Indices({static_cast<int64_t>(target.size())}, target))})};
    }
    case 12: {
      Shape repeats;
      for (int64_t d = 0; d < rank; ++d) repeats.push_back(random.Between(1, 2));
      return {b.Node("Tile", {x, b.Input("repeats", Indices({rank}, repeats))})};
    }
    case 13:
    case 14: {
      // Both need four dimensions.
      const int64_t count = static_cast<int64_t>(exact::CountOf(shape));
      const bool to_space = random.OneIn(2);
      if (count % 4 != 0) return {b.Node("Identity", {x})};
      const Shape target = to_space ? Shape{1, count, 1, 1} : Shape{1, count / 4, 2, 2};
      const std::string image =
          b.Node("Reshape", {x, b.Input("shape", Indices({4}, target))});
      if (!to_space) {
        return {b.Node("SpaceToDepth", {image}, {{"blocksize", Integer(2)}})};
      }
      Attributes attributes = {{"blocksize", Integer(2)}};
      if (random.OneIn(2)) attributes["mode"] = Text(random.OneIn(2) ? "CRD" : "DCR");
      return {b.Node("DepthToSpace", {image}, attributes)};
    }
    default: {
      const std::string mode = random.Pick<std::string>({"constant", "edge", "reflect"});
      Shape pads;
      for (int64_t d = 0; d < 2 * rank; ++d) {
        const int64_t size = shape[static_cast<size_t>(d % rank)];
        const int64_t most = mode == "reflect" ? std::min<int64_t>(2, size - 1) : 2;
        pads.push_back(random.Between(0, most));
      }
      std::vector<std::string> inputs = {x, b.Input("pads", Indices({2 * rank}, pads))};
      const exact::GraphTensor tensor = b.Now(x);
      if (mode == "constant" && random.OneIn(2) && tensor.type == b.float_type()) {
        inputs.push_back(b.Input("constant_value", b.FloatCodes({})));
      }
      Attributes attributes;
      if (mode != "constant" || random.OneIn(2)) attributes["mode"] = Text(mode);
      return {b.Node("Pad", inputs, attributes)};
    }
  }
}

// --- choosers
// ---------------------------------------------------------------------------

std::string Bound(Builder& b, const std::string& x, const std::string& name) {
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

Attributes PoolAttributes(Builder& b, const Shape& shape) {
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

Attributes ReduceAttributes(Builder& b, const std::string& op_type, const Shape& shape,
                            std::vector<std::string>& inputs) {
  Random& random = b.random();
  Attributes attributes;
  Shape axes;
  const auto rank = static_cast<int64_t>(shape.size());
  for (int64_t d = 0; d < rank; ++d) {
    if (random.OneIn(2)) axes.push_back(random.OneIn(3) ? d - rank : d);
  }
  if (random.OneIn(2)) attributes["keepdims"] = Integer(random.Between(0, 1));
  if (axes.empty()) return attributes;
  if (SinceVersionOf(op_type, b.opset()) >= 18) {
    inputs.push_back(Axes(b, axes));
  } else {
    attributes["axes"] = Integers(axes);
  }
  return attributes;
}

std::string Image(Builder& b, const std::string& x) {
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

Attributes ConvolutionAttributes(Builder& b, const Shape& x, const Shape& w,
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

ConvolutionShapes RandomConvolution(Random& random) {
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
std::string Bias(Builder& b, const Shape& shape) {
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

}  // namespace

int SinceVersionOf(const std::string& op_type, int opset_version) {
  // Ascending.
  static const std::map<std::string, std::vector<int>> versions = {
      {"QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28}},
      {"DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28}},
      {"DynamicQuantizeLinear", {11}},
      {"MatMulInteger", {10}},
      {"ConvInteger", {10}},
      {"Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}},
      {"Transpose", {1, 13, 21, 23, 24, 25}},
      {"Reshape", {5, 13, 14, 19, 21, 23, 24, 25}},
      {"Flatten", {11, 13, 21, 23, 24, 25}},
      {"Squeeze", {11, 13, 21, 23, 24, 25}},
      {"Unsqueeze", {11, 13, 21, 23, 24, 25}},
      {"Slice", {10, 11, 13}},
      {"Split", {11, 13, 18}},
      {"Concat", {11, 13}},
      {"Gather", {11, 13}},
      {"GatherElements", {11, 13}},
      {"Expand", {8, 13}},
      {"Tile", {6, 13}},
      {"DepthToSpace", {11, 13}},
      {"SpaceToDepth", {1, 13}},
      {"Pad", {11, 13, 18, 19, 21, 23, 24, 25}},
      {"MaxPool", {10, 11, 12, 22}},
      {"ReduceMax", {12, 13, 18, 20}},
      {"ReduceMin", {12, 13, 18, 20}},
      {"Max", {12, 13}},
      {"Min", {12, 13}},
      {"Relu", {6, 13, 14}},
      {"Clip", {12, 13}},
      {"ArgMax", {12, 13}},
      {"ArgMin", {12, 13}},
      {"Add", {7, 13, 14}},
      {"Sub", {7, 13, 14}},
      {"Mul", {7, 13, 14}},
      {"Div", {7, 13, 14}},
      {"LeakyRelu", {6, 16}},
      {"PRelu", {9, 16}},
      {"HardSigmoid", {6, 22}},
      {"HardSwish", {14, 22}},
      {"Neg", {6, 13}},
      {"Abs", {6, 13}},
      {"Cast", {9, 13, 19, 21, 23, 24, 25}},
      {"MatMul", {9, 13}},
      {"Gemm", {11, 13}},
      {"Conv", {11, 22}},
      {"AveragePool", {11, 19, 22}},
      {"GlobalAveragePool", {1, 22}},
      {"ReduceMean", {11, 13, 18}},
  };
  int chosen = 0;
  for (int version : versions.at(op_type)) {
    if (version <= opset_version) chosen = version;
  }
  return chosen;
}

GraphQuestion MakeGraphQuestion(Family family, Random& random) {
  Builder b(RandomOpset(random), random);
  const auto end = [&](const std::string& x, uint64_t one_in_is_float) {
    return b.Finish({random.OneIn(one_in_is_float) ? x : b.Quantized("y", x)});
  };
  switch (family) {
    case Family::kRoundTrip:
      return b.Finish({b.DequantizeValue(
          "y", b.Quantized("q", b.Input("x", b.FloatCodes(b.RandomShape(0, 3)))))});
    case Family::kRequantization: {
      const bool has_two = random.OneIn(2);
      const std::string x = has_two ? b.Input("x", b.FloatCodes(b.RandomShape(0, 3)))
                                    : b.Dequantized("x", b.RandomShape(0, 3), {}, true);
      if (!has_two) return b.Finish({b.Quantized("y", x)});
      const std::string first = b.DequantizeValue("q", b.Quantized("q", x));
      const std::string second = b.Quantized("y", first);
      return b.Finish({random.OneIn(3) ? second : b.DequantizeValue("z", second)});
    }
    case Family::kMovers: {
      const Shape shape = b.RandomShape(1, 4);
      const bool is_data = random.OneIn(4);
      std::vector<std::string> moved = Move(
          b, is_data ? b.Input("x", b.FloatCodes(shape)) : b.Dequantized("x", shape));
      if (!is_data && random.OneIn(3)) return b.Finish(moved);
      std::vector<std::string> outputs;
      for (const std::string& one : moved) outputs.push_back(b.Quantized("y", one));
      return b.Finish(outputs);
    }
    case Family::kChoosers: {
      const Shape shape = b.RandomShape(1, 4);
      const std::string x =
          random.OneIn(4) ? b.Input("x", b.FloatCodes(shape)) : b.Dequantized("x", shape);
      if (random.OneIn(6)) return b.Finish({ChooseIndex(b, x)});
      return end(Choose(b, x), 6);
    }
    case Family::kArithmetic: {
      std::string y = Compute(b, b.Dequantized("a", b.RandomShape(1, 3)), true);
      if (random.OneIn(4)) y = random.OneIn(2) ? b.Node("Relu", {y}) : Clipped(b, y);
      return end(y, 4);
    }
    case Family::kSums: {
      std::string y = Sum(b, false);
      if (random.OneIn(4)) y = random.OneIn(2) ? b.Node("Relu", {y}) : Clipped(b, y);
      return end(y, 4);
    }
    case Family::kWeights:
      return b.Finish({Sum(b, true)});
    case Family::kDynamic:
      return b.Finish({Dynamic(b)});
    case Family::kMixed:
      break;
  }
  std::string y = b.Dequantized("x", b.RandomShape(1, 3));
  for (int i = static_cast<int>(random.Between(2, 3)); i > 0; --i) {
    if (b.Now(y).elements.empty()) break;
    switch (random.Below(4)) {
      case 0:
        y = Move(b, y)[0];
        break;
      case 1:
        y = Choose(b, y);
        break;
      case 2:
        y = Compute(b, y, true);
        break;
      default:
        y = b.DequantizeValue("q", b.Quantized("q", y));
        break;
    }
  }
  return end(y, 3);
}

std::string ToString(const GraphQuestion& question) {
  std::ostringstream out;
  out << "opset " << question.opset;
  for (const GraphNode& node : question.graph.nodes) {
    out << "\n  " << node.op_type << "-" << node.since_version << "(";
    for (const std::string& name : node.inputs) out << " " << name;
    out << " ) ->";
    for (const std::string& name : node.outputs) out << " " << name;
    for (const auto& [name, value] : node.attributes) {
      out << " " << name << "=";
      if (value.integer) {
        out << *value.integer;
      } else if (value.number) {
        out << value.number->get_str();
      } else if (value.text) {
        out << *value.text;
      } else {
        for (int64_t one : value.integers) out << one << ",";
      }
    }
  }
  for (const std::string& name : question.graph.inputs) {
    out << "\n  " << name << " " << ToString(question.inputs.at(name));
  }
  return out.str();
}

}  // namespace qconform::agreement
