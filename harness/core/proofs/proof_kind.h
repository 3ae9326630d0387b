// Kinds of exhaustive proofs: what `qconform prove KIND` asks of an operator.
#ifndef QCONFORM_HARNESS_CORE_PROOFS_PROOF_KIND_H_
#define QCONFORM_HARNESS_CORE_PROOFS_PROOF_KIND_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/core/flag_info.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"
#include "reports/record/sweep_record.h"

namespace qconform {

// Who answers.
struct ProofSubject {
  // A target of simd ("": the best) whose inner functions are run, if the kind has some;
  // nothing: models go to the backend.
  std::optional<std::string> kernel_target;
  MakeModelAsker make_asker;
};

// One question, by one choice of readings of the open clauses.
class ProofTask {
 public:
  virtual ~ProofTask() = default;

  virtual Result<Proof> Prove() const = 0;

  // The types of the operand that is swept, and of the answers.
  virtual DataType x() const = 0;
  virtual DataType y() const = 0;

  // The name of its readings; "" for the canonical ones.
  virtual std::string reading() const = 0;
  // The same question by every combination of readings except the canonical one.
  virtual std::vector<std::unique_ptr<ProofTask>> OtherReadings() const = 0;
  // Whether what was answered at a mismatch is right by its readings.
  virtual bool Explains(const SweepMismatch& mismatch) const = 0;
  // What to do if no reading explains the mismatches; may be empty.
  virtual std::string advice() const { return ""; }

  // The smallest case that shows a mismatch.
  virtual StoredCase CaseOf(const SweepMismatch& mismatch) const = 0;

  // Whether the flags ask for the kernel's time.
  virtual bool times_kernel() const { return false; }
  // Runs the kernel without comparing, on one thread, on as many elements as the proof
  // has. Returns seconds, or an Error soon after `stop` becomes true.
  virtual Result<double> TimeKernel(const std::atomic<bool>&) const {
    return Error{"this proof does not time its kernel"};
  }
};

class ProofKind {
 public:
  virtual ~ProofKind() = default;

  virtual std::string_view name() const = 0;  // "line"
  virtual std::string_view help() const = 0;
  virtual std::vector<FlagInfo> flags() const = 0;
  // A reading that questions may have, for the help; "" if they have none.
  virtual std::string_view example_reading() const = 0;
  // Returns the question by canonical readings; an Error names the flag that is wrong.
  // `values` has all of flags().
  virtual Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                                  const ProofSubject& subject) const = 0;
};

using ProofKinds = std::vector<const ProofKind*>;

// The kinds of each operator that has some (target harness_proofs_registry).
std::span<const ProofKinds* const> AllProofKinds();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PROOFS_PROOF_KIND_H_
