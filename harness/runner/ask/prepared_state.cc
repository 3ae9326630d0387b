#include "harness/runner/ask/prepared_state.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/core/bound_model.h"
#include "harness/core/oracle_model.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

uint64_t OtherData(const NumberFormat& format, uint64_t code) {
  if (format.kind == NumberKind::kFloat) {
    const uint64_t negated = code ^ uint64_t { 1 } << (format.bits - 1);
    return IsNan(format, negated) ? code : negated;  // FNUZ formats have no -0
  }
  // -1 - x; for a and b, whose sums would leave y's range, only the order changes.
  return format.bits == 32 ? ~code & 0xFFFFFFFF : code;
}

// Twice the scale, or half of a scale that is too large for that. Codes that are not
// ordinary numbers stay.
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

uint64_t PlainData(const NumberFormat& format, uint64_t code) {
  if (format.kind == NumberKind::kInteger && !format.is_signed) return code;
  const uint64_t magnitude = code & ((uint64_t{1} << (format.bits - 1)) - 1);
  if (format.kind == NumberKind::kInteger) return magnitude;
  const ValueClass value = Decode(format, magnitude).value_class;
  return value == ValueClass::kFinite ? magnitude : 0;
}

uint64_t PlainScale(const NumberFormat& format, uint64_t) {
  if (format.kind == NumberKind::kInteger) return 1;
  return static_cast<uint64_t>(format.exponent_bias) << format.mantissa_bits;
}

uint64_t PlainZeroPoint(const NumberFormat&, uint64_t) { return 0; }

// Changes the codes of a kind of input.
struct Change {
  uint64_t (*data)(const NumberFormat&, uint64_t);
  uint64_t (*scale)(const NumberFormat&, uint64_t);
  uint64_t (*zero_point)(const NumberFormat&, uint64_t);
};

// Returns the role of an input of a model of `op`, or kData if it is no operand.
OperandRole RoleOf(const Model& model, const Operator& op, const std::string& input) {
  const auto infos = op.operands();
  const auto& names = model.node.inputs;
  const auto at = static_cast<size_t>(std::ranges::find(names, input) - names.begin());
  return at < names.size() && at < infos.size() ? infos[at].role : OperandRole::kData;
}

// Returns the inputs with their elements in the reverse order, and changed.
Result<std::vector<Tensor>> Changed(const Model& model, const std::vector<Tensor>& inputs,
                                    const Change& change) {
  const auto bound = BindModel(model);
  if (!bound) return bound.error();
  std::vector<Tensor> others;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = inputs[i];
    if (tensor.type == DataType::kInt64) {  // where elements lie, not what they are
      others.push_back(tensor);
      continue;
    }
    const NumberFormat& format = FormatOf(tensor.type);
    const OperandRole role = RoleOf(model, *bound->op, model.inputs[i].name);
    const auto other = role == OperandRole::kScale       ? change.scale
                       : role == OperandRole::kZeroPoint ? change.zero_point
                                                         : change.data;
    Tensor& made = others.emplace_back(tensor);
    const int64_t count = ElementCount(tensor.shape).value_or(0);
    for (int64_t at = 0; at < count; ++at) {
      const uint64_t code = ReadCode(tensor.view(), count - 1 - at);
      WriteCode(made.mutable_view(), at, other(format, code));
    }
  }
  return others;
}

// Runs a model on PlainInputs and then on the inputs, and returns the failure of either
// run. `right` is the answer of a model that did not run PlainInputs.
FailureResult FindDecidedByPlainInputs(Backend& backend,
                                       const std::vector<Tensor>& inputs,
                                       const std::shared_ptr<ContentAnswers>& asked,
                                       std::span<const uint32_t> right) {
  const auto prepared = PrepareModel(backend, asked->model());
  if (!prepared) return prepared.error();
  const auto* once = std::get_if<std::unique_ptr<PreparedModel>>(&*prepared);
  if (once == nullptr) return kNoFailure;
  const auto plain = PlainInputs(asked->model(), inputs);
  if (!plain) return plain.error();
  const auto oracle = asked->Oracle();
  if (!oracle) return oracle.error();
  const auto expected = (*oracle)->Evaluate(ViewsOf(*plain));
  if (!expected) return expected.error();
  auto on_plain = RunPrepared(**once, ViewsOf(*plain));
  if (!on_plain) return on_plain.error();
  const RunResult first = Settled(*expected, *std::move(on_plain));
  if (auto failed = FormFailure(first, *expected)) {
    return std::optional(
        WhenAskedAgain(*std::move(failed), kChangedInputs, ", on plain inputs"));
  }
  if (!std::holds_alternative<Outputs>(first)) return kNoFailure;
  auto after = RunPrepared(**once, asked->inputs());
  if (!after) return after.error();
  return JudgeAgain(
      *std::move(after), asked, right, kChangedPreparedModel,
      "a prepared model, run on the case's inputs after plain ones, does not "
      "answer as a fresh one");
}

}  // namespace

