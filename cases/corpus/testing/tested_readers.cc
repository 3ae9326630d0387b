// The reader of stored cases takes any bytes, and reads back the case that was written.
#include "cases/corpus/stored_case.h"
#include "example_case.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

ReadAs ReadStoredCaseBytes(std::string_view text) {
  const Result<StoredCase> stored = ParseStoredCase(text, "input");
  if (!stored) return Outcome(stored);
  const Result<StoredCase> again = ParseStoredCase(StoredCaseText(*stored), "written");
  Require(again.ok() && *again == *stored, "a stored case is read as it was written");
  return ReadAs::kWhole;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  return {{"stored_case", ReadStoredCaseBytes, [] {
             return std::vector<std::string>{kExampleCase, kExampleGraph};
           }}};
}

}  // namespace qconform
