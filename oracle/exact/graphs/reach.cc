#include "oracle/exact/graphs/reach.h"

#include <algorithm>
#include <functional>

namespace qconform::exact {
namespace {

using Radius = std::function<std::optional<mpq_class>(const Terms&)>;

// Choosers are monotone in each part, so that the ends of the parts give the ends.
RealInterval EndsOf(const Reach& reach, const LastStep& last, const Radius& radius) {
  if (reach.kind == Reach::Kind::kTerms) {
    const std::optional<mpq_class> r = radius(reach.terms);
    if (!r) return std::nullopt;
    return std::pair(mpq_class(reach.terms.v - *r), mpq_class(reach.terms.v + *r));
  }
  RealInterval ends;
  for (const ReachPointer& part : reach.parts) {
    const RealInterval one = EndsOf(*part, last, radius);
    if (!one) return std::nullopt;
    if (!ends) {
      ends = one;
    } else if (reach.kind == Reach::Kind::kLargest) {
      ends = std::pair(std::max(ends->first, one->first),
                       std::max(ends->second, one->second));
    } else {
      ends = std::pair(std::min(ends->first, one->first),
                       std::min(ends->second, one->second));
    }
  }
  return ends;
}

RealInterval Divided(const RealInterval& ends, const LastStep& last) {
  if (!ends) return std::nullopt;
  const mpq_class one = last.Applied(ends->first), other = last.Applied(ends->second);
  return std::pair(std::min(one, other), std::max(one, other));
}

std::optional<mpq_class> BoundedRadius(const Terms& terms, const LastStep& last) {
  const int64_t n = RoundingsOf(terms, last);
  if (n == 0) return mpq_class(0);
  const std::optional<mpq_class> gamma = GammaOf(n, last.format->precision);
  if (!gamma) return std::nullopt;
  return mpq_class(*gamma * terms.magnitude);
}

bool IsOutside(const Format& format, const mpq_class& v) {
  return sgn(v) != 0 && (abs(v) < format.smallest_normal || abs(v) > format.highest);
}

void Visit(const Reach& reach, const std::function<void(const Terms&)>& work) {
  if (reach.kind == Reach::Kind::kTerms) return work(reach.terms);
  for (const ReachPointer& part : reach.parts) Visit(*part, work);
}

}  // namespace

ReachPointer MakeReach(Terms terms) {
  Reach reach;
  reach.terms = std::move(terms);
  return std::make_shared<const Reach>(std::move(reach));
}

ReachPointer MakeChoice(Reach::Kind kind, std::vector<ReachPointer> parts) {
  Reach reach;
  reach.kind = kind;
  reach.parts = std::move(parts);
  return std::make_shared<const Reach>(std::move(reach));
}

bool IsPowerOfTwo(const mpq_class& v) {
  return sgn(v) != 0 && PowerOfTwo(FloorLog2(abs(v))) == abs(v);
}

std::optional<mpq_class> LowestBit(const mpq_class& v) {
  if (sgn(v) == 0) return mpq_class(0);
  if (mpz_popcount(v.get_den_mpz_t()) != 1) return std::nullopt;
  const mpz_class numerator = abs(v.get_num());
  const auto zeros = static_cast<int>(mpz_scan1(numerator.get_mpz_t(), 0));
  return mpq_class(PowerOfTwo(zeros) / v.get_den());
}

std::optional<mpq_class> GammaOf(int64_t n, int precision) {
  const mpq_class nu = Scaled(mpq_class(mpz_class(static_cast<long>(n))), -precision);
  if (nu >= 1) return std::nullopt;
  return mpq_class(nu / (1 - nu));
}

int64_t RoundingsOf(const Terms& terms, const LastStep& last) {
  const Format& format = *last.format;
  const bool fits =
      terms.unit && terms.magnitude <= Scaled(*terms.unit, format.precision);
  const bool divides = !last.y_scale || (IsPowerOfTwo(*last.y_scale) &&
                                         !IsOutside(format, last.Applied(terms.v)));
  if (terms.is_plain && fits && divides && !IsOutside(format, terms.magnitude)) return 0;
  return terms.roundings + (terms.is_sum ? 0 : 2) + (last.y_scale ? 1 : 0);
}

RealInterval Bounded(const Reach& reach, const LastStep& last) {
  return Divided(
      EndsOf(reach, last, [&](const Terms& terms) { return BoundedRadius(terms, last); }),
      last);
}

RealInterval Reduced(const Reach& reach, const LastStep& last) {
  const Format& format = *last.format;
  const auto radius = [&](const Terms& terms) -> std::optional<mpq_class> {
    const std::optional<mpq_class> bounded = BoundedRadius(terms, last);
    if (!bounded || sgn(*bounded) == 0 || terms.is_data) return bounded;
    mpq_class part = PowerOfTwo(-6);
    if (terms.is_sum) {
      part = std::max<mpq_class>(
          part, Scaled(mpq_class(mpz_class(static_cast<long>(terms.k))), -10));
    } else if (!last.y_scale) {
      // GR-14.
      part = PowerOfTwo(format.type == kFloat ? -8 : -format.precision);
    }
    return std::max<mpq_class>(*bounded, part * terms.magnitude);
  };
  return Divided(EndsOf(reach, last, radius), last);
}

mpq_class HalfStepOf(const Reach& reach) {
  mpq_class least = 0;
  Visit(reach, [&](const Terms& terms) {
    if (sgn(terms.half_step) == 0) return;
    least = sgn(least) == 0 ? terms.half_step : std::min(least, terms.half_step);
  });
  return least;
}

bool IsRounded(const Reach& reach, const LastStep& last) {
  bool is = false;
  Visit(reach, [&](const Terms& terms) { is = is || RoundingsOf(terms, last) != 0; });
  return is;
}

const Terms& Chosen(const Reach& reach) {
  if (reach.kind == Reach::Kind::kTerms) return reach.terms;
  const Terms* chosen = nullptr;
  for (const ReachPointer& part : reach.parts) {
    const Terms& one = Chosen(*part);
    const bool is_better =
        chosen == nullptr ||
        (reach.kind == Reach::Kind::kLargest ? chosen->v < one.v : one.v < chosen->v);
    if (is_better) chosen = &one;
  }
  return *chosen;
}

}  // namespace qconform::exact
