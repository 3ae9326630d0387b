// Measurements of `qconform bench` as JSON.
#ifndef QCONFORM_REPORTS_RECORD_BENCH_RECORD_H_
#define QCONFORM_REPORTS_RECORD_BENCH_RECORD_H_

#include <cstdint>
#include <string>
#include <vector>

namespace qconform {

struct BenchRowRecord {
  std::string name;
  int64_t elements = 0;
  int threads = 1;
  double ns_per_element = 0;
  double gigabytes_per_second = 0;
  double limit_ns_per_element = 0;
  double of_limit = 0;
  double instruction_limit_ns_per_element = 0;
  double of_instruction_limit = 0;
  double peer_ns_per_element = 0;  // 0, like the ratio, if there is none
  double ratio = 0;
  int64_t differing_bytes = 0;
  double speedup = 0;  // by several threads; 0 with one, and so are the next three
  double limit_speedup = 0;
  double register_speedup = 0;
  double most_speedup = 0;  // also 0 if it was not measured
  std::string note;
};

struct BenchRecord {
  std::string op_type;
  std::string target;
  std::string peer;  // name and version; may be empty
  std::vector<BenchRowRecord> rows;
  std::vector<std::string> broken_bounds;
};

std::string BenchText(const BenchRecord& record);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_BENCH_RECORD_H_
