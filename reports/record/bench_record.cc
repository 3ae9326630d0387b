#include "reports/record/bench_record.h"

#include "reports/record/json.h"

namespace qconform {

std::string BenchText(const BenchRecord& record) {
  Json json = {{"qconform_bench", 1},     {"op_type", record.op_type},
               {"target", record.target}, {"peer", record.peer},
               {"rows", Json::array()},   {"broken_bounds", record.broken_bounds}};
  for (const BenchRowRecord& row : record.rows) {
    Json one = {
        {"name", row.name},
        {"elements", row.elements},
        {"threads", row.threads},
        {"ns_per_element", row.ns_per_element},
        {"gigabytes_per_second", row.gigabytes_per_second},
        {"limit_ns_per_element", row.limit_ns_per_element},
        {"of_limit", row.of_limit},
        {"instruction_limit_ns_per_element", row.instruction_limit_ns_per_element},
        {"of_instruction_limit", row.of_instruction_limit}};
    if (row.ratio > 0) {
      one["peer_ns_per_element"] = row.peer_ns_per_element;
      one["ratio"] = row.ratio;
      one["differing_bytes"] = row.differing_bytes;
    }
    if (row.speedup > 0) {
      one["speedup"] = row.speedup;
      one["limit_speedup"] = row.limit_speedup;
      one["register_speedup"] = row.register_speedup;
      if (row.most_speedup > 0) one["most_speedup"] = row.most_speedup;
    }
    if (!row.note.empty()) one["note"] = row.note;
    json["rows"].push_back(std::move(one));
  }
  return Dump(json, 2) + "\n";
}

}  // namespace qconform
