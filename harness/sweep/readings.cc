#include "harness/sweep/readings.h"

#include "harness/compare/compare.h"
#include "oracle/operators/quantize_linear/element.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {

std::vector<LineReading> OtherReadings(const QuantizeLinearLine& line) {
  std::vector<LineReading> others;
  for (const QuantizeLinearReadings& readings : ReadingCombinations(
           line.since_version, line.x, line.y_scale, line.y, line.precision)) {
    if (readings == QuantizeLinearReadings()) continue;
    LineReading other{"", line};
    other.line.readings = readings;
    other.name = ReadingOf(other.line);
    others.push_back(std::move(other));
  }
  return others;
}

std::vector<SumsReading> OtherReadings(const QLinearMatMulSums& sums) {
  std::vector<SumsReading> others;
  for (const QLinearMatMulReadings& readings : ReadingCombinations(sums.scale, sums.y)) {
    if (readings == QLinearMatMulReadings()) continue;
    SumsReading other{"", sums};
    other.sums.readings = readings;
    other.name = ReadingOf(other.sums);
    others.push_back(std::move(other));
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

bool Explains(const QLinearMatMulSums& sums, const SweepMismatch& mismatch) {
  const auto sum = static_cast<int32_t>(static_cast<uint32_t>(mismatch.x));
  return Allows(sums.y, AnswerForSum(sums, sum), mismatch.actual);
}

std::string ReadingOf(const QuantizeLinearLine& line) {
  if (line.readings == QuantizeLinearReadings()) return "";
  return ReadingsName(line.readings, line.since_version, line.y_scale, line.x);
}

std::string ReadingOf(const QLinearMatMulSums& sums) {
  if (sums.readings == QLinearMatMulReadings()) return "";
  return ReadingsName(sums.readings);
}

}  // namespace qconform
