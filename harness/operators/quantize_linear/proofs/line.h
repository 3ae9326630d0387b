// Proofs of QuantizeLinear for one line of x, or for several. docs/proofs.md says what
// each proves, and why.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_LINE_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_LINE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/proof.h"
#include "harness/core/proofs/segments.h"
#include "harness/operators/quantize_linear/proofs/subject.h"
#include "oracle/base/result.h"
#include "oracle/operators/quantize_linear/thresholds.h"

namespace qconform::quantize_linear {

// All x of line.x against line.scale, by a source that was made for the line.
Result<Proof> ProveLine(const QuantizeLinearLine& line, const SubjectSource& source);

// All x by all codes of y_scale. Precondition: both have 16 bits; line.scale is not
// read.
Result<Proof> ProvePlane(const QuantizeLinearLine& line, const SubjectSource& source);

// Both sides of every boundary, for FLOAT x and FLOAT scales: all positive finite
// ones, or those of some binades (their exponents). Integer y: zero points at both ends
// of the range, so that the boundaries of both signs are seen; line.zero_point is not
// read. `source` is called with the line of each zero point.
using SourceOf = std::function<Result<SubjectSource>(const QuantizeLinearLine&)>;
Result<Proof> ProveAllScales(const QuantizeLinearLine& line,
                             const std::vector<int>& binades, const SourceOf& source);

// The smallest case that shows a mismatch of one of the three, as one element.
StoredCase MismatchCase(const QuantizeLinearLine& line, const SweepMismatch& mismatch);

// Runs only the subject, on as many elements as a line has, without comparing, and
// returns the seconds, on one thread. An Error soon after `stop` becomes true.
Result<double> TimeKernelAlone(const QuantizeLinearLine& line,
                               const SubjectSource& source,
                               const std::atomic<bool>& stop);

// Returns "INT8", "0x3f800000 (0x1p+0)" and so on, for Proof::question. A reading is
// named unless it is the canonical one.
std::vector<std::pair<std::string, std::string>> DescribeLine(
    const QuantizeLinearLine& line);

// Returns segments that cover every code of x once, ascending.
std::vector<Segment> SegmentsOf(const QuantizeLinearLine& line,
                                const Thresholds& thresholds);

// Asks the oracle for `count` x of the range, drawn by a generator of its own, and
// returns an Error if a segment says otherwise.
Status SampleSegments(const QuantizeLinearLine& line,
                      const std::vector<Segment>& segments, uint64_t first,
                      uint64_t range, int count, ChunkRecord& record);

// The question by every combination of readings except the canonical one.
std::vector<QuantizeLinearLine> OtherReadings(const QuantizeLinearLine& line);

// Whether what was answered at a mismatch is right by the readings of the question; a
// line's scale and zero point are the mismatch's.
bool Explains(const QuantizeLinearLine& line, const SweepMismatch& mismatch);

// The name of the question's readings, such as "QL-04:f32_quotient"; "" for the canonical
// ones.
std::string ReadingOf(const QuantizeLinearLine& line);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_LINE_H_
