#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/core/fault.h"
#include "harness/diagnosis/candidate_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "harness/diagnosis/over_readings.h"
#include "harness/diagnosis/search.h"
#include "oracle/base/node.h"

namespace qconform {
namespace {

constexpr size_t kShareCases = 3;     // over which shares are counted
constexpr size_t kLeavingModels = 4;  // whose rest a further model may explain
constexpr size_t kMostEqual = 16;     // models that are tried on further cases together

// A set of models with the number of elements that it does not give.
struct Counted {
  CandidateModel model;
  int64_t missed = 0;
};

}  // namespace

std::vector<CandidateModel> Search::SetsOf(size_t count) {
  if (count == 1) return Singles();
  if (count == 2) {
    std::vector<CandidateModel> pairs = Pairs();
    // Graphs have too many wrong models to count what each leaves.
    if (!pairs.empty() || IsGraphFamily(cell_.op_type)) return pairs;
  }
  return LargerSets(count);
}

std::optional<CandidateModel> Search::CandidateOf(const Fault& fault) const {
  if (!MayDeviate(fault, cell_)) return std::nullopt;
  if (follows_ != nullptr && !ChangesAnotherStep(fault, cell_, *follows_)) {
    return std::nullopt;
  }
  return CandidateModel{{&fault}, *fault.SetFor(cell_.op_type)};
}

// Fills `partial_` with those that do not reproduce everything, too.
std::vector<CandidateModel> Search::Singles() {
  std::vector<CandidateModel> models;
  for (const Fault& fault : Faults()) {
    auto candidate = CandidateOf(fault);
    if (!candidate) continue;
    CandidateModel& model = *candidate;
    if (Explains(model)) {
      Add(model, models);
      if (model.HasState()) continue;
      model.share = 1;
      model.nearness = 1;
    } else if (!fault.has_state) {
      const Reproduced some = ReproducedBy(model, kShareCases);
      model.share = some.Share();
      model.nearness = some.Nearness();
    } else {
      continue;
    }
    partial_.push_back(std::move(model));
  }
  // Of those that give as many deviating elements, the ones that change no others first.
  std::ranges::stable_sort(partial_, std::greater(), [](const CandidateModel& model) {
    return std::pair(model.share, model.nearness);
  });
  return models;
}

// Tries the first models that reproduce something with each other; if none of these
// explains the cell, the first few with all that reproduce something of what they
// leave, which may lie in small cases.
std::vector<CandidateModel> Search::Pairs() const {
  const std::vector<CandidateModel> all = Mergeable();
  std::vector<CandidateModel> found;
  const auto explain = [&](const CandidateModel& a, const CandidateModel& b) {
    auto pair = Together(a, b);
    if (!pair || !Explains(*pair)) return;
    Add(*pair, found);
  };
  const size_t most = std::min(faults_.most_in_pairs(), all.size());
  size_t partial = 0;
  while (partial < most && all[partial].share > 0) ++partial;
  for (size_t i = 0; i < partial && found.size() < kMostEqual; ++i) {
    for (size_t j = i + 1; j < partial && found.size() < kMostEqual; ++j) {
      explain(all[i], all[j]);
    }
  }
  if (!found.empty()) return found;
  for (size_t i = 0; i < std::min(kLeavingModels, partial); ++i) {
    const std::vector<Left> left = LeftBy(all[i]);
    for (size_t j = 0; j < all.size() && found.size() < kMostEqual; ++j) {
      if (j == i || (i < j && j < partial)) continue;
      const auto pair = Together(all[i], all[j]);
      if (pair && ReproducesSome(*pair, left)) explain(all[i], all[j]);
    }
  }
  return found;
}

// Extends the sets that leave the fewest elements, step by step.
std::vector<CandidateModel> Search::LargerSets(size_t count) const {
  constexpr size_t kKept = 4;
  const std::vector<CandidateModel> all = Mergeable();
  std::vector<Counted> kept;
  std::vector<CandidateModel> whole;  // that leave nothing
  int64_t all_deviating = deviating_;
  for (const EvidenceCase& one : refuting_) {
    all_deviating += static_cast<int64_t>(one.deviating.size());
  }
  const auto keep = [&](CandidateModel model) {
    if (ExplainLimit::HasPassed()) return;
    const int64_t least = kept.size() < kKept ? all_deviating : kept.back().missed;
    const int64_t limit = std::max<int64_t>(least - 1, 0);
    const int64_t missed = MissedBy(model, limit);
    if (missed == 0) Add(model, whole);
    if (missed > limit) return;
    kept.push_back({std::move(model), missed});
    std::ranges::stable_sort(kept, {}, &Counted::missed);
    if (kept.size() > kKept) kept.pop_back();
  };
  for (const CandidateModel& one : all) keep(one);
  for (size_t size = 2; size <= count; ++size) {
    const std::vector<Counted> smaller = std::exchange(kept, {});
    whole.clear();
    std::set<std::vector<const Fault*>> tried;
    for (const Counted& base : smaller) {
      const std::vector<Left> left = LeftBy(base.model);
      for (const CandidateModel& one : all) {
        auto together = Together(base.model, one);
        if (!together || !tried.insert(together->faults).second) continue;
        if (ReproducesSome(*together, left)) keep(*std::move(together));
        if (whole.size() == kMostEqual) break;
      }
    }
  }
  return whole;
}

std::vector<CandidateModel> Search::Mergeable() const {
  std::vector<CandidateModel> all = partial_;
  std::erase_if(
      all, [&](const CandidateModel& one) { return !faults_.Merge(one.set, one.set); });
  return all;
}

// Returns both together; nothing if one replaces a mistake of the other, or acts on a
// part of the elements.
std::optional<CandidateModel> Search::Together(const CandidateModel& a,
                                               const CandidateModel& b) const {
  const auto both = faults_.Merge(a.set, b.set);
  if (!both || *both == a.set || *both == b.set) return std::nullopt;
  // Mistakes of a graph are all kept.
  const auto reversed = faults_.Merge(b.set, a.set);
  const bool replaces = !reversed || *reversed != *both;
  if (replaces && !IsGraphFamily(cell_.op_type)) return std::nullopt;
  CandidateModel together{a.faults, *both};
  together.faults.insert(together.faults.end(), b.faults.begin(), b.faults.end());
  std::ranges::sort(together.faults, {}, &Fault::name);
  return together;
}

// False if the limit has passed.
bool Search::Explains(const CandidateModel& model) const {
  if (!model.HasState()) {
    return std::ranges::all_of(refuting_,
                               [&](const EvidenceCase& one) {
                                 return !ExplainLimit::HasPassed() &&
                                        ReproducesAll(one, model);
                               }) &&
           std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
             return !ExplainLimit::HasPassed() && ReproducesAll(*one, model);
           });
  }
  FaultState state;
  return std::ranges::all_of(in_order_, [&](const EvidenceCase& one) {
    return !ExplainLimit::HasPassed() &&
           Matches(one, model.set, one.decoded->CodesOf(model.set, state), one.observed);
  });
}

