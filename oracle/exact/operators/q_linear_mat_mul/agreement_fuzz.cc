// Oracle and judge agree on what a fuzzer makes of questions to QLinearMatMul.
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/exact/operators/q_linear_mat_mul/testing/questions.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/fuzz_bytes.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<agreement::QLinearMatMulCell> cells =
      agreement::QLinearMatMulCells();
  const agreement::QLinearMatMulCell& cell = cells[bytes.Take(16) % cells.size()];
  agreement::Random random(bytes.Take(16));
  const uint64_t reading = bytes.Take(8);
  exact::QLinearMatMulInput input = agreement::MakeQuestion(cell, random);
  for (exact::Codes* operand :
       {&input.a_scale, &input.b_scale, &input.y_scale, &input.y_zero_point,
        &input.a_zero_point, &input.b_zero_point, &input.a, &input.b}) {
    agreement::Overwrite(*operand, bytes);
  }
  const std::vector<QLinearMatMulReadings> all = ReadingCombinations(
      static_cast<DataType>(cell.scale), static_cast<DataType>(cell.y));
  const QLinearMatMulReadings& readings = all[reading % all.size()];
  const agreement::OracleMatMulProblem oracle(cell.since_version, input);
  agreement::RequireAgreement(exact::QLinearMatMul(input, exact::Accumulate(input),
                                                   agreement::JudgeReadings(readings)),
                              EvaluateQLinearMatMul(oracle.problem(), readings),
                              agreement::ToString(input));
  return 0;
}
