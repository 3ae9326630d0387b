// Pairs and requantizations that are dropped, merged or rounded otherwise (GR-05 to
// GR-07).
#include <algorithm>
#include <cmath>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/parameters.h"
#include "harness/graphs/rewrites.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs::rewrites {
namespace {

constexpr size_t kWeightsInput = 1;
constexpr int kMultiplierBits = 31;
// A sum that is rounded to FLOAT keeps more of its bits than these.
constexpr int kFloatBits = 22;

std::vector<int> TakeFromInput(Workspace& graph, Where where, bool scale,
                               bool zero_point) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsQuantizer(all, step)) return false;
        const auto from = DequantizerOf(all, step, kQuantizedInput);
        return from && ScaleOf(all, *from)->shape == ScaleOf(all, step)->shape;
      },
      [&](Workspace& all, size_t step) {
        TakeFrom(all, step, *DequantizerOf(all, step, kQuantizedInput), scale,
                 zero_point);
      });
}

// The DequantizeLinear that alone reads the output of a QuantizeLinear.
std::optional<size_t> PairedWith(const Workspace& graph, size_t step) {
  if (!IsQuantizer(graph, step)) return std::nullopt;
  const auto reader = graph.OnlyReaderOf(graph.steps()[step].node.outputs.front());
  if (!reader || !IsDequantizer(graph, *reader)) return std::nullopt;
  return reader;
}

// Computes a pair of QuantizeLinear and DequantizeLinear without its integer type.
template <typename Between>
std::vector<int> ReplacePairs(Workspace& graph, Where where, Between between) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const auto reader = PairedWith(all, step);
        return reader && ParametersOf(all, step) && ParametersOf(all, *reader);
      },
      [&](Workspace& all, size_t step) {
        const size_t reader = *PairedWith(all, step);
        const Parameters in = *ParametersOf(all, step);
        const Parameters out = *ParametersOf(all, reader);
        const DataType type = OutputOf(all, reader)->type;
        all.Drop(step);
        GraphStep& last = all.steps()[reader];
        last.changed = true;
        last.evaluation =
            [=](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          const Tensor& value = *inputs.front();
          std::vector<Number> numbers = NumbersOf(value);
          for (Number& number : numbers) {
            number = (between(number / in.scale + in.zero_point, in) - out.zero_point) *
                     out.scale;
          }
          return std::vector<Tensor>{TensorOfNumbers(type, value.shape, numbers)};
        };
      });
}

// Rounds the result of a step to the codes of the DequantizeLinear in front of it.
template <typename Applies>
std::vector<int> RoundToCodesOfInput(Workspace& graph, Where where, Applies applies,
                                     Number (*rounded)(Number) = RoundedToEven) {
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        if (!applies(all.steps()[step].node.op_type)) return false;
        const auto from = DequantizerOf(all, step, 0);
        return from && ParametersOf(all, *from);
      },
      [rounded](Workspace& all, size_t step) {
        const Parameters of = *ParametersOf(all, *DequantizerOf(all, step, 0));
        all.EditOutput(step, Elementwise([of, rounded](std::vector<Number>& numbers) {
                         for (Number& number : numbers) {
                           const Number code = rounded(number / of.scale) + of.zero_point;
                           number =
                               (std::clamp(code, LeastOf(of.type), GreatestOf(of.type)) -
                                of.zero_point) *
                               of.scale;
                         }
                       }));
      });
}

// What one integer step of a value is worth: the product of the scales that made it.
// Nothing if there are several, or a node that has none.
std::optional<Number> UnitOf(const Workspace& graph, const std::string& name) {
  const auto producer = graph.ProducerOf(name);
  if (!producer) return std::nullopt;
  const Node& node = graph.steps()[*producer].node;
  if (node.op_type == kDequantize) {
    const auto of = ParametersOf(graph, *producer);
    return of ? std::optional<Number>(std::fabs(of->scale)) : std::nullopt;
  }
  const auto first = UnitOf(graph, node.inputs.front());
  if (IsSum(node.op_type)) {
    const auto second = UnitOf(graph, node.inputs[kWeightsInput]);
    if (!first || !second) return std::nullopt;
    return *first * *second;
  }
  // Bounds are no whole multiples.
  if (IsOneOf(node.op_type, {"Max", "Min", "Clip"})) return std::nullopt;
  const bool keeps =
      IsMover(node.op_type) || IsChooser(node.op_type) || IsMean(node.op_type);
  return keeps ? first : std::nullopt;
}

// The lowest bits of an integer, as a code; 0 of what is no integer of 64 bits.
Number Wrapped(DataType type, float number) {
  if (!(std::fabs(number) < 0x1p62F)) return 0;
  const Number codes = GreatestOf(type) - LeastOf(type) + 1;
  const Number above = std::fmod(Number{number} - LeastOf(type), codes);
  return LeastOf(type) + (above < 0 ? above + codes : above);
}

