// RapidCheck generators of the project, for properties. RapidCheck's own floats
// never are NaN, infinite, -0 or subnormal; these are bit patterns.
//
// Every value comes from one 64-bit number and the size, so a failure is
// reproduced by RapidCheck's own seed; shrinking goes by value (Simpler).
#ifndef QCONFORM_CASES_CORE_TESTING_RAPIDCHECK_GEN_H_
#define QCONFORM_CASES_CORE_TESTING_RAPIDCHECK_GEN_H_

#include <rapidcheck.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "oracle/formats/number_format.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

// Returns a generator of `make(CounterRng, size)` that shrinks by `simpler`, a
// function from a value to a std::vector of simpler ones.
template <typename Make, typename Simpler>
auto FromBits(Make make, Simpler simpler) {
  using T = decltype(make(CounterRng(0), 0));
  return rc::Gen<T>([=](const rc::Random& random, int size) {
    rc::Random stream(random);
    return rc::shrinkable::shrinkRecur(
        make(CounterRng(stream.next()), size), [=](const T& value) {
          return rc::seq::fromContainer(std::vector<T>(simpler(value)));
        });
  });
}

// Draws `count` values of a generator, all of full size.
template <typename T, typename Visit>
void Draw(const rc::Gen<T>& gen, int count, Visit visit) {
  rc::Random random(1);
  for (int i = 0; i < count; ++i) visit(gen(random.split(), 100));
}

// A code of any type: special values and their neighbours, short significands,
// uniform bits. Shrinks towards 0, 1 and fewer bits.
inline rc::Gen<uint64_t> AnyCode(DataType type) {
  const NumberFormat* format = &FormatOf(type);
  const uint64_t mask = ~uint64_t{0} >> (64 - format->bits);
  const auto make = [=](CounterRng rng, int) -> uint64_t {
    const uint64_t sign =
        format->is_signed && rng.OneIn(2) ? uint64_t{1} << (format->bits - 1) : 0;
    switch (rng.Below(6)) {
      case 0:
        return sign;  // zero, and the smallest or -0
      case 1:
        return SmallestPositive(*format) | sign;
      case 2:
        return (LargestFinite(*format) + rng.Below(3)) & mask;  // Inf and NaN after it
      case 3:
        if (format->kind != NumberKind::kFloat) return rng.Below(9) & mask;
        return (SmallestNormal(*format) - 1 + rng.Below(3)) | sign;
      case 4:
        if (format->kind != NumberKind::kFloat) return rng.Next64() & mask;
        return (rng.Next64() & mask) >> (format->mantissa_bits - 2)
                                            << (format->mantissa_bits - 2);
      default:
        return rng.Next64() & mask;
    }
  };
  const auto simpler = [=](uint64_t code) {
    std::vector<uint64_t> codes;
    if (code == 0) return codes;
    codes.push_back(0);
    if (format->kind == NumberKind::kPowerOfTwo) return codes;
    const uint64_t one = RoundNearest(*format, ToUnrounded(Dyadic(1, 0)));
    if (code == one) return codes;
    codes.push_back(one);
    if ((code & (code - 1)) != one) codes.push_back(code & (code - 1));
    return codes;
  };
  return FromBits(make, simpler);
}

// A shape of rank 0 to `most_rank` and at most about `most_elements` elements;
// dimensions of 0 and 1 are likely. Shrinks to fewer and smaller dimensions.
inline rc::Gen<Shape> AnyShape(int most_rank, int64_t most_elements) {
  const auto make = [=](CounterRng rng, int size) {
    Shape shape(rng.Below(static_cast<uint32_t>(most_rank) + 1));
    int64_t left = std::max<int64_t>(most_elements * size / 100, 1);
    for (int64_t& dimension : shape) {
      dimension = rng.OneIn(4) ? 1 : rng.Between(1, std::min<int64_t>(left, 17));
      left = std::max<int64_t>(left / dimension, 1);
    }
    if (!shape.empty() && rng.OneIn(12)) {
      shape[rng.Below(static_cast<uint32_t>(shape.size()))] = 0;
    }
    return shape;
  };
  const auto simpler = [](const Shape& shape) {
    std::vector<Shape> shapes;
    for (size_t i = 0; i < shape.size(); ++i) {
      Shape fewer = shape;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      shapes.push_back(std::move(fewer));
      if (shape[i] < 2) continue;
      for (const int64_t dimension : {int64_t{1}, shape[i] / 2, shape[i] - 1}) {
        Shape smaller = shape;
        smaller[i] = dimension;
        if (dimension < shape[i]) shapes.push_back(std::move(smaller));
      }
    }
    return shapes;
  };
  return FromBits(make, simpler);
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_TESTING_RAPIDCHECK_GEN_H_
