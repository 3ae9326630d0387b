// The built-in kernels of an operator that has a convolution, as an OperatorKernels.
#ifndef QCONFORM_HARNESS_CONVOLUTION_KERNELS_H_
#define QCONFORM_HARNESS_CONVOLUTION_KERNELS_H_

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/backends/simd/convolution/convolution.h"
#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/convolution/read_attributes.h"
#include "harness/backends/simd/core/refusal.h"
#include "harness/core/operator_kernels.h"

namespace qconform {

// A node of such an operator. Op, a struct of static members, has
//   Args ArgsOf(const Operands&)
//   std::variant<simd::ConvolutionGeometry, simd::Refusal> Resolve(attributes, Args)
//   DataType OutputType(Args)
//   Status Compute(geometry, Args, packed, y, options)
template <typename Op>
class PreparedConvolution : public PreparedKernel {
 public:
  PreparedConvolution(simd::ConvolutionAttributes attributes,
                      std::optional<simd::PackedWeights> packed,
                      const simd::ProductOptions& options)
      : attributes_(std::move(attributes)),
        packed_(std::move(packed)),
        options_(options) {}

  std::optional<KernelFailure> Run(const Operands& operands,
                                   const MakeOutput& make_output) override {
    using Kind = KernelFailure::Kind;
    const auto args = Op::ArgsOf(operands);
    const auto resolved = Op::Resolve(attributes_, args);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return FailureOf(*refusal);
    }
    const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
    const auto y = make_output(0, Op::OutputType(args), geometry.YShape());
    if (!y) return KernelFailure{Kind::kFailed, y.error().message};
    const Status done =
        Op::Compute(geometry, args, packed_ ? &*packed_ : nullptr, *y, options_);
    if (!done) return KernelFailure{Kind::kFailed, done.error().message};
    return std::nullopt;
  }

 private:
  simd::ConvolutionAttributes attributes_;
  std::optional<simd::PackedWeights> packed_;
  simd::ProductOptions options_;
};

// Op also has the op_type `kOpType` and the place `kW` of w among the operands.
template <typename Op>
class ConvolutionKernels : public OperatorKernels {
 public:
  std::string_view op_type() const override { return Op::kOpType; }
  std::span<const int> since_versions() const override {
    static constexpr std::array kVersions = {10};
    return kVersions;
  }
  // A `w` that is a constant of the model is laid out here, once.
  std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute> attributes, int, const Operands& constants,
      const KernelOptions& options) const override {
    auto read = simd::ReadConvolutionAttributes(attributes);
    if (!read) return KernelFailure{KernelFailure::Kind::kInvalid, read.error().message};
    const simd::ProductOptions own{.target = options.target, .threads = options.threads};
    std::optional<simd::PackedWeights> packed;
    if (const auto w = OperandAt(constants, Op::kW)) {
      auto made = simd::PackedWeights::Pack(*w, own);
      // A w that cannot be laid out is refused with the other operands, at run time.
      if (made) packed = *std::move(made);
    }
    return std::make_unique<PreparedConvolution<Op>>(*std::move(read), std::move(packed),
                                                     own);
  }
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CONVOLUTION_KERNELS_H_
