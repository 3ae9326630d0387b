// What `qconform bench` measures of an operator.
#ifndef QCONFORM_HARNESS_CORE_BENCH_BENCH_TABLE_H_
#define QCONFORM_HARNESS_CORE_BENCH_BENCH_TABLE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/flag_info.h"
#include "harness/core/peer.h"
#include "oracle/base/result.h"

namespace qconform {

struct BenchRun {
  Peer* peer = nullptr;  // measured in turns with the kernels; may be null
  int64_t target = 0;    // the bit of a target of simd
  std::string target_name;
  std::vector<int> threads;  // one measurement of each row for each of them
  double seconds = 1;        // of a row, about
};

using PrintText = std::function<void(const std::string&)>;

class BenchTable {
 public:
  virtual ~BenchTable() = default;

  virtual std::string_view op_type() const = 0;
  // Flags that only this operator's table has.
  virtual std::vector<FlagInfo> flags() const { return {}; }
  // Whether the flags can be followed; asked before anything is measured. `values` has
  // all of flags().
  virtual Status Check(const FlagValues&) const { return Ok(); }
  // Measures and prints row by row. Returns a sentence for each bound that a row breaks.
  virtual Result<std::vector<std::string>> Measure(const BenchRun& run,
                                                   const FlagValues& values,
                                                   const PrintText& print) const = 0;
};

// The tables of the operators that have one (target harness_bench_registry).
std::span<const BenchTable* const> AllBenchTables();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_BENCH_TABLE_H_
