// Sums whose terms, bias or factors are lost, and activations that are rounded (GR-06).
#include <algorithm>
#include <cmath>
#include <span>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/rewrites.h"
#include "harness/graphs/sums/sum_terms.h"
#include "oracle/graphs/wiring.h"

namespace qconform::graphs::rewrites {
namespace {

// Sums of narrower codes hardly leave the range of INT16.
constexpr int kBitsOfWideSums = 16;

bool IsWide(const Tensor& codes) {
  return IsInteger(codes.type) && BitWidth(codes.type) > 8;
}

template <typename Edit>
std::vector<int> EditBias(Workspace& graph, Where where, Edit edit) {
  return AtEach(graph, where, HasBias, [&](Workspace& all, size_t step) {
    all.EditInput(step, kBiasInput, [edit](const Tensor& bias) -> Result<Tensor> {
      std::vector<Number> numbers = NumbersOf(bias);
      edit(numbers);
      return TensorOfNumbers(bias.type, bias.shape, numbers);
    });
  });
}

// x_scale * w_scale, one for each w_scale. Nothing unless both operands are dequantized,
// x with one scale.
std::optional<std::vector<Number>> UnitsOf(const Workspace& graph, size_t step) {
  const auto x = GivenBy(graph, step, kOperandInput);
  const auto w = GivenBy(graph, step, kWeightsInput);
  if (!x || !w) return std::nullopt;
  const SharedTensor of_x = graph.InputOf(graph.steps()[*x], kScaleInput);
  const SharedTensor of_w = graph.InputOf(graph.steps()[*w], kScaleInput);
  if (of_x == nullptr || of_w == nullptr || ElementCount(of_x->shape) != 1) {
    return std::nullopt;
  }
  std::vector<Number> units = NumbersOf(*of_w);
  for (Number& unit : units) unit *= NumbersOf(*of_x).front();
  return units;
}

Number UnitAt(const std::vector<Number>& units, size_t index) {
  return units[units.size() == 1 ? 0 : index % units.size()];
}

// Rounds a FLOAT bias to multiples of the units that `units_of` a step gives, where it
// gives some: what codes of INT32 hold.
template <typename UnitsOfStep>
std::vector<int> RoundFloatBias(Workspace& graph, Where where, UnitsOfStep units_of) {
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        return HasBias(all, step) && !GivenBy(all, step, kBiasInput) &&
               units_of(all, step);
      },
      [&](Workspace& all, size_t step) {
        const std::vector<Number> units = *units_of(all, step);
        all.EditInput(step, kBiasInput, [=](const Tensor& bias) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(bias);
          for (size_t i = 0; i < numbers.size(); ++i) {
            const Number unit = UnitAt(units, i);
            numbers[i] =
                std::clamp(RoundedToEven(numbers[i] / unit), LeastOf(DataType::kInt32),
                           GreatestOf(DataType::kInt32)) *
                unit;
          }
          return TensorOfNumbers(bias.type, bias.shape, numbers);
        });
      });
}

// Computes the integer that stands for the sum of element `i`.
using SumOfTerms = Number (*)(const Terms& terms, size_t i);

// Computes sums of integer codes, then takes them times the scales and adds the bias.
// `least_bits`: those of both codes together.
std::vector<int> SumIntegers(Workspace& graph, Where where, SumOfTerms sum,
                             int least_bits = 0) {
  return AtEach(
      graph, where,
      [=](const Workspace& all, size_t step) {
        const int bits = BitsOfOperands(all, step);
        return bits > 0 && bits >= least_bits;
      },
      [sum](Workspace& all, size_t step) {
        const GraphStep sum_node = all.steps()[step];
        const GraphStep of[2] = {all.steps()[*GivenBy(all, step, kOperandInput)],
                                 all.steps()[*GivenBy(all, step, kWeightsInput)]};
        GraphStep& replaced = all.steps()[step];
        std::vector<std::string> names = InputsOfSum(all, step);
        names.insert(names.begin(), replaced.node.inputs.begin(),
                     replaced.node.inputs.begin() + kBiasInput);
        replaced.node.inputs = std::move(names);
        replaced.changed = true;
        replaced.evaluation =
            [=, a = of[0], b = of[1]](
                std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          auto made = TermsOf(sum_node, a, b, inputs);
          if (!made) return made.error();
          const Terms& terms = *made;
          const std::vector<Number> of_bias = inputs.back() == nullptr
                                                  ? std::vector<Number>()
                                                  : NumbersOf(*inputs.back());
          std::vector<Number> numbers;
          for (size_t i = 0; i + 1 < terms.wired.first.size(); ++i) {
            const auto unit = UnitOf(terms, i);
            if (!unit) return unit.error();
            Number value = terms.alpha * sum(terms, i) * *unit;
            if (!terms.wired.bias.empty()) {
              const WiredElement& added = terms.wired.bias[i];
              if (added.operand != WiredElement::kZero) {
                value += terms.beta * of_bias[static_cast<size_t>(added.index)];
              }
            }
            numbers.push_back(value);
          }
          return std::vector<Tensor>{
              TensorOfNumbers(terms.wired.type, terms.wired.shape, numbers)};
        };
      });
}

