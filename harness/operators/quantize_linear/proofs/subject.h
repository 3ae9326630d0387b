// Who answers in a sweep of QuantizeLinear: the inner function of the built-in
// kernels, or any backend, which gets the same inputs as tensors.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_SUBJECT_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_SUBJECT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/model_asker.h"
#include "oracle/base/result.h"
#include "oracle/operators/quantize_linear/thresholds.h"

namespace qconform::quantize_linear {

// Answers for one choice of types, attributes and zero point. Used by one thread.
class Subject {
 public:
  virtual ~Subject() = default;

  // Takes the code of a scale for the calls of Run that follow.
  virtual Status SetScale(uint64_t scale) = 0;
  // Quantizes n elements of x's type. Writes one code each, as a byte, or a word of
  // 16 bits if y has 16.
  virtual Status Run(const void* x, size_t n, void* codes) = 0;
  // The same, but codes of less than 8 bits may have other bits above them, so that only
  // the implementation's code is measured.
  virtual Status RunAlone(const void* x, size_t n, void* codes) {
    return Run(x, n, codes);
  }
  // Whether MatchRows can be called with rows of this many x.
  virtual bool CanMatchRows(size_t columns) const {
    (void)columns;
    return false;
  }
  // Rows of FLOATs, and what each of them is to give.
  struct Rows {
    std::span<const float> scales;      // one for each row
    std::span<const uint32_t> flipped;  // of each row: bits to flip in every x
    const float* x = nullptr;           // of the first row
    size_t stride = 0;                  // from row to row; 0: all have the same x
    size_t columns = 0;
    const void* codes = nullptr;  // of every row, as Run would write them
  };
  // Returns how many rows, from the first on, give the codes.
  virtual size_t MatchRows(const Rows& rows) {
    (void)rows;
    return 0;
  }
  // Row i of `columns` FLOATs by scales[i]. Takes the scale of Run with it.
  // Precondition: at most rows() of them.
  virtual Status RunRows(std::span<const uint64_t> scales, const float* x, size_t columns,
                         void* codes);
  // Where the n x of the next call of Run may be written, so that it need not copy
  // them; null if there is no such place.
  virtual void* PlaceFor(size_t n) {
    (void)n;
    return nullptr;
  }
  // Elements for one call of Run that keep overheads small and buffers in cache.
  virtual size_t batch() const = 0;
  // Rows for one call of RunRows.
  virtual size_t rows() const { return 1; }
};

struct SubjectSource {
  std::function<Result<std::unique_ptr<Subject>>()> make;
  std::string ran;     // which code answers, for the statement
  bool inner = false;  // the kernels' inner function
};

// The inner function that the built-in kernels of a target run for these types and
// this zero point (line.scale is not read), or an Error if no single one
// does it. `target` as simd's; empty: the best.
Result<SubjectSource> InnerSubjects(const QuantizeLinearLine& line,
                                    const std::string& target);

// The backend under test, by models whose operands are fed: per tensor, and per axis for
// rows.
SubjectSource ModelSubjects(const QuantizeLinearLine& line, MakeModelAsker make_asker);

// A model of QuantizeLinear and its inputs: one x per row and scale.
StoredCase LineCase(const QuantizeLinearLine& line, std::span<const uint64_t> scales,
                    size_t columns, std::span<const std::byte> x);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_SUBJECT_H_
