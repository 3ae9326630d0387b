// Judges cells of a package anew, by the code of a run: whoever verifies a package asks
// the backend all that a run asks of a cell, not only single cases.
#ifndef QCONFORM_HARNESS_CERTIFICATE_JUDGED_ANEW_H_
#define QCONFORM_HARNESS_CERTIFICATE_JUDGED_ANEW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/certificate/row_check.h"
#include "harness/certificate/settings.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// Returns the positions of a share (0 to 1) of the cells that `seed` chooses: at least
// one if there are cells and the share is not 0.
std::vector<size_t> ChosenCells(const std::vector<SelectedCell>& cells, double share,
                                uint64_t seed);

struct JudgedAnew {
  Findings findings;
  std::vector<std::string> notes;
  std::optional<Error> error;  // of the harness
};

// Judges each of `cells` at each setting of the backend, with `seed` for the random
// cases, and compares the verdicts with those of `rows`, which are in the same order. A
// cell that passes in its row and does not pass now is a finding, and so is one that
// deviates now and not in its row, such as one that was only partly supported. The other
// way round is a note: other cases may show less.
JudgedAnew JudgeAnew(const AskedBackend& backend, const std::vector<CellRecord>& rows,
                     const std::vector<SelectedCell>& cells, Level level, uint64_t seed,
                     int jobs);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_JUDGED_ANEW_H_