// Rounds a group of numbers to 8 bits, symmetric around 0.
void RoundTo8Bits(std::span<Number> numbers) {
  Number most = 0;
  for (const Number number : numbers) most = std::max(most, std::fabs(number));
  const Number scale = most / 127;
  for (Number& number : numbers) {
    if (most != 0) number = RoundedToEven(number / scale) * scale;
  }
}

// The same by products with a reciprocal in FLOAT, as kernels compute it.
void RoundTo8BitsInFloats(std::span<Number> numbers) {
  float most = 0;
  for (const Number number : numbers) {
    most = std::max(most, static_cast<float>(std::fabs(number)));
  }
  const float scale = most / 127;
  const float factor = 127 / most;
  for (Number& number : numbers) {
    if (most != 0) number = RoundedToEven(static_cast<float>(number) * factor) * scale;
  }
}

// Rounds the blocks of each row, the last of which may be shorter.
Tensor RoundedByBlocks(const Tensor& tensor, size_t row, size_t block,
                       void (*round)(std::span<Number>)) {
  std::vector<Number> numbers = NumbersOf(tensor);
  const std::span<Number> all(numbers);
  row = std::max<size_t>(row, 1);
  for (size_t first = 0; first < all.size(); first += row) {
    for (size_t at = first; at < std::min(first + row, all.size()); at += block) {
      round(all.subspan(at, std::min({block, first + row - at, all.size() - at})));
    }
  }
  return TensorOfNumbers(tensor.type, tensor.shape, numbers);
}

// The activations that share a scale.
enum class Share : uint8_t { kAll, kRow, kBlock };

std::vector<int> RoundActivations(Workspace& graph, Where where, Share share) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsSumAt(all, step) || !GivenBy(all, step, kWeightsInput)) return false;
        // Codes of 8 bits need no other ones.
        const auto from = DequantizerOf(all, step, kOperandInput);
        return !from ||
               (IsWide(*all.InputOf(all.steps()[*from], kQuantizedInput)) &&
                !IsWide(*all.InputOf(all.steps()[*GivenBy(all, step, kWeightsInput)],
                                     kQuantizedInput)));
      },
      [=](Workspace& all, size_t step) {
        // Where weights have no blocks, compilers give them some of this size.
        constexpr int64_t kBlock = 32;
        const GraphStep& weights = all.steps()[*GivenBy(all, step, kWeightsInput)];
        const auto given = IntegerAttribute(weights.node.attributes, "block_size");
        int64_t block = given.ok() ? given->value_or(0) : 0;
        if (block <= 0) block = kBlock;
        all.EditInput(step, kOperandInput, [=](const Tensor& x) -> Result<Tensor> {
          const size_t count = static_cast<size_t>(ElementCount(x.shape).value_or(0));
          const size_t row = share != Share::kAll && !x.shape.empty()
                                 ? static_cast<size_t>(x.shape.back())
                                 : count;
          if (share == Share::kBlock) {
            return RoundedByBlocks(x, row, static_cast<size_t>(block),
                                   RoundTo8BitsInFloats);
          }
          return RoundedByBlocks(x, row, std::max<size_t>(row, 1), RoundTo8Bits);
        });
      });
}

bool HasAttribute(const Workspace& graph, size_t step, std::string_view name) {
  return std::ranges::any_of(
      graph.steps()[step].node.attributes,
      [&](const Attribute& attribute) { return attribute.name == name; });
}

