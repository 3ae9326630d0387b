// Wrong graphs that are in no catalogue, each a mistake that a compiler of quantized
// graphs might make: the cases of level standard must show them, whatever they are
// called. QCONFORM_STRANGERS=1 prints in how many cells, and what a diagnosis says.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/core/operator_faults.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/faults/matrix.h"
#include "harness/faults/matrix_cell.h"
#include "harness/graphs/graph_facts.h"
#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/parameters.h"

namespace qconform::graphs {
namespace {

constexpr int kSinceVersion = 21;

// --- what the mistakes are made of ------------------------------------------------

template <typename Edit>
auto Each(Edit edit) {
  return [edit](const Tensor& tensor) -> Result<Tensor> {
    std::vector<Number> numbers = NumbersOf(tensor);
    for (Number& number : numbers) number = edit(number);
    return TensorOfNumbers(tensor.type, tensor.shape, numbers);
  };
}

bool Is(const Workspace& graph, size_t step, std::string_view op_type) {
  return graph.steps()[step].Is(op_type);
}

std::optional<size_t> FirstDequantizer(const Workspace& graph) {
  for (size_t i = 0; i < graph.steps().size(); ++i) {
    if (IsDequantizer(graph, i)) return i;
  }
  return std::nullopt;
}

// The QuantizeLinear after a step, with one scale and integer codes.
std::optional<Parameters> TargetOf(const Workspace& graph, size_t step) {
  const auto target = QuantizerOf(graph, step);
  return target ? ParametersOf(graph, *target) : std::nullopt;
}
std::optional<Parameters> SourceOf(const Workspace& graph, size_t step,
                                   size_t position = 0) {
  const auto source = DequantizerOf(graph, step, position);
  return source ? ParametersOf(graph, *source) : std::nullopt;
}

Number Coded(Number value, const Parameters& of) {
  return std::clamp(RoundedToEven(value / of.scale) + of.zero_point, LeastOf(of.type),
                    GreatestOf(of.type));
}

// --- the mistakes -------------------------------------------------------------------

// The second operand takes the zero point of the first, with its own scale.
std::vector<int> SecondZeroPointOfFirst(Workspace& graph, Where) {
  const auto first = FirstDequantizer(graph);
  if (!first) return {};
  return AtEach(
      graph, Where::kLast,
      [&](const Workspace& all, size_t step) {
        return IsDequantizer(all, step) && step != *first && ParametersOf(all, step) &&
               ParametersOf(all, *first) && ZeroPointOf(all, step) != nullptr &&
               ZeroPointOf(all, *first) != nullptr &&
               ParametersOf(all, step)->type == ParametersOf(all, *first)->type;
      },
      [&](Workspace& all, size_t step) { TakeFrom(all, step, *first, false, true); });
}

// Each operand is brought to the scale of the result, then the integers are added.
std::vector<int> AddsRequantizedOperands(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return (Is(all, step, "Add") || Is(all, step, "Sub")) && TargetOf(all, step);
      },
      [](Workspace& all, size_t step) {
        const Number scale = TargetOf(all, step)->scale;
        const auto round =
            Each([scale](Number value) { return RoundedToEven(value / scale) * scale; });
        step = all.EditInput(step, 0, round);
        all.EditInput(step, 1, round);
      });
}

// The bounds of a Clip become codes of the result in their order, also if the scale is
// negative.
std::vector<int> ClipOfCodesInOrder(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return Is(all, step, "Clip") && TargetOf(all, step) &&
               all.InputOf(all.steps()[step], 1) != nullptr &&
               all.InputOf(all.steps()[step], 2) != nullptr;
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *TargetOf(all, step);
        const size_t target = *QuantizerOf(all, step);
        const Number low =
            Coded(NumbersOf(*all.InputOf(all.steps()[step], 1)).front(), of);
        const Number high =
            Coded(NumbersOf(*all.InputOf(all.steps()[step], 2)).front(), of);
        all.Drop(step);
        all.EditOutput(target, Each([=](Number code) {
                         return std::min(std::max(code, low), high);
                       }));
      });
}