Result<std::vector<Tensor>> OtherInputs(const Model& model,
                                        const std::vector<Tensor>& inputs) {
  return Changed(model, inputs, {OtherData, OtherScale, OtherZeroPoint});
}

Result<std::vector<Tensor>> PlainInputs(const Model& model,
                                        const std::vector<Tensor>& inputs) {
  return Changed(model, inputs, {PlainData, PlainScale, PlainZeroPoint});
}

FailureResult FindKeptState(Backend& backend, const Model& model,
                            const std::vector<Tensor>& inputs,
                            const std::shared_ptr<const CaseAnswer>& expected,
                            std::span<const uint32_t> codes) {
  const auto others = OtherInputs(model, inputs);
  if (!others) return others.error();
  const auto made = ContentAnswers::Create(model, ViewsOf(*others));
  if (!made) return made.error();
  const auto& second = *made;
  const auto first = ContentAnswers::Create(model, ViewsOf(inputs), expected);

  auto by_fresh = RunModel(backend, model, ViewsOf(*others));
  if (!by_fresh) return by_fresh.error();
  const RunResult fresh = Settled(*second->canonical(), *std::move(by_fresh));
  if (auto failed = FormFailure(fresh, *second->canonical())) {
    return std::optional(
        WhenAskedAgain(*std::move(failed), kChangedInputs, ", on other inputs"));
  }
  const auto prepared = PrepareModel(backend, model);
  if (!prepared) return prepared.error();
  const auto* once = std::get_if<std::unique_ptr<PreparedModel>>(&*prepared);
  const auto* right = std::get_if<Outputs>(&fresh);
  if (once == nullptr || right == nullptr) return kNoFailure;
  auto at_first = RunPrepared(**once, ViewsOf(inputs));
  if (!at_first) return at_first.error();
  const RunResult before = Settled(*expected, *std::move(at_first));
  if (auto failed = FormFailure(before, *expected)) {
    return std::optional(WhenAskedAgain(*std::move(failed), kChangedPreparedModel, ""));
  }
  if (!std::holds_alternative<Outputs>(before)) return kNoFailure;
  auto kept = JudgeAgain(before, first, codes, kChangedPreparedModel,
                         "another prepared model does not answer as the one before");
  if (!kept || *kept) return kept;
  auto on_others = RunPrepared(**once, ViewsOf(*others));
  if (!on_others) return on_others.error();
  kept = JudgeAgain(*std::move(on_others), second, CodesOf(*right), kChangedInputs,
                    "a prepared model, run on other inputs after the case's, does not "
                    "answer as a fresh one");
  if (!kept || *kept) return kept;
  auto again = RunPrepared(**once, ViewsOf(inputs));
  if (!again) return again.error();
  kept = JudgeAgain(*std::move(again), first, codes, kChangedPreparedModel,
                    "a prepared model, run on the case's inputs after others, does "
                    "not answer as before");
  if (!kept || *kept) return kept;
  return FindDecidedByPlainInputs(backend, inputs, first, codes);
}

FailureResult JudgeMoved(const FedModel& moved, const std::vector<int64_t>& sources,
                         std::span<const uint32_t> codes, RunResult result) {
  const auto content = ContentAnswers::Create(moved.model, ViewsOf(moved.inputs));
  if (!content) return content.error();
  const auto oracle = (*content)->Oracle();
  if (!oracle) return oracle.error();
  // The order may depend on the place.
  if ((*oracle)->op().depends_on_order()) return kNoFailure;
  const std::shared_ptr<const CaseAnswer>& answer = (*content)->canonical();
  result = Settled(*answer, std::move(result));
  if (auto failed = FormFailure(result, *answer)) {
    return std::optional(WhenAskedAgain(*std::move(failed), kChangedPosition,
                                        ", with all elements turned by one place"));
  }
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return kNoFailure;
  const std::vector<uint32_t> there = CodesOf(*outputs);
  const auto source = [&](size_t i) { return static_cast<size_t>(sources[i]); };
  const auto index = FirstInadmissible({*content, answer, there},
                                       [&](size_t i) { return codes[source(i)]; });
  if (!index) return index.error();
  if (*index < 0) return kNoFailure;
  const size_t at = source(static_cast<size_t>(*index));
  const DataType type = answer->TypeOf(at);
  const uint32_t first = codes[at];
  const uint32_t second = there[static_cast<size_t>(*index)];
  return std::optional(
      CaseFailure{Verdict::kNonconformant,
                  "not the same bits in another place: element " + answer->NumberOf(at) +
                      " is " + BitsToString(type, first) + ", and " +
                      BitsToString(type, second) + " where all is turned by one place",
                  OtherBits(kChangedPosition, *answer, at, first, second)});
}

}  // namespace qconform
