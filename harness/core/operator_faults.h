// The wrong models of one operator: its part of the catalogue of faults, and what the
// harness asks of a wrong model. One folder of harness/operators
// implements it; the registry of all is generated from QCONFORM_OPERATORS.
#ifndef QCONFORM_HARNESS_CORE_OPERATOR_FAULTS_H_
#define QCONFORM_HARNESS_CORE_OPERATOR_FAULTS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/lattice/cell.h"
#include "cases/model/model.h"
#include "harness/core/clause_decides.h"
#include "harness/core/decoded_case.h"
#include "harness/core/fault.h"
#include "harness/core/fault_set.h"
#include "harness/core/patterns/pattern.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/core/reading_set.h"

namespace qconform {

struct FaultText {
  std::string_view name;       // "ties_away"
  std::string_view sentence;   // what a backend with the fault does
  std::string_view seen_in{};  // the kind of real implementation that has it
};

// An entry of an operator's catalogue. Faults of several operators that have one name are
// one fault: their texts stand in common_faults.h.
struct OperatorFault {
  FaultText text;
  FaultSet set;
  std::function<Declaration(const Cell&)> declare{};  // null: deviates everywhere
  bool has_state = false;
};

// A value of one operand, at which a wrong model shows.
struct TellingInput {
  size_t operand = 0;
  Tensor tensor;
};

// The defaults are those of an operator without faults: its deviations have patterns, but
// no names.
class OperatorFaults {
 public:
  virtual ~OperatorFaults() = default;

  virtual std::string_view op_type() const = 0;

  // The simplest faults of each stage of the computation first.
  virtual std::span<const OperatorFault> catalogue() const { return {}; }

  // `canonical` holds the oracle's codes by `readings`. Steps that a fault does not
  // change follow these; the canonical ones, if they are bounds, which no function gives.
  // An Error if the model is invalid.
  virtual Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const;

  // Returns the mistakes of both: b's, if both have one of a kind. Nothing if one of them
  // acts only on a part of the elements.
  virtual std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const;

  // How many wrong models of a cell are tried in pairs.
  virtual size_t most_in_pairs() const { return 24; }

  // Returns whether a set changes another step than the readings do: only then is its
  // model over these what a backend with both would be.
  virtual bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const;

  // Returns the clause of the first step of the computation that a set changes; "" if no
  // clause speaks of it, as of a last element that is not written. `node` is that of the
  // case.
  virtual std::string_view BrokenClause(const Cell& cell, const Node& node,
                                        const FaultSet& set) const;

  // Returns the names of the rules that prove that two sets give the same bits for every
  // input of the cell, joined by "+" ("same_type": they are one function from the start);
  // "" if nothing is proved. Precondition: neither has a state.
  virtual std::string WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                           const FaultSet& b) const;

  // Returns at most `most` inputs that show wrong models with just these constants, which
  // a bound of the specification may hide from other inputs. `operands` are all that the
  // node has; the values of those that are fed do not matter.
  virtual std::vector<TellingInput> TellingInputs(const Node& /*node*/,
                                                  int /*since_version*/,
                                                  const Operands& /*operands*/,
                                                  size_t /*most*/) const {
    return {};
  }

  // Returns what deviating elements of these cases may have in common.
  virtual Patterns PatternsOf(std::span<const EvidenceCase> cases) const;

  // Returns by which wrong scales the answers to these cases are right (WrongScale); ""
  // if there are none, or the operator does not look.
  virtual std::string WrongScalesOf(std::span<const EvidenceCase>) const { return ""; }

  // Returns which clauses decide an element of a case; none if that is not known.
  virtual const ClauseDecides& clauses_asked() const;
};

// The faults of an operator with a catalogue, which is made once.
class CataloguedFaults : public OperatorFaults {
 public:
  CataloguedFaults(std::string_view op_type, std::vector<OperatorFault> catalogue)
      : op_type_(op_type), catalogue_(std::move(catalogue)) {}

  std::string_view op_type() const override { return op_type_; }
  std::span<const OperatorFault> catalogue() const override { return catalogue_; }

 protected:
  // Returns a case of these operands, if they could be decoded. Case is the operator's
  // DecodedCaseOf<Decoded>.
  template <typename Case, typename Decoded>
  Result<std::shared_ptr<const DecodedCase>> CaseOf(Result<Decoded> decoded,
                                                    Codes canonical) const {
    if (!decoded) return decoded.error();
    return std::shared_ptr<const DecodedCase>(
        std::make_shared<Case>(op_type_, *std::move(decoded), std::move(canonical)));
  }

 private:
  std::string_view op_type_;
  std::vector<OperatorFault> catalogue_;
};

// Those of all operators of the build, in the order of QCONFORM_OPERATORS.
std::span<const OperatorFaults* const> AllOperatorFaults();

// Returns null if the operator is none of them.
const OperatorFaults* FindOperatorFaults(std::string_view op_type);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_OPERATOR_FAULTS_H_
