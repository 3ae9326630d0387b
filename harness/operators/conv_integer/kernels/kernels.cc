// ConvInteger by the built-in kernels.
#include <array>
#include <optional>
#include <utility>

#include "harness/backends/simd/conv_integer/conv_integer.h"
#include "harness/backends/simd/convolution/read_attributes.h"
#include "harness/core/operator_kernels.h"

namespace qconform::conv_integer {
namespace {

using Kind = KernelFailure::Kind;

constexpr size_t kW = 1;

// A missing operand stays kUndefined.
simd::ConvIntegerArgs ArgsOf(const Operands& operands) {
  simd::ConvIntegerArgs args;
  const std::array<TensorView*, 4> into{&args.x, &args.w, &args.x_zero_point,
                                        &args.w_zero_point};
  for (size_t i = 0; i < std::min(into.size(), operands.size()); ++i) {
    if (operands[i]) *into[i] = *operands[i];
  }
  return args;
}

class PreparedConvInteger : public PreparedKernel {
 public:
  PreparedConvInteger(simd::ConvolutionAttributes attributes,
                      std::optional<simd::PackedWeights> packed,
                      const simd::ProductOptions& options)
      : attributes_(std::move(attributes)),
        packed_(std::move(packed)),
        options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    const simd::ConvIntegerArgs args = ArgsOf(operands);
    const auto resolved = simd::ResolveConvInteger(attributes_, args);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return FailureOf(*refusal);
    }
    const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
    const auto y = make_output(0, DataType::kInt32, geometry.YShape());
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done =
        simd::ConvInteger(geometry, args, packed_ ? &*packed_ : nullptr, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  simd::ConvolutionAttributes attributes_;
  std::optional<simd::PackedWeights> packed_;
  simd::ProductOptions options_;
};

class ConvIntegerKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return "ConvInteger"; }
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
    return std::make_unique<PreparedConvInteger>(*std::move(read), std::move(packed),
                                                 own);
  }
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const ConvIntegerKernels kernels;
  return kernels;
}

}  // namespace qconform::conv_integer
