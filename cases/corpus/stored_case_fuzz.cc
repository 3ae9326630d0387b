// The reader of stored cases takes any bytes, and reads back the case that was written.
#include <cstdint>
#include <string_view>

#include "cases/corpus/stored_case.h"
#include "oracle/base/testing/fuzz_seeds.h"
#include "testing/example_case.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  qconform::WriteSeedsIfAsked({qconform::kExampleCase, qconform::kExampleGraph});
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
