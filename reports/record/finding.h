// Findings: deviations by their cause, not by cell. The identity of a finding is a
// function of a row only, so that it is the same in every run, with every
// seed, and in the next version of the backend. Reports list findings, a diff says which
// of them appeared or disappeared, and known differences may name them.
#ifndef QCONFORM_REPORTS_RECORD_FINDING_H_
#define QCONFORM_REPORTS_RECORD_FINDING_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/record.h"

namespace qconform {

inline constexpr const char* kUndiagnosed = "undiagnosed";
inline constexpr const char* kNoClause = "-";

struct FindingId {
  std::string op_type;
  std::string group;   // of since_versions, such as "since_10" (OperatorRecord::GroupOf)
  std::string clause;  // id, of the simplest counterexample; kNoClause
  // The diagnosis, its models in the order of their names; kUndiagnosed; or the verdict
  // if there is no output that could be diagnosed ("failed").
  std::string diagnosis;
  std::string inputs;  // classes of the cell's input types: "float32", "float16+float32"
  std::string output;  // class of its output type: "integer"
  bool of_output = false;  // whether outputs were compared; else `diagnosis` is a verdict

  // "OP_TYPE/since_23/CLAUSE/float_division/float16-integer"
  std::string Text() const;
  // Whether both may be names of the same finding, by a diagnosis that was not known
  // before or a clause that another example shows.
  bool IsOtherNameOf(const FindingId& other) const;

  friend bool operator==(const FindingId&, const FindingId&) = default;
  friend auto operator<=>(const FindingId&, const FindingId&) = default;
};

// Returns "integer" (8 bits and more), "packed_integer", "float8" (8 bits),
// "packed_float" (fewer), "float16", "float32", "float64", or "other".
std::string TypeClass(DataType type);

// Returns a diagnosis with its names in alphabetical order: "a+b or c". Reports of before
// have the names of a pair in the order in which they were found.
std::string SortedNames(const std::string& diagnosis);

// Returns the clause that a row's finding is of: that of its first counterexample that
// has one; "" if there is none.
std::string_view ClauseOfFinding(const CellRecord& row);

// Returns the findings that a row belongs to: none if it does not deviate; two if some
// cases gave no usable output and others gave wrong bits.
std::vector<FindingId> FindingsIn(const CellRecord& row);

struct FindingRecord {
  FindingId id;
  std::vector<std::string> cells;  // ids, in the rows' order
  std::set<int> since_versions;    // of these cells
  int64_t elements = 0;            // of these cells, the mismatches; 0 without outputs
  // What the deviating elements have in common -> cells.
  std::map<std::string, int64_t> patterns;
  std::optional<Counterexample> example;  // the smallest of all of these cells

  friend bool operator==(const FindingRecord&, const FindingRecord&) = default;
};

// Returns the findings of all rows: those with most cells first, then by their text.
std::vector<FindingRecord> FindFindings(std::span<const CellRecord> rows);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_FINDING_H_
