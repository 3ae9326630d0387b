// DynamicQuantizeLinear by the built-in kernels.
#include <array>
#include <optional>

#include "harness/backends/simd/dynamic_quantize_linear/dynamic_quantize_linear.h"
#include "harness/core/operator_kernels.h"

namespace qconform::dynamic_quantize_linear {
namespace {

using Kind = KernelFailure::Kind;

class PreparedDynamicQuantizeLinear : public PreparedKernel {
 public:
  explicit PreparedDynamicQuantizeLinear(
      const simd::DynamicQuantizeLinearOptions& options)
      : options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    const auto x = OperandAt(operands, 0);
    if (!x || x->type != DataType::kFloat || !ElementCount(x->shape)) {
      return KernelFailure{Kind::kInvalid,
                           "DynamicQuantizeLinear: expected an input x of FLOAT, got "
                           "none or another type or size"};
    }
    const auto y = make_output(0, DataType::kUint8, x->shape);
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const auto y_scale = make_output(1, DataType::kFloat, {});
    if (!y_scale) return KernelFailure{Kind::kFailed, y_scale.error().message};
    const auto y_zero_point = make_output(2, DataType::kUint8, {});
    if (!y_zero_point) return KernelFailure{Kind::kFailed, y_zero_point.error().message};
    const Status done =
        simd::DynamicQuantizeLinear(*x, {*y, *y_scale, *y_zero_point}, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  simd::DynamicQuantizeLinearOptions options_;
};

class DynamicQuantizeLinearKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "DynamicQuantizeLinear"; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {11};
    return kVersions;
  }
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute>, int, const Operands&,
      const KernelOptions& options) const override {
    return std::make_unique<PreparedDynamicQuantizeLinear>(
        simd::DynamicQuantizeLinearOptions{.target = options.target,
                                           .threads = options.threads});
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const DynamicQuantizeLinearKernels kernels;
  return kernels;
}

}  // namespace qconform::dynamic_quantize_linear
