// The search for what explains a cell, or a part of its cases. Private to this folder.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_CELL_SEARCH_H_
#define QCONFORM_HARNESS_DIAGNOSIS_CELL_SEARCH_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "cases/core/level.h"
#include "cases/lattice/cell.h"
#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/core/operator_faults.h"
#include "harness/core/patterns/pattern.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/diagnosis/search.h"
#include "oracle/base/result.h"

namespace qconform {

// Everything that is known of a cell over one reading. `cases` have the answers by it.
class CellSearch {
 public:
  // `follows` may be null: the canonical readings. `cell` and `follows` must outlive it.
  static Result<std::unique_ptr<CellSearch>> Create(const Cell& cell,
                                                    std::span<const AnsweredCase> cases,
                                                    const FollowedReading* follows);

  // As those of Search.
  Result<std::optional<Diagnosis>> Explain(size_t count, FurtherCases* further) {
    return whole_.Explain(count, further);
  }
  Deviation Nearest() const { return whole_.Nearest(); }
  Diagnosis Unexplained() const { return whole_.Unexplained(); }

  // Returns what explains a cell of graphs only by its rounding, or some of its cases: an
  // optimizer acts on some graphs. To be asked for after Explain(1).
  Result<std::optional<Diagnosis>> ExplainPartly(FurtherCases* further);

 private:
  CellSearch(const Cell& cell, const OperatorFaults& faults,
             std::span<const AnsweredCase> cases, std::vector<EvidenceCase> evidence,
             const FollowedReading* follows);

  const Cell& cell_;
  std::vector<AnsweredCase> cases_;
  std::set<OperandForm> forms_;
  std::vector<EvidenceCase> of_forms_;
  Search whole_;
  std::optional<Search> in_forms_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_CELL_SEARCH_H_
