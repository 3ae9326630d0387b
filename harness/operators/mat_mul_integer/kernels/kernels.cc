// MatMulInteger by the built-in kernels.
#include <array>
#include <optional>
#include <utility>

#include "harness/backends/simd/mat_mul_integer/mat_mul_integer.h"
#include "harness/core/operator_kernels.h"

namespace qconform::mat_mul_integer {
namespace {

using Kind = KernelFailure::Kind;

constexpr size_t kB = 1;

simd::MatMulIntegerArgs ArgsOf(const Operands& operands) {
  return {ViewAt(operands, 0), ViewAt(operands, 1), ViewAt(operands, 2),
          ViewAt(operands, 3)};
}

class PreparedMatMulInteger : public PreparedKernel {
 public:
  PreparedMatMulInteger(std::optional<simd::PackedB> packed,
                        const simd::ProductOptions& options)
      : packed_(std::move(packed)), options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    const simd::MatMulIntegerArgs args = ArgsOf(operands);
    if (const auto refusal = simd::CheckMatMulInteger(args)) return FailureOf(*refusal);
    const auto y = make_output(0, DataType::kInt32, simd::MatMulIntegerOutputShape(args));
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done =
        simd::MatMulInteger(args, packed_ ? &*packed_ : nullptr, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  std::optional<simd::PackedB> packed_;
  simd::ProductOptions options_;
};

class MatMulIntegerKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "MatMulInteger"; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {10};
    return kVersions;
  }
  // A `b` that is a constant of the model is laid out here, once.
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute>, int, const Operands& constants,
      const KernelOptions& options) const override {
    const simd::ProductOptions own{.target = options.target, .threads = options.threads};
    std::optional<simd::PackedB> packed;
    if (constants.size() > kB && constants[kB] && !constants[kB]->shape.empty()) {
      auto made = simd::PackedB::Pack(*constants[kB], own);
      // A b that cannot be laid out is refused with the other operands, at run time.
      if (made) packed = *std::move(made);
    }
    return std::make_unique<PreparedMatMulInteger>(std::move(packed), own);
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const MatMulIntegerKernels kernels;
  return kernels;
}

}  // namespace qconform::mat_mul_integer
