#include "harness/certificate/testing/every_answer.h"

#include <memory>
#include <utility>
#include <vector>

#include "harness/core/oracle_model.h"
#include "harness/runner/ask/further_cases.h"

namespace qconform {

Result<Findings> CheckEveryAnswer(Backend& backend, const CellRecord& row,
                                  const SelectedCell& cell, Level level) {
  std::vector<JudgedSample> judged;
  std::vector<std::unique_ptr<Sample>> samples;
  CaseMaker cases(1);
  for (const CaseKey& key :
       CasesOf(cell.cell, cell.versions, level, row.judged_at_opset_version)) {
    auto made = cases.Make(key);
    if (!made) return made.error();
    auto op_case = std::make_shared<const OpCase>(*std::move(made));
    auto expected = AnswerCase(*op_case);
    if (!expected) return expected.error();
    auto taken = TakeSample(backend, *op_case, **expected);
    if (!taken) return taken.error();
    samples.push_back(std::make_unique<Sample>(*std::move(taken)));
    judged.push_back({std::move(op_case), *std::move(expected), samples.back().get()});
  }
  return CheckAnswers(row, judged);
}

}  // namespace qconform
