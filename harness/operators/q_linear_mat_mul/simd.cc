#include <array>
#include <optional>
#include <utility>

#include "harness/backends/operands.h"
#include "harness/backends/registry/simd_prepared.h"

namespace qconform {
namespace {

// The operands in the order of the schema; one that is missing stays kUndefined,
// which the check tells of.
simd::QLinearMatMulArgs ArgsOf(const Operands& operands) {
  simd::QLinearMatMulArgs args;
  const std::array<TensorView*, 8> into{
      &args.a,       &args.a_scale,      &args.a_zero_point, &args.b,
      &args.b_scale, &args.b_zero_point, &args.y_scale,      &args.y_zero_point};
  for (size_t i = 0; i < into.size(); ++i) {
    if (const auto operand = OperandAt(operands, i)) *into[i] = *operand;
  }
  return args;
}

const Tensor* ConstantB(const Model& model) {
  constexpr size_t kB = 3;
  if (model.node.inputs.size() <= kB) return nullptr;
  for (const Initializer& constant : model.initializers) {
    if (constant.name == model.node.inputs[kB]) return &constant.tensor;
  }
  return nullptr;
}

class PreparedQLinearMatMul : public PreparedModel {
 public:
  PreparedQLinearMatMul(Model model, int since_version,
                        std::optional<simd::PackedB> packed,
                        simd::QLinearMatMulOptions options)
      : model_(std::move(model)),
        since_version_(since_version),
        packed_(std::move(packed)),
        options_(options) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands) return Refused{operands.error().message};
    const simd::QLinearMatMulArgs args = ArgsOf(*operands);
    if (const auto refusal = simd::CheckQLinearMatMul(since_version_, args)) {
      return ToRunResult(*refusal);
    }
    auto shape = simd::QLinearMatMulOutputShape(args);
    if (!shape) return Refused{shape.error().message};
    if (!ElementCount(*shape)) return Refused{"y has a shape whose size overflows"};
    GuardedOutput y(args.y_zero_point.type, *std::move(shape));
    const Status done =
        simd::QLinearMatMul(args, packed_ ? &*packed_ : nullptr, y.view(), options_);
    if (!done) return BackendError{BackendError::Kind::kFailed, done.error().message};
    return y.Take();
  }

 private:
  Model model_;
  int since_version_;
  std::optional<simd::PackedB> packed_;
  simd::QLinearMatMulOptions options_;
};

}  // namespace

PrepareResult PrepareQLinearMatMul(const Model& model, int since_version,
                                   const simd::QLinearMatMulOptions& options) {
  std::optional<simd::PackedB> packed;
  if (const Tensor* b = ConstantB(model); b != nullptr && !b->shape.empty()) {
    auto made = simd::PackedB::Pack(b->view(), options);
    // What cannot be laid out is refused with the other operands, at run time.
    if (made) packed = *std::move(made);
  }
  return std::make_unique<PreparedQLinearMatMul>(model, since_version, std::move(packed),
                                                 options);
}

}  // namespace qconform
