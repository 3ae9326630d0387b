// The kill matrix as records, and its document: the planted faults that the cases
// find, and those that ONNX's node tests find.
#ifndef QCONFORM_REPORTS_RECORD_FAULT_RECORD_H_
#define QCONFORM_REPORTS_RECORD_FAULT_RECORD_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/record.h"

namespace qconform {

// A claim about cells: the number of cells, and how many of them confirm it.
struct ClaimRecord {
  int64_t declared = 0;
  int64_t confirmed = 0;  // equivalent: cells in which no attack refuted the claim

  friend bool operator==(const ClaimRecord&, const ClaimRecord&) = default;
};

// A cell that contradicts the declaration: a survivor if that is `deviates`.
struct ContradictionRecord {
  std::string cell;
  std::string declared;  // "deviates", "admissible:CLAUSE:READING", "equivalent"
  std::string observed;

  friend bool operator==(const ContradictionRecord&,
                         const ContradictionRecord&) = default;
};

struct FaultRecord {
  std::string name;
  std::string kind;  // "backend", "comparison"
  std::string sentence;
  std::string seen_in;
  std::string witness;  // comparison: the backend's fault that it misses
  ClaimRecord deviates;
  ClaimRecord admissible;
  ClaimRecord equivalent;
  int64_t contradiction_count = 0;
  std::vector<ContradictionRecord> contradictions;
  std::map<std::string, int64_t> first_generators;  // generator -> cells it caught it in
  std::string first_case;  // that caught it, in the first cell of the lattice
  std::string first_generator;
  int64_t first_elements = 0;             // of that cell, until it was caught
  int64_t most_elements = 0;              // in any cell
  std::optional<Counterexample> example;  // of the shrunk case
  std::string stored_case;                // the shrunk case, as `replay` takes it
  std::vector<std::string> node_tests_with_tolerance;  // of ONNX, that find it
  std::vector<std::string> node_tests_exactly;

  // Whether the selection has a cell in which it deviates and must be found.
  bool counts() const { return deviates.declared > 0; }
  bool found() const { return counts() && contradiction_count == 0; }
  // Whether it deviates nowhere, because the reading that it follows explains it.
  bool is_admissible() const {
    return !counts() && admissible.declared > 0 && contradiction_count == 0;
  }
};

struct FaultsDocument {
  std::string tool_version;
  std::string onnx_version;
  std::string suite_digest;
  std::vector<std::string> cell_patterns;
  std::vector<std::string> fault_patterns;
  std::string level;
  uint64_t seed = 1;
  int64_t cells = 0;
  std::vector<std::string> node_test_directories;
  int64_t node_tests = 0;  // data sets that took part
  std::vector<std::string> node_tests_left_out;
  std::vector<FaultRecord> faults;

  int64_t counted() const;
  int64_t found() const;
  int64_t admissible() const;  // not counted: they deviate nowhere
  int64_t contradictions() const;
  int64_t found_by_node_tests() const;  // under ONNX's tolerance
  int64_t found_by_node_tests_exactly() const;
};

// Returns the JSON document, one fault per line; equal documents give equal bytes.
std::string FaultsDocumentText(const FaultsDocument& document);

// Returns reports/schema/faults-1.schema.json.
std::string_view FaultsSchema();

// Returns "101 of 101 planted faults found; ONNX's node tests find 12 (compared exactly:
// 20)", and how many are not counted because they deviate nowhere.
std::string FaultsHeadline(const FaultsDocument& document);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_FAULT_RECORD_H_
