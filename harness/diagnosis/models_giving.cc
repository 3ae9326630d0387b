#include "harness/diagnosis/models_giving.h"

#include "harness/diagnosis/evidence_case.h"

namespace qconform {

Result<std::vector<const Fault*>> ModelsGiving(const AnsweredCase& answered,
                                               int since_version) {
  const auto decoded = DecodeCase(answered, since_version, nullptr);
  if (!decoded) return decoded.error();
  std::vector<const Fault*> models;
  for (const Fault& fault : Faults()) {
    const FaultSet* set = fault.SetFor((*decoded)->op_type());
    if (set == nullptr || fault.has_state) continue;
    FaultState state;
    const Codes codes = (*decoded)->CodesOf(*set, state);
    bool gives_all = true;
    for (size_t i = 0; i < codes.size() && gives_all; ++i) {
      gives_all = Reproduces(*answered.answer, i, codes[i], answered.codes[i]);
    }
    if (gives_all) models.push_back(&fault);
  }
  return models;
}

}  // namespace qconform
