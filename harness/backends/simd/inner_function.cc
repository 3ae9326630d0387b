#include "harness/backends/simd/inner_function.h"

#include <cstring>

#include "harness/backends/simd/worker.h"
#include "harness/backends/simd/zero_points.h"

namespace qconform::simd {
namespace {

RunFunction Uniform(const Kernels& kernels, Division division, Sink sink) {
  return kernels.Function(division, Operands::kUniform, sink);
}

}  // namespace

std::optional<InnerFunction> InnerFunction::Of(const QuantizeLinearArgs& args,
                                               const Kernels& kernels) {
  const Job job = MakeJob(args, nullptr, kernels, Geometry());
  if (job.double_quotient || job.add_zero_point || args.x.type != TypeOfX(job.division)) {
    return std::nullopt;
  }
  InnerFunction inner;
  inner.kernels_ = &kernels;
  inner.division_ = Uniform(kernels, job.division, job.format.sink);
  if (job.scales.reciprocals) {
    inner.reciprocal_function_ =
        Uniform(kernels, ReciprocalOf(job.division), job.format.sink);
  }
  inner.function_ = inner.division_;
  if (job.division == Division::kFloat) inner.codes_ = CodesRuns(kernels.target);
  inner.sink_ = job.format.sink;
  inner.run_.integers = job.format.integers;
  inner.run_.floats = job.format.floats;
  inner.scale_type_ = args.y_scale.type;
  inner.precision_ = args.division_precision;
  inner.offset_ = -job.format.integers.min;
  if (!job.format.is_float && job.scales.zero_point_count == 1) {
    LoadZeroPoints(kernels, job.scales.zero_point, 0, 1, job.scales.min, &inner.offset_);
  }
  return inner;
}

bool InnerFunction::QuantizeCodes(uint32_t first, size_t n, void* codes) const {
  if (codes_ == nullptr || n % (4 * kMaxLanes) != 0) return false;
  codes_->run[!divides_][static_cast<int>(sink_)](MakeRun(n, codes), first);
  return true;
}

void InnerFunction::SetScale(const std::byte* scale) {
  if (scale_type_ == DataType::kFloat && precision_ == DataType::kFloat) {
    std::memcpy(&scale_, scale, sizeof(scale_));
  } else {
    kernels_->scales(scale_type_, scale, 1, precision_, &scale_);
  }
  divides_ = reciprocal_function_ == nullptr ||
             kernels_->reciprocals(&scale_, 1, &reciprocal_, &reciprocal_low_) ==
                 ReciprocalRange::kNone;
  function_ = divides_ ? division_ : reciprocal_function_;
}

}  // namespace qconform::simd
