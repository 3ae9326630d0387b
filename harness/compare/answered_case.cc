#include "harness/compare/answered_case.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace qconform {

std::vector<GivenContent> GroupCases(std::span<const AnsweredCase> cases) {
  std::vector<GivenContent> contents;
  std::map<const ContentAnswers*, size_t> places;
  for (size_t i = 0; i < cases.size(); ++i) {
    const AnsweredCase& answered = cases[i];
    const auto [place, added] =
        places.emplace(answered.content.get(), contents.size());
    if (added) contents.push_back({answered.content.get(), {}});
    std::vector<GivenCodes>& given = contents[place->second].given;
    const auto same = std::ranges::find_if(given, [&](const GivenCodes& one) {
      return std::ranges::equal(one.codes, answered.codes);
    });
    if (same != given.end()) {
      ++same->times;
      continue;
    }
    given.push_back({answered.codes, i, 1,
                     answered.content->AllowedByCanonical(answered.codes)});
  }
  return contents;
}

void SortByMismatches(std::vector<GivenContent>& contents, const TierFlags& tiers) {
  std::vector<std::pair<int64_t, GivenContent>> counted;
  for (GivenContent& one : contents) {
    const ElementBits elements = one.content->OfTiers(tiers);
    int64_t mismatches = 0;
    for (const GivenCodes& given : one.given) {
      mismatches += given.times * (elements - given.allowed).count();
    }
    counted.emplace_back(mismatches, std::move(one));
  }
  std::ranges::stable_sort(counted, std::greater(),
                           [](const auto& one) { return one.first; });
  for (size_t i = 0; i < counted.size(); ++i) contents[i] = std::move(counted[i].second);
}

}  // namespace qconform
