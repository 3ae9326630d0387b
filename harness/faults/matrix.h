// The kill matrix: every planted fault in every cell. Cases and the oracle's answers are
// made once for a cell and shared by all faults. A fault that is caught is not asked
// again in the cell.
#ifndef QCONFORM_HARNESS_FAULTS_MATRIX_H_
#define QCONFORM_HARNESS_FAULTS_MATRIX_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/core/fault.h"
#include "harness/faults/comparison_faults.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"

namespace qconform {

// What the harness finds of a fault in a cell.
struct FaultOutcome {
  enum class Kind : uint8_t {
    kNotAsked,  // an equivalent claim that this cell does not attack
    kNoDifference,
    kAdmissible,  // `reading` explains every bit
    kCaught,
  };
  Kind kind = Kind::kNotAsked;
  std::string reading{};
  // kCaught: by which case, and after how many elements of the cell.
  std::optional<CaseKey> key{};
  int64_t elements = 0;
};

struct MatrixRequest {
  std::vector<SelectedCell> cells;
  std::vector<const Fault*> faults;
  std::vector<const ComparisonFault*> comparison_faults;
  Level level = Level::kStandard;
  uint64_t seed = 1;
  int jobs = 1;
};

// One cell's row of the matrix, in the order of the request's faults.
struct MatrixRow {
  const SelectedCell* cell = nullptr;
  std::vector<FaultOutcome> faults;
  std::vector<FaultOutcome> comparison_faults;
};

// Returns how an outcome differs from the declaration; "" if it does not.
std::string Contradiction(const Declaration& declared, const FaultOutcome& outcome);

// Runs every cell and gives its row to `done`, one at a time, in the order in which they
// end. Stops early when `stop` becomes true; returns whether all ran. `equivalent` claims
// are attacked with every case at level exhaustive, and in one cell of 16 (by the hash of
// its id) at the others. An Error is one of the harness itself: no row is given for its
// cell.
Result<bool> RunMatrix(const MatrixRequest& request,
                       const std::function<void(const MatrixRow&)>& done,
                       const std::atomic<bool>& stop);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_MATRIX_H_