std::vector<int> IgnoreAttribute(Workspace& graph, Where where, std::string_view name) {
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        return all.steps()[step].Is("Gemm") && HasAttribute(all, step, name);
      },
      [&](Workspace& all, size_t step) { all.RemoveAttribute(step, name); });
}

std::vector<int> SetDivisor(Workspace& graph, Where where, int64_t counts) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return all.steps()[step].Is("AveragePool");
      },
      [=](Workspace& all, size_t step) {
        all.SetAttribute(step, "count_include_pad", counts);
      });
}

Number FloatAttribute(const Node& node, std::string_view name) {
  for (const Attribute& attribute : node.attributes) {
    const float* value = std::get_if<float>(&attribute.value);
    if (attribute.name == name && value != nullptr) return *value;
  }
  return 1;
}

bool IsScaleProduct(const Workspace& graph, size_t step) {
  const GraphStep& at = graph.steps()[step];
  return at.Is("Mul") && graph.ValueOf(at.node.outputs.front()) != nullptr;
}

// Whether a sum multiplies codes of this type by INT8, and adds no FLOAT bias.
bool MultipliesByInt8(const Workspace& graph, size_t step, DataType operand) {
  if (BitsOfOperands(graph, step) == 0) return false;
  return CodesOf(graph, step, kOperandInput)->type == operand &&
         CodesOf(graph, step, kWeightsInput)->type == DataType::kInt8 &&
         (!HasBias(graph, step) || GivenBy(graph, step, kBiasInput).has_value());
}

// The sum of the codes of the operand, with its zero point moved to UINT8, times those of
// the weights: each two neighbouring products saturate to INT16. The terms of the zero
// points are added apart.
template <DataType kOperand>
Number SumOfSaturatedPairs(const Terms& terms, size_t i) {
  constexpr Number kShift = kOperand == DataType::kInt8 ? 128 : 0;
  Number sum = 0;
  Number pair = 0;
  bool is_second = false;
  const auto add = [&] {
    sum += std::clamp(pair, LeastOf(DataType::kInt16), GreatestOf(DataType::kInt16));
    pair = 0;
  };
  for (size_t at = terms.wired.first[i]; at < terms.wired.first[i + 1]; at += 2) {
    const WiredElement& a = terms.wired.sources[at];
    const WiredElement& b = terms.wired.sources[at + 1];
    if (a.operand != WiredElement::kZero && b.operand != WiredElement::kZero) {
      const auto x = static_cast<size_t>(a.index);
      const auto y = static_cast<size_t>(b.index);
      const Number product =
          (terms.codes[a.operand][x] + terms.zeros[a.operand][x] + kShift) *
          (terms.codes[b.operand][y] + terms.zeros[b.operand][y]);
      pair += product;
      sum += ProductAt(terms, at) - product;
    }
    if (is_second) add();
    is_second = !is_second;
  }
  add();
  return sum;
}

template <DataType kOperand>
std::vector<int> SaturatePairs(Workspace& graph, Where where) {
  for (size_t step = 0; step < graph.steps().size(); ++step) {
    if (IsSumAt(graph, step) && !MultipliesByInt8(graph, step, kOperand)) return {};
  }
  return SumIntegers(graph, where, SumOfSaturatedPairs<kOperand>);
}

}  // namespace

std::vector<int> DropBias(Workspace& graph, Where where) {
  return EditBias(graph, where,
                  [](std::vector<Number>& all) { all.assign(all.size(), Number{0}); });
}

std::vector<int> FirstBiasForAll(Workspace& graph, Where where) {
  return EditBias(graph, where, [](std::vector<Number>& all) {
    if (!all.empty()) all.assign(all.size(), all.front());
  });
}

std::vector<int> BiasTwice(Workspace& graph, Where where) {
  return EditBias(graph, where, [](std::vector<Number>& all) {
    for (Number& one : all) one *= 2;
  });
}

std::vector<int> IgnoreBiasScale(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return HasBias(all, step) && GivenBy(all, step, kBiasInput) && UnitsOf(all, step);
      },
      [](Workspace& all, size_t step) {
        const std::vector<Number> units = *UnitsOf(all, step);
        all.EditInput(*GivenBy(all, step, kBiasInput), kScaleInput,
                      [=](const Tensor& scale) -> Result<Tensor> {
                        std::vector<Number> numbers = NumbersOf(scale);
                        for (size_t i = 0; i < numbers.size(); ++i) {
                          numbers[i] = UnitAt(units, i);
                        }
                        return TensorOfNumbers(scale.type, scale.shape, numbers);
                      });
      });
}

