// Models over admissible readings: a backend may follow one and have a fault besides.
// Private to this folder.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_OVER_READINGS_H_
#define QCONFORM_HARNESS_DIAGNOSIS_OVER_READINGS_H_

#include <span>
#include <vector>

#include "cases/lattice/cell.h"
#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/core/fault.h"
#include "oracle/base/result.h"

namespace qconform {

// Whether a fault changes another step than the readings of all models do: over these its
// model is then what a backend with both would be.
bool ChangesAnotherStep(const Fault& fault, const Cell& cell,
                        const FollowedReading& follows);

// Returns the readings, but for those of `others`, over which some model gives all codes
// of the cases.
Result<std::vector<FollowedReading>> ReadingsWithModels(
    const Cell& cell, std::span<const AnsweredCase> cases,
    const Explanations& explanations, std::span<const FollowedReading> others);

// Returns readings over which a fault's model gives more of the answers than over the
// canonical ones, the best first. A fault that reaches nearly every element hides what
// the rest follows from ClosestReadings.
Result<std::vector<FollowedReading>> ReadingsUnder(const Fault& fault, const Cell& cell,
                                                   std::span<const AnsweredCase> cases);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_OVER_READINGS_H_
