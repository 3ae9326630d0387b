// Random questions to DynamicQuantizeLinear, aimed at where answers differ. For the
// agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/core/reading_set.h"
#include "oracle/exact/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

enum class DynamicRangeKind : uint8_t {
  kAny,
  kZeroPointTie,  // min / y_scale ends in one half, or nearly so
  kOneSided,
  kFusedTie,   // the exact quotient lies next to a tie of FLOAT
  kSubnormal,  // ranges from the smallest FLOAT on
  kUnderflow,  // scales around the smallest FLOAT
  kOverflow,   // ranges around the largest FLOAT
  kZeros,
  kInfinity,
  kNan,
  kCodes,  // any codes
};
inline constexpr int kDynamicRangeKinds = 11;

// Returns x. `reading` is the one whose scale the elements aim at.
exact::Codes MakeQuestion(DynamicRangeKind kind,
                          const exact::DynamicQuantizeLinearReadings& reading,
                          Random& random);

// Returns the judge's names for the oracle's readings; ends the program if the judge does
// not know one.
exact::DynamicQuantizeLinearReadings JudgeReadings(const ReadingSet& readings);

// Returns the oracle's readings of a model of x; none if it refuses.
std::vector<ReadingSet> OracleReadings(const exact::Codes& x);

// Returns the first difference of the three outputs; empty if they agree.
std::string Difference(const exact::DynamicQuantizeLinearAnswers& judge,
                       const exact::Codes& x, const ReadingSet& readings);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_
