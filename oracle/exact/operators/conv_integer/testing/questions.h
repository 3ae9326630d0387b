// Random questions to ConvInteger. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_CONV_INTEGER_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_CONV_INTEGER_TESTING_QUESTIONS_H_

#include <string>
#include <vector>

#include "oracle/exact/operators/conv_integer/conv_integer.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/convolution_questions.h"

namespace qconform::agreement {

struct ConvIntegerCell {
  int x = 0;
  int w = 0;
  bool per_channel = false;
};

// Returns all cells, from the operator's page.
std::vector<ConvIntegerCell> ConvIntegerCells();

struct ConvIntegerQuestion {
  exact::ConvIntegerInput input;
  std::vector<Attribute> attributes;  // the node's
};

// Zero points are left out now and then.
ConvIntegerQuestion MakeQuestion(const ConvIntegerCell& cell, Random& random);

std::string ToString(const exact::ConvIntegerInput& input);

// Returns the question as the oracle is asked it.
OracleQuestion Ask(const ConvIntegerQuestion& question);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_CONV_INTEGER_TESTING_QUESTIONS_H_
