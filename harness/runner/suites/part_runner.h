// Parts of a model on a backend: each is asked directed and random inputs for its own
// constants, attributes and shapes, and judged as a cell is.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_PART_RUNNER_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_PART_RUNNER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/corpus/stored_case.h"
#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/judge/explain_budget.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// A part of a model that can be asked.
struct PartQuestion {
  PartRecord part;
  Cell cell;  // to which it belongs, or that stands for it
  // The part, or several that have some of its channels each, because the whole takes too
  // long. Cases take turns.
  std::vector<Model> models;
  // Inputs that a run of the whole model gave it, asked before all others; each has one
  // tensor for each of models.front().inputs.
  std::vector<std::vector<Tensor>> activations{};
  // If set, `models` lack the data of their constants, and this gives them whole while
  // the part is asked. It may be called from several threads.
  std::function<Result<std::vector<Model>>()> load{};
  // The part that the line asks which asks this again; empty: this one.
  std::string asked_with{};
};

using PartQuestions = std::vector<const PartQuestion*>;

// Returns pointers to all of these.
PartQuestions All(const std::vector<PartQuestion>& parts);

// Leaves out the data of the constants of a part, which `load` gives again.
void Unload(PartQuestion& question, std::function<Result<std::vector<Model>>()> load);

// Returns the bytes of the constants of a part.
size_t BytesOfConstants(const PartQuestion& question);

// Returns the question about a part. `cell` is the cell to which it belongs. If there is
// none, a cell stands for it that has its types and its granularity, and for a graph the
// family whose graphs are most like it: diagnoses are looked for as in that cell. A part
// of which one answer would take long is made smaller, if possible along dimensions that
// its constants do not have; PartRecord::asked_as says so. An Error if the model is not
// judged or invalid.
Result<PartQuestion> MakePartQuestion(PartRecord part, const std::optional<Cell>& cell,
                                      const std::string& granularity, Model model);

struct PartRequest {
  PartQuestions parts;       // outlive the run
  std::string file;          // of the model, as the command line names it
  std::string more_flags{};  // of the line that asks a part again, " --size 8"
  int directed = 8;          // cases of each part, at least; 0: none
  int random = 8;
  uint64_t seed = 1;
  int jobs = 1;  // threads; a backend that is not concurrent gets one
  ReplayContext replay;
  // As those of RunRequest.
  Backend* other_threads = nullptr;
  ExplainBudget* explain = nullptr;
  std::function<void(const std::string& why)> fewer{};
  // Called with the smallest case that deviates, if a part has one; may be null. One at a
  // time.
  std::function<void(const PartQuestion&, const StoredCase&)> keep_smallest{};
  // Called with each answer to a case; may be null. One at a time.
  std::function<void(const PartQuestion&, const OpCase&, const RunResult&)> answered{};
};

// Judges every part and hands its record to `done`, one at a time, in the order in which
// they end. Returns whether all were judged; see RunRows.
bool RunParts(Backend& backend, const PartRequest& request,
              const std::function<void(CellRecord)>& done, const std::atomic<bool>& stop);

// Returns the id of a part's row: that of its cell, "#", and its name.
std::string PartId(const PartQuestion& question);

// Returns the row of a part without answers, and why: kUntested or kError.
CellRecord PartWithoutAnswers(const PartQuestion& question, Verdict verdict,
                              const std::string& reason);

// Returns the command line that asks a part again.
std::string PartLine(const PartRequest& request, const std::string& part);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_PART_RUNNER_H_
