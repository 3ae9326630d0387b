// Judges the parts of a model on one backend or several: the second half of `qconform
// model`.
#ifndef QCONFORM_HARNESS_CLI_MODEL_JUDGE_PARTS_H_
#define QCONFORM_HARNESS_CLI_MODEL_JUDGE_PARTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/model/model_file.h"
#include "harness/cli/command_line.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/judge_cells.h"
#include "harness/cli/commands/summary_screen.h"
#include "harness/cli/model/real_values.h"
#include "harness/cli/shard/shard.h"
#include "harness/parts/part.h"
#include "harness/runner/suites/part_runner.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

struct JudgeFlags {
  std::vector<std::string> backends;
  BackendFlags backend;  // of each
  std::vector<std::string> vary;
  std::vector<std::string> names;  // of parts; empty: all
  std::string name;                // of the backend in the report, if there is one
  int cases = 8;
  uint64_t seed = 1;
  int jobs = 1;
  std::string shard;  // "I/N" or empty, as of ChooseShard
  std::string report = "qconform-report.json";
  std::string store;  // folder for the smallest deviating cases; empty: none
  bool resume = false;
  bool fail_fast = false;
  bool no_progress = false;
  ExplainBudgetFlags explain;
  std::string known;  // file of known differences; empty: none
  bool allow_unsupported = false;
  bool exit_zero = false;
  SummaryFlags summary;
};

// Adds --backend, which is returned, and all that goes with it.
Flag AddJudgeFlags(Command& command, JudgeFlags& flags);

// A model and those of its parts that are asked.
struct ModelToJudge {
  std::string path;  // of the file
  ModelRecord record;
  std::vector<PartQuestion> parts;
  std::string more_flags{};  // of lines that ask a part again, " --size 8"
  // Its values on inputs of the user, if some are given.
  std::optional<RealValues> real{};
  // The part of the work that this run does; the first runs the whole model.
  std::optional<Shard> shard{};

  // Returns the parts that this run judges.
  PartQuestions ToJudge() const;
};

// Returns the model with those of its parts that flags.names names, or with all. Parts
// that are not judged or cannot be cut out are in its record. An Error if a name is that
// of no part.
// `file`, `parts` and `sizes` must outlive the result.
Result<ModelToJudge> PlanParts(const ModelFile& file, const PartsOfModel& parts,
                               const Sizes& sizes, const JudgeFlags& flags);

// Judges the parts on each backend, and writes a report of each: to flags.report, or if
// there are several backends to "NAME.1.json", "NAME.2.json". Precondition: a backend is
// named.
ExitCode JudgeParts(const ModelToJudge& model, const JudgeFlags& flags,
                    const std::vector<std::string>& command_line);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_MODEL_JUDGE_PARTS_H_
