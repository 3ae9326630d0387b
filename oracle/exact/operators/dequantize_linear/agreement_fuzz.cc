// Oracle and judge agree on what a fuzzer makes of questions to DequantizeLinear.
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"
#include "oracle/exact/operators/dequantize_linear/testing/questions.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<agreement::DequantizeLinearCell> cells =
      agreement::DequantizeLinearCells();
  const agreement::DequantizeLinearCell& cell = cells[bytes.Take(16) % cells.size()];
  agreement::Random random(bytes.Take(16));
  const uint64_t reading = bytes.Take(8);
  exact::DequantizeLinearInput input = agreement::MakeQuestion(cell, random);
  agreement::Overwrite(input.x_scale, bytes);
  if (input.x_zero_point) agreement::Overwrite(*input.x_zero_point, bytes);
  agreement::Overwrite(input.x, bytes);
  const agreement::DequantizeLinearProblem oracle(input);
  const std::vector<ReadingSet> all = oracle.Readings();
  if (all.empty()) {
    agreement::RequireNone("the oracle refuses", agreement::ToString(input));
    return 0;
  }
  const ReadingSet& readings = all[reading % all.size()];
  const exact::Answer judge =
      exact::DequantizeLinear(input, agreement::JudgeReadings(readings, cell));
  agreement::RequireNone(oracle.Difference(judge, readings), agreement::ToString(input));
  return 0;
}
