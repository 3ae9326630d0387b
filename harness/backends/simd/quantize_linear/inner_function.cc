#include "harness/backends/simd/quantize_linear/inner_function.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/quantize_linear/job.h"
#include "harness/backends/simd/quantize_linear/zero_points.h"

namespace qconform::simd {
namespace {

RunFunction Uniform(const Kernels& kernels, Division division, Sink sink) {
  return kernels.Function(division, Operands::kUniform, sink);
}

}  // namespace

std::optional<InnerFunction> InnerFunction::Of(const QuantizeLinearArgs& args,
                                               const Kernels& kernels) {
  // How exact quotients come about depends on the scales, which are not known.
  if (args.division_precision == DataType::kUndefined) return std::nullopt;
  const Job job = MakeJob(args, nullptr, kernels, Geometry());
  if (job.double_quotient || job.add_zero_point) return std::nullopt;
  InnerFunction inner;
  inner.kernels_ = &kernels;
  inner.division_ = Uniform(kernels, job.division, job.format.sink);
  if (job.scales.reciprocals) {
    inner.reciprocal_function_ = Uniform(kernels, job.by_reciprocals, job.format.sink);
    inner.has_two_parts_ = HasTwoParts(job.by_reciprocals);
  }
  inner.function_ = inner.division_;
  if (job.division == Division::kFloat && args.x.type == DataType::kFloat) {
    inner.match_ = MatchRuns(kernels.target);
  }
  inner.format_ = job.format;
  if (kernels.packs) inner.pack_shift_ = job.pack_shift();
  inner.run_.x_type = args.x.type;
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

bool InnerFunction::Packs(size_t n) const {
  return pack_shift_ != 0 && n % (size_t{1} << pack_shift_) == 0 &&
         n >= 4 * kernels_->lanes();
}

bool InnerFunction::CanMatchRows(size_t columns) const {
  return match_ != nullptr && scale_type_ == DataType::kFloat &&
         precision_ == DataType::kFloat && columns % (4 * kernels_->lanes()) == 0;
}

size_t InnerFunction::MatchRows(RowsToMatch rows) const {
  constexpr size_t kMost = 64;
  float high[kMost] = {};
  float low[kMost] = {};
  float limit[kMost] = {};
  const size_t all = rows.rows;
  const Run run = MakeRun(rows.columns, nullptr);
  const auto divides = [&](size_t n) {
    return reciprocal_function_ == nullptr ||
           !kernels_->reciprocals(rows.scale, n, format_.floats.clamp, high, low, limit);
  };
  rows.reciprocals = {high, low, limit};
  for (size_t done = 0; done < all;) {
    // Where some of them have no reciprocal, each chooses for itself.
    rows.rows = std::min(all - done, kMost);
    bool by_division = divides(rows.rows);
    if (by_division && rows.rows > 1 && reciprocal_function_ != nullptr) {
      rows.rows = 1;
      by_division = divides(1);
    }
    const size_t matched =
        match_->by[!by_division][static_cast<int>(format_.sink)](run, rows);
    done += matched;
    if (matched < rows.rows) return done;
    rows.scale += matched;
    rows.flipped += matched;
    rows.x += matched * rows.stride;
  }
  return all;
}

void InnerFunction::SetScale(const std::byte* scale) {
  if (scale_type_ == DataType::kFloat && precision_ == DataType::kFloat) {
    std::memcpy(&scale_, scale, sizeof(scale_));
  } else {
    kernels_->scales(scale_type_, scale, 1, precision_, &scale_);
  }
  if (precision_ == scale_type_ && BitWidth(scale_type_) == 16) {
    const IntegerRange range = kernels_->range_of_int16(scale, 1);
    run_.rounded_x = WhatIsRounded(run_.x_type, precision_, range, format_);
  }
  divides_ = reciprocal_function_ == nullptr ||
             !kernels_->reciprocals(&scale_, 1, format_.floats.clamp, &high_,
                                    has_two_parts_ ? &low_ : nullptr, &limit_);
  function_ = divides_ ? division_ : reciprocal_function_;
}

}  // namespace qconform::simd
