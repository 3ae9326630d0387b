// DequantizeLinear by the built-in kernels.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"
#include "harness/core/operator_kernels.h"

namespace qconform::dequantize_linear {
namespace {

using Kind = KernelFailure::Kind;

Result<simd::DequantizeLinearAttributes> ReadAttributes(
    std::span<const Attribute> attributes) {
  simd::DequantizeLinearAttributes read;
  for (const Attribute& attribute : attributes) {
    const int64_t* value = std::get_if<int64_t>(&attribute.value);
    if (value == nullptr) {
      return Error{"attribute '" + attribute.name +
                   "' of DequantizeLinear: expected an integer, got another kind"};
    }
    if (attribute.name == "axis") read.axis = *value;
    if (attribute.name == "block_size") read.block_size = *value;
    if (attribute.name == "output_dtype") read.output_dtype = *value;
  }
  return read;
}

class PreparedDequantizeLinear : public PreparedKernel {
 public:
  PreparedDequantizeLinear(int since_version,
                           const simd::DequantizeLinearAttributes& attributes,
                           const simd::DequantizeLinearOptions& options)
      : since_version_(since_version), attributes_(attributes), options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    const auto x = OperandAt(operands, 0);
    const auto x_scale = OperandAt(operands, 1);
    if (!x || !x_scale) {
      return KernelFailure{Kind::kInvalid,
                           "DequantizeLinear needs the inputs x and x_scale"};
    }
    const auto resolved = simd::ResolveDequantizeLinear(
        since_version_, attributes_, *x, *x_scale, OperandAt(operands, 2));
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return FailureOf(*refusal);
    }
    const auto& args = std::get<simd::DequantizeLinearArgs>(resolved);
    if (!ElementCount(args.x.shape)) {
      return KernelFailure{Kind::kInvalid, "x has a shape whose size overflows"};
    }
    const auto y = make_output(0, args.output_dtype, args.x.shape);
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done = simd::DequantizeLinear(args, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  int since_version_;
  simd::DequantizeLinearAttributes attributes_;
  simd::DequantizeLinearOptions options_;
};

class DequantizeLinearKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "DequantizeLinear"; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {10, 13, 19, 21, 23, 24, 25, 28};
    return kVersions;
  }
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute> attributes, int since_version, const Operands&,
      const KernelOptions& options) const override {
    const auto read = ReadAttributes(attributes);
    if (!read) return KernelFailure{Kind::kInvalid, read.error().message};
    return std::make_unique<PreparedDequantizeLinear>(
        since_version, *read,
        simd::DequantizeLinearOptions{.target = options.target,
                                      .threads = options.threads});
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const DequantizeLinearKernels kernels;
  return kernels;
}

}  // namespace qconform::dequantize_linear
