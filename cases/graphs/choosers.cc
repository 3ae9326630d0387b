// Graphs with a node that chooses (GR-04).
#include <algorithm>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

struct Choice {
  Shape in;
  Shape out;
  std::vector<std::string> inputs{};  // after the data
  std::vector<Attribute> attributes{};
};

Tensor Scalar(DataType type, uint64_t code) {
  Tensor tensor = Tensor::Zeros(type, {});
  WriteCode(tensor.mutable_view(), 0, code);
  return tensor;
}

class Chooser {
 public:
  // `x`: the parameters of the codes, or null; `y`: those of the result, or null.
  Chooser(GraphQuestion& question, const Parameters* x, const Parameters* y)
      : q_(question),
        x_(x),
        y_(y),
        type_(question.cell.types[1]),
        turn_(question.index) {}

  static Shape InputShape(const GraphQuestion& question) {
    const int64_t elements = question.plan.elements;
    const int turn = question.index;
    const bool many = elements >= 64;
    const std::string_view op = question.op_type();
    if (op == "MaxPool") {
      if (turn % 3 == 2) return {1, 3, many ? elements / 3 : 9};
      return elements >= 256 ? Shape{1, 3, 11, 11} : Shape{1, 3, 5, 7};
    }
    if (question.plan.few_terms) {
      Shape shape = {4, 5, 3};
      shape[static_cast<size_t>(turn % 3)] = 2;
      return shape;
    }
    if (op == "ReduceMax" || op == "ReduceMin" || op.starts_with("Arg")) {
      return many ? Shape{3, elements / 15, 5} : Shape{3, 4, 5};
    }
    if (question.per_axis()) return many ? Shape{5, elements / 5} : Shape{3, 5};
    if (elements == 0) return {3, 7};
    return {elements};
  }

  Choice Make() {
    const std::string_view op = q_.op_type();
    Choice choice{.in = InputShape(q_), .out = {}};
    choice.out = choice.in;
    if (op == "Clip") {
      choice.inputs = q_.folds() ? BoundsBetweenCodes() : Bounds();
    } else if (op == "Max" || op == "Min") {
      if (!q_.graph.name.starts_with("DQ,")) choice.inputs = {Bound()};
    } else if (op == "MaxPool") {
      Pool(choice);
    } else if (op != "Relu") {
      Reduce(choice, op);
    }
    return choice;
  }

 private:
  // A value of the section: of a code of x, or about 1.
  uint64_t ValueOfCode(uint64_t code) const {
    const ExactValue value = x_ == nullptr ? ExactValue{} : q_.ValueOf(*x_, code);
    return RoundNearest(FormatOf(type_), ToUnrounded(value));
  }
  // The value at one end of the range of y: what a QuantizeLinear saturates at anyhow.
  uint64_t EndOfRange(bool high) const {
    const NumberFormat& codes = FormatOf(y_->type);
    uint64_t code = LargestFinite(codes);
    if (!high) {
      code = IsInteger(y_->type) ? IntegerCode(codes, IntegerMin(codes))
                                 : Negated(codes, code);
    }
    return RoundNearest(FormatOf(type_), ToUnrounded(q_.ValueOf(*y_, code)));
  }
  uint64_t Whole(int64_t value, int exponent = 0) const {
    return RoundNearest(FormatOf(type_), ToUnrounded(Dyadic(value, exponent)));
  }
  uint64_t AnyCode() {
    return q_.rng.Next32() & ((uint64_t{1} << FormatOf(x_->type).bits) - 1);
  }
  // Some value in the range of y, not 0: a tie of y, a value of a code of x, or beside
  // it.
  uint64_t Inner(bool high) {
    const int exponent =
        y_ != nullptr ? GraphQuestion::Magnitude(*y_) : GraphQuestion::Magnitude(*x_);
    if (x_ != nullptr && turn_ % 2 == 0) {
      const uint64_t code = ValueOfCode(AnyCode());
      const ExactValue value = Decode(FormatOf(type_), code);
      if (value.value_class == ValueClass::kFinite) {
        return value.negative == high ? Negated(FormatOf(type_), code) : code;
      }
    }
    const uint64_t code = q_.Scale(type_, exponent - 1, true);
    return high ? code : Negated(FormatOf(type_), code);
  }

  std::string Feed(const char* name, uint64_t code) {
    return q_.Feed(name, Scalar(type_, code), Constant::kAlways);
  }