// The upper bound of a Clip is truncated to a code of the result.
std::vector<int> HighBoundTruncatedToCode(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return Is(all, step, "Clip") && TargetOf(all, step) &&
               all.InputOf(all.steps()[step], 2) != nullptr;
      },
      [](Workspace& all, size_t step) {
        const Number scale = TargetOf(all, step)->scale;
        all.EditInput(step, 2, Each([scale](Number bound) {
                        return std::trunc(bound / scale) * scale;
                      }));
      });
}

// A lower bound of 0 is taken for what unsigned codes do anyhow.
std::vector<int> ZeroBoundOfUnsignedDropped(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        if (!Is(all, step, "Clip") || !TargetOf(all, step)) return false;
        const SharedTensor low = all.InputOf(all.steps()[step], 1);
        return low != nullptr && NumbersOf(*low).front() == 0 &&
               LeastOf(TargetOf(all, step)->type) == 0;
      },
      [](Workspace& all, size_t step) { all.Redirect(step, 1, ""); });
}

// The bias is added after the activation.
std::vector<int> BiasAfterActivation(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        if (!Is(all, step, "Relu")) return false;
        const auto sum = all.ProducerOf(all.steps()[step].node.inputs.front());
        return sum && Is(all, *sum, "Conv") && all.steps()[*sum].node.inputs.size() > 2;
      },
      [](Workspace& all, size_t step) {
        const size_t sum = *all.ProducerOf(all.steps()[step].node.inputs.front());
        const std::string bias = all.steps()[sum].node.inputs[2];
        all.steps()[sum].node.inputs.resize(2);
        all.steps()[sum].changed = true;
        GraphStep& relu = all.steps()[step];
        relu.node.inputs.push_back(bias);
        relu.changed = true;
        relu.evaluation =
            [](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          std::vector<Number> numbers = NumbersOf(*inputs[0]);
          const std::vector<Number> added = NumbersOf(*inputs[1]);
          size_t inner = 1;
          for (size_t d = 2; d < inputs[0]->shape.size(); ++d) {
            inner *= static_cast<size_t>(inputs[0]->shape[d]);
          }
          for (size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] =
                std::max(numbers[i], Number{0}) + added[i / inner % added.size()];
          }
          return std::vector<Tensor>{
              TensorOfNumbers(inputs[0]->type, inputs[0]->shape, numbers)};
        };
      });
}

// Codes whose scales are equal are passed on, whatever their zero points.
std::vector<int> EqualScalesPassCodes(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        if (!IsQuantizer(all, step) || !ParametersOf(all, step)) return false;
        const auto from = SourceOf(all, step);
        return from && from->scale == ParametersOf(all, step)->scale &&
               from->type == ParametersOf(all, step)->type &&
               from->zero_point != ParametersOf(all, step)->zero_point;
      },
      [](Workspace& all, size_t step) {
        TakeFrom(all, step, *DequantizerOf(all, step, 0), true, true);
      });
}

// A slope loses its sign.
std::vector<int> SlopeMagnitude(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) { return Is(all, step, "PRelu"); },
      [](Workspace& all, size_t step) {
        all.EditInput(step, 1, Each([](Number slope) { return std::fabs(slope); }));
      });
}

// The gate of HardSwish has 8 bits.
std::vector<int> GateOf8Bits(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) { return Is(all, step, "HardSwish"); },
      [](Workspace& all, size_t step) {
        all.Drop(step);
        all.EditOutput(step, Each([](Number x) {
                         const Number gate =
                             std::clamp(x / 6 + Number{0.5}, Number{0}, Number{1});
                         return x * RoundedToEven(gate * 255) / 255;
                       }));
      });
}

