#include "harness/runner/shrink/shrink.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "harness/compare/standing.h"
#include "harness/runner/runner.h"
#include "harness/runner/shrink/shrink_cuts.h"
#include "harness/runner/shrink/stored_operands.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

class Shrinker {
 public:
  Shrinker(StoredCase best, const StillDeviates& deviates, int most)
      : best_(std::move(best)), deviates_(deviates), left_(most) {}

  StoredCase Run() {
    const bool is_mat_mul = best_.model.node.op_type == "QLinearMatMul";
    const auto halves = is_mat_mul ? QLinearMatMulHalves : QuantizeLinearHalves;
    if (!IsolateElement()) {
      while (TryAny(halves(best_))) {
      }
    }
    if (is_mat_mul) {
      while (TryAny(WithoutProducts(best_))) {
      }
      // y's, a's and b's zero points, products, scales.
      SimplifyValues({7, 2, 5, 0, 3, 1, 4, 6});
    } else {
      SimplifyValues({2, 0, 1});
    }
    return std::move(best_);
  }

 private:
  bool Try(StoredCase candidate) {
    if (left_-- <= 0 || candidate == best_ || !deviates_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool TryAny(std::vector<StoredCase> candidates) {
    return std::ranges::any_of(candidates, [this](StoredCase& candidate) {
      return left_ > 0 && Try(std::move(candidate));
    });
  }

  // One element of y with its operands, per tensor.
  bool IsolateElement() {
    const StoredCase whole = best_;
    const auto oracle = OracleModel::Create(whole.model);
    if (!oracle) return false;
    const int64_t count = *ElementCount(whole.model.outputs.front().shape);
    const int reserve = left_ / 2;  // for halving, where no element does it alone
    for (int64_t i = 0; i < count && left_ > reserve; ++i) {
      auto alone = oracle->IsolateElement(ViewsOf(whole.inputs), {0, i});
      if (!alone) return false;
      StoredCase candidate = whole;
      std::erase_if(candidate.model.node.attributes, [](const Attribute& attribute) {
        return attribute.name == "axis" || attribute.name == "block_size";
      });
      candidate.model.outputs.front().shape =
          whole.model.node.op_type == "QLinearMatMul" ? Shape{1, 1} : Shape{1};
      size_t operand = 0;
      for (Tensor& tensor : *alone)
        ReplaceOperand(candidate, operand++, std::move(tensor));
      if (Try(std::move(candidate))) return true;
    }
    return false;
  }

  // Zeros for values and ones for scales, where they show it as well.
  void SimplifyValues(std::initializer_list<size_t> operands) {
    for (const size_t operand : operands) {
      const Tensor* tensor = OperandTensor(best_, operand);
      if (tensor == nullptr) continue;
      const int64_t count = *ElementCount(tensor->shape);
      const bool is_scale = best_.model.node.inputs[operand].ends_with("_scale");
      const uint64_t simple = is_scale ? One(tensor->type) : 0;
      for (int64_t i = 0; i < count && left_ > 0; ++i) {
        StoredCase candidate = best_;
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

  StoredCase best_;
  const StillDeviates& deviates_;
  int left_;
};

}  // namespace

StillDeviates DeviatesOn(Backend& backend) {
  return [&backend](const StoredCase& stored) {
    const auto oracle = OracleModel::Create(stored.model);
    if (!oracle) return false;
    const std::vector<TensorView> views = ViewsOf(stored.inputs);
    const auto validity = oracle->Validate(views);
    if (!validity || validity->kind != ModelValidity::Kind::kValid) return false;
    const auto content = ContentAnswers::Create(stored.model, views);
    if (!content) return false;
    const RunResult result =
        Settled(*(*content)->canonical(), RunModel(backend, stored.model, stored.inputs));
    if (std::holds_alternative<BackendError>(result)) return true;
    const auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) return false;
    const auto standing = StandingOf(*content, *outputs);
    return standing.ok() && !standing->allowed();
  };
}

StoredCase Shrink(const StoredCase& start, const StillDeviates& deviates, int most) {
  return Shrinker(start, deviates, most).Run();
}

}  // namespace qconform
