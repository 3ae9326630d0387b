#include "harness/faults/matrix.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "harness/faults/matrix_cell.h"

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
  }
  return "";
}

Result<bool> RunMatrix(const MatrixRequest& request,
                       const std::function<void(const MatrixRow&)>& done,
                       const std::atomic<bool>& stop) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;  // guards done and fault
  std::optional<Error> fault;
  std::atomic<size_t> ended{0};
  const auto work = [&] {
    while (!stop && !failed) {
      const size_t index = next++;
      if (index >= request.cells.size()) return;
      const auto row = RunMatrixCell(request, request.cells[index]);
      const std::lock_guard lock(mutex);
      if (!row) {
        if (!fault) fault = row.error();
        failed = true;
        return;
      }
      done(*row);
      ++ended;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < request.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (fault) return *fault;
  return ended == request.cells.size();
}

}  // namespace qconform
