#include "reports/record/finding.h"

#include <algorithm>
#include <tuple>

#include "oracle/base/text.h"

namespace qconform {
namespace {

std::string InputClasses(const CellRecord& row) {
  std::set<std::string> classes;
  for (size_t i = 0; i + 1 < row.types.size(); ++i) {
    classes.insert(TypeClass(row.types[i]));
  }
  return Joined(classes, "+");
}

// Whether outputs came back and were compared: an example of an element, not of a case
// that gave no usable output.
bool IsOfOutput(const Counterexample& example) { return example.index.has_value(); }

// How much a reader has to take in. Elements of contested tiers come after regular ones.
std::tuple<bool, size_t> WeightOf(const Counterexample& example) {
  size_t letters = example.expected.value.size() + example.actual.value.size();
  for (const OperandRecord& operand : example.operands) {
    letters += operand.name.size() + operand.value.value.size();
  }
  return {example.tier != "regular", letters};
}

// Null if the row shows none: an error is not an example of wrong bits.
const Counterexample* ExampleOf(const CellRecord& row, const FindingId& id) {
  for (const Counterexample& example : row.counterexamples) {
    if (IsOfOutput(example) == id.of_output) return &example;
  }
  return nullptr;
}

}  // namespace

std::string SortedNames(const std::string& diagnosis) {
  std::set<std::string> models;
  for (const std::string& model : Split(diagnosis, kOtherModel)) {
    const std::vector<std::string> names = Split(model, "+");
    models.insert(Joined(std::set<std::string>(names.begin(), names.end()), "+"));
  }
  return Joined(models, kOtherModel);
}

std::string FindingId::Text() const {
  return op_type + "/" + group + "/" + clause + "/" + diagnosis + "/" + inputs + "-" +
         output;
}

bool FindingId::IsOtherNameOf(const FindingId& other) const {
  FindingId same = other;
  same.diagnosis = diagnosis;
  same.clause = clause;
  const bool named = diagnosis == kUndiagnosed || other.diagnosis == kUndiagnosed ||
                     diagnosis == other.diagnosis;
  return *this != other && named && same == *this;
}

std::string TypeClass(DataType type) {
  const int bits = BitWidth(type);
  if (IsInteger(type)) return bits < 8 ? "packed_integer" : "integer";
  if (bits == 0) return "other";
  return bits < 8 ? "packed_float" : "float" + std::to_string(bits);
}

std::string_view ClauseOfFinding(const CellRecord& row) {
  for (const Counterexample& example : row.counterexamples) {
    if (!example.clause.empty()) return example.clause;
  }
  return "";
}

std::vector<FindingId> FindingsIn(const CellRecord& row) {
  if (!IsDeviation(row.verdict)) return {};
  FindingId id{row.op_type,
               row.finding_group.empty()
                   ? OperatorRecordOf({}, row.op_type)
                         .GroupOf(row.since_version, ClauseOfFinding(row))
                   : row.finding_group,
               kNoClause,
               std::string(VerdictName(row.verdict)),
               InputClasses(row),
               TypeClass(row.output_type())};
  std::vector<FindingId> findings;
  const bool no_output = row.verdict != Verdict::kNonconformant;
  if (no_output) findings.push_back(id);
  if (no_output && row.mismatches() == 0) return findings;
  id.of_output = true;
  id.diagnosis = row.diagnosis.empty() ? kUndiagnosed : SortedNames(row.diagnosis);
  if (const std::string_view clause = ClauseOfFinding(row); !clause.empty()) {
    id.clause = clause;
  }
  findings.push_back(std::move(id));
  return findings;
}

std::vector<FindingRecord> FindFindings(std::span<const CellRecord> rows) {
  std::map<FindingId, FindingRecord> found;
  for (const CellRecord& row : rows) {
    for (const FindingId& id : FindingsIn(row)) {
      FindingRecord& finding = found[id];
      finding.id = id;
      finding.cells.push_back(row.cell);
      finding.since_versions.insert(row.since_version);
      if (const Counterexample* example = ExampleOf(row, id)) {
        if (!finding.example || WeightOf(*example) < WeightOf(*finding.example)) {
          finding.example = *example;
        }
      }
      if (!id.of_output) continue;
      finding.elements += row.mismatches();
      if (!row.deviation) continue;
      for (const std::string& pattern : row.deviation->pattern) {
        ++finding.patterns[pattern];
      }
    }
  }
  std::vector<FindingRecord> findings;
  for (auto& [id, finding] : found) findings.push_back(std::move(finding));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const FindingRecord& a, const FindingRecord& b) {
                     return a.cells.size() > b.cells.size();
                   });
  return findings;
}

}  // namespace qconform
