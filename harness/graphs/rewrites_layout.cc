// Data that is not moved as it should be, and scales that do not move with it (GR-03,
// GR-07).
#include <algorithm>
#include <limits>
#include <string>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs::rewrites {
namespace {

// The positions of Pad's value and of Gather's indices.
constexpr size_t kPadValueInput = 2;
constexpr size_t kIndicesInput = 1;

bool HasManyScales(const Workspace& graph, size_t step) {
  const SharedTensor scale = graph.InputOf(graph.steps()[step], kScaleInput);
  return scale != nullptr && ElementCount(scale->shape).value_or(0) > 1;
}

// A backend moves codes of any type, also of those that came to ONNX's definition later
// than the model.
constexpr int kNewestDefinition = std::numeric_limits<int>::max();

bool MovesAxis(const Workspace& graph, size_t step) {
  return graph.steps()[step].Is("Transpose");
}

// Exchanges two steps, the second of which reads only the first as its first input:
// `second` acts on what `first` read.
void Exchange(Workspace& graph, size_t first, size_t second) {
  GraphStep& a = graph.steps()[first];
  GraphStep& b = graph.steps()[second];
  const std::string before = a.node.inputs.front();
  const std::string between = a.node.outputs.front();
  const std::string after = b.node.outputs.front();
  b.node.inputs.front() = before;
  b.node.outputs.front() = between + "_exchanged";
  graph.Alias(b.node.outputs.front(), before);
  a.node.inputs.front() = b.node.outputs.front();
  a.node.outputs.front() = after;
  for (GraphStep* step : {&a, &b}) {
    step->changed = true;
    if (IsMover(step->node.op_type)) step->since_version = kNewestDefinition;
  }
  std::swap(a, b);
}

bool HasPads(const Node& node) {
  const auto pads = IntegersAttribute(node.attributes, "pads");
  return pads.ok() && pads->has_value() &&
         std::ranges::any_of(**pads, [](int64_t pad) { return pad > 0; });
}

// Adds `value` around [N, C, ...].
Tensor Padded(const Tensor& tensor, const std::vector<int64_t>& pads, Number value) {
  const size_t spatial = pads.size() / 2;
  const size_t lead = tensor.shape.size() - spatial;
  Shape shape = tensor.shape;
  for (size_t i = 0; i < spatial; ++i) shape[lead + i] += pads[i] + pads[spatial + i];
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  const std::vector<Number> from = NumbersOf(tensor);
  std::vector<Number> to(static_cast<size_t>(count), value);
  std::vector<int64_t> index(tensor.shape.size(), 0);
  for (const Number number : from) {
    int64_t at = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      at = at * shape[d] + index[d] + (d < lead ? 0 : pads[d - lead]);
    }
    to[static_cast<size_t>(at)] = number;
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < tensor.shape[d]) break;
      index[d] = 0;
    }
  }
  return TensorOfNumbers(tensor.type, shape, to);
}

// What code 0 stands for before the first input of a step: (0 - zero point) * scale.
std::optional<Number> RawZeroBefore(const Workspace& graph, size_t step) {
  const auto producer = DequantizerOf(graph, step, 0);
  if (!producer) return std::nullopt;
  const GraphStep& from = graph.steps()[*producer];
  const SharedTensor scale = graph.InputOf(from, kScaleInput);
  const SharedTensor zero_point = graph.InputOf(from, kZeroPointInput);
  if (scale == nullptr || zero_point == nullptr || !IsInteger(zero_point->type) ||
      ElementCount(scale->shape) != 1 || ElementCount(zero_point->shape) != 1) {
    return std::nullopt;
  }
  // 0 less 0 is +0.
  return (0 - NumbersOf(*zero_point).front()) * NumbersOf(*scale).front();
}

void SwapInputs(Workspace& graph, size_t step) {
  std::vector<std::string>& inputs = graph.steps()[step].node.inputs;
  std::swap(inputs.front(), *(inputs.begin() + 1));
  graph.steps()[step].changed = true;
}

}  // namespace

std::vector<int> AxisNotMoved(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!all.steps()[step].Is(kDequantize) || !HasManyScales(all, step)) return false;
        const std::string& output = all.steps()[step].node.outputs.front();
        const auto reader = all.OnlyReaderOf(output);
        return reader && MovesAxis(all, *reader) &&
               all.steps()[*reader].node.inputs.front() == output;
      },
      [](Workspace& all, size_t step) {
        Exchange(all, step, *all.OnlyReaderOf(all.steps()[step].node.outputs.front()));
      });
}

