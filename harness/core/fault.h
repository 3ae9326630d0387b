// The catalogue of faults: wrong implementations, planted on purpose. Each declares for
// every cell, before anything runs, what the harness has to find.
#ifndef QCONFORM_HARNESS_CORE_FAULT_H_
#define QCONFORM_HARNESS_CORE_FAULT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cases/lattice/cell.h"
#include "harness/core/fault_set.h"

namespace qconform {

struct Declaration {
  enum class Kind : uint8_t {
    kDeviates,    // the cell must not pass
    kAdmissible,  // the cell must pass by the reading, which has to be named
    kEquivalent,  // no case may show a difference, for the reason
    kUnclaimed,   // it may show; a name for diagnoses, which no run of `faults` asks for
  };
  Kind kind = Kind::kDeviates;
  std::string reading{};  // kAdmissible: clause and reading, as reports spell it
  std::string reason{};   // kEquivalent
};
// Returns "deviates", "admissible", "equivalent", "unclaimed".
std::string_view DeclarationKindName(Declaration::Kind kind);

inline Declaration Deviates() { return {}; }
inline Declaration Admissible(std::string reading) {
  return {Declaration::Kind::kAdmissible, std::move(reading), ""};
}
inline Declaration Equivalent(std::string reason) {
  return {Declaration::Kind::kEquivalent, "", std::move(reason)};
}

inline Declaration Unclaimed() { return {Declaration::Kind::kUnclaimed, "", ""}; }

// A fault in one operator.
struct FaultShare {
  FaultSet set;
  std::function<Declaration(const Cell&)> declare{};  // null: deviates everywhere
};

struct Fault {
  std::string_view name;
  std::string_view sentence;
  std::string_view seen_in{};  // the kind of real implementation that has it, or empty
  std::map<std::string_view, FaultShare> shares{};  // by op_type
  bool has_state = false;  // an answer depends on the calls before

  // Returns null if the fault does not touch the operator.
  const FaultSet* SetFor(std::string_view op_type) const;
};

// The faults of backends, the simplest of each stage first. Those of several operators
// that have one name are one fault.
std::span<const Fault> Faults();

// Returns null if there is none of that name.
const Fault* FindFault(std::string_view name);

Declaration Declare(const Fault& fault, const Cell& cell);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_FAULT_H_
