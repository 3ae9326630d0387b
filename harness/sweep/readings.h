// The questions of proofs by other readings of the open clauses (G-01): a backend that
// differs from the canonical answers may follow one of them.
#ifndef QCONFORM_HARNESS_SWEEP_READINGS_H_
#define QCONFORM_HARNESS_SWEEP_READINGS_H_

#include <string>
#include <vector>

#include "oracle/operators/q_linear_mat_mul/thresholds.h"
#include "oracle/operators/quantize_linear/thresholds.h"
#include "reports/record/sweep_record.h"

namespace qconform {

struct LineReading {
  std::string name;  // "QL-04:f32_quotient"
  QuantizeLinearLine line;
};
struct SumsReading {
  std::string name;  // "MM-02:f32_multiplier_ab_first"
  QLinearMatMulSums sums;
};

// The question by every combination of readings but the canonical one.
std::vector<LineReading> OtherReadings(const QuantizeLinearLine& line);
std::vector<SumsReading> OtherReadings(const QLinearMatMulSums& sums);

// Whether what was answered at a mismatch is right by the readings of the question; a
// line's scale and zero point are the mismatch's.
bool Explains(const QuantizeLinearLine& line, const SweepMismatch& mismatch);
bool Explains(const QLinearMatMulSums& sums, const SweepMismatch& mismatch);

// The name of the question's readings; empty: the canonical ones.
std::string ReadingOf(const QuantizeLinearLine& line);
std::string ReadingOf(const QLinearMatMulSums& sums);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_SWEEP_READINGS_H_
