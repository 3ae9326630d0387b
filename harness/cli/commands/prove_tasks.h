// What each subcommand of prove runs, made of its flags.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_PROVE_TASKS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_PROVE_TASKS_H_

#include <functional>
#include <string>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/cli/commands/prove_flags.h"
#include "harness/sweep/proofs.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// The backend, and why it gave no answer where it gave none.
struct AskedBackend {
  Backend& backend;
  UnansweredNote unanswered = WhyUnanswered::kAnswered;
};

// The same question by another reading of the open clauses.
struct ProofOfReading {
  std::string name;  // "QL-04:f32_quotient"
  Result<Proof> proof;
};

// What is run, once flags are read; an Error says which flag is wrong.
struct ProveTask {
  Result<Proof> proof;
  std::function<StoredCase(const SweepMismatch&)> case_of;
  // By the readings that have what was answered at each of the mismatches; empty where
  // the question is of one reading already.
  std::function<std::vector<ProofOfReading>(const std::vector<SweepMismatch>&)>
      by_readings;
  std::function<Result<double>()> time_kernel;  // may be empty
  DataType x = DataType::kFloat;
  DataType y = DataType::kUint8;
};

using ProveTaskOf = ProveTask (*)(const ProveFlags&, AskedBackend&);

// Each of `prove line`, `plane`, `all-scales` and `accumulators`; the task refers to
// both arguments, which have to outlive it.
ProveTask LineTask(const ProveFlags& flags, AskedBackend& asked);
ProveTask PlaneTask(const ProveFlags& flags, AskedBackend& asked);
ProveTask AllScalesTask(const ProveFlags& flags, AskedBackend& asked);
ProveTask AccumulatorsTask(const ProveFlags& flags, AskedBackend& asked);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_PROVE_TASKS_H_
