#include "cases/core/rounding_boundaries.h"

#include <cassert>

#include "cases/core/exact_value.h"

namespace qconform::generators {
namespace {

// Boundaries past each end of the range.
constexpr int kBeyond = 2;

}  // namespace

const RoundingBoundaries& RoundingBoundaries::Of(DataType target) {
  static const auto tables = [] {
    std::vector<RoundingBoundaries> all;
    for (const DataType type : AllDataTypes()) {
      const NumberFormat& format = FormatOf(type);
      const bool is_integer = format.kind == NumberKind::kInteger && format.bits <= 16;
      const bool is_float = format.kind == NumberKind::kFloat && format.bits <= 8;
      if (is_integer || is_float) all.push_back(RoundingBoundaries(type));
    }
    return all;
  }();
  for (const RoundingBoundaries& table : tables) {
    if (table.target_->type == target) return table;
  }
  assert(false && "y is an integer of at most 16 bits or a float of at most 8");
  return tables.front();
}

RoundingBoundaries::RoundingBoundaries(DataType target) : target_(&FormatOf(target)) {
  if (target_->kind == NumberKind::kInteger) {
    count_ = IntegerMax(*target_) - IntegerMin(*target_) + 2 + 2 * kBeyond;
    return;
  }
  const auto halfway = [](const ExactValue& a, const ExactValue& b) {
    ExactValue sum = ToExact(Add(ToUnrounded(a), b));
    --sum.exponent;
    return sum;
  };
  const uint64_t largest = LargestFinite(*target_);
  ExactValue below = Decode(*target_, 0);
  ExactValue step;
  for (uint64_t code = 1; code <= largest; ++code) {
    const ExactValue above = Decode(*target_, code);
    positive_.push_back(halfway(below, above));
    below.negative = true;
    step = ToExact(Add(ToUnrounded(above), below));
    below = above;
  }
  // The grid goes on beyond the largest value: overflow is decided on it (QL-20).
  for (int i = 0; i < kBeyond; ++i) {
    const ExactValue above = ToExact(Add(ToUnrounded(below), step));
    positive_.push_back(halfway(below, above));
    below = above;
  }
  count_ = 2 * static_cast<int64_t>(positive_.size());
}

ExactValue RoundingBoundaries::At(int64_t index, const ExactValue& zero_point) const {
  assert(0 <= index && index < count_);
  const bool shifted = zero_point.value_class == ValueClass::kFinite;
  if (target_->kind == NumberKind::kInteger) {
    int64_t offset = 0;
    if (shifted) {
      offset = static_cast<int64_t>(zero_point.significand << zero_point.exponent);
      if (zero_point.negative) offset = -offset;
    }
    return Dyadic(2 * (IntegerMin(*target_) + index - kBeyond - offset) - 1, -1);
  }
  const int64_t half = count_ / 2;
  ExactValue boundary =
      positive_[static_cast<size_t>(index < half ? half - 1 - index : index - half)];
  boundary.negative = index < half;
  if (!shifted) return boundary;
  ExactValue minus = zero_point;
  minus.negative = !minus.negative;
  return ToExact(Add(ToUnrounded(boundary), minus));
}

}  // namespace qconform::generators
