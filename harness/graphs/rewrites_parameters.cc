// Scales and zero points that are lost, taken from somewhere else or changed (GR-07).
#include <algorithm>
#include <cmath>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/parameters.h"
#include "harness/graphs/rewrites.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs::rewrites {
namespace {

constexpr size_t kBiasInput = 2;

bool IsOfBias(const Workspace& graph, size_t step) {
  const std::string& output = graph.steps()[step].node.outputs.front();
  return std::ranges::any_of(graph.ReadersOf(output), [&](size_t reader) {
    const Node& node = graph.steps()[reader].node;
    return IsSum(node.op_type) && node.inputs.size() > kBiasInput &&
           node.inputs[kBiasInput] == output;
  });
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
          step = all.EditInput(step, kZeroPointInput, edit);
        }
        all.EditInput(step, kScaleInput, edit);
      });
}

template <typename Applies>
std::vector<int> DropZeroPoints(Workspace& graph, Where where, Applies applies) {
  if (GivesIndices(graph)) return {};
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

bool IsFirstDequantizer(const Workspace& graph, size_t step) {
  for (size_t i = 0; i < step; ++i) {
    if (IsDequantizer(graph, i)) return false;
  }
  return IsDequantizer(graph, step);
}

bool ReadsUnsigned(const Workspace& graph, size_t step) {
  if (!IsDequantizer(graph, step)) return false;
  const SharedTensor codes = graph.InputOf(graph.steps()[step], kQuantizedInput);
  return codes != nullptr && OtherSignedness(codes->type) != DataType::kUndefined;
}

bool FirstReadsUnsigned(const Workspace& graph, size_t step) {
  return IsFirstDequantizer(graph, step) && ReadsUnsigned(graph, step);
}

Result<Tensor> ReadAsSigned(const Tensor& tensor) {
  Tensor read = tensor;
  read.type = OtherSignedness(tensor.type);
  if (read.type == DataType::kUndefined) return Error{"the codes are signed already"};
  return read;
}

void ReadStepAsSigned(Workspace& graph, size_t step) {
  if (ZeroPointOf(graph, step) != nullptr) {
    step = graph.EditInput(step, kZeroPointInput, ReadAsSigned);
  }
  graph.EditInput(step, kQuantizedInput, ReadAsSigned);
}

bool HasBlocks(const Workspace& graph, size_t step) {
  const auto block = IntegerAttribute(graph.steps()[step].node.attributes, "block_size");
  return HasManyScales(graph, step) && block.ok() && block->value_or(0) > 0 &&
         ScaleOf(graph, step)->shape.size() > 1;
}

// Returns an edit that gives each block the parameter of block `from(block, blocks)`
// along the axis of a step's blocks.
template <typename From>
auto OfBlocks(const Workspace& graph, size_t step, From from) {
  const auto given = IntegerAttribute(graph.steps()[step].node.attributes, "axis");
  return [axis = given->value_or(1), from](const Tensor& of) -> Result<Tensor> {
    const auto rank = static_cast<int64_t>(of.shape.size());
    const int64_t along = axis < 0 ? axis + rank : axis;
    int64_t inner = 1;
    for (int64_t i = along + 1; i < rank; ++i) inner *= of.shape[static_cast<size_t>(i)];
    const int64_t blocks = of.shape[static_cast<size_t>(along)];
    const std::vector<Number> numbers = NumbersOf(of);
    std::vector<Number> edited(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const int64_t block = at / inner % blocks;
      edited[i] =
          numbers[static_cast<size_t>(at + (from(block, blocks) - block) * inner)];
    }
    return TensorOfNumbers(of.type, of.shape, edited);
  };
}

// Less half of the range, so that every code fits the signed type.
Result<Tensor> MovedByHalf(const Tensor& tensor) {
  const DataType type = OtherSignedness(tensor.type);
  if (type == DataType::kUndefined) return Error{"the codes are signed already"};
  const Number half = std::ldexp(Number{1}, BitWidth(tensor.type) - 1);
  std::vector<Number> numbers = NumbersOf(tensor);
  for (Number& number : numbers) number -= half;
  return TensorOfNumbers(type, tensor.shape, numbers);
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

std::vector<int> ZeroPointOfOutputTwice(Workspace& graph, Where where) {
  return AtEach(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsQuantizer(all, step) && HasOne(ZeroPointOf(all, step)) &&
               IsInteger(ZeroPointOf(all, step)->type);
      },
      [](Workspace& all, size_t step) {
        const Number zero = NumbersOf(*ZeroPointOf(all, step)).front();
        all.EditOutput(step, Elementwise([zero](std::vector<Number>& numbers) {
                         for (Number& number : numbers) number += zero;
                       }));
      });
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

std::vector<int> FirstScaleOfWeights(Workspace& graph, Where where) {
  return EditScales(
      graph, where,
      [](const Workspace& all, size_t step) {
        return IsOfWeights(all, step) && HasMany(ScaleOf(all, step));
      },
      kToFirst);
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
                      std::rotate(all.begin(), all.begin() + 1, all.end());
                    }),
                    true);
}

