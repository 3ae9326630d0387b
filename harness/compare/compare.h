// Compares one answer of a backend with the oracle's, bit by bit and over all outputs.
//
// Equality is of bits, the sign of zero included. The only relaxations are the
// named ones that the oracle attaches to an element (Freedom); there is no
// tolerance anywhere.
#ifndef QCONFORM_HARNESS_COMPARE_COMPARE_H_
#define QCONFORM_HARNESS_COMPARE_COMPARE_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/core/allows.h"
#include "harness/core/case_answer.h"
#include "oracle/core/answer.h"

namespace qconform {

// Returns whether a clause lets an element have either of two codes at different times.
bool MayVary(DataType type, const ElementAnswer& element, uint64_t one, uint64_t other);

// Returns the first element that has other codes in two answers although no clause leaves
// that free, or -1. Precondition: both have as many codes as `expected` has elements.
int64_t FirstUnsteady(const CaseAnswer& expected, std::span<const uint32_t> first,
                      std::span<const uint32_t> second);

// If a backend answered the same inputs several times and the answers differ in nothing
// that is judged, returns the first of them; else `result`.
RunResult Settled(const CaseAnswer& expected, RunResult result);

// Returns ONNX's name of the type of an answer, or "number 7 of TensorProto.DataType"
// where it is none of the operators' types: a backend may say any number.
std::string AnswerTypeName(DataType type);

struct Mismatch {
  int64_t index = 0;  // into CaseAnswer::elements, which say what place it is
  ElementAnswer expected;
  uint64_t actual = 0;
};

struct TierCount {
  int64_t elements = 0;
  int64_t mismatches = 0;
};

struct Comparison {
  // Set where the outputs have another count, type, shape or size than asked for: then
  // nothing below is filled.
  std::string invalid_output;
  std::array<TierCount, kTierCount> tiers{};
  int64_t free_elements = 0;    // any code would have been right
  std::vector<Mismatch> first;  // at most `most`

  int64_t mismatches() const;
};

// Returns what is wrong with the form of the outputs: their count, or the type, shape or
// size of one of them; empty where nothing is.
std::string WrongForm(const CaseAnswer& expected, const Outputs& actual);

// Compares the outputs of one case with its answer; keeps the first `most`
// mismatches of each tier.
Comparison Compare(const CaseAnswer& expected, const Outputs& actual, int most);

// The same for the codes of outputs of the right form.
Comparison Compare(const CaseAnswer& expected, std::span<const uint32_t> actual,
                   int most);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_COMPARE_H_
