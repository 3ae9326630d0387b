// How fast QuantizeLinear of the built-in kernels is, compared with a peer, with a loop
// that moves the same bytes, and with one of the instructions that it cannot do without:
// all in turns, in one process.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_MEASURE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/peer.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform::quantize_linear {

// How the scales of a benchmark lie along x, of shape [rows, 4096].
enum class BenchLayout : uint8_t {
  kPerTensor,
  kLastAxis,      // a scale for each column
  kFirstAxis,     // a scale for each row
  kBlockedLast,   // a scale for each `block` elements of a row
  kBlockedFirst,  // a scale for each column of `block` rows
};

// Returns "per_tensor", "per_axis last", "per_axis 0", "blocked last", "blocked 0".
std::string_view BenchLayoutName(BenchLayout layout);

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

// The columns of every x.
inline constexpr int64_t kBenchColumns = 4096;

struct QuantizeBenchOptions {
  int64_t elements = 1 << 16;  // a multiple of kBenchColumns
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a row, about
};

// Medians. Of one thread the time is that of the thread, so that what else runs on
// the machine counts little; of more it is the wall's.
struct QuantizeBenchResult {
  QuantizeBenchRow row;
  int64_t elements = 0;
  int threads = 1;
  int64_t bytes = 0;    // of x and y
  double ours_ns = 0;   // of an element
  double limit_ns = 0;  // of the loop that moves the bytes
  double peer_ns = 0;   // 0 without a peer
  double of_limit = 0;  // median of limit / ours, taken turn by turn
  // Of harness/backends/simd/core/instruction_limit.h, on the target that was asked for:
  // one core's, divided by the threads, as if each had a core. Its clock is the thread's.
  double instruction_limit_ns = 0;
  double of_instruction_limit = 0;  // median of it / ours
  double ratio = 0;                 // median of peer / ours
  int64_t differing = 0;            // bytes of y in which the peer's answer is another
  // Of several threads: medians of one thread's time / theirs, taken turn by turn on the
  // wall. Threads that share a core, or its caches, gain less; so do arithmetic in
  // registers and the loop that moves the bytes.
  double speedup = 0;
  double limit_speedup = 0;
  double register_speedup = 0;
  // At most: one thread's time / LeastTogether of threads that do their parts of x apart.
  // 0 if that was not measured: too few CPUs, or rows that cannot be cut so.
  double most_speedup = 0;
  std::string note;  // why there is no ratio; may be empty

  double gigabytes_per_second() const {
    return static_cast<double>(bytes) / (ours_ns * static_cast<double>(elements));
  }
};

// `peer` may be null.
Result<QuantizeBenchResult> BenchQuantizeLinear(const QuantizeBenchRow& row, Peer* peer,
                                                const QuantizeBenchOptions& options);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_MEASURE_H_
