// Compares a row with every answer of a backend, as a verifier compares it with samples.
#ifndef QCONFORM_HARNESS_CERTIFICATE_TESTING_EVERY_ANSWER_H_
#define QCONFORM_HARNESS_CERTIFICATE_TESTING_EVERY_ANSWER_H_

#include "harness/backends/backend.h"
#include "harness/certificate/row_check.h"
#include "oracle/base/result.h"

namespace qconform {

// Asks all cases of the cell, with seed 1.
Result<Findings> CheckEveryAnswer(Backend& backend, const CellRecord& row,
                                  const SelectedCell& cell, Level level);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_TESTING_EVERY_ANSWER_H_
