// Inputs of exhaustive proofs, in numbered chunks: a chunk is what a sweep does at
// once, and what it does not repeat when it is resumed.
//
//   line        all codes of x                          chunks of 2^24 codes
//   plane       all codes of x by all codes of a scale
//               of 16 bits                              chunks of 2^8 scales
//   all scales  both sides of every boundary, for every
//               positive finite FLOAT scale             chunks of 2^16 scales (*)
//   accumulators  all 2^32 sums                         chunks of 2^24 sums
//
// (*) 2^9 where y has 16 bits, and 256 times as many boundaries.
#ifndef QCONFORM_CASES_EXHAUSTIVE_CHUNKS_H_
#define QCONFORM_CASES_EXHAUSTIVE_CHUNKS_H_

#include <cstdint>

#include "oracle/tensor/data_type.h"

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

// All codes of a type of x. Precondition: it has 16 or 32 bits.
ChunkedRange LineChunks(DataType x);

// All codes of a scale of 16 bits.
ChunkedRange PlaneChunks();

// The positive finite FLOAT scales: codes 1 to 0x7F7FFFFF.
ChunkedRange AllScalesChunks(DataType y);
// Those of one binade, [2^exponent, 2^(exponent+1)). Precondition: exponent is in
// [-126, 127].
ChunkedRange BinadeChunks(DataType y, int exponent);

ChunkedRange AccumulatorChunks();

}  // namespace qconform

#endif  // QCONFORM_CASES_EXHAUSTIVE_CHUNKS_H_
