// What the fuzzers of oracle and judge share: a cell and a seed choose a question, and
// the bytes that follow stand for codes of its operands.
#ifndef QCONFORM_ORACLE_EXACT_TESTING_FUZZ_BYTES_H_
#define QCONFORM_ORACLE_EXACT_TESTING_FUZZ_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "oracle/exact/answer.h"
#include "oracle/exact/format.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

// Takes numbers from the front; zeros where nothing is left.
class FuzzBytes {
 public:
  FuzzBytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  uint64_t Take(int bits) {
    uint64_t value = 0;
    for (int i = 0; i < bits; i += 8) {
      if (size_ == 0) break;
      value |= uint64_t{*data_++} << i;
      --size_;
    }
    return bits < 64 ? value & ((uint64_t{1} << bits) - 1) : value;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

inline void Overwrite(exact::Codes& codes, FuzzBytes& bytes) {
  const int bits = exact::GetFormat(codes.type).bits;
  for (uint64_t& code : codes.codes) {
    if (bytes.empty()) return;
    code = bytes.Take(bits);
  }
}

// Ends the fuzzer with a finding unless `difference` is empty.
inline void RequireNone(const std::string& difference, const std::string& question) {
  if (difference.empty()) return;
  std::fprintf(stderr, "%s\n  %s\n", difference.c_str(), question.c_str());
  std::abort();
}

// Ends the fuzzer with a finding where the oracle's answer is another one, or an Error.
inline void RequireAgreement(const exact::Answer& judge, const Result<Answer>& oracle,
                             const std::string& question) {
  RequireNone(oracle.ok() ? Difference(judge, *oracle)
                          : "the oracle refuses: " + oracle.error().message,
              question);
}

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_TESTING_FUZZ_BYTES_H_
