// Other readings of the open clauses, which a backend that differs may follow.
#include "harness/core/allows.h"
#include "harness/operators/quantize_linear/proofs/line.h"
#include "oracle/operators/quantize_linear/element.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform::quantize_linear {

std::vector<QuantizeLinearLine> OtherReadings(const QuantizeLinearLine& line) {
  std::vector<QuantizeLinearLine> others;
  for (const QuantizeLinearReadings& readings : ReadingCombinations(
           line.since_version, line.x, line.y_scale, line.y, line.precision)) {
    if (readings == QuantizeLinearReadings()) continue;
    others.push_back(line);
    others.back().readings = readings;
  }
  return others;
}

bool Explains(const QuantizeLinearLine& line, const SweepMismatch& mismatch) {
  const QuantizeLinearElement element(
      line.x, line.y_scale, line.y,
      ParametersOf(line.readings, line.since_version, line.x, line.y_scale, line.y,
                   line.precision, line.saturate));
  PreparedZeroPoint zero_point;
  if (line.zero_point || mismatch.zero_point != 0) {
    zero_point = element.PrepareZeroPoint(mismatch.zero_point);
  }
  ElementAnswer answer;
  element.Evaluate(mismatch.x, element.PrepareScale(mismatch.scale), zero_point, answer);
  return Allows(line.y, answer, mismatch.actual);
}

std::string ReadingOf(const QuantizeLinearLine& line) {
  if (line.readings == QuantizeLinearReadings()) return "";
  return ReadingsName(line.readings, line.since_version, line.x, line.y_scale, line.y);
}

}  // namespace qconform::quantize_linear
