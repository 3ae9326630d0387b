// Oracle and judge agree on what a fuzzer makes of questions to QuantizeLinear.
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/exact/operators/quantize_linear/quantize_linear.h"
#include "oracle/exact/operators/quantize_linear/testing/questions.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/fuzz_bytes.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<agreement::QuantizeLinearCell> cells =
      agreement::QuantizeLinearCells();
  const agreement::QuantizeLinearCell& cell = cells[bytes.Take(16) % cells.size()];
  agreement::Random random(bytes.Take(16));
  const uint64_t reading = bytes.Take(8);
  exact::QuantizeLinearInput input = agreement::MakeQuestion(cell, random);
  agreement::Overwrite(input.y_scale, bytes);
  if (input.y_zero_point) agreement::Overwrite(*input.y_zero_point, bytes);
  agreement::Overwrite(input.x, bytes);
  const std::vector<QuantizeLinearReadings> all =
      ReadingCombinations(cell.since_version, static_cast<DataType>(cell.x),
                          static_cast<DataType>(cell.y_scale),
                          static_cast<DataType>(cell.y), input.precision);
  const QuantizeLinearReadings& readings = all[reading % all.size()];
  const agreement::OracleProblem oracle(input);
  agreement::RequireAgreement(
      exact::QuantizeLinear(input, agreement::JudgeReadings(readings)),
      EvaluateQuantizeLinear(oracle.problem(), readings), agreement::ToString(input));
  return 0;
}
