#include "harness/runner/prepared_state.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "harness/runner/cell_judge.h"
#include "harness/runner/observations.h"
#include "harness/runner/repeats.h"
#include "harness/runner/runner.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

bool EndsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

uint64_t OtherData(const NumberFormat& format, uint64_t code) {
  if (format.kind == NumberKind::kFloat) {
    const uint64_t negated = code ^ uint64_t { 1 } << (format.bits - 1);
    return IsNan(format, negated) ? code : negated;  // FNUZ formats have no -0
  }
  // -1 - x; of a and b, whose sums would leave y's range, the order alone.
  return format.bits == 32 ? ~code & 0xFFFFFFFF : code;
}

// Twice the scale, or half of one that is too large for that. What is not an ordinary
// number stays.
uint64_t OtherScale(const NumberFormat& format, uint64_t code) {
  switch (format.kind) {
    case NumberKind::kPowerOfTwo: {
      const uint64_t top = LargestFinite(format);
      if (code > top) return code;
      return code == top ? code - 1 : code + 1;
    }
    case NumberKind::kInteger:
      return code == 0 || (code >> (format.bits - 2)) != 0 ? code : 2 * code;
    case NumberKind::kFloat:
      break;
  }
  const uint64_t binade = uint64_t{1} << format.mantissa_bits;
  const uint64_t magnitude = code & ((uint64_t{1} << (format.bits - 1)) - 1);
  const bool ordinary = magnitude >= 2 * binade && magnitude <= LargestFinite(format);
  if (!ordinary) return code;
  return magnitude + binade <= LargestFinite(format) ? code + binade : code - binade;
}

uint64_t OtherZeroPoint(const NumberFormat& format, uint64_t code) {
  return format.kind == NumberKind::kInteger ? code ^ 1 : code;
}

// Of a right form, as the oracle says.
const Tensor* AnswerIn(const RunResult& result, const Answer& expected) {
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr || !Compare(expected, *outputs, 1).invalid_output.empty()) {
    return nullptr;
  }
  return &outputs->front();
}

std::string ElementText(const Answer& expected, int64_t index, const Tensor& before,
                        const Tensor& now) {
  const auto bits = [&](const Tensor& y) {
    return BitsToString(expected.type, ReadCode(y.view(), index));
  };
  return "element " + std::to_string(index) + " is " + bits(now) + " in place of " +
         bits(before);
}

// What is wrong with a run of the prepared model, `right` being the answer that it has to
// give.
std::optional<KeptState> Judge(RunResult result, const Answer& expected,
                               const Tensor& right, const std::string& which) {
  const std::string run = "a prepared model, run " + which + ": ";
  result = Settled(expected, std::move(result));
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return KeptState{VerdictOf(error->kind), run + error->text};
  }
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return KeptState{Verdict::kInvalidOutput, run + "declined"};
  const Comparison comparison = Compare(expected, *outputs, 1);
  if (!comparison.invalid_output.empty()) {
    return KeptState{Verdict::kInvalidOutput, run + comparison.invalid_output};
  }
  const int64_t index = FirstUnsteady(expected, right, outputs->front());
  if (index < 0) return std::nullopt;
  return KeptState{Verdict::kNonconformant,
                   run + ElementText(expected, index, right, outputs->front())};
}

}  // namespace

std::vector<Tensor> OtherInputs(const Model& model, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> others;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = inputs[i];
    const NumberFormat& format = FormatOf(tensor.type);
    const std::string& name = model.inputs[i].name;
    const auto other = EndsWith(name, "scale")        ? OtherScale
                       : EndsWith(name, "zero_point") ? OtherZeroPoint
                                                      : OtherData;
    Tensor& made = others.emplace_back(tensor);
    const int64_t count = ElementCount(tensor.shape).value_or(0);
    for (int64_t at = 0; at < count; ++at) {
      const uint64_t code = ReadCode(tensor.view(), count - 1 - at);
      WriteCode(made.mutable_view(), at, other(format, code));
    }
  }
  return others;
}

std::optional<KeptState> FindKeptState(Backend& backend, const Model& model,
                                       const std::vector<Tensor>& inputs,
                                       const Answer& expected) {
  const std::vector<Tensor> others = OtherInputs(model, inputs);
  const auto oracle = OracleModel::Create(model);
  if (!oracle) return std::nullopt;
  const auto of_others = oracle->Evaluate(ViewsOf(others));
  if (!of_others) return std::nullopt;

  const RunResult fresh = Settled(*of_others, RunModel(backend, model, others));
  const Tensor* right = AnswerIn(fresh, *of_others);
  if (right == nullptr) return std::nullopt;
  PrepareResult prepared = backend.Prepare(model);
  const auto* once = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  if (once == nullptr) return std::nullopt;
  const RunResult first = Settled(expected, (*once)->Run(ViewsOf(inputs)));
  const Tensor* answer = AnswerIn(first, expected);
  if (answer == nullptr) return std::nullopt;
  RunResult then = (*once)->Run(ViewsOf(others));
  RunResult again = (*once)->Run(ViewsOf(inputs));
  if (auto kept =
          Judge(std::move(then), *of_others, *right,
                "on other inputs after the case's, does not answer as a fresh one")) {
    return kept;
  }
  return Judge(std::move(again), expected, *answer,
               "on the case's inputs after others, does not answer as before");
}

std::optional<KeptState> FindOtherBitsElsewhere(Backend& backend, const OpCase& op_case,
                                                const Answer& expected, const Tensor& y) {
  if (op_case.key.cell.op_type != "QuantizeLinear") return std::nullopt;
  const auto moved = MoveByOne(op_case);
  if (!moved) return std::nullopt;
  const RunResult result = RunModel(backend, moved->model, moved->inputs);
  const Tensor* there = AnswerIn(result, expected);
  if (there == nullptr) return std::nullopt;
  const int64_t index = Observations().AddMoved(expected, y, *there, moved->source);
  if (index < 0) return std::nullopt;
  return KeptState{Verdict::kNonconformant, MovedText(y, *there, moved->source, index)};
}

}  // namespace qconform
