// Scales and zero points that are lost, taken from somewhere else or changed (GR-07).
#include <cmath>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs::rewrites {
namespace {

constexpr size_t kWeightsInput = 1;
constexpr size_t kBiasInput = 2;

bool IsQuantizer(const Workspace& graph, size_t step) {
  return graph.steps()[step].Is(kQuantize);
}
bool IsDequantizer(const Workspace& graph, size_t step) {
  return graph.steps()[step].Is(kDequantize);
}
bool HasParameters(const Workspace& graph, size_t step) {
  return IsQuantizer(graph, step) || IsDequantizer(graph, step);
}

bool IsOfBias(const Workspace& graph, size_t step) {
  const std::string& output = graph.steps()[step].node.outputs.front();
  return std::ranges::any_of(graph.ReadersOf(output), [&](size_t reader) {
    const Node& node = graph.steps()[reader].node;
    return IsSum(node.op_type) && node.inputs.size() > kBiasInput &&
           node.inputs[kBiasInput] == output;
  });
}

SharedTensor ScaleOf(const Workspace& graph, size_t step) {
  return graph.InputOf(graph.steps()[step], kScaleInput);
}
SharedTensor ZeroPointOf(const Workspace& graph, size_t step) {
  return graph.InputOf(graph.steps()[step], kZeroPointInput);
}
SharedTensor OutputOf(const Workspace& graph, size_t step) {
  return graph.ValueOf(graph.steps()[step].node.outputs.front());
}

bool IsReal(const SharedTensor& scale) {
  return scale != nullptr && scale->type != DataType::kFloat8E8M0;
}
bool HasOne(const SharedTensor& tensor) {
  return tensor != nullptr && ElementCount(tensor->shape) == 1;
}
bool HasMany(const SharedTensor& tensor) {
  return tensor != nullptr && ElementCount(tensor->shape).value_or(0) > 1;
}

template <typename Edit>
auto Elementwise(Edit edit) {
  return [edit](const Tensor& tensor) -> Result<Tensor> {
    std::vector<Number> numbers = NumbersOf(tensor);
    edit(numbers);
    return TensorOfNumbers(tensor.type, tensor.shape, numbers);
  };
}

const auto kToZero =
    Elementwise([](std::vector<Number>& all) { all.assign(all.size(), Number{0}); });
const auto kToFirst = Elementwise([](std::vector<Number>& all) {
  if (!all.empty()) all.assign(all.size(), all.front());
});
const auto kToMagnitude = Elementwise([](std::vector<Number>& all) {
  for (Number& one : all) one = std::fabs(one);
});

// Edits the scales of the steps for which `applies`, and their zero points if `both`.
template <typename Applies, typename Edit>
std::vector<int> EditScales(Workspace& graph, Where where, Applies applies, Edit edit,
                            bool both = false) {
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        return IsReal(ScaleOf(all, step)) && applies(all, step);
      },
      [&](Workspace& all, size_t step) {
        const bool has_zero_point = ZeroPointOf(all, step) != nullptr;
        if (both && has_zero_point) {
          all.EditInput(step, kZeroPointInput, edit);
          ++step;
        }
        all.EditInput(step, kScaleInput, edit);
      });
}

template <typename Applies>
std::vector<int> DropZeroPoints(Workspace& graph, Where where, Applies applies) {
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        const SharedTensor zero_point = ZeroPointOf(all, step);
        return zero_point != nullptr && IsInteger(zero_point->type) && applies(all, step);
      },
      [](Workspace& all, size_t step) { all.EditInput(step, kZeroPointInput, kToZero); });
}

bool HasManyScales(const Workspace& graph, size_t step) {
  return HasParameters(graph, step) && HasMany(ScaleOf(graph, step));
}

// Makes scales that differ by at most `most` of their size the first of them.
// They show where codes are dequantized again, in the bits of a float result.
std::vector<int> TakeAsEqual(Workspace& graph, Where where, Number most) {
  const bool shows = std::ranges::all_of(graph.outputs(), [&](const std::string& output) {
    const auto producer = graph.ProducerOf(output);
    return producer && IsDequantizer(graph, *producer);
  });
  if (!shows) return {};
  std::optional<size_t> first;
  for (size_t i = 0; i < graph.steps().size() && !first; ++i) {
    if (HasParameters(graph, i) && IsReal(ScaleOf(graph, i))) first = i;
  }
  if (!first) return {};
  const SharedTensor reference = ScaleOf(graph, *first);
  const std::vector<Number> expected = NumbersOf(*reference);
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        const SharedTensor scale =
            HasParameters(all, step) ? ScaleOf(all, step) : nullptr;
        if (scale == nullptr || *scale == *reference || scale->type != reference->type ||
            scale->shape != reference->shape) {
          return false;
        }
        const std::vector<Number> given = NumbersOf(*scale);
        for (size_t i = 0; i < given.size(); ++i) {
          const Number distance = std::fabs(given[i] - expected[i]);
          if (!(distance <= most * std::fabs(expected[i]))) return false;
        }
        return true;
      },
      [&](Workspace& all, size_t step) {
        all.Redirect(step, kScaleInput, all.AddValue(*reference));
      });
}