std::vector<int> BiasToInt32(Workspace& graph, Where where) {
  return RoundFloatBias(graph, where, UnitsOf);
}
std::vector<int> BiasToScaleOfOperand(Workspace& graph, Where where) {
  return RoundFloatBias(
      graph, where,
      [](const Workspace& all, size_t step) -> std::optional<std::vector<Number>> {
        const auto x = GivenBy(all, step, kOperandInput);
        if (!x) return std::nullopt;
        const SharedTensor scale = all.InputOf(all.steps()[*x], kScaleInput);
        if (scale == nullptr || ElementCount(scale->shape) != 1) return std::nullopt;
        return NumbersOf(*scale);
      });
}

std::vector<int> BiasSaturatesTo16Bits(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        // Of narrower codes, and in front of a Clip, both results saturate. A Gemm has no
        // bias that is large enough for signed codes.
        if (!HasBias(all, step) || !GivenBy(all, step, kBiasInput) ||
            BitsOfOperands(all, step) < kBitsOfWideSums) {
          return false;
        }
        if (all.steps()[step].Is("Conv")) return !IsReadByClip(all, step);
        return LeastOf(CodesOf(all, step, kOperandInput)->type) == 0 &&
               !IsReadByChooser(all, step);
      },
      [](Workspace& all, size_t step) {
        all.EditInput(*GivenBy(all, step, kBiasInput), kQuantizedInput,
                      [](const Tensor& bias) -> Result<Tensor> {
                        return Converted(Converted(bias, DataType::kInt16), bias.type);
                      });
      });
}

std::vector<int> IgnoreAlpha(Workspace& graph, Where where) {
  return IgnoreAttribute(graph, where, "alpha");
}
std::vector<int> IgnoreBeta(Workspace& graph, Where where) {
  return IgnoreAttribute(graph, where, "beta");
}

std::vector<int> AlphaOnBias(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return HasBias(all, step) && HasAttribute(all, step, "alpha");
      },
      [](Workspace& all, size_t step) {
        const Number alpha = FloatAttribute(all.steps()[step].node, "alpha");
        all.EditInput(step, kBiasInput, [=](const Tensor& bias) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(bias);
          for (Number& number : numbers) number *= alpha;
          return TensorOfNumbers(bias.type, bias.shape, numbers);
        });
      });
}

std::vector<int> IgnoreTransposition(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return all.steps()[step].Is("Gemm") &&
               (HasAttribute(all, step, "transA") || HasAttribute(all, step, "transB"));
      },
      [](Workspace& all, size_t step) {
        all.RemoveAttribute(step, "transA");
        all.RemoveAttribute(step, "transB");
      });
}

std::vector<int> IgnoreTranspositionOfWeights(Workspace& graph, Where where) {
  return IgnoreAttribute(graph, where, "transB");
}

std::vector<int> SumSaturatesTo16Bits(Workspace& graph, Where where) {
  return SumIntegers(
      graph, where,
      [](const Terms& terms, size_t i) {
        Number sum = 0;
        for (size_t at = terms.wired.first[i]; at < terms.wired.first[i + 1]; at += 2) {
          sum = std::clamp(sum + ProductAt(terms, at), LeastOf(DataType::kInt16),
                           GreatestOf(DataType::kInt16));
        }
        return sum;
      },
      kBitsOfWideSums);
}

std::vector<int> PairsSaturateTo16Bits(Workspace& graph, Where where) {
  return SaturatePairs<DataType::kUint8>(graph, where);
}
std::vector<int> ShiftedPairsSaturateTo16Bits(Workspace& graph, Where where) {
  return SaturatePairs<DataType::kInt8>(graph, where);
}

std::vector<int> SumWrapsTo16Bits(Workspace& graph, Where where) {
  return SumIntegers(
      graph, where,
      [](const Terms& terms, size_t i) {
        Number sum = 0;
        for (size_t at = terms.wired.first[i]; at < terms.wired.first[i + 1]; at += 2) {
          sum += ProductAt(terms, at);
        }
        return static_cast<Number>(
            static_cast<int16_t>(static_cast<uint16_t>(static_cast<int64_t>(sum))));
      },
      kBitsOfWideSums);
}

