// How fast QuantizeLinear of the built-in kernels is, compared with a peer, with a loop
// that moves the same bytes, and with one of the instructions that it cannot do without:
// all in turns, in one process.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_MEASURE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/bench/peer.h"
#include "harness/core/bench/scaled_operands.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"
#include "reports/record/bench_record.h"

namespace qconform::quantize_linear {

struct QuantizeBenchRow {
  DataType x = DataType::kFloat;
  DataType scale = DataType::kFloat;
  DataType y = DataType::kUint8;
  BenchLayout layout = BenchLayout::kPerTensor;
  int64_t block = 0;
  int64_t saturate = 1;
  bool zero_point = false;  // one for each scale, none of which is 0

  // "FLOAT-FLOAT-UINT8 per_tensor"; "... zero_point" with these
  std::string Name() const;
};

// The rows that the project states its speed of.
std::vector<QuantizeBenchRow> StandardQuantizeRows();
// Every legal choice of types, by per_tensor, per_axis last and 0, blocks of 32 in
// the last dimension and along axis 0.
std::vector<QuantizeBenchRow> AllQuantizeRows();

struct QuantizeBenchOptions {
  int64_t elements = 1 << 16;  // a multiple of kBenchColumns
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a row, about
};

// Medians. Of one thread the time is that of the thread, so that other work of the
// machine counts little; of more it is the wall's. Shares and ratios are medians, too,
// taken turn by turn.
//
// limit: the loop that moves the same bytes. instruction_limit: that of
// harness/backends/simd/core/instruction_limit.h on the same target; one core's, divided
// by the threads, as if each had a core. Its clock is the thread's.
//
// Of several threads, the speed-ups are one thread's time divided by theirs, on the wall.
// Threads that share a core, or its caches, gain less; so do arithmetic in registers and
// the loop that moves the bytes. most_speedup is at most: one thread's time /
// LeastTogether of threads that do their parts of x apart; 0 if that was not measured:
// too few CPUs, or rows that cannot be cut so.
struct QuantizeBenchResult : BenchRowRecord {
  QuantizeBenchRow row;
};

// `peer` may be null.
Result<QuantizeBenchResult> BenchQuantizeLinear(const QuantizeBenchRow& row, Peer* peer,
                                                const QuantizeBenchOptions& options);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_MEASURE_H_
