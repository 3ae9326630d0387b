// How fast QLinearMatMul of the built-in kernels is, compared with a peer and with the
// CPU's peak: all three in turns in one process, correct rounding included, b constant
// and laid out before.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_BENCH_MEASURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/bench/peer.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform::q_linear_mat_mul {

struct MatMulBenchRow {
  enum class Scales : uint8_t {
    kPerTensor,
    kVectors,  // of a for each row, of b for each column
    kTies,     // y_scale is three times a power of two: many results are repaired
  };
  DataType a = DataType::kUint8;
  DataType b = DataType::kInt8;
  int64_t m = 0, n = 0, k = 0;
  Scales scales = Scales::kPerTensor;
  DataType y = a;

  // "512,512,512", "512,512,512 vectors", "512,512,512 to FLOAT8E4M3FN".
  std::string Size() const;
};

// The sizes and types that the project states its speed of: UINT8 by INT8, UINT8 by
// UINT8 and INT8 by INT8, each in four sizes. Then one size with other scales, and with a
// float8 y.
std::vector<MatMulBenchRow> StandardMatMulRows();

struct MatMulBenchOptions {
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a row, about
};

// Medians. Of one thread the time is that of the thread, so that what else runs on
// the machine counts little; of more it is the wall's.
struct MatMulBenchResult {
  MatMulBenchRow row;
  double ours = 0;        // 2 M N K operations per second
  double peer = 0;        // 0 without a peer
  double peak = 0;        // of one core; 0 if the CPU has no dot-product instruction
  double ratio = 0;       // median of ours / peer, taken turn by turn
  double of_peak = 0;     // median of ours / (threads * peak)
  int64_t differing = 0;  // elements of y in which the peer's answer is another
  std::string note;       // why there is no ratio; may be empty
};

// `peer` may be null.
Result<MatMulBenchResult> BenchQLinearMatMul(const MatMulBenchRow& row, Peer* peer,
                                             const MatMulBenchOptions& options);

}  // namespace qconform::q_linear_mat_mul

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_BENCH_MEASURE_H_
