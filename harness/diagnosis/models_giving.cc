#include "harness/diagnosis/models_giving.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "harness/core/operator_faults.h"
#include "harness/diagnosis/evidence_case.h"

namespace qconform {
namespace {

// Adds those over a reading; null: the canonical ones.
Status AddOver(const FollowedReading* reading, const AnsweredCase& canonical,
               int since_version, std::vector<GivingModel>& models) {
  AnsweredCase answered = canonical;
  if (reading != nullptr) {
    auto answer = AnswerBy(*reading, canonical);
    if (!answer) return answer.error();
    answered.answer = *std::move(answer);
  }
  const auto decoded = DecodeCase(answered, since_version, reading);
  if (!decoded) return decoded.error();
  const OperatorFaults* faults = FindOperatorFaults((*decoded)->op_type());
  if (faults == nullptr) return Ok();
  for (const Fault& fault : Faults()) {
    const FaultSet* set = fault.SetFor((*decoded)->op_type());
    if (set == nullptr || fault.has_state) continue;
    if (reading != nullptr &&
        !std::ranges::all_of(reading->sets, [&](const auto& followed) {
          return faults->ChangesAnotherStep(*set, followed.second);
        })) {
      continue;
    }
    FaultState state;
    const Codes codes = (*decoded)->CodesOf(*set, state);
    bool gives_all = true;
    for (size_t i = 0; i < codes.size() && gives_all; ++i) {
      gives_all =
          Reproduces(*answered.answer, **decoded, *set, i, codes[i], answered.codes[i]);
    }
    if (!gives_all) continue;
    GivingModel& model = models.emplace_back(GivingModel{&fault, set, "", {}});
    model.sentence = (*decoded)->SentenceOf(*set);
    if (model.sentence.empty()) model.sentence = fault.sentence;
    if (reading != nullptr) model.follows = *reading;
  }
  return Ok();
}

}  // namespace

Result<std::vector<GivingModel>> ModelsGiving(const AnsweredCase& answered,
                                              int since_version) {
  std::vector<GivingModel> models;
  const Status added = AddOver(nullptr, answered, since_version, models);
  if (!added) return added.error();
  if (!models.empty()) return models;
  const auto readings = FunctionReadings({&answered, 1});
  if (!readings) return readings.error();
  for (const FollowedReading& reading : *readings) {
    const Status over = AddOver(&reading, answered, since_version, models);
    if (!over) return over.error();
  }
  return models;
}

std::string ModelsText(const std::string& indent,
                       const std::vector<GivingModel>& models) {
  std::string text;
  for (const GivingModel& model : models) {
    text += indent + std::string(model.fault->name);
    if (model.follows) text += ", over " + model.follows->Name();
    text += ": " + model.sentence + "\n";
  }
  return text;
}

}  // namespace qconform