std::vector<int> LastTermLost(Workspace& graph, Where where) {
  return SumIntegers(graph, where, [](const Terms& terms, size_t i) {
    constexpr size_t kLanes = 4;
    const size_t first = terms.wired.first[i];
    const size_t count = (terms.wired.first[i + 1] - first) / 2;
    Number sum = 0;
    for (size_t k = 0; k < count / kLanes * kLanes; ++k)
      sum += ProductAt(terms, first + 2 * k);
    return sum;
  });
}

std::vector<int> CrossTermMissing(Workspace& graph, Where where) {
  return SumIntegers(graph, where, [](const Terms& terms, size_t i) {
    Number sum = 0;
    for (size_t at = terms.wired.first[i]; at < terms.wired.first[i + 1]; at += 2) {
      const WiredElement& a = terms.wired.sources[at];
      const WiredElement& b = terms.wired.sources[at + 1];
      if (a.operand == WiredElement::kZero || b.operand == WiredElement::kZero) continue;
      sum +=
          ProductAt(terms, at) - terms.zeros[a.operand][static_cast<size_t>(a.index)] *
                                     terms.zeros[b.operand][static_cast<size_t>(b.index)];
    }
    return sum;
  });
}

std::vector<int> QuantizeActivations(Workspace& graph, Where where) {
  return RoundActivations(graph, where, Share::kAll);
}
std::vector<int> QuantizeActivationsByRow(Workspace& graph, Where where) {
  return RoundActivations(graph, where, Share::kRow);
}
std::vector<int> QuantizeActivationsByBlock(Workspace& graph, Where where) {
  return RoundActivations(graph, where, Share::kBlock);
}

std::vector<int> DivisorCountsPadding(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return all.steps()[step].Is("AveragePool");
      },
      [](Workspace& all, size_t step) {
        const auto counts =
            IntegerAttribute(all.steps()[step].node.attributes, "count_include_pad");
        const bool are_counted = counts.ok() && counts->value_or(0) != 0;
        all.SetAttribute(step, "count_include_pad", int64_t{are_counted ? 0 : 1});
      });
}

std::vector<int> PaddingAlwaysCounted(Workspace& graph, Where where) {
  return SetDivisor(graph, where, 1);
}
std::vector<int> PaddingNeverCounted(Workspace& graph, Where where) {
  return SetDivisor(graph, where, 0);
}

std::vector<int> MeanInFloat16(Workspace& graph, Where where) {
  const auto round = [](const Tensor& value) -> Result<Tensor> {
    return Converted(Converted(value, DataType::kFloat16), value.type);
  };
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const GraphStep& at = all.steps()[step];
        if (!IsMean(at.node.op_type) || all.InputOf(at, 0)->type != DataType::kFloat) {
          return false;
        }
        // Means of a few small integers are numbers of FLOAT16.
        const auto from = DequantizerOf(all, step, 0);
        return from &&
               BitWidth(all.InputOf(all.steps()[*from], kQuantizedInput)->type) >= 8;
      },
      [&](Workspace& all, size_t step) {
        all.EditOutput(step, round);
        all.EditInput(step, 0, round);
      });
}

std::vector<int> MultiplierDropped(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsScaleProduct(all, step)) return false;
        const auto producer = all.ProducerOf(all.steps()[step].node.inputs.front());
        return producer && all.steps()[*producer].Is("Cast");
      },
      [](Workspace& all, size_t step) { all.Drop(step); });
}

std::vector<int> FirstMultiplierForAll(Workspace& graph, Where where) {
  constexpr size_t kFactorInput = 1;
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsScaleProduct(all, step)) return false;
        const SharedTensor factor = all.InputOf(all.steps()[step], kFactorInput);
        return factor != nullptr && ElementCount(factor->shape).value_or(0) > 1 &&
               !DequantizerOf(all, step, kFactorInput);
      },
      [](Workspace& all, size_t step) {
        all.EditInput(step, kFactorInput, [](const Tensor& factor) -> Result<Tensor> {
          std::vector<Number> numbers = NumbersOf(factor);
          numbers.assign(numbers.size(), numbers.front());
          return TensorOfNumbers(factor.type, factor.shape, numbers);
        });
      });
}

}  // namespace qconform::graphs::rewrites
