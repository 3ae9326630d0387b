// Oracle and judge agree on what a fuzzer makes of questions to ConvInteger.
#include <cstdint>
#include <vector>

#include "oracle/exact/operators/conv_integer/testing/questions.h"
#include "oracle/exact/testing/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<agreement::ConvIntegerCell> cells =
      agreement::ConvIntegerCells();
  agreement::Random random(bytes.Take(16));
  agreement::ConvIntegerQuestion question =
      agreement::MakeQuestion(cells[bytes.Take(8) % cells.size()], random);
  exact::ConvIntegerInput& input = question.input;
  for (auto* zero_point : {&input.x_zero_point, &input.w_zero_point}) {
    if (*zero_point) agreement::Overwrite(**zero_point, bytes);
  }
  agreement::Overwrite(input.x, bytes);
  agreement::Overwrite(input.w, bytes);
  agreement::RequireAgreement(exact::ConvInteger(input),
                              agreement::Ask(question).Evaluate({}),
                              agreement::ToString(input));
  return 0;
}