  std::vector<std::string> Bounds() {
    uint64_t low = 0;
    uint64_t high = 0;
    switch (turn_ % 7) {
      case 1:  // as Relu6
        high = Whole(6);
        break;
      case 0:
      case 5:
        low = Inner(false);
        high = Inner(true);
        break;
      case 2:
        return {Feed("min", turn_ % 2 == 0 ? 0 : Inner(false))};
      case 3:
        return {"", Feed("max", Inner(true))};
      case 4:  // nothing that the QuantizeLinear does not do as well
        if (y_ == nullptr) return {};
        low = EndOfRange(false);
        high = EndOfRange(true);
        break;
      default:
        high = Inner(true);
    }
    if (ValueOrder(FormatOf(type_), high) < ValueOrder(FormatOf(type_), low)) {
      std::swap(low, high);
    }
    return {Feed("min", low), Feed("max", high)};
  }

  // Halfway between two codes of x on either side of 0.
  std::vector<std::string> BoundsBetweenCodes() {
    const ExactValue step = Decode(FormatOf(x_->scale_type), x_->scales.front());
    const auto halves = [&](int64_t count) {
      return RoundNearest(FormatOf(type_), Multiply(step, Dyadic(count, -1)));
    };
    return {Feed("min", halves(-1)), Feed("max", halves(3))};
  }

  std::string Bound() {
    // What Max and Min compare with: 0, or a value that leaves some others.
    return Feed("bound", turn_ % 3 == 1 ? 0 : Inner(q_.op_type() == "Min"));
  }

  void Pool(Choice& choice) {
    const size_t spatial = choice.in.size() - 2;
    const int64_t kernel = 2 + turn_ % 2;
    const int64_t stride = turn_ % 4 == 0 ? 2 : 1;
    const int64_t pad = turn_ % 5 == 1 || q_.folds() ? 1 : 0;
    const int64_t dilation = turn_ % 5 == 3 ? 2 : 1;
    const std::vector<int64_t> each(spatial, 1);
    const auto all = [&](int64_t value, size_t times = 1) {
      return std::vector<int64_t>(spatial * times, value);
    };
    choice.attributes.push_back({"kernel_shape", all(kernel)});
    if (stride != 1) choice.attributes.push_back({"strides", all(stride)});
    if (pad != 0) choice.attributes.push_back({"pads", all(pad, 2)});
    if (dilation != 1) choice.attributes.push_back({"dilations", all(dilation)});
    for (size_t axis = 2; axis < choice.in.size(); ++axis) {
      const int64_t extent = dilation * (kernel - 1) + 1;
      choice.out[axis] = (choice.in[axis] + 2 * pad - extent) / stride + 1;
    }
  }

  void Reduce(Choice& choice, std::string_view op) {
    const bool keepdims = turn_ % 2 == 0;
    const int64_t axis = turn_ % 3;
    std::vector<int64_t> axes = {axis};
    if (op.starts_with("Arg")) {
      choice.attributes.push_back({"axis", axis});
      if (turn_ % 4 >= 2) choice.attributes.push_back({"select_last_index", int64_t{1}});
    } else {
      if (turn_ % 4 == 3 && !q_.plan.few_terms)
        axes.push_back(axis - 1 - (axis == 0 ? 1 : 0));
      for (int64_t& each : axes) {
        if (each >= 0 && turn_ % 5 == 4) each -= 3;
      }
      // Since opset 18 the axes are an operand.
      if (q_.opset() < 18) {
        choice.attributes.push_back({"axes", axes});
      } else {
        choice.inputs.push_back(q_.Feed("axes", axes));
      }
    }
    if (!keepdims) choice.attributes.push_back({"keepdims", int64_t{0}});
    choice.out.clear();
    for (int64_t i = 0; i < 3; ++i) {
      const bool reduced =
          std::ranges::any_of(axes, [&](int64_t each) { return (each + 3) % 3 == i; });
      if (!reduced) choice.out.push_back(choice.in[static_cast<size_t>(i)]);
      if (reduced && keepdims) choice.out.push_back(1);
    }
  }

  GraphQuestion& q_;
  const Parameters* x_;
  const Parameters* y_;
  DataType type_;  // of the float section
  int turn_;
};

// Makes the value of every code less than that of code 0.
void KeepBelowCodeZero(Parameters& x, Tensor& codes) {
  const NumberFormat& format = FormatOf(x.type);
  const bool is_unsigned = IsInteger(x.type) && IntegerMin(format) == 0;
  if (is_unsigned) {
    // No code is less than 0, but with a negative scale all values are.
    for (uint64_t& scale : x.scales) scale = Negated(FormatOf(x.scale_type), scale);
  }
  const uint64_t sign = uint64_t{1} << (format.bits - 1);
  for (int64_t i = 0; i < Elements(codes.shape); ++i) {
    uint64_t code = ReadCode(codes.view(), i) | (is_unsigned ? 1 : sign);
    if (!IsInteger(x.type) && code == sign) code |= 1;  // no negative zero
    WriteCode(codes.mutable_view(), i, code);
  }
}

