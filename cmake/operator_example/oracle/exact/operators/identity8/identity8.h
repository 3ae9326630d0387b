// The judge of Identity8: clauses ID-01 and ID-02.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_IDENTITY8_IDENTITY8_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_IDENTITY8_IDENTITY8_H_

#include "oracle/exact/answer.h"

namespace qconform::exact {

// `symmetric` chooses that reading of ID-02.
Answer Identity8(const Codes& x, bool symmetric);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_IDENTITY8_IDENTITY8_H_
