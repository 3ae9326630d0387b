// From integer sums to codes of y, by the fastest way that is right for the
// scales and zero points of a call. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_CODES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_CODES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/backends/simd/core/code_format.h"
#include "harness/backends/simd/matmul/exact.h"
#include "harness/backends/simd/matmul/job.h"
#include "harness/backends/simd/matmul/kernels.h"

namespace qconform::simd {

enum class CodePath : uint8_t {
  kSums,      // INT32 y: no codes at all
  kFused,     // integer y: fixed-point numbers, with repairs
  kEnclosed,  // float8 y: both ends of an interval, with repairs
  kFloat,     // MM-02's f32_multiplier in FLOAT lanes
  kExact,     // element by element: degenerate scales, odd zero points
};

// What all threads of a call share.
struct CodePlan {
  const MatMulJob* job = nullptr;
  const MatMulKernels* kernels = nullptr;
  CodePath path = CodePath::kExact;
  Multiplier multiplier = Multiplier::kColumn;  // but on kFloat and kExact
  CodeFormat format;                            // kEnclosed and kFloat
  int32_t smallest = 0;                         // integer y
  float zero_point = 0;                         // where it is finite
  // There on every path but kSums and kFused: it takes a while.
  std::optional<Ladder> ladder;

  CodePlan(const MatMulJob& job, int64_t target_bit);
};

// What RepairCodes needs to know of a product.
struct Repairs {
  const CodePlan* plan = nullptr;
  int64_t first_row = 0;        // of a's scales
  int64_t first_column = 0;     // of b's
  int64_t* repaired = nullptr;  // counts: of one thread
  bool is_one_row = false;      // all rows of a tile are parts of the first one

  // Of a's scales.
  int64_t LineOf(size_t row) const {
    return is_one_row ? first_row : first_row + static_cast<int64_t>(row);
  }
};

// Factors of n columns from `first` of b's scales, for the plan's path:
// Multiplier's for kFused and kEnclosed, MM-02's multiplier with a's one scale for
// kFloat. Not for kSums.
void FillColumnFactors(const CodePlan& plan, int64_t first, size_t n, float* factors);
// Multiplier::kRowAndColumn's factor of a row.
float RowFactor(const CodePlan& plan, int64_t row);

// Writes the codes of a row of n <= kMaxColumns sums, which are complete, by any
// path but kSums and kFused. `row` and `column` count from the matrices' first lines;
// `column_factors` are those of the n columns.
void WriteCodes(const CodePlan& plan, const Repairs& repairs, size_t row, size_t column,
                size_t n, const int32_t* sums, const float* column_factors, uint8_t* y);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_CODES_H_