std::vector<int> AxisOfOutputNotMoved(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!all.steps()[step].Is(kQuantize) || !HasManyScales(all, step)) return false;
        const std::string& input = all.steps()[step].node.inputs.front();
        const auto producer = all.ProducerOf(input);
        return producer && MovesAxis(all, *producer) && all.OnlyReaderOf(input) == step;
      },
      [](Workspace& all, size_t step) {
        Exchange(all, *all.ProducerOf(all.steps()[step].node.inputs.front()), step);
      });
}

std::vector<int> DataNotMoved(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type,
                       {"Transpose", "DepthToSpace", "SpaceToDepth"});
      },
      [](Workspace& all, size_t step) {
        GraphStep& mover = all.steps()[step];
        const SharedTensor output = all.ValueOf(mover.node.outputs.front());
        mover.changed = true;
        mover.evaluation =
            [shape = output->shape](
                std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          Tensor moved = *inputs.front();
          moved.shape = shape;
          return std::vector<Tensor>{std::move(moved)};
        };
      });
}

std::vector<int> OperandsSwapped(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const Node& node = all.steps()[step].node;
        return IsOneOf(node.op_type, {"Concat", "Sub", "Div"}) && node.inputs.size() > 1;
      },
      SwapInputs);
}

std::vector<int> DepthToSpaceModeToggled(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return all.steps()[step].Is("DepthToSpace");
      },
      [](Workspace& all, size_t step) {
        const auto mode = StringAttribute(all.steps()[step].node.attributes, "mode");
        const bool is_crd = mode.ok() && mode->value_or("DCR") == "CRD";
        all.SetAttribute(step, "mode", std::string(is_crd ? "DCR" : "CRD"));
      });
}

std::vector<int> PadWithRawZero(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const Node& node = all.steps()[step].node;
        if (!RawZeroBefore(all, step)) return false;
        if (node.op_type == "Pad") return true;
        const auto counts = IntegerAttribute(node.attributes, "count_include_pad");
        const bool pads =
            IsOneOf(node.op_type, {"Conv", "MaxPool"}) ||
            (node.op_type == "AveragePool" && counts.ok() && counts->value_or(0) != 0);
        return pads && HasPads(node);
      },
      [](Workspace& all, size_t step) {
        const Number zero = *RawZeroBefore(all, step);
        const Node& node = all.steps()[step].node;
        const DataType type = all.InputOf(all.steps()[step], 0)->type;
        if (node.op_type == "Pad") {
          all.Redirect(step, kPadValueInput,
                       all.AddValue(TensorOfNumbers(type, {}, {zero})));
          return;
        }
        const std::vector<int64_t> pads = **IntegersAttribute(node.attributes, "pads");
        all.SetAttribute(step, "pads", std::vector<int64_t>(pads.size(), 0));
        all.EditInput(step, 0, [=](const Tensor& tensor) -> Result<Tensor> {
          return Padded(tensor, pads, zero);
        });
      });
}

std::vector<int> PadMaximumWithZero(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const Node& node = all.steps()[step].node;
        return node.op_type == "MaxPool" && HasPads(node);
      },
      [](Workspace& all, size_t step) {
        const std::vector<int64_t> pads =
            **IntegersAttribute(all.steps()[step].node.attributes, "pads");
        all.SetAttribute(step, "pads", std::vector<int64_t>(pads.size(), 0));
        all.EditInput(step, 0, [=](const Tensor& tensor) -> Result<Tensor> {
          return Padded(tensor, pads, 0);
        });
      });
}

std::vector<int> PadValueDropped(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return all.steps()[step].Is("Pad") &&
               all.InputOf(all.steps()[step], kPadValueInput) != nullptr;
      },
      [](Workspace& all, size_t step) { all.Redirect(step, kPadValueInput, ""); });
}

std::vector<int> GatherNextIndex(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type, {"Gather", "GatherElements"});
      },
      [](Workspace& all, size_t step) {
        all.EditInput(step, kIndicesInput, [](const Tensor& indices) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(indices);
          if (!numbers.empty()) {
            std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
          }
          return TensorOfNumbers(indices.type, indices.shape, numbers);
        });
      });
}

}  // namespace qconform::graphs::rewrites
