// QLinearMatMul by the built-in kernels.
#include <array>
#include <optional>
#include <utility>

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/core/operator_kernels.h"

namespace qconform::q_linear_mat_mul {
namespace {

using Kind = KernelFailure::Kind;

constexpr size_t kB = 3;
constexpr const char* kRequantization = "requantization";
constexpr const char* kF32Multiplier = "f32_multiplier";

simd::QLinearMatMulArgs ArgsOf(const Operands& operands) {
  return {ViewAt(operands, 0), ViewAt(operands, 1), ViewAt(operands, 2),
          ViewAt(operands, 3), ViewAt(operands, 4), ViewAt(operands, 5),
          ViewAt(operands, 6), ViewAt(operands, 7)};
}

class PreparedQLinearMatMul : public PreparedKernel {
 public:
  PreparedQLinearMatMul(int since_version, std::optional<simd::PackedB> packed,
                        const simd::QLinearMatMulOptions& options)
      : since_version_(since_version), packed_(std::move(packed)), options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    const simd::QLinearMatMulArgs args = ArgsOf(operands);
    if (const auto refusal = simd::CheckQLinearMatMul(since_version_, args)) {
      return FailureOf(*refusal);
    }
    const auto shape = simd::QLinearMatMulOutputShape(args);
    if (!shape) return KernelFailure{Kind::kInvalid, shape.error().message};
    if (!ElementCount(*shape)) {
      return KernelFailure{Kind::kInvalid, "y has a shape whose size overflows"};
    }
    const auto y = make_output(0, args.y_zero_point.type, *shape);
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done =
        simd::QLinearMatMul(args, packed_ ? &*packed_ : nullptr, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  int since_version_;
  std::optional<simd::PackedB> packed_;
  simd::QLinearMatMulOptions options_;
};

class QLinearMatMulKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "QLinearMatMul"; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {10, 21};
    return kVersions;
  }
  std::vector<KernelOption> options() const override {
    return {
        {kRequantization,
         {"exact", kF32Multiplier},
         "QLinearMatMul's last step: canonical, or the reading of MM-02 that deployed "
         "backends follow"}};
  }
  // A `b` that is a constant of the model is laid out here, once.
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute>, int since_version, const Operands& constants,
      const KernelOptions& options) const override {
    const simd::QLinearMatMulOptions own{
        .target = options.target,
        .threads = options.threads,
        .requantization = options.Has(kRequantization, kF32Multiplier)
                              ? simd::Requantization::kF32Multiplier
                              : simd::Requantization::kExact};
    std::optional<simd::PackedB> packed;
    if (constants.size() > kB && constants[kB] && !constants[kB]->shape.empty()) {
      auto made = simd::PackedB::Pack(*constants[kB], own);
      // A b that cannot be laid out is refused with the other operands, at run time.
      if (made) packed = *std::move(made);
    }
    return std::make_unique<PreparedQLinearMatMul>(since_version, std::move(packed), own);
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const QLinearMatMulKernels kernels;
  return kernels;
}

}  // namespace qconform::q_linear_mat_mul