// Tile repeats each element in place of the whole.
std::vector<int> TileRepeatsElements(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) { return Is(all, step, "Tile"); },
      [](Workspace& all, size_t step) {
        const SharedTensor out = all.ValueOf(all.steps()[step].node.outputs.front());
        const SharedTensor in = all.InputOf(all.steps()[step], 0);
        const size_t times = static_cast<size_t>(
            *ElementCount(out->shape) / std::max<int64_t>(*ElementCount(in->shape), 1));
        all.steps()[step].changed = true;
        all.steps()[step].evaluation =
            [shape = out->shape,
             times](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          const std::vector<Number> from = NumbersOf(*inputs.front());
          std::vector<Number> to;
          for (const Number number : from) to.insert(to.end(), times, number);
          return std::vector<Tensor>{TensorOfNumbers(inputs.front()->type, shape, to)};
        };
      });
}

// Pad's value is rounded to a code of the operand.
std::vector<int> PadValueInCodes(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return Is(all, step, "Pad") && SourceOf(all, step) &&
               all.InputOf(all.steps()[step], 2) != nullptr;
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *SourceOf(all, step);
        all.EditInput(step, 2, Each([of](Number value) {
                        return (Coded(value, of) - of.zero_point) * of.scale;
                      }));
      });
}

// A maximum begins with the value of code 0.
std::vector<int> MaximumFromCodeZero(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return (Is(all, step, "MaxPool") || Is(all, step, "ReduceMax")) &&
               SourceOf(all, step) && SourceOf(all, step)->scale > 0;
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *SourceOf(all, step);
        const Number zero = -of.zero_point * of.scale;
        all.EditOutput(step,
                       Each([zero](Number value) { return std::max(value, zero); }));
      });
}

// The constant of Max, Min, Add or Mul is rounded to a code of the operand.
std::vector<int> ConstantInCodes(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        const Node& node = all.steps()[step].node;
        return IsOneOf(node.op_type, {"Max", "Min", "Add", "Sub"}) &&
               node.inputs.size() == 2 && SourceOf(all, step) &&
               !all.ProducerOf(node.inputs[1]);
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *SourceOf(all, step);
        all.EditInput(step, 1, Each([of](Number value) {
                        return (Coded(value, of) - of.zero_point) * of.scale;
                      }));
      });
}

// Ties of negative values only are rounded away from zero, as a cast after + 0.5 with the
// sign does in code that forgets half of it.
std::vector<int> NegativeTiesAway(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return IsQuantizer(all, step) && ParametersOf(all, step) &&
               ParametersOf(all, step)->scale > 0;
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *ParametersOf(all, step);
        all.steps()[step].changed = true;
        all.steps()[step].evaluation =
            [of](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
          std::vector<Number> numbers = NumbersOf(*inputs.front());
          for (Number& number : numbers) {
            const Number q = static_cast<float>(number / of.scale);
            number = (q < 0 ? std::round(q) : RoundedToEven(q)) + of.zero_point;
          }
          return std::vector<Tensor>{
              TensorOfNumbers(of.type, inputs.front()->shape, numbers)};
        };
      });
}

// The result is computed as code * (s1 / s2) with a multiplier of 8 bits.
std::vector<int> MultiplierOf8Bits(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return IsQuantizer(all, step) && ParametersOf(all, step) && SourceOf(all, step);
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *ParametersOf(all, step);
        const Number source = SourceOf(all, step)->scale;
        int exponent = 0;
        const Number fraction = std::frexp(source / of.scale, &exponent);
        const Number multiplier =
            std::ldexp(std::round(std::ldexp(fraction, 8)), exponent - 8);
        all.EditInput(step, 0, Each([=](Number value) {
                        return value / source * multiplier * of.scale;
                      }));
      });
}

// Sums keep 24 bits of codes: a FLOAT that holds them is taken for exact.
std::vector<int> SumInBfloat16(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return IsSum(all.steps()[step].node.op_type) && SourceOf(all, step, 0) &&
               SourceOf(all, step, 1);
      },
      [](Workspace& all, size_t step) {
        const Number unit = SourceOf(all, step, 0)->scale * SourceOf(all, step, 1)->scale;
        all.EditOutput(step, Each([unit](Number value) {
                         // The low 4 bits of the integer sum are lost.
                         return std::floor(value / unit / 16) * 16 * unit;
                       }));
      });
}