std::vector<int> ScaleOfGroup(Workspace& graph, Where where) {
  // The groups of the Conv whose weights a step dequantizes; 1: it is none, or one with a
  // Clip or a FLOAT bias.
  const auto groups_of = [](const Workspace& all, size_t step) -> int64_t {
    const auto reader = all.OnlyReaderOf(all.steps()[step].node.outputs.front());
    if (!reader || !all.steps()[*reader].Is("Conv") || IsReadByClip(all, *reader)) {
      return 1;
    }
    const std::vector<std::string>& inputs = all.steps()[*reader].node.inputs;
    if (inputs.size() > kBiasInput && !all.ProducerOf(inputs[kBiasInput])) return 1;
    const auto groups = IntegerAttribute(all.steps()[*reader].node.attributes, "group");
    return groups.ok() ? groups->value_or(1) : 1;
  };
  return AtEach(
      graph, where,
      [&](const Workspace& all, size_t step) {
        return IsOfWeights(all, step) && HasMany(ScaleOf(all, step)) &&
               groups_of(all, step) > 1;
      },
      [&](Workspace& all, size_t step) {
        const auto groups = static_cast<size_t>(groups_of(all, step));
        all.EditInput(step, kScaleInput,
                      Elementwise([groups](std::vector<Number>& numbers) {
                        const std::vector<Number> given = numbers;
                        const size_t in_each = std::max(given.size() / groups, size_t{1});
                        for (size_t i = 0; i < numbers.size(); ++i) {
                          numbers[i] = given[i / in_each];
                        }
                      }));
      });
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
  return AtEach(graph, where, HasBlocks, [](Workspace& all, size_t step) {
    const auto edit = OfBlocks(all, step, [](int64_t, int64_t) { return int64_t{0}; });
    if (ZeroPointOf(all, step) != nullptr) {
      step = all.EditInput(step, kZeroPointInput, edit);
    }
    all.EditInput(step, kScaleInput, edit);
  });
}

std::vector<int> PreviousBlockScale(Workspace& graph, Where where) {
  return AtEach(graph, where, HasBlocks, [](Workspace& all, size_t step) {
    const auto previous = [](int64_t block, int64_t blocks) {
      return (block + blocks - 1) % blocks;
    };
    all.EditInput(step, kScaleInput, OfBlocks(all, step, previous));
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

std::vector<int> ScaleToPowerOfTwo(Workspace& graph, Where where) {
  if (GivesIndices(graph)) return {};
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
  if (GivesIndices(graph)) return {};
  // Elsewhere it hardly changes a code, or is reduced precision (GR-05, GR-06).
  for (size_t i = 0; i < graph.steps().size(); ++i) {
    const std::string& op_type = graph.steps()[i].node.op_type;
    if (!HasParameters(graph, i)) {
      if (!IsMover(op_type) && !IsChooser(op_type)) return {};
      continue;
    }
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

std::vector<int> SubnormalsToZero(Workspace& graph, Where where) {
  return AtEach(graph, where, IsDequantizer, [](Workspace& all, size_t step) {
    all.EditOutput(step, [](const Tensor& value) -> Result<Tensor> {
      const NumberFormat& format = FormatOf(value.type);
      // Another mistake may have made the step give codes.
      if (format.kind != NumberKind::kFloat) return value;
      const Number normal = std::ldexp(Number{1}, SmallestNormalExponent(format));
      std::vector<Number> numbers = NumbersOf(value);
      for (Number& number : numbers) {
        if (std::fabs(number) < normal) number = std::copysign(Number{0}, number);
      }
      return TensorOfNumbers(value.type, value.shape, numbers);
    });
  });
}

std::vector<int> UnsignedCodesAsSigned(Workspace& graph, Where where) {
  return AtEach(graph, where, FirstReadsUnsigned, ReadStepAsSigned);
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
  if (GivesIndices(graph)) return {};
  return AtEach(graph, where, FirstReadsUnsigned, [](Workspace& all, size_t step) {
    if (ZeroPointOf(all, step) != nullptr) {
      step = all.EditInput(step, kZeroPointInput, ReadAsSigned);
    }
    all.EditInput(step, kQuantizedInput, MovedByHalf);
  });
}

}  // namespace qconform::graphs::rewrites
