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
#include "harness/compare/cell_answers.h"
#include "harness/core/decoded_case.h"
#include "harness/faults/matrix.h"

namespace qconform {

// A content of the cell with all that is shared among faults.
class SharedCase {
 public:
  // `answers` are those of the cell.
  static Result<std::unique_ptr<SharedCase>> Create(const CaseKey& key, uint64_t seed,
                                                    CellAnswers& answers);

  const OpCase& op_case() const { return op_case_; }
  ContentAnswers& content() const { return *content_; }
  const CaseAnswer& answer() const { return *content_->canonical(); }
  const DecodedCase& decoded() const { return *decoded_; }

 private:
  SharedCase() = default;

  OpCase op_case_;
  std::shared_ptr<ContentAnswers> content_;
  std::shared_ptr<const DecodedCase> decoded_;
};

Result<MatrixRow> RunMatrixCell(const MatrixRequest& request, const SelectedCell& cell);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_MATRIX_CELL_H_
