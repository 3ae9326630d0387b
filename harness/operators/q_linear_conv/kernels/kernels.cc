// QLinearConv by the built-in kernels.
#include <array>
#include <optional>
#include <utility>

#include "harness/backends/simd/convolution/read_attributes.h"
#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"
#include "harness/core/operator_kernels.h"

namespace qconform::q_linear_conv {
namespace {

using Kind = KernelFailure::Kind;

constexpr size_t kW = 3;

// A missing operand stays kUndefined.
simd::QLinearConvArgs ArgsOf(const Operands& operands) {
  simd::QLinearConvArgs args;
  const std::array<TensorView*, 9> into{
      &args.x,       &args.x_scale,      &args.x_zero_point,
      &args.w,       &args.w_scale,      &args.w_zero_point,
      &args.y_scale, &args.y_zero_point, &args.bias};
  for (size_t i = 0; i < std::min(into.size(), operands.size()); ++i) {
    if (operands[i]) *into[i] = *operands[i];
  }
  return args;
}

class PreparedQLinearConv : public PreparedKernel {
 public:
  PreparedQLinearConv(simd::ConvolutionAttributes attributes,
                      std::optional<simd::PackedWeights> packed,
                      const simd::ProductOptions& options)
      : attributes_(std::move(attributes)),
        packed_(std::move(packed)),
        options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    const simd::QLinearConvArgs args = ArgsOf(operands);
    const auto resolved = simd::ResolveQLinearConv(attributes_, args);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return FailureOf(*refusal);
    }
    const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
    const auto y = make_output(0, args.y_zero_point.type, geometry.YShape());
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done =
        simd::QLinearConv(geometry, args, packed_ ? &*packed_ : nullptr, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  simd::ConvolutionAttributes attributes_;
  std::optional<simd::PackedWeights> packed_;
  simd::ProductOptions options_;
};

class QLinearConvKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "QLinearConv"; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {10};
    return kVersions;
  }
  // A `w` that is a constant of the model is laid out here, once.
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute> attributes, int, const Operands& constants,
      const KernelOptions& options) const override {
    auto read = simd::ReadConvolutionAttributes(attributes);
    if (!read) return KernelFailure{Kind::kInvalid, read.error().message};
    const simd::ProductOptions own{.target = options.target, .threads = options.threads};
    std::optional<simd::PackedWeights> packed;
    if (constants.size() > kW && constants[kW]) {
      auto made = simd::PackedWeights::Pack(*constants[kW], own);
      // A w that cannot be laid out is refused with the other operands, at run time.
      if (made) packed = *std::move(made);
    }
    return std::make_unique<PreparedQLinearConv>(*std::move(read), std::move(packed),
                                                 own);
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const QLinearConvKernels kernels;
  return kernels;
}

}  // namespace qconform::q_linear_conv
