// Random questions to QLinearConv, aimed at where answers differ. For the agreement tests
// only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_CONV_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_CONV_TESTING_QUESTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/core/reading_set.h"
#include "oracle/exact/operators/q_linear_conv/q_linear_conv.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/convolution_questions.h"

namespace qconform::agreement {

struct QLinearConvCell {
  int x = 0;
  int w = 0;
  int y = 0;
  bool per_channel = false;
};

// Returns all cells, from the operator's page.
std::vector<QLinearConvCell> QLinearConvCells();

struct QLinearConvQuestion {
  exact::QLinearConvInput input;
  std::vector<Attribute> attributes;  // the node's
};

// Returns a question of this cell. Many scales are chosen for an element whose v then
// lies at a rounding boundary of y, or next to it.
QLinearConvQuestion MakeQuestion(const QLinearConvCell& cell, Random& random);

// Returns a question of this cell with scales whose products with operands, or whose
// product, lie around an end of FLOAT's range; now and then one is 0, below 0, an
// infinity or NaN.
QLinearConvQuestion MakeExtremeQuestion(const QLinearConvCell& cell, Random& random);

// Returns one element whose sum lies near an end of INT32, with a bias or without.
QLinearConvQuestion MakeLongSum(const QLinearConvCell& cell, Random& random);

std::string ToString(const exact::QLinearConvInput& input);

// Returns the question as the oracle is asked it.
OracleQuestion Ask(const QLinearConvQuestion& question);

// Returns the judge's names for the oracle's readings, which are of the kind kFunction
// apart from those of QC-04; nothing if the judge does not know one.
std::optional<exact::QLinearConvReadings> JudgeReadings(const ReadingSet& readings);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_CONV_TESTING_QUESTIONS_H_