// Proofs are over the canonical readings.
bool Search::AreProvedEqual(const CandidateModel& a, const CandidateModel& b) const {
  return follows_ == nullptr && !a.HasState() && !b.HasState() &&
         !faults_.WhyIndistinguishable(cell_, a.set, b.set).empty();
}

// Adds a model, or its name to that of the one that is proved to be the same.
void Search::Add(const CandidateModel& model, std::vector<CandidateModel>& models) const {
  for (CandidateModel& one : models) {
    if (!AreProvedEqual(one, model)) continue;
    one.same.push_back(model.Name());
    return;
  }
  models.push_back(model);
}

// Counts in the first cases, which are those with most deviating elements.
Search::Reproduced Search::ReproducedBy(const CandidateModel& model, size_t cases) const {
  Reproduced reproduced;
  for (size_t c = 0; c < std::min(cases, sorted_.size()); ++c) {
    if (ExplainLimit::HasPassed()) return {};
    const EvidenceCase& one = *sorted_[c];
    const Codes codes = CodesOf(*one.decoded, model);
    ForElements(one, [&](int64_t index, bool deviates) {
      const auto i = static_cast<size_t>(index);
      if (Reproduces(*one.answer, *one.decoded, model.set, i, codes[i],
                     one.observed[i])) {
        return;
      }
      ++(deviates ? reproduced.left : reproduced.changed);
    });
    reproduced.deviating += static_cast<int64_t>(one.deviating.size());
  }
  return reproduced;
}

// Returns how many elements of all cases a model does not give; more than `most` are
// not counted.
int64_t Search::MissedBy(const CandidateModel& model, int64_t most) const {
  int64_t missed = 0;
  const auto count = [&](const EvidenceCase& one) {
    const Codes codes = CodesOf(*one.decoded, model);
    for (size_t i = 0; i < codes.size(); ++i) {
      const bool is_given =
          Reproduces(*one.answer, *one.decoded, model.set, i, codes[i], one.observed[i]);
      missed += is_given ? 0 : 1;
    }
    return missed <= most;
  };
  for (const EvidenceCase& one : refuting_) {
    if (!count(one)) return missed;
  }
  for (const EvidenceCase* one : sorted_) {
    if (ExplainLimit::HasPassed() || !count(*one)) return missed;
  }
  return missed;
}

// Returns the smallest few cases of which a model leaves something. It may give every
// element that deviates, and change others.
std::vector<Search::Left> Search::LeftBy(const CandidateModel& model) const {
  std::vector<Left> all;
  const auto add = [&](const EvidenceCase& one) {
    Left left{&one, MissedOf(one, model)};
    if (!left.elements.empty()) all.push_back(std::move(left));
  };
  for (const EvidenceCase& one : refuting_) add(one);
  for (const EvidenceCase* one : sorted_) {
    if (ExplainLimit::HasPassed()) break;
    add(*one);
  }
  std::ranges::stable_sort(all, {},
                           [](const Left& left) { return left.one->observed.size(); });
  if (all.size() > kShareCases) all.resize(kShareCases);
  return all;
}

bool Search::ReproducesSome(const CandidateModel& model, std::span<const Left> cases) {
  return std::ranges::any_of(cases, [&](const Left& left) {
    if (ExplainLimit::HasPassed()) return false;
    const EvidenceCase& one = *left.one;
    const Codes codes = CodesOf(*one.decoded, model);
    return std::ranges::any_of(left.elements, [&](size_t at) {
      return Reproduces(*one.answer, *one.decoded, model.set, at, codes[at],
                        one.observed[at]);
    });
  });
}

}  // namespace qconform
