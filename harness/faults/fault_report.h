// Makes one record for each fault from the rows of the kill matrix.
#ifndef QCONFORM_HARNESS_FAULTS_FAULT_REPORT_H_
#define QCONFORM_HARNESS_FAULTS_FAULT_REPORT_H_

#include <vector>

#include "harness/faults/fault_node_tests.h"
#include "harness/faults/matrix.h"
#include "reports/record/fault_record.h"

namespace qconform {

class FaultReportBuilder {
 public:
  // `request` must outlive it.
  explicit FaultReportBuilder(const MatrixRequest& request);

  // Rows may come in any order.
  void Add(const MatrixRow& row);

  // Returns the records in the order of the request, faults of backends first. Shrinks
  // one counterexample for each fault that has no state. An Error is the harness's own.
  Result<std::vector<FaultRecord>> Finish(const AnsweredNodeTests& node_tests);

 private:
  struct Entry {
    FaultRecord record;
    int64_t first_sequence = -1;
    std::optional<CaseKey> first_key;
  };
  void Add(const SelectedCell& cell, const Declaration& declared,
           const FaultOutcome& outcome, Entry& entry);

  const MatrixRequest& request_;
  std::vector<Entry> entries_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_FAULT_REPORT_H_
