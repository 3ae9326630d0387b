// A RapidCheck generator of QuantizeLinear problems.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_ANY_QUANTIZE_LINEAR_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_ANY_QUANTIZE_LINEAR_H_

#include <iostream>
#include <vector>

#include "cases/core/testing/rapidcheck_gen.h"
#include "cases/lattice/lattice.h"
#include "cases/operators/quantize_linear/testing/parts.h"

namespace qconform::generators {

// A whole problem of one of the cells, at any of their opset_versions. Shrinks
// to few elements, rank 1 (2 where there is an axis), scales of 1 and x of 0.
inline rc::Gen<QuantizeLinearParts> AnyQuantizeLinear(std::vector<Cell> cells,
                                                      int64_t most_elements = 600) {
  std::vector<SinceVersion> versions = SinceVersions("QuantizeLinear");
  const auto make = [=](CounterRng rng, int size) {
    const Cell& cell = rng.Pick(cells);
    int opset_version = cell.since_version;
    for (const SinceVersion& version : versions) {
      if (version.since_version == cell.since_version) {
        opset_version = rng.Pick(version.opset_versions);
      }
    }
    const int64_t elements = 1 + most_elements * size / 100;
    return RandomParts(cell, opset_version, elements, CounterRng(rng.Next64()));
  };
  return FromBits(make, Simpler);
}

// How RapidCheck shows a counterexample.
inline void showValue(const QuantizeLinearParts& parts, std::ostream& out) {
  out << ToString(parts);
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_ANY_QUANTIZE_LINEAR_H_
