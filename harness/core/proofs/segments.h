// The answers to all inputs of a proof, in the order of their codes, and the comparison
// of a piece of them with what was answered.
#ifndef QCONFORM_HARNESS_CORE_PROOFS_SEGMENTS_H_
#define QCONFORM_HARNESS_CORE_PROOFS_SEGMENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/core/answer.h"
#include "reports/record/sweep_record.h"

namespace qconform {

// Codes of an input from `first` to `last`, both included, which have one answer.
struct Segment {
  uint64_t first = 0;
  uint64_t last = 0;
  uint32_t y = 0;
  Freedom freedom = Freedom::kNone;
  bool zero_sign_is_free = false;
};

// Compares the codes of y of n elements, the inputs from `first` on; each is a byte, or a
// word of 16 bits if y has 16. Adds to inputs, free and mismatches, of which `where`
// has scale and zero point. Precondition: the segments are ascending, without gaps.
void CompareWithSegments(DataType y, const SweepMismatch& where,
                         const std::vector<Segment>& segments, uint64_t first, size_t n,
                         const void* codes, ChunkRecord& record);

// Returns the segment that holds the code.
const Segment& SegmentOf(const std::vector<Segment>& segments, uint64_t code);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PROOFS_SEGMENTS_H_
