// One answer of a backend against the oracle's, bit by bit.
//
// Equality is of bits, the sign of zero included. The only relaxations are the
// named ones that the oracle attaches to an element (Freedom); there is no
// tolerance anywhere.
#ifndef QCONFORM_HARNESS_COMPARE_COMPARE_H_
#define QCONFORM_HARNESS_COMPARE_COMPARE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/core/allows.h"
#include "oracle/core/answer.h"

namespace qconform {

// Returns whether a clause lets an element have either of two codes at different times.
bool MayVary(DataType type, const ElementAnswer& element, uint64_t one, uint64_t other);

// Returns the first index where two answers have other bits although no clause leaves
// that free, or -1. Precondition: both have the type, shape and size of `expected`.
int64_t FirstUnsteady(const Answer& expected, const Tensor& first, const Tensor& second);

// Returns the first answer of a backend that gave others to the same inputs, where these
// differ in nothing that is judged; else `result`.
RunResult Settled(const Answer& expected, RunResult result);

// Returns whether `actual` lies within the derived bounds of element `index`, or where
// `reduced`, within those of `reduced_precision_accumulation` (MM-10).
// Precondition: the answer was evaluated with bounds.
bool IsWithinBounds(const Answer& answer, size_t index, uint64_t actual,
                    bool reduced = false);

// Returns ONNX's name of the type of an answer, or "number 7 of TensorProto.DataType"
// where it is none of the operators' types: a backend may say any number.
std::string AnswerTypeName(DataType type);

struct Mismatch {
  int64_t index = 0;  // in row-major order
  ElementAnswer expected;
  uint64_t actual = 0;
};

struct TierCount {
  int64_t elements = 0;
  int64_t mismatches = 0;
};

struct Comparison {
  // Not empty where the outputs have another count, type, shape or size than
  // asked for: nothing below is filled then.
  std::string invalid_output;
  std::array<TierCount, kTierCount> tiers{};
  int64_t free_elements = 0;    // any code would have been right
  std::vector<Mismatch> first;  // at most `most`

  int64_t mismatches() const;
};

// Compares the outputs of one case with its answer; keeps the first `most`
// mismatches of each tier.
Comparison Compare(const Answer& expected, const Outputs& actual, int most);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_COMPARE_H_