// Gives a step the scale and the zero point of another one, or one of these.
void TakeFrom(Workspace& graph, size_t step, size_t from, bool scale, bool zero_point) {
  const SharedTensor of_scale = ScaleOf(graph, step);
  const SharedTensor of_zero_point = ZeroPointOf(graph, step);
  if (scale && of_scale != nullptr) {
    graph.Redirect(step, kScaleInput,
                   graph.AddValue(Converted(*ScaleOf(graph, from), of_scale->type)));
  }
  if (!zero_point || of_zero_point == nullptr || !IsInteger(of_zero_point->type)) return;
  const SharedTensor other = ZeroPointOf(graph, from);
  Tensor taken = other != nullptr
                     ? Converted(*other, of_zero_point->type)
                     : Tensor::Zeros(of_zero_point->type, of_zero_point->shape);
  graph.Redirect(step, kZeroPointInput, graph.AddValue(std::move(taken)));
}

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

struct Parameters {
  DataType type = DataType::kUndefined;  // of the codes
  Number scale = 1;
  Number zero_point = 0;

  Number Low() const { return (LeastOf(type) - zero_point) * scale; }
  Number High() const { return (GreatestOf(type) - zero_point) * scale; }
};
// Nothing unless there is one scale, and codes are integers.
std::optional<Parameters> ParametersOf(const Workspace& graph, size_t step) {
  const SharedTensor codes = IsQuantizer(graph, step)
                                 ? OutputOf(graph, step)
                                 : graph.InputOf(graph.steps()[step], kQuantizedInput);
  const SharedTensor scale = ScaleOf(graph, step);
  const SharedTensor zero_point = ZeroPointOf(graph, step);
  if (codes == nullptr || !IsInteger(codes->type) || !HasOne(scale) || !IsReal(scale)) {
    return std::nullopt;
  }
  return Parameters{codes->type, NumbersOf(*scale).front(),
                    HasOne(zero_point) ? NumbersOf(*zero_point).front() : 0};
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

DataType OtherSignedness(DataType type) {
  switch (type) {
    case DataType::kUint8:
      return DataType::kInt8;
    case DataType::kUint16:
      return DataType::kInt16;
    case DataType::kUint4:
      return DataType::kInt4;
    case DataType::kUint2:
      return DataType::kInt2;
    default:
      return DataType::kUndefined;
  }
}

bool ReadsUnsigned(const Workspace& graph, size_t step) {
  if (!IsDequantizer(graph, step)) return false;
  const SharedTensor codes = graph.InputOf(graph.steps()[step], kQuantizedInput);
  return codes != nullptr && OtherSignedness(codes->type) != DataType::kUndefined;
}

Result<Tensor> ReadAsSigned(const Tensor& tensor) {
  Tensor read = tensor;
  read.type = OtherSignedness(tensor.type);
  return read;
}

void ReadStepAsSigned(Workspace& graph, size_t step) {
  if (ZeroPointOf(graph, step) != nullptr) {
    graph.EditInput(step, kZeroPointInput, ReadAsSigned);
    ++step;
  }
  graph.EditInput(step, kQuantizedInput, ReadAsSigned);
}

// Less half of the range, so that every code fits the signed type.
Result<Tensor> MovedByHalf(const Tensor& tensor) {
  const Number half = std::ldexp(Number{1}, BitWidth(tensor.type) - 1);
  std::vector<Number> numbers = NumbersOf(tensor);
  for (Number& number : numbers) number -= half;
  return TensorOfNumbers(OtherSignedness(tensor.type), tensor.shape, numbers);
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
  const bool keeps =
      IsMover(node.op_type) || IsChooser(node.op_type) || IsMean(node.op_type);
  return keeps ? first : std::nullopt;
}

}  // namespace

std::vector<int> IgnoreZeroPointOfOutput(Workspace& graph, Where where) {
  return DropZeroPoints(graph, where, IsQuantizer);
}

std::vector<int> IgnoreZeroPointOfInput(Workspace& graph, Where where) {
  return DropZeroPoints(graph, where, [](const Workspace& all, size_t step) {
    return IsDequantizer(all, step) && !IsOfWeights(all, step);
  });
}

std::vector<int> IgnoreZeroPointOfSecondOperand(Workspace& graph, Where) {
  return DropZeroPoints(graph, Where::kLastOfSeveral,
                        [](const Workspace& all, size_t step) {
                          return IsDequantizer(all, step) && !IsOfWeights(all, step) &&
                                 !IsOfBias(all, step) &&
                                 !all.ProducerOf(all.steps()[step].node.inputs.front());
                        });
}