// Weights are read by columns.
std::vector<int> WeightsReadTransposed(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        if (!Is(all, step, "MatMul")) return false;
        const SharedTensor w = all.InputOf(all.steps()[step], 1);
        return w != nullptr && w->shape.size() == 2 && w->shape[0] > 1 && w->shape[1] > 1;
      },
      [](Workspace& all, size_t step) {
        all.EditInput(step, 1, [](const Tensor& w) -> Result<Tensor> {
          const std::vector<Number> from = NumbersOf(w);
          std::vector<Number> to;
          const auto rows = static_cast<size_t>(w.shape[0]);
          const auto columns = static_cast<size_t>(w.shape[1]);
          for (size_t c = 0; c < columns; ++c) {
            for (size_t r = 0; r < rows; ++r) to.push_back(from[r * columns + c]);
          }
          return TensorOfNumbers(w.type, w.shape, to);
        });
      });
}

// The zero point of the weights is added.
std::vector<int> ZeroPointOfWeightsAdded(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kWeights,
      [](const Workspace& all, size_t step) {
        return ZeroPointOf(all, step) != nullptr && ParametersOf(all, step);
      },
      [](Workspace& all, size_t step) {
        const Parameters of = *ParametersOf(all, step);
        all.EditOutput(step, Each([of](Number value) {
                         return value + 2 * of.zero_point * of.scale;
                       }));
      });
}

// The mean is divided by one more.
std::vector<int> MeanOfOneMore(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return IsMean(all.steps()[step].node.op_type);
      },
      [](Workspace& all, size_t step) {
        const auto in = *ElementCount(all.InputOf(all.steps()[step], 0)->shape);
        const auto out =
            *ElementCount(all.ValueOf(all.steps()[step].node.outputs.front())->shape);
        const Number count = static_cast<Number>(in) / static_cast<Number>(out);
        all.EditOutput(step,
                       Each([count](Number mean) { return mean * count / (count + 1); }));
      });
}

// What ends in codes of a signed type is moved by one at the lower end.
std::vector<int> LowestCodeIsBesides(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kFirstOfSeveral,
      [](const Workspace& all, size_t step) {
        return IsQuantizer(all, step) && ParametersOf(all, step) &&
               !all.IsOutput(all.steps()[step].node.outputs.front());
      },
      [](Workspace& all, size_t step) {
        const Number least = LeastOf(ParametersOf(all, step)->type) + 1;
        all.EditOutput(step, Each([=](Number code) { return std::max(code, least); }));
      });
}

// The second DequantizeLinear of two pairs takes the zero point of the first.
std::vector<int> LastZeroPointOfFirstPair(Workspace& graph, Where) {
  const auto first = FirstDequantizer(graph);
  if (!first || !ZeroPointOf(graph, *first)) return {};
  return AtEach(
      graph, Where::kLast,
      [&](const Workspace& all, size_t step) {
        return IsDequantizer(all, step) && step > *first && ZeroPointOf(all, step) &&
               all.ProducerOf(all.steps()[step].node.inputs.front());
      },
      [&](Workspace& all, size_t step) { TakeFrom(all, step, *first, false, true); });
}

// A constant factor behind an integer sum is rounded to BFLOAT16.
std::vector<int> FactorInBfloat16(Workspace& graph, Where) {
  return AtEach(
      graph, Where::kEvery,
      [](const Workspace& all, size_t step) {
        return Is(all, step, "Mul") &&
               Is(all, *all.ProducerOf(all.steps()[step].node.inputs.front()), "Cast");
      },
      [](Workspace& all, size_t step) {
        all.EditInput(step, 1, [](const Tensor& factor) -> Result<Tensor> {
          return Converted(Converted(factor, DataType::kBfloat16), factor.type);
        });
      });
}

// --- how they are hunted --------------------------------------------------------------

