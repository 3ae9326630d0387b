// What a float element may be where a graph's arithmetic is not the composition's, by the
// judge (GR-05, GR-06, GR-13 to GR-18): the real value v from codes, scales and constants
// without any rounding, and how far from it an implementation may be.
//
//   e = gamma(n) * sum |T_i|,   gamma(n) = n u / (1 - n u)
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_REACH_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_REACH_H_

#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/exact/format.h"

namespace qconform::exact {

// A sum of terms T_i.
struct Terms {
  mpq_class v = 0;
  mpq_class magnitude = 0;  // sum of |T_i|
  // Roundings on a term's longest way: GR-05's m, GR-06's n.
  int64_t roundings = 0;
  // GR-05 allows for two more; GR-06 does not.
  bool is_sum = false;
  // A number that no operation gave, such as the bound of a Clip.
  bool is_data = false;
  // GR-16: every scale and factor is a power of two, and no value leaves the normal
  // range.
  bool is_plain = true;
  // The lowest bit of any term, a power of two; 0 where all terms are 0; nothing where a
  // term is no multiple of a power of two.
  std::optional<mpq_class> unit = mpq_class(0);
  int64_t k = 0;  // of the last sum: its terms that are not 0
  mpq_class half_step =
      0;  // GR-14: half of the scale of an integer sum; 0: none is there
};

// Terms, or what a chooser behind them makes of them (GR-18).
struct Reach {
  enum class Kind : uint8_t { kTerms, kLargest, kLeast };
  Kind kind = Kind::kTerms;
  Terms terms{};
  std::vector<std::shared_ptr<const Reach>> parts{};
};
using ReachPointer = std::shared_ptr<const Reach>;

ReachPointer MakeReach(Terms terms);
ReachPointer MakeChoice(Reach::Kind kind, std::vector<ReachPointer> parts);

// Whether |v| is a power of two.
bool IsPowerOfTwo(const mpq_class& v);

// Returns the lowest bit of v: 0 for 0, nothing where v is no multiple of a power of two.
std::optional<mpq_class> LowestBit(const mpq_class& v);

// Returns gamma(n) with u = 2^-precision; nothing where n u >= 1.
std::optional<mpq_class> GammaOf(int64_t n, int precision);

// The last operation: the division of a QuantizeLinear, or nothing.
struct LastStep {
  const Format* format = nullptr;      // of the tensors
  std::optional<mpq_class> y_scale{};  // where QuantizeLinear follows

  mpq_class Applied(const mpq_class& v) const { return y_scale ? v / *y_scale : v; }
};

// Returns the roundings that move the terms: 0 in the exact case.
int64_t RoundingsOf(const Terms& terms, const LastStep& last);

// Intervals: nothing where there is no bound (GR-19).
using RealInterval = std::optional<std::pair<mpq_class, mpq_class>>;

// Returns what the element, divided by y_scale, may be.
RealInterval Bounded(const Reach& reach, const LastStep& last);

// The same for `reduced_precision` and `reduced_precision_accumulation`; where nothing is
// rounded they admit no more.
RealInterval Reduced(const Reach& reach, const LastStep& last);

// Returns the least half_step of all terms; 0: none.
mpq_class HalfStepOf(const Reach& reach);
// Whether one of the terms may be rounded.
bool IsRounded(const Reach& reach, const LastStep& last);
// The exact value: choosers choose among exact values.
const Terms& Chosen(const Reach& reach);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_REACH_H_
