#include "reports/record/fault_record.h"

#include <algorithm>

#include "reports/record/record_json.h"

namespace qconform {
namespace {

template <typename Predicate>
int64_t Count(const std::vector<FaultRecord>& faults, Predicate predicate) {
  return std::count_if(faults.begin(), faults.end(), [&](const FaultRecord& fault) {
    return fault.counts() && predicate(fault);
  });
}

// The element that the shrunk case shows.
struct Element {
  Counterexample example;
};

void Describe(Fields& fields, Element& element) {
  fields.Written("operands", element.example.operands, "expected",
                 element.example.expected, "actual", element.example.actual);
}

}  // namespace

void Describe(Fields& fields, ClaimRecord& claim) {
  fields.Written("cells", claim.declared, "confirmed", claim.confirmed);
}

void Describe(Fields& fields, ContradictionRecord& contradiction) {
  fields.Written("cell", contradiction.cell, "declared", contradiction.declared,
                 "observed", contradiction.observed);
}

void Describe(Fields& fields, FaultRecord& fault) {
  fields.Written("name", fault.name, "kind", fault.kind, "sentence", fault.sentence);
  fields.Optional("seen_in", fault.seen_in, "witness", fault.witness);
  fields.Written("counts", fault.counts(), "found", fault.found(), "deviates",
                 fault.deviates, "admissible", fault.admissible, "equivalent",
                 fault.equivalent, "contradictions", fault.contradiction_count);
  fields.Optional("survives_in", fault.contradictions);
  fields.Written("first_generators", fault.first_generators);
  if (!fault.first_case.empty()) {
    const Json first = {{"case", fault.first_case},
                        {"generator", fault.first_generator},
                        {"elements", fault.first_elements}};
    fields.Written("first", first, "most_elements", fault.most_elements);
  }
  if (fault.example) fields.Written("example", Element{*fault.example});
  if (!fault.stored_case.empty()) {
    fields.Written("stored_case", ParseJsonOrNull(fault.stored_case));
  }
  const Json node_tests = {{"with_tolerance", fault.node_tests_with_tolerance},
                           {"exactly", fault.node_tests_exactly}};
  fields.Written("node_tests", node_tests);
}

void Describe(Fields& fields, FaultsDocument& document) {
  const Json tool = {{"name", "qconform"}, {"version", document.tool_version}};
  const Json node_tests = {{"directories", document.node_test_directories},
                           {"data_sets", document.node_tests},
                           {"left_out", document.node_tests_left_out},
                           {"rtol", 1e-3},
                           {"atol", 1e-7},
                           {"found_with_tolerance", document.found_by_node_tests()},
                           {"found_exactly", document.found_by_node_tests_exactly()}};
  fields.Written("faults_version", "1.1.0", "tool", tool, "onnx_version",
                 document.onnx_version, "suite_digest", document.suite_digest,
                 "cell_patterns", document.cell_patterns, "fault_patterns",
                 document.fault_patterns, "level", document.level, "seed", document.seed,
                 "cells", document.cells, "counted", document.counted(), "found",
                 document.found(), "admissible", document.admissible(), "node_tests",
                 node_tests, "faults", document.faults);
}

int64_t FaultsDocument::counted() const {
  return Count(faults, [](const FaultRecord&) { return true; });
}
int64_t FaultsDocument::found() const {
  return Count(faults, [](const FaultRecord& fault) { return fault.found(); });
}
int64_t FaultsDocument::admissible() const {
  return std::count_if(faults.begin(), faults.end(),
                       [](const FaultRecord& fault) { return fault.is_admissible(); });
}
int64_t FaultsDocument::contradictions() const {
  int64_t sum = 0;
  for (const FaultRecord& fault : faults) sum += fault.contradiction_count;
  return sum;
}
int64_t FaultsDocument::found_by_node_tests() const {
  return Count(faults, [](const FaultRecord& fault) {
    return !fault.node_tests_with_tolerance.empty();
  });
}
int64_t FaultsDocument::found_by_node_tests_exactly() const {
  return Count(
      faults, [](const FaultRecord& fault) { return !fault.node_tests_exactly.empty(); });
}

std::string FaultsDocumentText(const FaultsDocument& document) {
  return BlockText(ToJson(document)) + "\n";
}

std::string FaultsHeadline(const FaultsDocument& document) {
  std::string text = std::to_string(document.found()) + " of " +
                     std::to_string(document.counted()) + " planted faults found";
  if (!document.node_test_directories.empty()) {
    text +=
        "; ONNX's node tests find " + std::to_string(document.found_by_node_tests()) +
        " (compared exactly: " + std::to_string(document.found_by_node_tests_exactly()) +
        ")";
  }
  const int64_t admissible = document.admissible();
  if (admissible == 0) return text;
  return text + "; " + std::to_string(admissible) + " more " +
         (admissible == 1 ? "deviates" : "deviate") +
         " nowhere: admissible or equivalent throughout";
}

}  // namespace qconform