std::vector<int> IgnoreZeroPointOfWeights(Workspace& graph, Where where) {
  return DropZeroPoints(graph, where, IsOfWeights);
}

std::vector<int> AbsoluteScaleOfInput(Workspace& graph, Where where) {
  return EditScales(graph, where, IsDequantizer, kToMagnitude);
}
std::vector<int> AbsoluteScaleOfOutput(Workspace& graph, Where where) {
  return EditScales(graph, where, IsQuantizer, kToMagnitude);
}

std::vector<int> FirstScaleOfInput(Workspace& graph, Where where) {
  return EditScales(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsDequantizer(all, step) && HasMany(ScaleOf(all, step));
      },
      kToFirst, true);
}
std::vector<int> FirstScaleOfOutput(Workspace& graph, Where where) {
  return EditScales(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsQuantizer(all, step) && HasMany(ScaleOf(all, step));
      },
      kToFirst, true);
}

std::vector<int> LastChannelTakesPrevious(Workspace& graph, Where where) {
  return EditScales(
      graph, where, HasManyScales,
      Elementwise([](std::vector<Number>& all) { all.back() = all[all.size() - 2]; }),
      true);
}

std::vector<int> NextScale(Workspace& graph, Where where) {
  return EditScales(graph, where, HasManyScales,
                    Elementwise([](std::vector<Number>& all) {
                      std::ranges::rotate(all, all.begin() + 1);
                    }),
                    true);
}

std::vector<int> FirstZeroPoint(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return HasParameters(all, step) && HasMany(ZeroPointOf(all, step));
      },
      [](Workspace& all, size_t step) {
        all.EditInput(step, kZeroPointInput, kToFirst);
      });
}

std::vector<int> FirstBlockForAll(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        const auto block =
            IntegerAttribute(all.steps()[step].node.attributes, "block_size");
        return HasManyScales(all, step) && block.ok() && block->value_or(0) > 0 &&
               ScaleOf(all, step)->shape.size() > 1;
      },
      [](Workspace& all, size_t step) {
        const auto given = IntegerAttribute(all.steps()[step].node.attributes, "axis");
        const auto edit = [axis =
                               given->value_or(1)](const Tensor& of) -> Result<Tensor> {
          const auto rank = static_cast<int64_t>(of.shape.size());
          const int64_t from = axis < 0 ? axis + rank : axis;
          int64_t inner = 1;
          for (int64_t i = from + 1; i < rank; ++i)
            inner *= of.shape[static_cast<size_t>(i)];
          const int64_t blocks = of.shape[static_cast<size_t>(from)];
          const std::vector<Number> numbers = NumbersOf(of);
          std::vector<Number> first(numbers.size());
          for (size_t i = 0; i < numbers.size(); ++i) {
            const int64_t at = static_cast<int64_t>(i);
            first[i] = numbers[static_cast<size_t>(
                at / (inner * blocks) * inner * blocks + at % inner)];
          }
          return TensorOfNumbers(of.type, of.shape, first);
        };
        if (ZeroPointOf(all, step) != nullptr) {
          all.EditInput(step, kZeroPointInput, edit);
          ++step;
        }
        all.EditInput(step, kScaleInput, edit);
      });
}

std::vector<int> ScalesTakenAsEqual(Workspace& graph, Where where) {
  return TakeAsEqual(graph, where, std::ldexp(Number{1}, -20));
}
std::vector<int> ScalesTakenAsClose(Workspace& graph, Where where) {
  return TakeAsEqual(graph, where, std::ldexp(Number{1}, -6));
}

std::vector<int> SecondOperandTakesFirst(Workspace& graph, Where where) {
  std::optional<size_t> first;
  for (size_t i = 0; i < graph.steps().size() && !first; ++i) {
    if (IsDequantizer(graph, i)) first = i;
  }
  if (!first) return {};
  const SharedTensor codes = graph.InputOf(graph.steps()[*first], kQuantizedInput);
  const SharedTensor scale = ScaleOf(graph, *first);
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        if (!IsDequantizer(all, step) || step == *first || IsOfWeights(all, step)) {
          return false;
        }
        const GraphStep& second = all.steps()[step];
        return !all.ProducerOf(second.node.inputs.front()) &&
               all.InputOf(second, kQuantizedInput)->type == codes->type &&
               ScaleOf(all, step)->shape == scale->shape;
      },
      [&](Workspace& all, size_t step) { TakeFrom(all, step, *first, true, true); });
}

