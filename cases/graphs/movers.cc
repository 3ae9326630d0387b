// Graphs with a node that moves data (GR-03).
#include <algorithm>
#include <numeric>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

// What a node does to the shape of its operand and to an axis of channels.
struct Move {
  Shape in;
  std::vector<Shape> outs;
  int64_t in_axis = 0;
  int64_t out_axis = 0;
  // For each output: which channel of the operand stands at each channel of the output.
  // Empty: the channels stay in their order.
  std::vector<std::vector<int64_t>> channels{};
  std::vector<std::string> inputs{};  // after the data
  std::vector<Attribute> attributes{};
};

std::vector<int64_t> Upward(int64_t first, int64_t last) {
  std::vector<int64_t> numbers(static_cast<size_t>(last - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// The channels 0 .. count - 1 twice.
std::vector<int64_t> Twice(int64_t count) {
  std::vector<int64_t> numbers = Upward(0, count);
  for (const int64_t number : Upward(0, count)) numbers.push_back(number);
  return numbers;
}

class Mover {
 public:
  explicit Mover(GraphQuestion& question)
      : q_(question),
        turn_(question.index),
        c_(question.plan.elements >= 64 ? 5 : 3),
        k_(question.plan.elements >= 64 ? question.plan.elements / c_ : 9) {}

  Move Make() {
    const std::string_view op = q_.op_type();
    if (op == "Identity") return {.in = {c_, k_}, .outs = {{c_, k_}}};
    if (op == "Transpose") return Transpose();
    if (op == "Reshape") return Reshape();
    if (op == "Flatten") return Flatten();
    if (op == "Squeeze") return Squeeze();
    if (op == "Unsqueeze") return Unsqueeze();
    if (op == "Slice") return Slice();
    if (op == "Split") return Split();
    if (op == "Concat") return Concat();
    if (op == "Gather") return Gather();
    if (op == "GatherElements") return GatherElements();
    if (op == "Expand") return Expand();
    if (op == "Tile") return Tile();
    if (op == "DepthToSpace" || op == "SpaceToDepth") return Space(op);
    return Pad();
  }

 private:
  std::vector<std::string> Feed(const char* name, const std::vector<int64_t>& numbers) {
    return {q_.Feed(name, numbers)};
  }

  Move Transpose() {
    if (turn_ % 2 == 1) {  // without perm the axes are reversed
      return {.in = {c_, k_}, .outs = {{k_, c_}}, .in_axis = 0, .out_axis = 1};
    }
    const std::vector<std::vector<int64_t>> perms = {
        {0, 2, 1}, {1, 2, 0}, {2, 1, 0}, {1, 0, 2}};
    const std::vector<int64_t>& perm = perms[static_cast<size_t>(turn_ / 2 % 4)];
    const Shape in = {3, c_, k_ / 3};
    Shape out;
    for (const int64_t axis : perm) out.push_back(in[static_cast<size_t>(axis)]);
    return {.in = in,
            .outs = {out},
            .in_axis = 1,
            .out_axis = std::ranges::find(perm, 1) - perm.begin(),
            .attributes = {{"perm", perm}}};
  }

  Move Reshape() {
    switch (turn_ % 4) {
      case 0:
        return {
            .in = {c_, k_ / 3, 3}, .outs = {{c_, k_}}, .inputs = Feed("shape", {0, -1})};
      case 1:
        return {.in = {3, k_ / 3, c_},
                .outs = {{k_, c_}},
                .in_axis = 2,
                .out_axis = 1,
                .inputs = Feed("shape", {k_, c_})};
      case 2:
        return {.in = {c_, k_},
                .outs = {{1, c_, k_}},
                .in_axis = 0,
                .out_axis = 1,
                .inputs = Feed("shape", {1, c_, -1})};
      default:
        return {.in = {k_, c_},
                .outs = {{k_ / 3, 3, c_}},
                .in_axis = 1,
                .out_axis = 2,
                .inputs = Feed("shape", {-1, 3, c_})};
    }
  }

  Move Flatten() {
    if (turn_ % 2 == 0) return {.in = {c_, k_ / 3, 3}, .outs = {{c_, k_}}};
    const int64_t axis = turn_ % 4 == 1 ? 2 : -1;
    return {.in = {k_ / 3, 3, c_},
            .outs = {{k_, c_}},
            .in_axis = 2,
            .out_axis = 1,
            .attributes = {{"axis", axis}}};
  }

  Move Squeeze() {
    return {.in = {1, c_, 1, k_},
            .outs = {{c_, k_}},
            .in_axis = 1,
            .out_axis = 0,
            .inputs = Feed("axes", {0, 2})};
  }

  Move Unsqueeze() {
    return {.in = {c_, k_},
            .outs = {{1, c_, 1, k_}},
            .in_axis = 0,
            .out_axis = 1,
            .inputs = Feed("axes", {0, -2})};
  }

  Move Slice() {
    if (turn_ % 2 == 1) {
      return {
          .in = {c_, k_},
          .outs = {{c_ - 1, k_ - 2}},
          .channels = {Upward(1, c_)},
          .inputs = {q_.Feed("starts", {1, 0}), q_.Feed("ends", {int64_t{1} << 40, -2})}};
    }
    // Rows backwards, every third column: the channels move.
    std::vector<int64_t> channels = Upward(0, c_);
    std::reverse(channels.begin(), channels.end());
    return {.in = {c_, k_},
            .outs = {{c_, (k_ + 2) / 3}},
            .channels = {channels},
            .inputs = {q_.Feed("starts", {-1, 0}), q_.Feed("ends", {-c_ - 1, k_}),
                       q_.Feed("axes", {0, 1}), q_.Feed("steps", {-1, 3})}};
  }

  Move Split() {
    if (turn_ % 2 == 0) {
      return {.in = {c_, k_},
              .outs = {{2, k_}, {c_ - 2, k_}},
              .channels = {Upward(0, 2), Upward(2, c_)},
              .inputs = Feed("split", {2, c_ - 2})};
    }
    return {.in = {c_, k_},
            .outs = {{c_, k_ - 2}, {c_, 2}},
            .inputs = Feed("split", {k_ - 2, 2}),
            .attributes = {{"axis", int64_t{1}}}};
  }

  // Of two operands of the same shape.
  Move Concat() {
    if (turn_ % 2 == 0) {
      return {
          .in = {c_, k_}, .outs = {{c_, 2 * k_}}, .attributes = {{"axis", int64_t{1}}}};
    }
    return {.in = {c_, k_},
            .outs = {{2 * c_, k_}},
            .channels = {Twice(c_)},
            .attributes = {{"axis", int64_t{-2}}}};
  }

  Move Gather() {
    if (turn_ % 3 == 2) {
      return {.in = {c_, k_},
              .outs = {{c_, 3}},
              .inputs = Feed("indices", {k_ - 1, 0, -k_}),
              .attributes = {{"axis", int64_t{1}}}};
    }
    std::vector<int64_t> channels = Upward(0, c_);
    std::rotate(channels.begin(), channels.begin() + 1, channels.end());
    channels.push_back(1);
    return {.in = {c_, k_},
            .outs = {{c_ + 1, k_}},
            .channels = {channels},
            .inputs = Feed("indices", channels)};
  }

  Move GatherElements() {
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < c_ * k_; ++i) indices.push_back(q_.rng.Between(-k_, k_ - 1));
    return {.in = {c_, k_},
            .outs = {{c_, k_}},
            .inputs = {q_.Feed("indices", indices, {c_, k_})},
            .attributes = {{"axis", int64_t{1}}}};
  }

  Move Expand() {
    if (turn_ % 2 == 0) {
      return {
          .in = {c_, 1, k_}, .outs = {{c_, 2, k_}}, .inputs = Feed("shape", {c_, 2, 1})};
    }
    return {.in = {c_, k_},
            .outs = {{2, c_, k_}},
            .in_axis = 0,
            .out_axis = 1,
            .inputs = Feed("shape", {2, 1, 1})};
  }

  Move Tile() {
    if (turn_ % 2 == 0) {
      return {.in = {c_, k_}, .outs = {{c_, 2 * k_}}, .inputs = Feed("repeats", {1, 2})};
    }
    return {.in = {c_, k_},
            .outs = {{2 * c_, k_}},
            .channels = {Twice(c_)},
            .inputs = Feed("repeats", {2, 1})};
  }

  Move Space(std::string_view op) {
    // DCR and CRD differ where the result has several channels. Per axis the channels of
    // the scales are the first axis.
    constexpr int64_t kBlock = 3;
    constexpr int64_t kDepth = kBlock * kBlock;
    const int64_t first = q_.per_axis() ? 3 : 1;
    const int64_t channels = q_.per_axis() ? 2 : 3;
    const int64_t columns = c_ * k_ / (first * channels * kDepth) | 1;
    const Shape deep = {first, channels * kDepth, 1, columns};
    const Shape wide = {first, channels, kBlock, kBlock * columns};
    std::vector<Attribute> attributes = {{"blocksize", kBlock}};
    if (op == "SpaceToDepth") {
      return {.in = wide, .outs = {deep}, .attributes = attributes};
    }
    if (turn_ % 3 != 0) {
      attributes.push_back({"mode", std::string(turn_ % 3 == 1 ? "CRD" : "DCR")});
    }
    return {.in = deep, .outs = {wide}, .attributes = attributes};
  }

  Move Pad() {
    Move move{.in = {c_, k_}, .outs = {{c_, k_ + 2}}};
    move.inputs.push_back(q_.Feed("pads", {0, 1, 0, 1}));
    const char* const modes[] = {"constant", "constant", "edge", "reflect"};
    const std::string mode = modes[turn_ % 4];
    if (turn_ % 4 == 1) {
      const DataType type = q_.cell.types[1];
      Tensor value = Tensor::Zeros(type, {});
      WriteCode(value.mutable_view(), 0, q_.Scale(type, 1, true));
      move.inputs.push_back(
          q_.Feed("constant_value", std::move(value), Constant::kAlways));
    }
    if (mode != "constant") move.attributes.push_back({"mode", mode});
    return move;
  }

  GraphQuestion& q_;
  int turn_;
  int64_t c_;  // channels
  int64_t k_;  // elements of a channel: odd, and a multiple of 3
};

}  // namespace

void MakeMover(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const DataType scale = types[1];
  const Move move = Mover(question).Make();
  const bool per_axis = question.per_axis();
  const int64_t channels = per_axis ? move.in[static_cast<size_t>(move.in_axis)] : 1;
  const bool two = question.op_type() == "Concat";

  // (1) What is moved.
  std::vector<std::string> inputs;
  Parameters x;
  std::optional<ExactValue> aim;
  for (const char* name : {"x", "x1"}) {
    if (!inputs.empty() && !two) break;
    if (!question.starts_with_codes()) {
      const DataType y_type = types[2];
      if (inputs.empty()) x = question.First(y_type, scale);
      inputs.push_back(question.Feed(name, question.Floats(scale, move.in, x)));
      continue;
    }
    Parameters parameters = question.First(types[0], scale, channels);
    // Of two operands that are equal in everything the pairs may be dropped.
    if (!inputs.empty() && question.plan.scales == Scales::kEqual &&
        question.index % 2 == 0) {
      parameters = x;
    }
    if (per_axis) question.Along(parameters, move.in_axis);
    Tensor codes = question.Codes(types[0], move.in, parameters);
    if (!aim) aim = question.ValueOf(parameters, ReadCode(codes.view(), 0));
    inputs.push_back(question.Dequantize(name, std::move(codes), parameters));
    if (inputs.size() == 1) x = parameters;
  }
  inputs.insert(inputs.end(), move.inputs.begin(), move.inputs.end());

  // (2) The node.
  std::vector<std::string> moved;
  for (size_t i = 0; i < move.outs.size(); ++i) {
    const std::string number = move.outs.size() > 1 ? std::to_string(i) : "";
    moved.push_back((question.ends_with_codes() ? "moved" : "y") + number);
  }
  question.Add(question.op_type(), inputs, moved, move.attributes);

  // (3) What comes of it.
  for (size_t i = 0; i < moved.size(); ++i) {
    if (!question.ends_with_codes()) {
      question.Return(moved[i], scale, move.outs[i]);
      continue;
    }
    const std::string name = "y" + (moved.size() > 1 ? std::to_string(i) : std::string());
    Parameters y = x;
    if (question.starts_with_codes()) {
      std::vector<int64_t> source = {0};
      if (per_axis) source = Upward(0, channels);
      if (per_axis && !move.channels.empty()) source = move.channels[i];
      y = question.Last(types[2], scale, GraphQuestion::Magnitude(x), &x, aim, source);
      if (per_axis) question.Along(y, move.out_axis);
    } else if (i > 0) {
      y = question.First(types[2], scale);
    }
    question.Quantize(moved[i], name, y);
    question.Return(name, types[2], move.outs[i]);
  }
}

}  // namespace qconform::generators
