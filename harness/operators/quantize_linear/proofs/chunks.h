// The inputs of each kind of proof of QuantizeLinear, in chunks:
//
//   line        all codes of x                          chunks of 2^24 codes
//   plane       all codes of x by all codes of a scale
//               of 16 bits                              chunks of 2^8 scales
//   all scales  both sides of every boundary, for every
//               positive finite FLOAT scale             chunks of 2^16 scales (*)
//
// (*) 2^9 if y has 16 bits, and so 256 times more boundaries.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_CHUNKS_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_CHUNKS_H_

#include "cases/exhaustive/chunks.h"
#include "oracle/tensor/data_type.h"

namespace qconform::quantize_linear {

// All codes of a type of x. Precondition: it has 16 or 32 bits.
ChunkedRange LineChunks(DataType x);

// All codes of a scale of 16 bits.
ChunkedRange PlaneChunks();

// The positive finite FLOAT scales: codes 1 to 0x7F7FFFFF.
ChunkedRange AllScalesChunks(DataType y);
// Those of one binade, [2^exponent, 2^(exponent+1)). Precondition: exponent is in
// [-126, 127].
ChunkedRange BinadeChunks(DataType y, int exponent);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_CHUNKS_H_
