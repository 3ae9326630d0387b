// A reader of files, messages or typed text, as its fuzzer and its test use it.
#ifndef QCONFORM_ORACLE_BASE_TESTING_TESTED_READER_H_
#define QCONFORM_ORACLE_BASE_TESTING_TESTED_READER_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// What a reader makes of some bytes. kPart is a document that says itself that it is not
// complete, such as the journal of a run that was killed.
enum class ReadAs : uint8_t { kError, kPart, kWhole };

struct TestedReader {
  std::string name;
  // Reads any bytes, and calls Require for all that must hold of the result.
  std::function<ReadAs(std::string_view bytes)> read;
  // Returns documents that are read as kWhole.
  std::function<std::vector<std::string>()> documents;
  // Whether what a document begins with may be a document, too, as with a pattern. Of
  // others only white space at the end may be missing.
  bool beginnings_are_whole = false;
  // How often the test cuts a document, which it does at each byte if it is shorter:
  // fewer if reading takes long.
  size_t cuts = 2000;
};

// The readers of one folder. Each program that links testing/readers_fuzz.cc or
// testing/readers_test.cc defines it once, in its file testing/tested_readers.cc.
std::vector<TestedReader> TestedReaders();

// Ends the process if something does not hold, which is a finding.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Returns what a result is read as. Requires that an Error has a reason in one line of
// text that is not endless.
template <typename T>
ReadAs Outcome(const Result<T>& result) {
  if (result.ok()) return ReadAs::kWhole;
  Require(!result.error().message.empty(), "an error has a message");
  Require(result.error().message.size() < 100'000, "an error's message is short");
  return ReadAs::kError;
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_TESTING_TESTED_READER_H_
