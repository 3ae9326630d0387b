// Activations, bounds and choices that are lost or made in the wrong numbers (GR-04,
// GR-07).
#include <cmath>
#include <limits>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs::rewrites {
namespace {

constexpr size_t kLowInput = 1;
constexpr size_t kHighInput = 2;
constexpr size_t kSlopeInput = 1;

void DropStep(Workspace& graph, size_t step) { graph.Drop(step); }

// The zero points of the QuantizeLinear after a step; one 0 if it has none. Nothing if
// no QuantizeLinear follows at once.
struct Target {
  size_t step = 0;
  DataType type = DataType::kUndefined;
  std::vector<Number> scales;
  std::vector<Number> zero_points;
};
std::optional<Target> TargetOf(const Workspace& graph, size_t step) {
  const auto quantizer = QuantizerOf(graph, step);
  if (!quantizer) return std::nullopt;
  const GraphStep& reader = graph.steps()[*quantizer];
  const SharedTensor output = graph.ValueOf(reader.node.outputs.front());
  const SharedTensor scale = graph.InputOf(reader, kScaleInput);
  const SharedTensor zero_point = graph.InputOf(reader, kZeroPointInput);
  if (output == nullptr || scale == nullptr) return std::nullopt;
  Target target{*quantizer, output->type, NumbersOf(*scale), {0}};
  if (zero_point != nullptr) target.zero_points = NumbersOf(*zero_point);
  return target;
}

// Drops each Relu whose target a compiler takes for one that does its work.
template <typename Takes>
std::vector<int> DropReluWhere(Workspace& graph, Where where, Takes takes) {
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        if (!all.steps()[step].Is("Relu")) return false;
        const auto target = TargetOf(all, step);
        return target && IsInteger(target->type) && takes(*target);
      },
      DropStep);
}

bool All(const std::vector<Number>& numbers, auto holds) {
  return std::ranges::all_of(numbers, holds);
}

bool IsClip(const Workspace& graph, size_t step) {
  return graph.steps()[step].Is("Clip");
}

bool HasBound(const Workspace& graph, size_t step, size_t position) {
  return IsClip(graph, step) && graph.InputOf(graph.steps()[step], position) != nullptr;
}

std::vector<int> EditBounds(Workspace& graph, Where where, auto edit) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return HasBound(all, step, kLowInput) || HasBound(all, step, kHighInput);
      },
      [&](Workspace& all, size_t step) {
        for (const size_t position : {kHighInput, kLowInput}) {
          // An inserted step moves the node by one.
          const size_t at = all.steps()[step].Is("Clip") ? step : step + 1;
          if (HasBound(all, at, position)) edit(all, at, position);
        }
      });
}

std::vector<int> DropBound(Workspace& graph, Where where, size_t position) {
  return AtEach(
      graph, where,
      [position](const Workspace& all, size_t step) {
        return HasBound(all, step, position);
      },
      [position](Workspace& all, size_t step) { all.Redirect(step, position, ""); });
}

// Makes the first input of a step, and its first output, those of the negated numbers if
// the DequantizeLinear in front of it has a negative scale: codes in place of values.
bool HasNegativeScale(const Workspace& graph, size_t step) {
  const auto producer = DequantizerOf(graph, step, 0);
  if (!producer) return false;
  const SharedTensor scale = graph.InputOf(graph.steps()[*producer], kScaleInput);
  return scale != nullptr && scale->type != DataType::kFloat8E8M0 &&
         All(NumbersOf(*scale), [](Number number) { return number < 0; });
}

Result<Tensor> Negated(const Tensor& tensor) {
  std::vector<Number> numbers = NumbersOf(tensor);
  for (Number& number : numbers) number = -number;
  return TensorOfNumbers(tensor.type, tensor.shape, numbers);
}

}  // namespace

std::vector<int> DropActivation(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsActivation(all.steps()[step].node.op_type);
      },
      DropStep);
}

std::vector<int> DropReluOfUnsigned(Workspace& graph, Where where) {
  return DropReluWhere(graph, where,
                       [](const Target& target) { return LeastOf(target.type) == 0; });
}

std::vector<int> DropReluOfMinimum(Workspace& graph, Where where) {
  return DropReluWhere(graph, where, [](const Target& target) {
    const Number least = LeastOf(target.type);
    return All(target.zero_points, [=](Number zero) { return zero == least; });
  });
}

std::vector<int> DropReluBesideMinimum(Workspace& graph, Where where) {
  return DropReluWhere(graph, where, [](const Target& target) {
    const Number most = LeastOf(target.type) + 1;
    return All(target.zero_points, [=](Number zero) { return zero <= most; }) &&
           All(target.scales, [](Number scale) { return scale > 0; });
  });
}

