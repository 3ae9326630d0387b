// Inputs of exhaustive proofs, in numbered chunks: a chunk is what a sweep does at
// once, and what it does not repeat when it is resumed.
#ifndef QCONFORM_CASES_EXHAUSTIVE_CHUNKS_H_
#define QCONFORM_CASES_EXHAUSTIVE_CHUNKS_H_

#include <cstdint>

namespace qconform {

// Codes from `first` on.
struct CodeRange {
  uint64_t first = 0;
  uint64_t count = 0;

  friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

// `range` cut into chunks of `chunk` codes; the last may be shorter.
struct ChunkedRange {
  CodeRange range;
  uint64_t chunk = 1;

  int64_t chunks() const {
    return static_cast<int64_t>((range.count + chunk - 1) / chunk);
  }
  // Precondition: 0 <= index < chunks().
  CodeRange At(int64_t index) const;
};

}  // namespace qconform

#endif  // QCONFORM_CASES_EXHAUSTIVE_CHUNKS_H_