std::vector<int> SecondOutputTakesFirst(Workspace& graph, Where) {
  if (graph.outputs().size() != 2) return {};
  const auto first = graph.ProducerOf(graph.outputs().front());
  const auto second = graph.ProducerOf(graph.outputs().back());
  if (!first || !second || *first == *second) return {};
  if (!HasParameters(graph, *first) || !HasParameters(graph, *second)) return {};
  if (graph.steps()[*first].node.op_type != graph.steps()[*second].node.op_type)
    return {};
  TakeFrom(graph, *second, *first, true, true);
  return {graph.steps()[*second].number};
}

std::vector<int> OutputsSwapped(Workspace& graph, Where) {
  if (graph.outputs().size() != 2) return {};
  std::string& first = graph.outputs().front();
  std::string& second = graph.outputs().back();
  const auto a = graph.ProducerOf(first);
  const auto b = graph.ProducerOf(second);
  const SharedTensor one = graph.ValueOf(first);
  const SharedTensor other = graph.ValueOf(second);
  if (!a || !b || one == nullptr || other == nullptr || one->type != other->type ||
      one->shape != other->shape) {
    return {};
  }
  std::swap(first, second);
  return {graph.steps()[*a].number, graph.steps()[*b].number};
}

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
        return a && b && a->type == b->type && a->scale > 0 && b->scale > 0;
      },
      [&](Workspace& all, size_t step) {
        const size_t next = *next_pair(all, step);
        const size_t inner = *PairedWith(all, step);
        const size_t last = *PairedWith(all, next);
        const Parameters a = *ParametersOf(all, step);
        const Parameters b = *ParametersOf(all, next);
        // The range that both have, as one scale and zero point.
        const Number low = std::max(a.Low(), b.Low());
        const Number high = std::min(a.High(), b.High());
        const Number codes = GreatestOf(a.type) - LeastOf(a.type);
        const SharedTensor old_scale = ScaleOf(all, step);
        const Tensor scale =
            TensorOfNumbers(old_scale->type, old_scale->shape, {(high - low) / codes});
        const Number zero =
            RoundedToEven(LeastOf(a.type) - low / NumbersOf(scale).front());
        const Tensor zero_point = TensorOfNumbers(a.type, {}, {zero});
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

std::vector<int> ScaleToPowerOfTwo(Workspace& graph, Where where) {
  return EditScales(
      graph, where, HasParameters, Elementwise([](std::vector<Number>& all) {
        for (Number& one : all) {
          if (one == 0 || !std::isfinite(one)) continue;
          const Number power = std::exp2(std::round(std::log2(std::fabs(one))));
          one = std::copysign(power, one);
        }
      }));
}

std::vector<int> ScaleToBfloat16(Workspace& graph, Where where) {
  // Elsewhere it hardly changes a code.
  for (size_t i = 0; i < graph.steps().size(); ++i) {
    if (!HasParameters(graph, i)) continue;
    const SharedTensor codes = IsQuantizer(graph, i)
                                   ? OutputOf(graph, i)
                                   : graph.InputOf(graph.steps()[i], kQuantizedInput);
    if (!IsInteger(codes->type) || BitWidth(codes->type) < 8) return {};
  }
  return EditScales(
      graph, where,
      [](const Workspace& all, size_t step) {
        return HasParameters(all, step) && ScaleOf(all, step)->type == DataType::kFloat;
      },
      [](const Tensor& scale) -> Result<Tensor> {
        return Converted(Converted(scale, DataType::kBfloat16), scale.type);
      });
}

std::vector<int> UnsignedCodesAsSigned(Workspace& graph, Where where) {
  return AtEach(graph, where, ReadsUnsigned, ReadStepAsSigned);
}

std::vector<int> UnsignedWeightsAsSigned(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOfWeights(all, step) && ReadsUnsigned(all, step);
      },
      ReadStepAsSigned);
}

std::vector<int> CodesMovedBy128(Workspace& graph, Where where) {
  return AtEach(graph, where, ReadsUnsigned, [](Workspace& all, size_t step) {
    if (ZeroPointOf(all, step) != nullptr) {
      all.EditInput(step, kZeroPointInput, ReadAsSigned);
      ++step;
    }
    all.EditInput(step, kQuantizedInput, MovedByHalf);
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
        const int shift = std::max(0, -std::ilogb(unit / std::fabs(of.scale)) - 1);
        GraphStep& quantizer = all.steps()[step];
        quantizer.changed = true;
        quantizer.evaluation =
            [=](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          const Tensor& value = *inputs.front();
          std::vector<Number> numbers = NumbersOf(value);
          for (Number& number : numbers) {
            const Number product = std::ldexp(number / of.scale, shift);
            const Number once = std::ldexp(std::floor(product + Number{0.5}), -shift);
            number = std::round(once) + of.zero_point;
          }
          return std::vector<Tensor>{TensorOfNumbers(of.type, value.shape, numbers)};
        };
      });
}

}  // namespace qconform::graphs::rewrites