std::vector<int> DropReluUnlessZeroPointOf8Bits(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!all.steps()[step].Is("Relu")) return false;
        const auto reader = all.OnlyReaderOf(all.steps()[step].node.outputs.front());
        if (!reader || !all.steps()[*reader].Is(kQuantize)) return false;
        const SharedTensor zero = all.InputOf(all.steps()[*reader], kZeroPointInput);
        if (zero == nullptr || ElementCount(zero->shape) != 1) return false;
        return !IsInteger(zero->type) || BitWidth(zero->type) < 8;
      },
      DropStep);
}

std::vector<int> DropReluByFirstZeroPoint(Workspace& graph, Where where) {
  return DropReluWhere(graph, where, [](const Target& target) {
    return target.scales.size() > 1 && target.zero_points.size() > 1 &&
           target.zero_points.front() == LeastOf(target.type) &&
           target.scales.front() > 0;
  });
}

std::vector<int> ReluByCodes(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!all.steps()[step].Is("Relu")) return false;
        const auto target = TargetOf(all, step);
        return target && IsInteger(target->type) && target->zero_points.size() == 1;
      },
      [](Workspace& all, size_t step) {
        const Target target = *TargetOf(all, step);
        const Number zero = target.zero_points.front();
        all.Drop(step);
        all.EditOutput(target.step, [zero](const Tensor& codes) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(codes);
          for (Number& number : numbers) number = std::max(number, zero);
          return TensorOfNumbers(codes.type, codes.shape, numbers);
        });
      });
}

std::vector<int> ReluBeforeBinary(Workspace& graph, Where where) {
  const auto applies = [](const Workspace& all, size_t step) {
    if (!all.steps()[step].Is("Relu")) return false;
    const auto producer = all.ProducerOf(all.steps()[step].node.inputs.front());
    return producer &&
           IsOneOf(all.steps()[*producer].node.op_type, {"Add", "Sub", "Mul", "Div"});
  };
  return AtEach(graph, where, applies, [](Workspace& all, size_t step) {
    const size_t binary = *all.ProducerOf(all.steps()[step].node.inputs.front());
    all.Drop(step);
    all.EditInput(binary, 0, [](const Tensor& operand) -> Result<Tensor> {
      std::vector<Number> numbers = NumbersOf(operand);
      for (Number& number : numbers) number = std::max(number, Number{0});
      return TensorOfNumbers(operand.type, operand.shape, numbers);
    });
  });
}

std::vector<int> SlopeIsZero(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type, {"LeakyRelu", "PRelu"});
      },
      [](Workspace& all, size_t step) {
        all.Drop(step);
        all.EditOutput(step, [](const Tensor& value) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(value);
          for (Number& number : numbers) number = std::max(number, Number{0});
          return TensorOfNumbers(value.type, value.shape, numbers);
        });
      });
}

std::vector<int> ActivationWithDefaults(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const Node& node = all.steps()[step].node;
        return IsOneOf(node.op_type, {"LeakyRelu", "HardSigmoid"}) &&
               !node.attributes.empty();
      },
      [](Workspace& all, size_t step) {
        all.RemoveAttribute(step, "alpha");
        all.RemoveAttribute(step, "beta");
      });
}

std::vector<int> FirstSlopeForAll(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) { return all.steps()[step].Is("PRelu"); },
      [](Workspace& all, size_t step) {
        all.EditInput(step, kSlopeInput, [](const Tensor& slope) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(slope);
          if (!numbers.empty()) numbers.assign(numbers.size(), numbers.front());
          return TensorOfNumbers(slope.type, slope.shape, numbers);
        });
      });
}

std::vector<int> HardSwishAsHardSigmoid(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) { return all.steps()[step].Is("HardSwish"); },
      [](Workspace& all, size_t step) {
        all.Drop(step);
        all.EditOutput(step, [](const Tensor& value) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(value);
          for (Number& number : numbers) {
            number = std::clamp(number / 6 + Number{0.5}, Number{0}, Number{1});
          }
          return TensorOfNumbers(value.type, value.shape, numbers);
        });
      });
}

std::vector<int> DropBounds(Workspace& graph, Where where) {
  return AtEach(graph, where, IsClip, DropStep);
}
std::vector<int> DropBoundsOfRange(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsClip(all, step)) return false;
        const auto target = TargetOf(all, step);
        if (!target || !IsInteger(target->type) || target->scales.size() != 1) {
          return false;
        }
        // In FLOAT, as a compiler computes it.
        const auto scale = static_cast<float>(target->scales.front());
        const Number zero = target->zero_points.front();
        const float first = scale * static_cast<float>(LeastOf(target->type) - zero);
        const float last = scale * static_cast<float>(GreatestOf(target->type) - zero);
        const auto bound = [&](size_t position, float otherwise) {
          const SharedTensor at = all.InputOf(all.steps()[step], position);
          return at == nullptr ? otherwise : static_cast<float>(NumbersOf(*at).front());
        };
        const float low = bound(kLowInput, std::numeric_limits<float>::lowest());
        const float high = bound(kHighInput, std::numeric_limits<float>::max());
        constexpr float kSlack = std::numeric_limits<float>::epsilon();
        return !(low - first > kSlack) && !(last - high > kSlack);
      },
      DropStep);
}

