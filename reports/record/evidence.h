// The evidence of a cell as text: the same words in every output.
#ifndef QCONFORM_REPORTS_RECORD_EVIDENCE_H_
#define QCONFORM_REPORTS_RECORD_EVIDENCE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/record/record.h"

namespace qconform {

// Returns "1 234 567".
template <std::integral Number>
std::string GroupedDigits(Number number) {
  std::string digits = std::to_string(number);
  const size_t sign = number < 0 ? 1 : 0;
  for (size_t place = digits.size(); place > 3 + sign; place -= 3)
    digits.insert(place - 3, " ");
  return digits;
}

// Returns "1 cell", "2 cells".
std::string Plural(int64_t count, const std::string& noun);

// Returns the bits and the value in decimal: "0x83 (131)".
std::string ShownValue(const ValueRecord& value);

// Returns the verdict with what explains it in one line, such as "nonconformant,
// diagnosis ties_away, 17 of 1 234 elements wrong".
std::string VerdictSentence(const CellRecord& cell);

// Returns at which opset_versions cells were judged that do not take the newest, such as
// "opset 21 in 3 cells, opset 22 in 110 cells; newer ones are declined"; empty if none.
std::string JudgedAtText(const std::vector<CellRecord>& cells);

// Returns in how many cells a tier is explained by a derived bound only, with the first
// of them: "2 cells, such as CELL (regular: explained by a bound only; each element also
// follows A or B)"; empty if none.
std::string BoundOnlyText(const std::vector<CellRecord>& cells);

// Returns what the cell behaves like, in sentences, one element each: "explained_by:
// ties_away", "Ties are rounded away from zero.", ..., or "no named model explains
// this", ...; empty where it was not diagnosed.
std::vector<std::string> DiagnosisSentences(const CellRecord& cell);

// The same in one line.
std::string DiagnosisText(const CellRecord& cell);

// Returns the steps of an example that is worked through, in columns: a head, and one
// line for each step. The reading that the example follows heads the second column, else
// `model`; empty where there are no steps.
std::vector<std::string> WorkedLines(const Counterexample& example,
                                     const std::string& model);

// What stands above the second column of a cell's worked examples that follow no reading:
// the name of the wrong model, or "backend".
std::string WorkedModelName(const CellRecord& cell);

// Returns "y[0,3]: expected 0x82 (130), actual 0x83 (131), clause CLAUSE"; the
// message where the counterexample is no element.
std::string CounterexampleSentence(const Counterexample& example);

// Returns "x=0x40200000 (0x1.4p+1), y_scale=..."; empty where there are none.
std::string OperandsSentence(const Counterexample& example);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_EVIDENCE_H_
