// One cell of the kill matrix. Private to this folder.
#ifndef QCONFORM_HARNESS_FAULTS_MATRIX_CELL_H_
#define QCONFORM_HARNESS_FAULTS_MATRIX_CELL_H_

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/compare/oracle_model.h"
#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"
#include "harness/faults/matrix.h"

namespace qconform {

// A content of the cell with all that is shared among faults.
class SharedCase {
 public:
  static Result<std::unique_ptr<SharedCase>> Create(const CaseKey& key, uint64_t seed);

  const OpCase& op_case() const { return op_case_; }
  const CaseAnswer& answer() const { return answer_; }
  const DecodedCase& decoded() const { return *decoded_; }
  // Readings of models with different `precision` are chosen apart.
  int64_t group() const { return group_; }
  // Every admissible choice, the canonical one first; made when first asked for.
  const std::vector<ReadingSet>& choices();
  // The answer by a choice; made when first asked for.
  const CaseAnswer& AnswerBy(size_t choice);

 private:
  SharedCase() = default;

  OpCase op_case_;
  std::vector<TensorView> inputs_;
  std::optional<OracleModel> oracle_;
  CaseAnswer answer_;
  std::shared_ptr<const DecodedCase> decoded_;
  int64_t group_ = 0;
  std::optional<std::vector<ReadingSet>> choices_;
  std::vector<std::unique_ptr<CaseAnswer>> by_choice_;
};

// Which readings still explain what a fault answered (G-01), as
// harness/compare/inference has it, but case by case.
class FaultInference {
 public:
  using TierFlags = std::array<bool, kTierCount>;

  // Drops the choices that do not explain every code of a case.
  void Eliminate(SharedCase& shared, const std::vector<uint32_t>& codes);
  // The name of a combination for all of these tiers, or nothing where none is left.
  std::optional<std::string> Explanation(std::span<const size_t> tiers) const;

 private:
  struct Group {
    const std::vector<ReadingSet>* choices = nullptr;
    std::vector<TierFlags> alive;
  };
  std::map<int64_t, Group> groups_;
};

Result<MatrixRow> RunMatrixCell(const MatrixRequest& request, const SelectedCell& cell);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_MATRIX_CELL_H_
