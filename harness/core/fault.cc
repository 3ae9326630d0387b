#include "harness/core/fault.h"

#include <algorithm>
#include <vector>

#include "harness/core/operator_faults.h"

namespace qconform {

std::string_view DeclarationKindName(Declaration::Kind kind) {
  constexpr std::string_view kNames[] = {"deviates", "admissible", "equivalent",
                                         "unclaimed"};
  return kNames[static_cast<size_t>(kind)];
}

const FaultSet* Fault::SetFor(std::string_view op_type) const {
  const auto share = shares.find(op_type);
  return share == shares.end() ? nullptr : &share->second.set;
}

std::span<const Fault> Faults() {
  static const std::vector<Fault> all = [] {
    std::vector<Fault> faults;
    for (const OperatorFaults* of : AllOperatorFaults()) {
      for (const OperatorFault& one : of->catalogue()) {
        auto fault = std::ranges::find(faults, one.text.name, &Fault::name);
        if (fault == faults.end()) {
          fault = faults.insert(faults.end(), {.name = one.text.name,
                                               .sentence = one.text.sentence,
                                               .seen_in = one.text.seen_in,
                                               .has_state = one.has_state});
        }
        fault->shares.emplace(of->op_type(), FaultShare{one.set, one.declare});
      }
    }
    return faults;
  }();
  return all;
}

const Fault* FindFault(std::string_view name) {
  const auto found = std::ranges::find(Faults(), name, &Fault::name);
  return found == Faults().end() ? nullptr : &*found;
}

Declaration Declare(const Fault& fault, const Cell& cell) {
  const auto share = fault.shares.find(cell.op_type);
  if (share == fault.shares.end()) {
    return Equivalent("it does not touch " + cell.op_type);
  }
  return share->second.declare ? share->second.declare(cell) : Deviates();
}

}  // namespace qconform
