// The proof of DynamicQuantizeLinear for one range of x, as models of one node.
// docs/proofs.md says what it proves.
#ifndef QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_PROOFS_LINE_H_
#define QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_PROOFS_LINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "oracle/base/result.h"
#include "oracle/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

namespace qconform::dynamic_quantize_linear {

// What the proof asks: the ends of the range, as codes of FLOAT.
struct Line {
  uint64_t max = 0;
  uint64_t min = 0;
  Readings readings{};
};

// Every FLOAT x from min to max, both zeros included, in models that have the ends of the
// range too. An Error unless min <= 0 <= max are finite.
Result<Proof> ProveLine(const Line& line, MakeModelAsker make_asker);

// The same by every other combination of readings.
std::vector<Line> OtherReadings(const Line& line);

// Whether what was answered at a mismatch is right by these readings.
bool Explains(const Line& line, const SweepMismatch& mismatch);

// The name of the readings; "" for the canonical ones.
std::string ReadingOf(const Line& line);

// The smallest case that shows a mismatch.
StoredCase MismatchCase(const Line& line, const SweepMismatch& mismatch);

}  // namespace qconform::dynamic_quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_PROOFS_LINE_H_