std::vector<int> DropLowBound(Workspace& graph, Where where) {
  return DropBound(graph, where, kLowInput);
}
std::vector<int> DropHighBound(Workspace& graph, Where where) {
  return DropBound(graph, where, kHighInput);
}

std::vector<int> BoundsInCodesOfInput(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsClip(all, step) && DequantizerOf(all, step, 0);
      },
      [](Workspace& all, size_t step) {
        const GraphStep& producer = all.steps()[*DequantizerOf(all, step, 0)];
        const SharedTensor codes = all.InputOf(producer, kQuantizedInput);
        const SharedTensor scale = all.InputOf(producer, kScaleInput);
        const SharedTensor zero_point = all.InputOf(producer, kZeroPointInput);
        if (codes == nullptr || scale == nullptr || !IsInteger(codes->type)) return;
        const DataType type = codes->type;
        const Number s = NumbersOf(*scale).front();
        const Number z = zero_point == nullptr ? 0 : NumbersOf(*zero_point).front();
        const auto edit = [=](const Tensor& bound) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(bound);
          for (Number& number : numbers) {
            number = std::clamp(RoundedToEven(number / s) + z, LeastOf(type),
                                GreatestOf(type));
            number = (number - z) * s;
          }
          return TensorOfNumbers(bound.type, bound.shape, numbers);
        };
        size_t at = step;
        for (const size_t position : {kHighInput, kLowInput}) {
          if (!HasBound(all, at, position)) continue;
          at = all.EditInput(at, position, edit);
        }
      });
}

std::vector<int> BoundsToIntegers(Workspace& graph, Where where) {
  return EditBounds(graph, where, [](Workspace& all, size_t step, size_t position) {
    all.EditInput(step, position, [](const Tensor& bound) -> Result<Tensor> {
      std::vector<Number> numbers = NumbersOf(bound);
      for (Number& number : numbers) number = std::trunc(number);
      return TensorOfNumbers(bound.type, bound.shape, numbers);
    });
  });
}

std::vector<int> ClipAsRelu6(Workspace& graph, Where where) {
  return AtEach(graph, where, IsClip, [](Workspace& all, size_t step) {
    all.Drop(step);
    all.EditOutput(step, [](const Tensor& value) -> Result<Tensor> {
      std::vector<Number> numbers = NumbersOf(value);
      for (Number& number : numbers) number = std::clamp(number, Number{0}, Number{6});
      return TensorOfNumbers(value.type, value.shape, numbers);
    });
  });
}

std::vector<int> OrderByCodes(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type,
                       {"MaxPool", "ReduceMax", "ReduceMin"}) &&
               HasNegativeScale(all, step);
      },
      [](Workspace& all, size_t step) {
        all.EditOutput(step, Negated);
        all.EditInput(step, 0, Negated);
      });
}

std::vector<int> OrderOfArgMaxByCodes(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type, {"ArgMax", "ArgMin"}) &&
               HasNegativeScale(all, step);
      },
      [](Workspace& all, size_t step) { all.EditInput(step, 0, Negated); });
}

std::vector<int> LastIndexToggled(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type, {"ArgMax", "ArgMin"});
      },
      [](Workspace& all, size_t step) {
        const auto last =
            IntegerAttribute(all.steps()[step].node.attributes, "select_last_index");
        const bool is_last = last.ok() && last->value_or(0) != 0;
        all.SetAttribute(step, "select_last_index", int64_t{is_last ? 0 : 1});
      });
}

std::vector<int> LastIndexTaken(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type, {"ArgMax", "ArgMin"});
      },
      [](Workspace& all, size_t step) {
        all.SetAttribute(step, "select_last_index", int64_t{1});
      });
}

std::vector<int> MaximumAndZero(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOneOf(all.steps()[step].node.op_type, {"MaxPool", "ReduceMax"});
      },
      [](Workspace& all, size_t step) {
        all.EditOutput(step, [](const Tensor& value) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(value);
          for (Number& number : numbers) number = std::max(number, Number{0});
          return TensorOfNumbers(value.type, value.shape, numbers);
        });
      });
}

}  // namespace qconform::graphs::rewrites
