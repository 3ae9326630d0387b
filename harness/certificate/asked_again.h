// Evaluates cases again for a verifier: all of them with the oracle, or some of them with
// the backend. Each Error is one of the harness and says nothing about the package.
#ifndef QCONFORM_HARNESS_CERTIFICATE_ASKED_AGAIN_H_
#define QCONFORM_HARNESS_CERTIFICATE_ASKED_AGAIN_H_

#include <cstdint>
#include <utility>

#include "harness/certificate/row_check.h"
#include "harness/certificate/settings.h"
#include "oracle/base/result.h"

namespace qconform {

// Whether every element of every case was compared, so that they can be counted.
bool CountsEveryElement(const CellRecord& row);

// Whether a row's not_told_apart follows from its cases: its answers are the oracle's.
bool TellsReadingsByItsCases(const CellRecord& row);

// Evaluates all cases of the cell and compares elements per tier, free elements, coverage
// and, if `readings_told` is set, not_told_apart with the row.
// Preconditions: CountsEveryElement(row); for not_told_apart,
// TellsReadingsByItsCases(row) and a report that names each reading that stands.
Result<Findings> RecountCell(const CellRecord& row, const SelectedCell& cell, Level level,
                             uint64_t seed, bool readings_told);

class AskedAgain {
 public:
  // `backend` has a setting of each name that rows and samples have.
  AskedAgain(AskedBackend backend, uint64_t seed)
      : backend_(std::move(backend)), seed_(seed) {}

  // Asks a sampled case: the answer must be the stored one, except for elements
  // where the specification leaves the bits free.
  Result<Findings> Same(const CaseKey& key, const Sample& stored);

  int64_t asked() const { return asked_; }

 private:
  const AskedBackend backend_;
  const uint64_t seed_;
  int64_t asked_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_ASKED_AGAIN_H_
