// What becomes of an exact integer sum that INT32 does not hold, for operators that leave
// it free.
#ifndef QCONFORM_ORACLE_CORE_ACCUMULATOR_H_
#define QCONFORM_ORACLE_CORE_ACCUMULATOR_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"

namespace qconform {

enum class Accumulator : uint8_t {
  kModulo32,  // two's complement; the oracle's answer
  kWide,      // an accumulator that holds it
  kSaturating32,
};
inline constexpr Accumulator kAllAccumulators[] = {
    Accumulator::kModulo32, Accumulator::kWide, Accumulator::kSaturating32};
// Those that an INT32 output can show: a wide sum has no code of its own.
inline constexpr Accumulator kInt32Accumulators[] = {Accumulator::kModulo32,
                                                     Accumulator::kSaturating32};

// Returns "modulo 2^32", "wide", "saturating".
std::string_view AccumulatorName(Accumulator accumulator);

bool FitsInt32(Int128 sum);

// Returns the value that the accumulator has in place of the sum.
Int128 Narrow(Int128 sum, Accumulator accumulator);

// BoundOperator::KnownAnswers of sums: `evaluate` returns Result<std::vector<Answer>>,
// one for each output, by an accumulator. None if the free input has no known answers.
template <typename Evaluate>
Result<std::vector<KnownAnswer>> KnownAnswersOf(const FreeInput& free,
                                                std::span<const Accumulator> accumulators,
                                                const Evaluate& evaluate) {
  std::vector<KnownAnswer> known;
  if (!free.has_known_answers) return known;
  for (const Accumulator accumulator : accumulators) {
    auto answers = evaluate(accumulator);
    if (!answers) return answers.error();
    known.push_back({std::string(AccumulatorName(accumulator)), *std::move(answers)});
  }
  return known;
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_ACCUMULATOR_H_
