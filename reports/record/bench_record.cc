#include "reports/record/bench_record.h"

#include "oracle/base/codec.h"

namespace qconform {

void Describe(Fields& fields, BenchRowRecord& row) {
  fields.Written("name", row.name, "elements", row.elements, "threads", row.threads,
                 "ns_per_element", row.ns_per_element, "gigabytes_per_second",
                 row.gigabytes_per_second, "limit_ns_per_element",
                 row.limit_ns_per_element, "of_limit", row.of_limit,
                 "instruction_limit_ns_per_element", row.instruction_limit_ns_per_element,
                 "of_instruction_limit", row.of_instruction_limit);
  if (row.ratio > 0) {
    fields.Written("peer_ns_per_element", row.peer_ns_per_element, "ratio", row.ratio,
                   "differing_bytes", row.differing_bytes);
  }
  if (row.speedup > 0) {
    fields.Written("speedup", row.speedup, "limit_speedup", row.limit_speedup,
                   "register_speedup", row.register_speedup);
    fields.Optional("most_speedup", row.most_speedup);
  }
  fields.Optional("note", row.note);
}

void Describe(Fields& fields, BenchRecord& record) {
  fields.Written("qconform_bench", 1, "op_type", record.op_type, "target", record.target,
                 "peer", record.peer, "rows", record.rows, "broken_bounds",
                 record.broken_bounds);
}

std::string BenchText(const BenchRecord& record) {
  return Dump(ToJson(record), 2) + "\n";
}

}  // namespace qconform
