// The built-in kernels of QuantizeLinear and DequantizeLinear, as OperatorKernels.
#ifndef QCONFORM_HARNESS_QUANTIZATION_KERNELS_H_
#define QCONFORM_HARNESS_QUANTIZATION_KERNELS_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "harness/backends/simd/core/refusal.h"
#include "harness/core/operator_kernels.h"

namespace qconform {

// A node of such an operator. Op, a struct of static members, has
//   std::string_view kOpType, kScale (the name of the second input)
//   types Attributes, Args, Options
//   void Read(std::string_view name, int64_t value, Attributes&)
//   std::variant<Args, simd::Refusal> Resolve(since_version, attributes, x, scale,
//                                             zero_point)
//   Status Compute(args, y, options)
template <typename Op>
class PreparedQuantization : public PreparedKernel {
 public:
  PreparedQuantization(int since_version, const typename Op::Attributes& attributes,
                       const typename Op::Options& options)
      : since_version_(since_version), attributes_(attributes), options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    using Kind = KernelFailure::Kind;
    const auto x = OperandAt(operands, 0);
    const auto scale = OperandAt(operands, 1);
    if (!x || !scale) {
      return KernelFailure{Kind::kInvalid, std::string(Op::kOpType) +
                                               " needs the inputs x and " +
                                               std::string(Op::kScale)};
    }
    const auto resolved =
        Op::Resolve(since_version_, attributes_, *x, *scale, OperandAt(operands, 2));
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return FailureOf(*refusal);
    }
    const auto& args = std::get<typename Op::Args>(resolved);
    if (!ElementCount(args.x.shape)) {
      return KernelFailure{Kind::kInvalid, "x has a shape whose size overflows"};
    }
    const auto y = make_output(0, args.output_dtype, args.x.shape);
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done = Op::Compute(args, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  int since_version_;
  typename Op::Attributes attributes_;
  typename Op::Options options_;
};

// Op also has the definitions that its kernels follow, kSinceVersions.
template <typename Op>
class QuantizationKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return Op::kOpType; }
  std::span<const int> since_versions() const override { return Op::kSinceVersions; }
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute> attributes, int since_version, const Operands&,
      const KernelOptions& options) const override {
    typename Op::Attributes read;
    for (const Attribute& attribute : attributes) {
      const int64_t* value = std::get_if<int64_t>(&attribute.value);
      if (value == nullptr) {
        return KernelFailure{KernelFailure::Kind::kInvalid,
                             "attribute '" + attribute.name + "' of " +
                                 std::string(Op::kOpType) +
                                 ": expected an integer, got another kind"};
      }
      Op::Read(attribute.name, *value, read);
    }
    return std::make_unique<PreparedQuantization<Op>>(
        since_version, read,
        typename Op::Options{.target = options.target, .threads = options.threads});
  }
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_QUANTIZATION_KERNELS_H_
