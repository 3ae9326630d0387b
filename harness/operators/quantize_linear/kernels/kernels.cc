// QuantizeLinear by the built-in kernels.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "harness/core/operator_kernels.h"

namespace qconform::quantize_linear {
namespace {

using Kind = KernelFailure::Kind;

Result<simd::QuantizeLinearAttributes> ReadAttributes(
    std::span<const Attribute> attributes) {
  simd::QuantizeLinearAttributes read;
  for (const Attribute& attribute : attributes) {
    const int64_t* value = std::get_if<int64_t>(&attribute.value);
    if (value == nullptr) {
      return Error{"attribute '" + attribute.name +
                   "' of QuantizeLinear is not an integer, as its schema asks"};
    }
    if (attribute.name == "axis") read.axis = *value;
    if (attribute.name == "block_size") read.block_size = *value;
    if (attribute.name == "saturate") read.saturate = *value;
    if (attribute.name == "output_dtype") read.output_dtype = *value;
    if (attribute.name == "precision") read.precision = *value;
  }
  return read;
}

class PreparedQuantizeLinear : public PreparedKernel {
 public:
  PreparedQuantizeLinear(int since_version,
                         const simd::QuantizeLinearAttributes& attributes,
                         const simd::QuantizeLinearOptions& options)
      : since_version_(since_version), attributes_(attributes), options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    if (operands.size() < 2 || !operands[0] || !operands[1]) {
      return KernelFailure{Kind::kInvalid,
                           "QuantizeLinear needs the inputs x and y_scale"};
    }
    const auto zero_point = operands.size() > 2 ? operands[2] : std::nullopt;
    const auto resolved = simd::ResolveQuantizeLinear(
        since_version_, attributes_, *operands[0], *operands[1], zero_point);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return FailureOf(*refusal);
    }
    const auto& args = std::get<simd::QuantizeLinearArgs>(resolved);
    if (!ElementCount(args.x.shape)) {
      return KernelFailure{Kind::kInvalid, "x has a shape whose size overflows"};
    }
    const auto y = make_output(0, args.output_dtype, args.x.shape);
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done = simd::QuantizeLinear(args, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  int since_version_;
  simd::QuantizeLinearAttributes attributes_;
  simd::QuantizeLinearOptions options_;
};

class QuantizeLinearKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "QuantizeLinear"; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {10, 13, 19, 21, 23, 24, 25, 28};
    return kVersions;
  }
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute> attributes, int since_version, const Operands&,
      const KernelOptions& options) const override {
    const auto read = ReadAttributes(attributes);
    if (!read) return KernelFailure{Kind::kInvalid, read.error().message};
    return std::make_unique<PreparedQuantizeLinear>(
        since_version, *read,
        simd::QuantizeLinearOptions{.target = options.target,
                                    .threads = options.threads});
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const QuantizeLinearKernels kernels;
  return kernels;
}

}  // namespace qconform::quantize_linear