// Makes all floats negative, and y such that negative values have codes of their own.
void KeepBelowZero(Parameters& y, Tensor& x) {
  const NumberFormat& format = FormatOf(y.scale_type);
  for (uint64_t& scale : y.scales) {
    if (Decode(format, scale).negative) scale = Negated(format, scale);
  }
  if (IsInteger(y.type)) {
    const NumberFormat& codes = FormatOf(y.type);
    for (uint64_t& zero_point : y.zero_points) {
      zero_point = IntegerCode(codes, IntegerMax(codes));
    }
  }
  const NumberFormat& floats = FormatOf(x.type);
  const int exponent = FloorLog2(format, y.scales.front());
  const uint64_t step = RoundNearest(floats, ToUnrounded(Dyadic(-3, exponent)));
  for (int64_t i = 0; i < Elements(x.shape); ++i) {
    const uint64_t code = ReadCode(x.view(), i);
    const ExactValue value = Decode(floats, code);
    if (value.value_class == ValueClass::kFinite && !value.negative) {
      WriteCode(x.mutable_view(), i, Negated(floats, code));
    } else if (value.value_class == ValueClass::kZero) {
      WriteCode(x.mutable_view(), i, step);
    }
  }
}

// Makes the scales of y a quarter of those of x: half a code of x is two of y.
void SetToQuarters(const GraphQuestion& question, const Parameters& x, Parameters& y) {
  const NumberFormat& format = FormatOf(x.scale_type);
  for (size_t channel = 0; channel < y.scales.size(); ++channel) {
    const ExactValue step = Decode(format, x.scales[channel]);
    y.scales[channel] = RoundNearest(format, Multiply(step, Dyadic(1, -2)));
    if (question.has_negative_result()) {
      y.scales[channel] = Negated(format, y.scales[channel]);
    }
  }
}

}  // namespace

void MakeChooser(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const DataType scale = types[1];
  const Shape in = Chooser::InputShape(question);
  const bool two_operands = question.graph.name.starts_with("DQ,");
  const bool two_readers = question.graph.name.ends_with("-Q,Q");

  // (1) The parameters of both ends: bounds are chosen between them.
  const int64_t axis = question.op_type() == "MaxPool" ? 1 : 0;
  const int64_t channels = question.per_axis() ? in[static_cast<size_t>(axis)] : 1;
  std::vector<int64_t> source;
  for (int64_t i = 0; i < channels; ++i) source.push_back(i);
  const bool has_x = question.starts_with_codes();
  const bool has_y = question.ends_with_codes();
  Parameters x;
  Parameters y;
  Tensor codes;
  if (has_x) {
    x = question.First(types[0], scale, channels);
    if (question.per_axis()) question.Along(x, axis);
    codes = question.Codes(types[0], in, x);
    if (question.folds() && question.op_type() == "MaxPool") {
      KeepBelowCodeZero(x, codes);
    }
  }
  if (has_x && has_y) {
    const ExactValue aim = question.ValueOf(x, ReadCode(codes.view(), 0));
    y = question.Last(types[2], scale, GraphQuestion::Magnitude(x), &x, aim, source);
    if (question.folds() && question.op_type() == "Clip") {
      SetToQuarters(question, x, y);
    }
    if (question.per_axis()) question.Along(y, axis);
  } else if (has_y) {
    y = question.First(types[2], scale);
  }

  // (2) The nodes.
  Chooser chooser(question, has_x ? &x : nullptr, has_y ? &y : nullptr);
  const Choice choice = chooser.Make();
  std::vector<std::string> inputs;
  if (has_x) {
    inputs.push_back(question.Dequantize("x", std::move(codes), x));
  } else {
    Tensor floats = question.Floats(scale, in, y);
    if (question.folds() && question.op_type() == "MaxPool") KeepBelowZero(y, floats);
    inputs.push_back(question.Feed("x", std::move(floats)));
  }
  if (two_operands) {
    const Parameters other = question.First(types[0], scale);
    inputs.push_back(
        question.Dequantize("b", question.Codes(types[0], in, other), other));
  }
  inputs.insert(inputs.end(), choice.inputs.begin(), choice.inputs.end());
  const std::string chosen =
      question.Apply(question.op_type(), inputs, "chosen", choice.attributes);
  if (!has_y) {  // an index, whose INT64 no kernel of quantization gives
    question.Apply("Cast", {chosen}, "y", {{"to", static_cast<int64_t>(types[2])}});
    return question.Return("y", types[2], choice.out);
  }
  const std::string first = two_readers ? "y0" : "y";
  question.Return(question.Quantize(chosen, first, y), types[2], choice.out);
  if (!two_readers) return;
  // The second reads what Relu reads: the Relu is not on its way.
  const Parameters other =
      question.Last(types[2], scale, GraphQuestion::Magnitude(x), &x);
  question.Return(question.Quantize(inputs[0], "y1", other), types[2], choice.out);
}

}  // namespace qconform::generators
