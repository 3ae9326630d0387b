// What deviating elements of MatMulInteger may have in common.
#include <cmath>
#include <optional>

#include "harness/matmul/patterns.h"
#include "harness/operators/mat_mul_integer/faults.h"

namespace qconform::mat_mul_integer {
namespace {

const DecodedMatMulInteger& Of(const EvidenceCase& one) { return Case::Of(*one.decoded); }

int64_t SumAt(const EvidenceCase& one, int64_t i) {
  return TraceElement(Of(one), {}, i).sum;
}

}  // namespace

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns;
  patterns.push_back(
      {"only the last element of a tensor",
       [](const EvidenceCase& one, int64_t i) { return i + 1 == SizeOf(one); }});
  patterns.push_back(
      {"only sums of 2^24 and more", [](const EvidenceCase& one, int64_t i) {
         const int64_t sum = SumAt(one, i);
         return sum >= 1 << 24 || sum <= -(1 << 24);
       }});
  patterns.push_back(
      {"only sums that INT16 does not hold", [](const EvidenceCase& one, int64_t i) {
         const int64_t sum = SumAt(one, i);
         return sum > INT16_MAX || sum < INT16_MIN;
       }});
  const auto layout_of = [](const EvidenceCase& one) -> const MatMulLayout& {
    return Of(one).layout;
  };
  Append(patterns, TermPatterns(cases, layout_of));
  Append(patterns, MatMulPlacePatterns(cases, layout_of));
  patterns.push_back({"only negative results", [](const EvidenceCase& one, int64_t i) {
                        return SumAt(one, i) < 0;
                      }});
  patterns.push_back({"only positive results", [](const EvidenceCase& one, int64_t i) {
                        return SumAt(one, i) > 0;
                      }});
  const auto with_zero_point = [](bool a, bool is_there) {
    return [a, is_there](const EvidenceCase& one, int64_t) {
      const DecodedIntegerSide& side = a ? Of(one).a : Of(one).b;
      return side.has_zero_point == is_there;
    };
  };
  patterns.push_back({"only without a_zero_point", with_zero_point(true, false)});
  patterns.push_back({"only without b_zero_point", with_zero_point(false, false)});
  patterns.push_back({"only with a_zero_point", with_zero_point(true, true)});
  patterns.push_back({"only with b_zero_point", with_zero_point(false, true)});
  Append(patterns,
         qconform::PatternsOf(
             {.name = "the magnitude of the sum",
              .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                return std::fabs(static_cast<double>(SumAt(one, i)));
              }},
             cases));
  Append(patterns, TailPatterns());
  Append(patterns, LanePatterns());
  Append(patterns, TierPatterns());
  return patterns;
}

}  // namespace qconform::mat_mul_integer