Number NumberOfCode(DataType type, uint64_t code) {
  Tensor one = Tensor::Zeros(type, {});
  WriteCode(one.mutable_view(), 0, code);
  return NumbersOf(one).front();
}

// Whether codes of a type have an infinity, which QuantizeLinear does not give.
bool HasInfinity(const Tensor& codes) {
  return IsFloat8(codes.type) && FormatOf(codes.type).has_infinity;
}

}  // namespace

std::vector<int> DropRequantization(Workspace& graph, Where where) {
  return TakeFromInput(graph, where, true, true);
}
std::vector<int> OutputScaleOfInput(Workspace& graph, Where where) {
  return TakeFromInput(graph, where, true, false);
}
std::vector<int> OutputZeroPointOfInput(Workspace& graph, Where where) {
  return TakeFromInput(graph, where, false, true);
}

std::vector<int> MergePairs(Workspace& graph, Where where) {
  const auto next_pair = [](const Workspace& all, size_t step) -> std::optional<size_t> {
    const auto reader = PairedWith(all, step);
    if (!reader) return std::nullopt;
    const auto next = all.OnlyReaderOf(all.steps()[*reader].node.outputs.front());
    return next && PairedWith(all, *next) ? next : std::nullopt;
  };
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        const auto next = next_pair(all, step);
        if (!next) return false;
        const auto a = ParametersOf(all, step);
        const auto b = ParametersOf(all, *next);
        if (!a || !b || a->type != b->type || ZeroPointOf(all, step) == nullptr ||
            ZeroPointOf(all, *next) == nullptr) {
          return false;
        }
        return a->zero_point != b->zero_point || a->scale != b->scale;
      },
      [&](Workspace& all, size_t step) {
        const size_t next = *next_pair(all, step);
        const size_t inner = *PairedWith(all, step);
        const size_t last = *PairedWith(all, next);
        const Parameters a = *ParametersOf(all, step);
        const Parameters b = *ParametersOf(all, next);
        // The range that both have, as one scale and zero point, computed in FLOAT.
        const auto end = [](const Parameters& of, Number code) {
          return static_cast<float>(code - of.zero_point) * static_cast<float>(of.scale);
        };
        const Number least = LeastOf(a.type);
        const Number greatest = GreatestOf(a.type);
        const float low = std::max(end(a, least), end(b, least));
        const float high = std::min(end(a, greatest), end(b, greatest));
        const float of_both = (high - low) / static_cast<float>(greatest - least);
        const SharedTensor old_scale = ScaleOf(all, step);
        const Tensor scale =
            TensorOfNumbers(old_scale->type, old_scale->shape, {of_both});
        const float zero = std::round(static_cast<float>(least) - low / of_both);
        const Tensor zero_point = TensorOfNumbers(a.type, {}, {Wrapped(a.type, zero)});
        for (const size_t at : {step, last}) {
          all.Redirect(at, kScaleInput, all.AddValue(scale));
          Tensor shaped = zero_point;
          if (ZeroPointOf(all, step) != nullptr)
            shaped.shape = ZeroPointOf(all, step)->shape;
          all.Redirect(at, kZeroPointInput, all.AddValue(std::move(shaped)));
        }
        all.Drop(inner);
        all.Drop(next);
      });
}

std::vector<int> DropPair(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) { return PairedWith(all, step).has_value(); },
      [](Workspace& all, size_t step) {
        all.Drop(*PairedWith(all, step));
        all.Drop(step);
      });
}

std::vector<int> DropRequantizationOfInfinity(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsQuantizer(all, step)) return false;
        const auto from = all.ProducerOf(all.steps()[step].node.inputs.front());
        if (!from || !IsDequantizer(all, *from)) return false;
        const SharedTensor codes = CodesAt(all, *from);
        return HasInfinity(*codes) && codes->type == OutputOf(all, step)->type &&
               *ScaleOf(all, *from) == *ScaleOf(all, step);
      },
      [](Workspace& all, size_t step) {
        all.Drop(*all.ProducerOf(all.steps()[step].node.inputs.front()));
        all.Drop(step);
      });
}

