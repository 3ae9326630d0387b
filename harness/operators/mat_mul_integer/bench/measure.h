// How fast MatMulInteger of the built-in kernels is, compared with a peer and with the
// CPU's peak: all three in turns in one process, b constant and laid out before.
#ifndef QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_BENCH_MEASURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/bench/peer.h"
#include "harness/core/bench/turns.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform::mat_mul_integer {

struct MatMulIntegerBenchRow {
  DataType a = DataType::kUint8;
  DataType b = DataType::kInt8;
  int64_t m = 0, n = 0, k = 0;
  bool vectors = false;  // a zero point for each row of a and column of b

  // "512,512,512", "512,512,512 vectors".
  std::string Size() const;
  double Operations() const;  // 2 M N K
};

// The sizes of QLinearMatMul's bench: UINT8 by INT8, UINT8 by UINT8 and INT8 by INT8, and
// then one with zero points of rows and columns.
std::vector<MatMulIntegerBenchRow> StandardMatMulIntegerRows();

struct MatMulIntegerBenchOptions {
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a row, about
};

// Times of one thread are that thread's, so that what else runs on the machine counts
// little; of more threads they are the wall's.
struct MatMulIntegerBenchResult {
  TurnsResult turns;
  double peak = 0;        // operations of one core in a second; 0 if it is not known
  int64_t differing = 0;  // bytes of y in which the peer's answer is another
};

// `peer` may be null.
Result<MatMulIntegerBenchResult> BenchMatMulInteger(
    const MatMulIntegerBenchRow& row, Peer* peer,
    const MatMulIntegerBenchOptions& options);

}  // namespace qconform::mat_mul_integer

#endif  // QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_BENCH_MEASURE_H_
