#include "harness/core/decoded_case.h"

namespace qconform {

Codes DecodedCase::CodesOf(const Fault& fault, FaultState& state) const {
  const FaultSet* set = fault.SetFor(op_type_);
  return set == nullptr ? canonical_ : CodesOf(*set, state);
}

}  // namespace qconform
