#include "harness/compare/standing.h"

#include <algorithm>

#include "harness/compare/inference.h"

namespace qconform {

Result<Standing> StandingOf(const Model& model, const std::vector<TensorView>& inputs,
                            const std::shared_ptr<const CaseAnswer>& answer,
                            const Outputs& outputs) {
  const Comparison comparison = Compare(*answer, outputs, 1);
  Standing standing{comparison.invalid_output, 0, std::nullopt, ""};
  if (!standing.invalid_output.empty() || comparison.mismatches() == 0) return standing;
  const std::vector<uint32_t> codes = CodesOf(outputs);
  const AnsweredCase answered{&model, inputs, answer, codes};
  const auto explanations = ExplainByReadings({&answered, 1});
  if (!explanations) return explanations.error();
  std::vector<std::string> readings;
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    const TierCount& count = comparison.tiers[tier];
    if (count.mismatches == 0) continue;
    const auto& reading = (*explanations)[tier];
    if (!reading) {
      standing.unexplained += count.mismatches;
    } else if (std::find(readings.begin(), readings.end(), *reading) == readings.end()) {
      readings.push_back(*reading);
      standing.readings += (standing.readings.empty() ? "" : ", ") + *reading;
    }
  }
  const auto first = std::find_if(
      comparison.first.begin(), comparison.first.end(), [&](const Mismatch& mismatch) {
        return !(*explanations)[static_cast<size_t>(mismatch.expected.tier)];
      });
  if (first != comparison.first.end()) standing.first = *first;
  return standing;
}

}  // namespace qconform