struct GraphStranger {
  std::string_view name;
  Rewrite rewrite;
  std::vector<std::string_view> in;  // graphs with one of these nodes
  bool integer = true;               // of integer codes
};

const std::vector<GraphStranger>& Strangers() {
  static const std::vector<GraphStranger> all = {
      {"second_zero_point_of_first", SecondZeroPointOfFirst, {"DQ,DQ-Add", "DQ,DQ-Mul"}},
      {"adds_requantized_operands",
       AddsRequantizedOperands,
       {"DQ,DQ-Add-Q", "DQ,DQ-Sub-Q"}},
      {"clip_of_codes_in_order", ClipOfCodesInOrder, {"DQ-Clip-Q"}},
      {"high_bound_truncated_to_code", HighBoundTruncatedToCode, {"DQ-Clip-Q"}},
      {"zero_bound_of_unsigned_dropped", ZeroBoundOfUnsignedDropped, {"DQ-Clip-Q"}},
      {"bias_after_activation", BiasAfterActivation, {"DQ,DQ,DQ-Conv-Relu-Q"}},
      {"equal_scales_pass_codes", EqualScalesPassCodes, {"DQ-Q", "DQ-Transpose-Q"}},
      {"slope_magnitude", SlopeMagnitude, {"PRelu"}},
      {"gate_of_8_bits", GateOf8Bits, {"HardSwish"}},
      {"tile_repeats_elements", TileRepeatsElements, {"Tile"}, false},
      {"pad_value_in_codes", PadValueInCodes, {"DQ-Pad"}},
      {"maximum_from_code_zero", MaximumFromCodeZero, {"DQ-MaxPool-Q", "DQ-ReduceMax-Q"}},
      {"constant_in_codes",
       ConstantInCodes,
       {"DQ-Max-Q", "DQ-Min-Q", "DQ-Add-Q", "DQ-Sub-Q"}},
      {"negative_ties_away", NegativeTiesAway, {"DQ-Q", "DQ-Reshape-Q", "DQ,DQ-Add-Q"}},
      {"multiplier_of_8_bits", MultiplierOf8Bits, {"DQ-Q", "DQ-Identity-Q", "DQ-Relu-Q"}},
      {"low_bits_of_sum_lost", SumInBfloat16, {"DQ,DQ-MatMul-Q", "DQ,DQ-Gemm-Q"}},
      {"weights_read_transposed", WeightsReadTransposed, {"MatMul"}, false},
      {"zero_point_of_weights_added", ZeroPointOfWeightsAdded, {"MatMul", "Conv"}},
      {"mean_of_one_more", MeanOfOneMore, {"AveragePool", "ReduceMean"}, false},
      {"lowest_inner_code_lost", LowestCodeIsBesides, {"Q-DQ-Q-DQ"}},
      {"last_zero_point_of_first_pair", LastZeroPointOfFirstPair, {"Q-DQ-Q-DQ"}},
      {"factor_in_bfloat16", FactorInBfloat16, {"Cast-Mul"}, false},
  };
  return all;
}

bool Concerns(const GraphStranger& stranger, const Cell& cell) {
  const std::string_view graph =
      std::string_view(cell.granularity).substr(0, cell.granularity.find('.'));
  const GraphFacts facts(cell);
  const bool named = std::ranges::any_of(stranger.in, [&](std::string_view part) {
    return part.starts_with("DQ") || part.starts_with("Q-")
               ? graph == part || (graph.starts_with(part) && part.ends_with("Pad"))
               : graph.find(part) != std::string_view::npos;
  });
  if (!named) return false;
  if (stranger.integer) {
    for (const DataType type : {facts.operand, facts.weights, facts.result}) {
      if (type != DataType::kUndefined && !IsInteger(type)) return false;
    }
  }
  return facts.granularity == "per_tensor" && facts.scale == DataType::kFloat;
}

