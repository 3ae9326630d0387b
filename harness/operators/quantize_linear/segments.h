// The thresholds of a line in the order of codes, and the comparison of a piece of
// the line with them.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_SEGMENTS_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_SEGMENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/operators/quantize_linear/thresholds.h"
#include "reports/record/sweep_record.h"

namespace qconform {

// Codes of x from `first` to `last`, both included, which have one answer.
struct Segment {
  uint64_t first = 0;
  uint64_t last = 0;
  uint32_t y = 0;
  Freedom freedom = Freedom::kNone;
  bool zero_sign_is_free = false;
};

// Returns segments that cover every code of x once, ascending.
std::vector<Segment> SegmentsOf(const QuantizeLinearLine& line,
                                const Thresholds& thresholds);

// Compares the codes of y of n elements, the x from `first` on; they are bytes or
// words as Subject's. Adds to inputs, free and mismatches, of which `where` has scale
// and zero point.
void CompareWithSegments(DataType y, const SweepMismatch& where,
                         const std::vector<Segment>& segments, uint64_t first, size_t n,
                         const void* codes, ChunkRecord& record);

// Returns the segment that holds the code.
const Segment& SegmentOf(const std::vector<Segment>& segments, uint64_t code);

// Asks the oracle for `count` x of the range, drawn by a generator of its own, and
// returns an Error where a segment says otherwise.
Status SampleSegments(const QuantizeLinearLine& line,
                      const std::vector<Segment>& segments, uint64_t first,
                      uint64_t range, int count, ChunkRecord& record);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_SEGMENTS_H_
