// Oracle and judge agree on what a fuzzer makes of questions to QLinearConv.
#include <cstdint>
#include <vector>

#include "oracle/exact/operators/q_linear_conv/testing/questions.h"
#include "oracle/exact/testing/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<agreement::QLinearConvCell> cells =
      agreement::QLinearConvCells();
  agreement::Random random(bytes.Take(16));
  agreement::QLinearConvQuestion question =
      agreement::MakeQuestion(cells[bytes.Take(8) % cells.size()], random);
  const uint64_t reading = bytes.Take(8);
  exact::QLinearConvInput& input = question.input;
  for (exact::Codes* operand :
       {&input.x_scale, &input.w_scale, &input.y_scale, &input.y_zero_point,
        &input.x_zero_point, &input.w_zero_point, &input.x, &input.w}) {
    agreement::Overwrite(*operand, bytes);
  }
  if (input.b) agreement::Overwrite(*input.b, bytes);
  const agreement::OracleQuestion oracle = agreement::Ask(question);
  const std::vector<ReadingSet> all = oracle.Readings();
  if (all.empty()) {
    agreement::RequireNone("the oracle refuses", agreement::ToString(input));
    return 0;
  }
  ReadingSet readings = all[reading % all.size()];
  if (readings.is_bounded()) readings = {};
  agreement::RequireAgreement(
      exact::QLinearConv(input, *agreement::JudgeReadings(readings)),
      oracle.Evaluate(readings), agreement::ToString(input));
  return 0;
}