std::vector<int> InsertPairBehindMover(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        if (!IsOneOf(all.steps()[step].node.op_type,
                     {"Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"})) {
          return false;
        }
        const auto from = DequantizerOf(all, step, 0);
        return from && HasOne(ScaleOf(all, *from)) && HasInfinity(*CodesAt(all, *from)) &&
               !QuantizerOf(all, step);
      },
      [](Workspace& all, size_t step) {
        // What saturates is the greatest number of the type, times the scale.
        const size_t from = *DequantizerOf(all, step, 0);
        const DataType type = CodesAt(all, from)->type;
        const Number most = NumberOfCode(type, LargestFinite(FormatOf(type)));
        const Number high = most * std::fabs(NumbersOf(*ScaleOf(all, from)).front());
        all.EditOutput(step, Elementwise([high](std::vector<Number>& numbers) {
                         for (Number& number : numbers) {
                           if (std::isinf(number)) number = std::copysign(high, number);
                         }
                       }));
      });
}

std::vector<int> DropSaturation(Workspace& graph, Where where) {
  return ReplacePairs(graph, where, [](Number code, const Parameters& of) {
    return RoundedToEven(code - of.zero_point) + of.zero_point;
  });
}

std::vector<int> DropRounding(Workspace& graph, Where where) {
  return ReplacePairs(graph, where, [](Number code, const Parameters& of) {
    return std::clamp(code, LeastOf(of.type), GreatestOf(of.type));
  });
}

std::vector<int> LeastCodeNotNegated(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const Node& node = all.steps()[step].node;
        if (!IsOneOf(node.op_type, {"Neg", "Abs"})) return false;
        const auto from = all.ProducerOf(node.inputs.front());
        if (!from || !IsDequantizer(all, *from)) return false;
        const DataType type = CodesAt(all, *from)->type;
        const SharedTensor zero_point = ZeroPointOf(all, *from);
        return IsInteger(type) && LeastOf(type) < 0 &&
               (zero_point == nullptr ||
                std::ranges::all_of(NumbersOf(*zero_point),
                                    [](Number zero) { return zero == 0; }));
      },
      [](Workspace& all, size_t step) {
        const size_t from = *all.ProducerOf(all.steps()[step].node.inputs.front());
        const std::vector<Number> codes = NumbersOf(*CodesAt(all, from));
        const Number least = LeastOf(CodesAt(all, from)->type);
        const std::vector<Number> values = NumbersOf(*OutputOf(all, from));
        all.EditOutput(step, Elementwise([=](std::vector<Number>& numbers) {
                         for (size_t i = 0; i < numbers.size(); ++i) {
                           if (codes[i] == least) numbers[i] = values[i];
                         }
                       }));
      });
}

std::vector<int> ResultInCodesOfInput(Workspace& graph, Where where) {
  return RoundToCodesOfInput(graph, where, [](std::string_view op_type) {
    return IsOneOf(op_type, {"Add", "Sub", "Mul", "Div", "Neg", "Abs", "LeakyRelu",
                             "PRelu", "HardSigmoid", "HardSwish"});
  });
}

std::vector<int> InterpolatedInCodes(Workspace& graph, Where where) {
  return RoundToCodesOfInput(graph, where, IsMean);
}

std::vector<int> MeanOfCodesTruncated(Workspace& graph, Where where) {
  return RoundToCodesOfInput(graph, where, IsMean,
                             [](Number number) { return std::trunc(number); });
}

std::vector<int> DoubleRounding(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsQuantizer(all, step) && ParametersOf(all, step) &&
               UnitOf(all, all.steps()[step].node.inputs.front());
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *ParametersOf(all, step);
        const Number unit = *UnitOf(all, all.steps()[step].node.inputs.front());
        // The multiplier is m * 2^-shift, 1/2 <= m < 1: the product by m is rounded to an
        // integer, then the shift.
        // m has 31 bits.
        const Number ratio = unit / std::fabs(of.scale);
        const int top = std::ilogb(ratio) + 1;
        const int shift = std::max(0, -top);
        const Number multiplier =
            std::ldexp(RoundedToEven(std::ldexp(ratio, kMultiplierBits - top)),
                       top - kMultiplierBits);
        const Number sign = of.scale < 0 ? -1 : 1;
        GraphStep& quantizer = all.steps()[step];
        quantizer.changed = true;
        quantizer.evaluation =
            [=](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          const Tensor& value = *inputs.front();
          std::vector<Number> numbers = NumbersOf(value);
          for (Number& number : numbers) {
            // A sum in FLOAT stands for a whole number of units.
            Number units = number / unit;
            const Number whole = RoundedToEven(units);
            if (std::fabs(units - whole) <= std::ldexp(std::fabs(whole), -kFloatBits)) {
              units = whole;
            }
            const Number product = std::ldexp(sign * units * multiplier, shift);
            const Number once = std::ldexp(std::floor(product + Number{0.5}), -shift);
            number = std::round(once) + of.zero_point;
          }
          return std::vector<Tensor>{TensorOfNumbers(of.type, value.shape, numbers)};
        };
      });
}

}  // namespace qconform::graphs::rewrites
