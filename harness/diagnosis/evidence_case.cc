#include "harness/diagnosis/evidence_case.h"

#include "harness/backends/faulty/decode.h"
#include "harness/compare/explain_limit.h"
#include "oracle/formats/number_format.h"

namespace qconform {

bool Reproduces(const CaseAnswer& answer, size_t i, uint32_t model, uint32_t observed) {
  if (model == observed) return true;
  const ElementAnswer& element = answer.elements[i];
  if (element.freedom == Freedom::kAnyCode || element.freedom == Freedom::kSameCode ||
      element.freedom == Freedom::kOneOf) {
    return true;
  }
  const NumberFormat& y = FormatOf(answer.TypeOf(i));
  if (element.zero_sign_is_free) {
    const ValueClass zero = ValueClass::kZero;
    if (Decode(y, model).value_class == zero && Decode(y, observed).value_class == zero) {
      return true;
    }
  }
  return IsNan(y, model) && IsNan(y, observed);
}

bool Reproduces(const CaseAnswer& answer, const DecodedCase& decoded, const FaultSet& set,
                size_t i, uint32_t model, uint32_t observed) {
  return Reproduces(answer, i, model, observed) ||
         decoded.IsUndefined(set, static_cast<int64_t>(i));
}

Result<std::shared_ptr<const DecodedCase>> DecodeCase(const AnsweredCase& answered,
                                                      int since_version,
                                                      const FollowedReading* follows) {
  const Status within = ExplainLimit::StatusOfLimit();
  if (!within) return within.error();
  ReadingSet readings;
  if (follows != nullptr) {
    const auto key = answered.content->ReadingsKey();
    if (!key) return key.error();
    const auto set = follows->sets.find(*key);
    if (set != follows->sets.end()) readings = set->second;
  }
  return DecodeCase(answered.content->model(), since_version, answered.content->inputs(),
                    *answered.answer, readings);
}

}  // namespace qconform
