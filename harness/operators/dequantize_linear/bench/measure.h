// How fast DequantizeLinear of the built-in kernels is, compared with a peer and with a
// loop that moves the same bytes: all in turns, in one process.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_BENCH_MEASURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/bench/peer.h"
#include "harness/core/bench/scaled_operands.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"
#include "reports/record/bench_record.h"

namespace qconform::dequantize_linear {

struct DequantizeBenchRow {
  DataType x = DataType::kUint8;
  DataType scale = DataType::kFloat;
  DataType y = DataType::kFloat;
  BenchLayout layout = BenchLayout::kPerTensor;
  int64_t block = 0;
  bool zero_point = false;  // one for each scale, none of which is 0

  // "UINT8-FLOAT-FLOAT per_tensor"; "... zero_point" with these
  std::string Name() const;
};

// The rows that the project states its speed of.
std::vector<DequantizeBenchRow> StandardDequantizeRows();

struct DequantizeBenchOptions {
  int64_t elements = 1 << 20;  // a multiple of kBenchColumns
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a row, about
};

// Medians. Of one thread the time is that of the thread, so that other work of the
// machine counts little; of more it is the wall's. Shares and ratios are medians, too,
// taken turn by turn. The limit is the loop that moves the same bytes. Nothing is
// measured of the instructions, or of speed-ups by threads. `peer` may be null.
Result<BenchRowRecord> BenchDequantizeLinear(const DequantizeBenchRow& row, Peer* peer,
                                             const DequantizeBenchOptions& options);

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_BENCH_MEASURE_H_
