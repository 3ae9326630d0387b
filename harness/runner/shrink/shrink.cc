#include "harness/runner/shrink/shrink.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/compare/explain_limit.h"
#include "harness/compare/standing.h"
#include "harness/core/bound_model.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/shrink/model_operands.h"
#include "harness/runner/shrink/shrink_cuts.h"
#include "oracle/base/first_error.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

class Shrinker {
 public:
  Shrinker(FedModel best, const StillDeviates& deviates, int most)
      : best_(std::move(best)), deviates_(deviates), left_(most) {}

  Shrunk Run(const std::string& why) {
    if (!IsolateElement()) {
      while (TryAny(Halves(best_))) {
      }
    }
    while (TryAny(Crops(best_))) {
    }
    while (TryWithoutProducts()) {
    }
    SimplifyValues();
    return {{std::move(best_), why}, errors_.error()};
  }

 private:
  bool Try(FedModel candidate) {
    if (ExplainLimit::HasPassed()) left_ = 0;
    if (left_-- <= 0 || candidate == best_) return false;
    auto asked = deviates_(candidate);
    if (!asked && ExplainLimit::HasPassed()) {
      left_ = 0;
      return false;
    }
    const auto deviates = KeepError(std::move(asked));
    if (errors_.error()) left_ = 0;
    if (!deviates || !*deviates) return false;
    best_ = std::move(candidate);
    return true;
  }

  // An operand of a graph may say how large another one is: a part of such a case, which
  // cannot be bound or evaluated, is no smaller case, and no error of the harness.
  template <typename T>
  std::optional<T> KeepError(Result<T> made) {
    if (best_.model.node.is_graph() && !made) return std::nullopt;
    return errors_.Keep(std::move(made));
  }

  bool TryAny(Result<std::vector<FedModel>> made) {
    auto candidates = KeepError(std::move(made));
    if (!candidates) return false;
    return std::ranges::any_of(*candidates, [this](FedModel& candidate) {
      return left_ > 0 && Try(std::move(candidate));
    });
  }

  bool TryWithoutProducts() {
    const FedModel whole = best_;
    bool found = false;
    KeepError(AnyWithoutProducts(whole, [&](FedModel candidate) {
      found = left_ > 0 && Try(std::move(candidate));
      return found || left_ <= 0;
    }));
    return found;
  }

  // One element of an output with its operands, per tensor.
  bool IsolateElement() {
    const FedModel whole = best_;
    const auto oracle = KeepError(OracleModel::Create(whole.model));
    if (!oracle) return false;
    const auto dropped = oracle->op().layout_attributes();
    std::vector<ElementPlace> places;
    for (size_t o = 0; o < whole.model.outputs.size(); ++o) {
      const int64_t count = *ElementCount(whole.model.outputs[o].shape);
      for (int64_t i = 0; i < count; ++i) places.push_back({o, i});
    }
    const int reserve = left_ / 2;  // for halving, if no element does it by itself
    for (const ElementPlace& place : places) {
      if (left_ <= reserve) break;
      const std::vector<TensorView> inputs = ViewsOf(whole.inputs);
      auto alone = KeepError(oracle->IsolateElement(inputs, place));
      if (!alone) return false;
      auto its_own = KeepError(oracle->IsolatedAttributes(inputs, place));
      if (!its_own) return false;
      FedModel candidate = whole;
      std::vector<Attribute>& attributes = candidate.model.node.attributes;
      std::erase_if(attributes, [&](const Attribute& attribute) {
        return std::ranges::find(dropped, attribute.name) != dropped.end();
      });
      std::ranges::move(*its_own, std::back_inserter(attributes));
      for (size_t operand = 0; operand < alone->size(); ++operand) {
        Tensor& tensor = (*alone)[operand];
        if (tensor.type == DataType::kUndefined) continue;
        ReplaceOperand(candidate, operand, std::move(tensor));
      }
      const auto dimensions = KeepError(DimensionsOf(candidate.model));
      if (!dimensions) return false;
      for (size_t o = 0; o < candidate.model.outputs.size(); ++o) {
        candidate.model.outputs[o].shape = OutputShape(*dimensions, o);
      }
      if (Try(std::move(candidate))) return true;
    }
    return false;
  }

  // Places of operands in the order in which they are simplified: zero points of outputs,
  // other zero points, values, scales.
  static std::vector<size_t> SimplestFirst(std::span<const OperandInfo> infos) {
    const auto rank = [&](size_t i) {
      if (infos[i].role == OperandRole::kZeroPoint) return infos[i].of ? 1 : 0;
      return infos[i].role == OperandRole::kScale ? 3 : 2;
    };
    std::vector<size_t> places(infos.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::ranges::stable_sort(places, {}, rank);
    return places;
  }

  // Replaces values by zeros and scales by ones, if the case still deviates then.
  void SimplifyValues() {
    const auto bound = KeepError(BindModel(best_.model));
    if (!bound) return;
    const auto infos = bound->op->operands();
    for (const size_t operand : SimplestFirst(infos)) {
      const Tensor* tensor = OperandTensor(best_, operand);
      if (tensor == nullptr || tensor->type == DataType::kInt64) continue;
      const int64_t count = *ElementCount(tensor->shape);
      const bool is_scale = infos[operand].role == OperandRole::kScale;
      const uint64_t simple = is_scale ? One(tensor->type) : 0;
      for (int64_t i = 0; i < count && left_ > 0; ++i) {
        FedModel candidate = best_;
        WriteCode(OperandTensor(candidate, operand)->mutable_view(), i, simple);
        Try(std::move(candidate));
      }
    }
  }

  static uint64_t One(DataType type) {
    const NumberFormat& format = FormatOf(type);
    if (format.kind == NumberKind::kInteger) return 1;
    return static_cast<uint64_t>(format.exponent_bias) << format.mantissa_bits;
  }

  FedModel best_;
  const StillDeviates& deviates_;
  int left_;
  FirstError errors_;
};

}  // namespace

StillDeviates DeviatesOn(Backend& backend, bool may_be_open) {
  return [&backend, may_be_open](const FedModel& stored) -> Result<bool> {
    const auto oracle = OracleModel::Create(stored.model);
    if (!oracle) return oracle.error();
    const std::vector<TensorView> views = ViewsOf(stored.inputs);
    const auto validity = oracle->Validate(views);
    if (!validity) return validity.error();
    const bool is_open = validity->kind == ModelValidity::Kind::kOpen;
    if (validity->kind == ModelValidity::Kind::kInvalid || (is_open && !may_be_open)) {
      return false;
    }
    const auto content = ContentAnswers::Create(stored.model, views);
    if (!content) return content.error();
    auto asked = RunModel(backend, stored);
    if (!asked) return asked.error();
    const RunResult result = Settled(*(*content)->canonical(), *std::move(asked));
    if (std::holds_alternative<BackendError>(result)) return true;
    const auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) return false;
    const auto standing = StandingOf(*content, *outputs);
    if (!standing) return standing.error();
    return !standing->allowed();
  };
}

Shrunk Shrink(const StoredCase& start, const StillDeviates& deviates, int most) {
  return Shrinker(start, deviates, most).Run(start.why);
}

}  // namespace qconform
