// `qconform bench --operators QuantizeLinear`.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_BENCH_QUANTIZE_LINEAR_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_BENCH_QUANTIZE_LINEAR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/bench/peer.h"

namespace qconform {

struct QuantizeLinearBenchFlags {
  std::vector<int64_t> elements = {1 << 16, 1 << 20, 1 << 26};
  std::vector<int> threads = {1};
  bool all = false;               // every legal choice of types
  bool zero_points = false;       // rows have y_zero_point
  std::vector<std::string> rows;  // globs of names; empty: all of them
  double seconds = 1;             // of a row, about
  std::string report;             // JSON; empty: none
};

// Prints a table; returns the exit code: 1 where --all finds a bound broken. Of some rows
// alone nobody knows the fastest of a group: they are held to the bound at 64 Mi.
int BenchQuantizeLinearCommand(const QuantizeLinearBenchFlags& flags, Peer* peer,
                               const simd::Target& target);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_BENCH_QUANTIZE_LINEAR_H_
