// The reader of stored cases takes any bytes; a case is read as it was written.
#include <cstdint>
#include <string_view>

#include "cases/corpus/stored_case.h"
#include "oracle/tensor/testing/fuzz_seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  qconform::WriteSeedsIfAsked({R"({
 "qconform_case": 1,
 "why": "a tie",
 "op_type": "QuantizeLinear",
 "opset_version": 21,
 "attributes": {"axis": 0, "output_dtype": 22},
 "operands": [
  {"name": "x", "form": "input", "type": "FLOAT", "shape": [2], "codes": ["0x40200000", "0x0"]},
  {"name": "y_scale", "form": "initializer", "type": "FLOAT", "shape": [], "codes": ["0x3f800000"]},
  null
 ],
 "output": {"type": "INT4", "shape": [2]}
})"});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<StoredCase> stored = ParseStoredCase(text, "input");
  if (!stored.ok()) return 0;
  const Result<StoredCase> again = ParseStoredCase(StoredCaseText(*stored), "written");
  Require(again.ok() && *again == *stored, "a stored case is read as it was written");
  return 0;
}
