// Oracle and judge agree on what a fuzzer makes of questions to MatMulInteger.
#include <cstdint>
#include <vector>

#include "oracle/exact/operators/mat_mul_integer/testing/questions.h"
#include "oracle/exact/testing/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<agreement::MatMulIntegerCell> cells =
      agreement::MatMulIntegerCells();
  agreement::Random random(bytes.Take(16));
  exact::MatMulIntegerInput input =
      agreement::MakeQuestion(cells[bytes.Take(8) % cells.size()], random);
  for (auto* zero_point : {&input.a_zero_point, &input.b_zero_point}) {
    if (*zero_point) agreement::Overwrite(**zero_point, bytes);
  }
  agreement::Overwrite(input.a, bytes);
  agreement::Overwrite(input.b, bytes);
  agreement::RequireAgreement(exact::MatMulInteger(input), agreement::AskOracle(input),
                              agreement::ToString(input));
  return 0;
}
