#include "harness/compare/standing.h"

#include <algorithm>

namespace qconform {

std::string Standing::ReadingNames() const {
  std::string names;
  for (const CellReading& reading : readings) {
    names += (names.empty() ? "" : ", ") + reading.Name();
  }
  return names;
}

Result<Standing> StandingOf(const std::shared_ptr<ContentAnswers>& content,
                            const Outputs& outputs) {
  const Comparison comparison = Compare(*content->canonical(), outputs, 1);
  Standing standing{comparison.invalid_output, 0, std::nullopt};
  if (!standing.invalid_output.empty() || comparison.mismatches() == 0) return standing;
  const std::vector<uint32_t> codes = CodesOf(outputs);
  const AnsweredCase answered{content, content->canonical(), codes};
  const auto explanations = ExplainByReadings({&answered, 1});
  if (!explanations) return explanations.error();
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    const TierCount& count = comparison.tiers[tier];
    if (count.mismatches == 0) continue;
    const auto& explanation = (*explanations)[tier];
    if (!explanation) {
      standing.unexplained += count.mismatches;
      continue;
    }
    const CellReading& reading = explanation->parts.front().reading;
    if (std::ranges::find(standing.readings, reading) == standing.readings.end()) {
      standing.readings.push_back(reading);
    }
  }
  const auto first = std::ranges::find_if(comparison.first, [&](const Mismatch& mismatch) {
    return !(*explanations)[static_cast<size_t>(mismatch.expected.tier)];
  });
  if (first != comparison.first.end()) standing.first = *first;
  return standing;
}

}  // namespace qconform
