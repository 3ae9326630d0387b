#include "reports/diff/diff_rows.h"

#include <map>
#include <set>

namespace qconform {
namespace {

// Whether it says something of the backend.
bool Judges(NodeVerdict verdict) {
  return verdict != NodeVerdict::kDisputed && verdict != NodeVerdict::kError;
}

// A test that is disputed, or cannot be read, asks the backend nothing.
ChangeKind KindOf(NodeVerdict before, NodeVerdict after) {
  using enum NodeVerdict;
  if (before == after || (!Judges(before) && !Judges(after))) {
    return ChangeKind::kOtherWords;
  }
  if (!Judges(before)) return ChangeKind::kNewlyAsked;
  if (!Judges(after)) return ChangeKind::kNoLongerAsked;
  // As AddStep of cells.
  if (before == kRefusedLegal || after == kRefusedLegal) {
    if (IsDeviation(after)) return ChangeKind::kNewlySupportedWrong;
    if (IsDeviation(before)) return ChangeKind::kNoLongerSupported;
    return after == kRefusedLegal ? ChangeKind::kRegressed : ChangeKind::kFixed;
  }
  if (after == kUnsupported) return ChangeKind::kNoLongerSupported;
  if (before == kUnsupported) {
    return after == kPass ? ChangeKind::kNewlySupportedRight
                          : ChangeKind::kNewlySupportedWrong;
  }
  return after == kPass ? ChangeKind::kFixed : ChangeKind::kRegressed;
}

// Whether an invalid model is refused or taken is nobody's fault.
ChangeKind KindOf(NegativeResult before, NegativeResult after) {
  using enum NegativeResult;
  if (before == after) return ChangeKind::kOtherAnswers;  // IsSame leaves nothing else
  if (before == kError || after == kError) return ChangeKind::kOtherAnswers;
  if (before == kRefusedLegal || after == kRefusedLegal) {
    if (IsDeviation(after)) return ChangeKind::kNewlySupportedWrong;
    if (IsDeviation(before)) return ChangeKind::kNoLongerSupported;
    return after == kRefusedLegal ? ChangeKind::kRegressed : ChangeKind::kFixed;
  }
  if (after == kDeclined) return ChangeKind::kNoLongerSupported;
  if (before == kDeclined) {
    return IsDeviation(after) ? ChangeKind::kNewlySupportedWrong
                              : ChangeKind::kNewlySupportedRight;
  }
  if (!IsDeviation(before) && !IsDeviation(after)) return ChangeKind::kOtherAnswers;
  return after < before ? ChangeKind::kRegressed : ChangeKind::kFixed;
}

// The words of a refusal are the backend's own; those of an answer are ours.
bool IsSame(const NegativeRecord& before, const NegativeRecord& after) {
  const bool answered =
      after.result == NegativeResult::kLax || after.result == NegativeResult::kAccepted;
  return before.result == after.result && (!answered || before.text == after.text);
}

}  // namespace

void DiffNodeTests(const Report& before, const Report& after, ReportDiff* diff) {
  using Key = std::pair<std::string, std::string>;
  const auto key = [](const NodeTestRecord& test) {
    return Key(test.release, test.name);
  };
  std::map<Key, const NodeTestRecord*> old_tests;
  std::set<std::string> releases;  // that the new report has
  for (const NodeTestRecord& test : before.node_tests) old_tests[key(test)] = &test;
  for (const NodeTestRecord& test : after.node_tests) {
    releases.insert(test.release);
    NodeTestChange change{ChangeKind::kNewlyAsked,
                          test.name,
                          test.release,
                          std::nullopt,
                          test.verdict,
                          test.reason};
    if (const auto found = old_tests.find(key(test)); found != old_tests.end()) {
      change.before = found->second->verdict;
      change.kind = KindOf(*change.before, test.verdict);
      // One that cannot be read any more is lost.
      diff->lost_rows = diff->lost_rows ||
                        (test.verdict == NodeVerdict::kError && Judges(*change.before));
      const bool same =
          *change.before == test.verdict && found->second->reason == test.reason;
      old_tests.erase(found);
      if (same) continue;
    }
    diff->node_tests.push_back(std::move(change));
  }
  for (const auto& [name, test] : old_tests) {
    diff->node_tests.push_back({ChangeKind::kNoLongerAsked, test->name, test->release,
                                test->verdict, std::nullopt, ""});
    diff->removed_rows = true;
    // Its directory was given again, without it. Whether a directory that is gone as a
    // whole was meant to be is for a person to say.
    diff->lost_rows = diff->lost_rows || releases.contains(test->release);
  }
  WorstKindsFirst(&diff->node_tests);
}

void DiffNegativeModels(const Report& before, const Report& after, ReportDiff* diff) {
  std::map<std::string_view, const NegativeRecord*> old_models;
  for (const NegativeRecord& record : before.negative) old_models[record.id] = &record;
  for (const NegativeRecord& record : after.negative) {
    NegativeChange change{ChangeKind::kNewlyAsked, record.id, std::nullopt, record.result,
                          record.text};
    if (const auto found = old_models.find(record.id); found != old_models.end()) {
      const NegativeRecord& old = *found->second;
      old_models.erase(found);
      if (IsSame(old, record)) continue;
      change.before = old.result;
      change.kind = KindOf(old.result, record.result);
    }
    diff->negative_models.push_back(std::move(change));
  }
  for (const NegativeRecord& record : before.negative) {  // in their order
    if (!old_models.contains(record.id)) continue;
    diff->negative_models.push_back(
        {ChangeKind::kNoLongerAsked, record.id, record.result, std::nullopt, ""});
    diff->removed_rows = true;
    // Another qconform may have other models, and a run may leave them out.
    const bool same_models = diff->suite_changes.empty() && diff->tool_changes.empty();
    diff->lost_rows = diff->lost_rows || (same_models && !after.negative.empty());
  }
  WorstKindsFirst(&diff->negative_models);
}

}  // namespace qconform