Fault MakeFault(const GraphStranger& stranger) {
  Fault fault;
  fault.name = stranger.name;
  fault.sentence = "It is in no catalogue.";
  for (const OperatorFaults* of : AllOperatorFaults()) {
    if (!of->op_type().starts_with("graphs.")) continue;
    fault.shares.emplace(
        of->op_type(),
        FaultShare{GraphMistakes{{GraphMistake{.rewrite = stranger.rewrite}}}, nullptr});
  }
  return fault;
}

std::vector<SelectedCell> CellsFor(const GraphStranger& stranger) {
  std::vector<SelectedCell> cells;
  for (const OperatorFaults* of : AllOperatorFaults()) {
    if (!of->op_type().starts_with("graphs.")) continue;
    for (const Cell& cell : CellsOf(of->op_type())) {
      if (cell.since_version != kSinceVersion || !Concerns(stranger, cell)) continue;
      cells.push_back({.cell = cell, .versions = {kSinceVersion, {kSinceVersion}}});
    }
  }
  return cells;
}

// What a diagnosis of all cases of a cell says.
std::string Diagnosed(const Fault& fault, const SelectedCell& selected) {
  CellAnswers answers;
  std::vector<std::unique_ptr<SharedCase>> shared;
  std::vector<Codes> codes;
  for (const CaseKey& key :
       ContentsOf(selected.cell, selected.versions, Level::kStandard)) {
    auto made = SharedCase::Create(key, 1, answers);
    if (!made) return "error: " + made.error().message;
    FaultState state;
    codes.push_back((*made)->decoded().CodesOf(fault, state));
    shared.push_back(*std::move(made));
  }
  std::vector<AnsweredCase> cases;
  for (size_t i = 0; i < shared.size(); ++i) {
    auto content =
        answers.Add(shared[i]->op_case().model, ViewsOf(shared[i]->op_case().inputs));
    if (!content) return "error: " + content.error().message;
    cases.push_back({*content, (*content)->canonical(), codes[i]});
  }
  const auto diagnosis = Diagnose(selected.cell, cases);
  if (!diagnosis) return "error: " + diagnosis.error().message;
  if (!diagnosis->explained_by.empty()) return "is " + diagnosis->explained_by;
  std::string text = "nearest " + diagnosis->deviation.nearest + " (" +
                     std::to_string(diagnosis->deviation.elements_explained) + " of " +
                     std::to_string(diagnosis->deviation.elements_deviating) + ")";
  for (const std::string& pattern : diagnosis->deviation.pattern) text += ", " + pattern;
  return text;
}

TEST(GraphStrangers, AreCaughtAtStandard) {
  const std::atomic<bool> never_stop{false};
  const bool prints = std::getenv("QCONFORM_STRANGERS") != nullptr;
  for (const GraphStranger& stranger : Strangers()) {
    const Fault fault = MakeFault(stranger);
    MatrixRequest request;
    request.cells = CellsFor(stranger);
    request.faults = {&fault};
    ASSERT_FALSE(request.cells.empty()) << stranger.name;
    size_t caught = 0;
    const SelectedCell* first = nullptr;
    std::string missed;
    const auto ran = RunMatrix(
        request,
        [&](const MatrixRow& row) {
          if (row.faults.front().kind == FaultOutcome::Kind::kCaught) {
            ++caught;
            if (first == nullptr) first = row.cell;
          } else {
            missed += " " + CellId(row.cell->cell);
            if (!row.faults.front().reading.empty()) {
              missed += "(" + row.faults.front().reading + ")";
            }
          }
        },
        never_stop);
    ASSERT_TRUE(ran.ok()) << stranger.name << ": " << ran.error().message;
    EXPECT_GT(caught, 0u) << stranger.name;
    if (!prints) continue;
    std::cout << stranger.name << ": caught in " << caught << " of "
              << request.cells.size() << " cells; "
              << (first == nullptr ? "" : Diagnosed(fault, *first)) << "\n";
    if (!missed.empty()) std::cout << "  not in" << missed << "\n";
  }
}

}  // namespace
}  // namespace qconform::graphs
