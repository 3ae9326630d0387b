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

// Returns the value in decimal, to nine digits: "131", "0.331054688"; the bits if there
// is no value.
std::string DecimalValue(const ValueRecord& value);

// Returns the verdict with what explains it in one line, such as "nonconformant,
// diagnosis ties_away, 17 of 1 234 elements wrong".
std::string VerdictSentence(const CellRecord& cell);

// What distinguishes the variants of a cell that are right from the others.
struct VariantSign {
  // "saturate=0", which all others have and no right one; or "precision", which all
  // others have and not all right ones. Empty: nothing distinguishes them.
  std::string text;
  bool is_setting = false;  // one with a value

  // Whether a variant, such as "saturate=0,zp=absent", has it.
  bool IsOf(const std::string& variant) const;
};
VariantSign SignOfVariants(const CellRecord& cell);

// Returns which variants of a cell are right and which are wrong or declined, such as
// "wrong only with saturate=0" or "right without precision, wrong with precision=DOUBLE,
// precision=FLOAT"; empty if all have one verdict, if no one attribute tells them
// apart (a fault that shows in some cases only is not the attribute's), or if that may be
// by chance.
std::string VariantsText(const CellRecord& cell);

// Returns what became of a cell at each setting of the options that were varied, the
// worst first, and without which optimizers it passes: "deviates at all; conformant at
// disable, basic, extended; conformant without SomeFusion". Empty if no option was
// varied.
std::string VariedText(const CellRecord& cell);

// Returns that text for all cells of a report that deviate at some setting, each once
// with the number of its cells; the text of most cells first. Empty if there are none.
std::vector<std::string> VariedTexts(const std::vector<CellRecord>& cells);

// Returns the older opset_versions at which cells were judged, such as "opset 21 in 3
// cells, opset 22 in 110 cells; newer ones are declined"; empty if there are none.
std::string JudgedAtText(const std::vector<CellRecord>& cells);

// Returns the number of cells with a tier that only a derived bound explains, with the
// first: "2 cells, such as CELL (regular: explained by a bound only; each element also
// follows A or B)"; empty if none.
std::string BoundOnlyText(const std::vector<CellRecord>& cells);

// Returns "1234 elements of 16 cells have another code than the oracle's"; "" if no cell
// needs a wider bound.
std::string WiderBoundText(const std::vector<CellRecord>& cells);

// Returns a description of the cell's behaviour, one sentence per element: "explained_by:
// ties_away", "Ties are rounded away from zero.", ..., or "no named model explains
// this", ...; empty if it was not diagnosed.
// Returns the line that reruns the first case that crashed under gdb; empty if the
// backend is always another program.
std::string GdbLine(const CellRecord& cell);

// Returns how many cells were not explained, and why: "3 cells: the budget of 5 s was
// used; -v shows how to explain one"; empty if there are none.
std::string NotExplainedText(const std::vector<CellRecord>& cells);

// Returns the line that explains a cell that was not explained, "qconform explain ...";
// empty if no example has a line that reruns it.
std::string ExplainLine(const CellRecord& cell);

std::vector<std::string> DiagnosisSentences(const CellRecord& cell);

// The same in one line.
std::string DiagnosisText(const CellRecord& cell);

// Returns the computation of an example in columns: a head, and one line for each step.
// The head of the second column is the reading that the example follows, or `model`;
// empty if there are no steps.
std::vector<std::string> WorkedLines(const Counterexample& example,
                                     const std::string& model);

// The head of the second column for examples of a cell that follow no reading: the name
// of the wrong model, or "backend".
std::string WorkedModelName(const CellRecord& cell);

// Returns "y[0,3]: expected 0x82 (130), actual 0x83 (131), clause CLAUSE"; the
// message if the counterexample is not an element.
std::string CounterexampleSentence(const Counterexample& example);

// Returns "x=0x40200000 (0x1.4p+1), y_scale=..."; empty if there are none.
std::string OperandsSentence(const Counterexample& example);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_EVIDENCE_H_
