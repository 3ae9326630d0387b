// Proofs of a requantization: from INT32 sums to codes, for every operator that has one.
// docs/proofs.md says what each proves, and why.
#ifndef QCONFORM_HARNESS_REQUANTIZATION_ACCUMULATORS_H_
#define QCONFORM_HARNESS_REQUANTIZATION_ACCUMULATORS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "harness/core/proofs/proof_kind.h"
#include "oracle/base/result.h"
#include "oracle/requantization/thresholds.h"

namespace qconform::requantization {

// One choice of readings of the operator's open clauses.
struct NamedReading {
  std::string name;  // "" for the canonical ones
  RequantizationParameters requantization{};
  TargetParameters target{};
};

// What a proof has to know of an operator.
struct AccumulatorsOperator {
  std::string_view op_type;
  std::string_view kind;  // of the proof: "accumulators"
  std::string_view help;
  // The scales of the operator's operands and output, in its own words: "a_scale".
  std::string_view a_scale;
  std::string_view b_scale;
  std::string_view y_scale;
  std::string_view y_types;  // what --y may be: "UINT8, INT8 or a float8 type"
  bool (*allows_y)(DataType y) = nullptr;
  // All readings for scales and an output of these types, the canonical ones first.
  std::vector<NamedReading> (*readings)(DataType scale, DataType y) = nullptr;
  std::string_view example_reading;
  std::string_view advice;  // if no reading explains the mismatches

  // Returns a model whose output has these sums.
  StoredCase (*model)(const RequantizedSums& question,
                      std::span<const int32_t> sums) = nullptr;
  // The place in that output of sums[i].
  size_t (*place)(size_t i, int32_t sum) = nullptr;
  // How many elements the model's largest operand has for each sum of this magnitude.
  size_t (*depth)(uint32_t magnitude) = nullptr;
};

struct AccumulatorsQuestion {
  const AccumulatorsOperator* op = nullptr;
  RequantizedSums sums{};
  std::string reading{};  // NamedReading::name
};

// Returns the question by a reading of its operator.
AccumulatorsQuestion By(const AccumulatorsQuestion& question,
                        const NamedReading& reading);

// All 2^32 sums through the requantization stage of the built-in kernels for a target;
// empty: the best. The scales are FLOATs.
Result<Proof> ProveAccumulators(const AccumulatorsQuestion& question,
                                const std::string& target);

// For any other backend: both sides of every boundary between sums, and the ends
// of the range, by models whose operands add up to them.
Result<Proof> ProveAccumulatorBoundaries(const AccumulatorsQuestion& question,
                                         const MakeModelAsker& make_asker);

// The kind of proof that asks these questions of an operator.
class AccumulatorsKind : public ProofKind {
 public:
  explicit AccumulatorsKind(const AccumulatorsOperator& op);

  std::string_view name() const override { return op_.kind; }
  std::string_view help() const override { return op_.help; }
  std::vector<FlagInfo> flags() const override;
  std::string_view example_reading() const override { return op_.example_reading; }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override;

 private:
  Result<AccumulatorsQuestion> Ask(const FlagValues& values) const;

  AccumulatorsOperator op_;
  std::string a_flag_, b_flag_, y_flag_;  // "--a-scale"
};

}  // namespace qconform::requantization

#endif  // QCONFORM_HARNESS_REQUANTIZATION_ACCUMULATORS_H_
