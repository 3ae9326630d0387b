#include "harness/faults/matrix.h"

#include <mutex>

#include "harness/faults/matrix_cell.h"
#include "harness/runner/ask/parallel.h"

namespace qconform {

std::string Contradiction(const Declaration& declared, const FaultOutcome& outcome) {
  using Kind = FaultOutcome::Kind;
  const auto observed = [&]() -> std::string {
    switch (outcome.kind) {
      case Kind::kNotAsked:
        return "was not asked";
      case Kind::kNoDifference:
        return "no case shows a difference";
      case Kind::kAdmissible:
        return "is admissible by " + outcome.reading;
      case Kind::kCaught:
        return "deviates";
    }
    return "";
  };
  switch (declared.kind) {
    case Declaration::Kind::kDeviates:
      return outcome.kind == Kind::kCaught ? "" : observed();
    case Declaration::Kind::kAdmissible: {
      const bool named =
          outcome.kind == Kind::kAdmissible && outcome.reading == declared.reading;
      return named ? "" : observed();
    }
    case Declaration::Kind::kEquivalent: {
      const bool same =
          outcome.kind == Kind::kNotAsked || outcome.kind == Kind::kNoDifference;
      return same ? "" : observed();
    }
    case Declaration::Kind::kUnclaimed:
      break;
  }
  return "";
}

Result<bool> RunMatrix(const MatrixRequest& request,
                       const std::function<void(const MatrixRow&)>& done,
                       const std::atomic<bool>& stop) {
  std::mutex mutex;  // guards done
  return ForEachInParallel(
      request.cells.size(), request.jobs, stop, [&](size_t index) -> Result<bool> {
        const auto row = RunMatrixCell(request, request.cells[index]);
        if (!row) return row.error();
        const std::lock_guard lock(mutex);
        done(*row);
        return true;
      });
}

}  // namespace qconform
