// Cells judged by backends that decline, fail, die or hang.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/runner.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

TEST(RunCells, OneFormDeclined_IsJudgedOnTheOther) {
  ChangedBackend backend([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.initializers.empty()) return Unsupported{"constants only", ""};
    return result;
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/10/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell;
    EXPECT_GT(record.declined, 0);
    EXPECT_EQ(record.forms[0].tiers[0].verdict, Verdict::kUnsupported);
  }
}

TEST(RunCells, EverythingDeclined_IsNoPass) {
  ChangedBackend backend([](const Model&, auto, RunResult) -> RunResult {
    return Unsupported{"not today", ""};
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/10/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kUnsupported);
    EXPECT_EQ(record.reason, "not today");
  }
}

TEST(RunCells, SomeDeclined_IsPartial) {
  ChangedBackend backend([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.node.inputs.size() < 3) return Unsupported{"wants a zero point", ""};
    return result;
  });
  for (const CellRecord& record :
       RunOn(backend, {"QuantizeLinear/10/*-UINT8/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kPartial);
  }
}

// Every case is legal, and no clause lets a backend refuse one of UINT8.
TEST(RunCells, LegalModelRefused_IsNotUnsupported) {
  ChangedBackend backend([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.node.inputs.size() < 3) return Refused{"wants a zero point"};
    return result;
  });
  for (const CellRecord& record :
       RunOn(backend, {"QuantizeLinear/10/*-UINT8/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kRefusedLegal) << record.cell;
    EXPECT_EQ(record.reason, "refused as invalid: wants a zero point");
    EXPECT_GT(record.refused_legal, 0);
    EXPECT_LT(record.refused_legal, record.cases);
    EXPECT_EQ(record.declined, 0);
    ASSERT_FALSE(record.counterexamples.empty());
    EXPECT_EQ(record.counterexamples[0].message, record.reason);
    EXPECT_FALSE(record.counterexamples[0].replay.empty());
    EXPECT_FALSE(record.variants.empty());
  }
}

TEST(RunCells, EverythingRefused_IsRefusedLegalAtEachOpset) {
  ChangedBackend backend([](const Model&, auto, RunResult) -> RunResult {
    return Refused{"not an operator of mine"};
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/10/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kRefusedLegal);
    EXPECT_EQ(record.refused_legal, record.cases);
    for (const OpsetRecord& opset : record.opset_versions) {
      EXPECT_EQ(opset.verdict, Verdict::kRefusedLegal) << opset.opset_version;
    }
  }
}

// What is worse outranks a refusal, and a refusal outranks what was declined.
TEST(RunCells, RefusedBesideOtherVerdicts_IsTheWorstThatIsNoDeviation) {
  const auto run_with = [](const RunResult& other) {
    int runs = 0;
    ChangedBackend backend([&](const Model&, auto, RunResult result) -> RunResult {
      ++runs;
      if (runs == 2) return Refused{"odd"};
      if (runs == 3) return other;
      return result;
    });
    return RunOn(backend, {"QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor"}).front();
  };
  EXPECT_EQ(run_with(Unsupported{"no", ""}).verdict, Verdict::kRefusedLegal);
  const CellRecord failed = run_with(BackendError{BackendError::Kind::kFailed, "raised"});
  EXPECT_EQ(failed.verdict, Verdict::kFailed);
  EXPECT_EQ(failed.refused_legal, 1);
  EXPECT_EQ(failed.reason, "raised");
  EXPECT_EQ(failed.counterexamples[0].message, "raised");
}

// Whether the zero point is given is chance where few cases fail, and none where all of
// these do.
TEST(RunCells, FailuresOfOneVariant_AreItsOwnOnlyIfChanceIsRuledOut) {
  const char* const cell = "DequantizeLinear/10/UINT8-FLOAT-FLOAT/per_tensor";
  const auto run_with = [&](bool (*fails)(const Model& model)) {
    ChangedBackend backend([&](const Model& model, auto, RunResult result) -> RunResult {
      if (fails(model)) return BackendError{BackendError::Kind::kFailed, "raised"};
      return result;
    });
    return RunOn(backend, {cell}, Level::kStandard).front();
  };
  const auto with_zero_point = [](const Model& model) {
    return model.node.inputs.size() > 2 && !model.node.inputs[2].empty();
  };
  static int runs = 0;
  const CellRecord few = run_with([](const Model& model) {
    const bool has_one = model.node.inputs.size() > 2 && !model.node.inputs[2].empty();
    return has_one && ++runs == 40;
  });
  EXPECT_EQ(few.verdict, Verdict::kFailed);
  EXPECT_EQ(VariantsText(few), "");
  const CellRecord all = run_with(with_zero_point);
  EXPECT_EQ(all.verdict, Verdict::kFailed);
  EXPECT_EQ(VariantsText(all), "wrong only with zp=present");
}

// An answer without elements shows nothing of a backend that declines all others.
TEST(RunCells, AllDeclinedButEmptyTensors_IsNoPass) {
  int64_t empty = 0;
  ChangedBackend backend([&](const Model&, auto, RunResult result) -> RunResult {
    if (!FirstOutput(result).data.empty()) return Unsupported{"has elements", ""};
    ++empty;
    return result;
  });
  const CellRecord record =
      RunOn(backend, {"QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_axis"}, Level::kStandard)
          .front();
  ASSERT_GT(empty, 0);
  EXPECT_EQ(record.verdict, Verdict::kUntested);
  EXPECT_EQ(record.elements(), 0);
}

// Each case fails: the first ones with an error, a later one by a crash.
TEST(RunCells, WorstFailure_IsTheCellsReasonAndShownFirst) {
  int runs = 0;
  ChangedBackend backend([&](const Model&, auto, RunResult) -> RunResult {
    using Kind = BackendError::Kind;
    if (++runs == 6) return BackendError{Kind::kCrashed, "died"};
    return BackendError{Kind::kFailed, "failed"};
  });
  const CellRecord record =
      RunOn(backend, {"QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor"}).front();
  ASSERT_GT(runs, 6);
  EXPECT_EQ(record.verdict, Verdict::kCrashed);
  EXPECT_EQ(record.reason, "died");
  ASSERT_EQ(record.counterexamples.size(), kDefaultCounterexamples);
  EXPECT_EQ(record.counterexamples[0].message, "died");
  EXPECT_EQ(record.counterexamples[1].message, "failed");
  EXPECT_EQ(record.counterexamples[2].message, "failed");
}

TEST(RunCells, EachFailure_HasItsVerdictInCellAndOpsetVersions) {
  using Kind = BackendError::Kind;
  const std::pair<Kind, Verdict> rows[] = {
      {Kind::kCrashed, Verdict::kCrashed},
      {Kind::kTimedOut, Verdict::kTimedOut},
      {Kind::kInvalidOutput, Verdict::kInvalidOutput},
      {Kind::kFailed, Verdict::kFailed},
      {Kind::kUnreadable, Verdict::kFailed},
      {Kind::kNondeterministic, Verdict::kNonconformant}};
  for (const auto& [kind, verdict] : rows) {
    // Once, among right answers; then twice, the second time by this.
    for (const int first : {2, 1}) {
      int runs = 0;
      ChangedBackend backend([&](const Model&, auto, RunResult result) -> RunResult {
        if (++runs == 2) return BackendError{kind, "failed so"};
        if (runs == first) return BackendError{Kind::kNondeterministic, "failed"};
        return result;
      });
      const CellRecord record =
          RunOn(backend, {"QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor"}).front();
      ASSERT_GT(runs, 3);
      EXPECT_EQ(record.verdict, verdict);
      EXPECT_TRUE(std::ranges::any_of(
          record.opset_versions,
          [&](const OpsetRecord& opset) { return opset.verdict == verdict; }))
          << VerdictName(verdict);
    }
  }
}

// A backend that hangs or dies at every case costs a few cases, and the record says so.
TEST(RunCells, CellsThatHangOrDie_AreLeftAndSaySo) {
  using Kind = BackendError::Kind;
  const std::vector<std::string> cell{"QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor"};
  for (const auto& [kind, asked] : {std::pair{Kind::kTimedOut, 3}, {Kind::kCrashed, 4}}) {
    ChangedBackend backend([&](const Model&, auto, RunResult) -> RunResult {
      return BackendError{kind, "gone"};
    });
    const CellRecord record = RunOn(backend, cell, Level::kStandard).front();
    EXPECT_EQ(record.cases, asked);
    EXPECT_NE(record.reason.find(" more cases of the cell were not asked"),
              std::string::npos)
        << record.reason;
  }
  // Between answers, a crash costs no more than itself.
  int runs = 0;
  ChangedBackend now_and_then([&](const Model&, auto, RunResult result) -> RunResult {
    if (++runs % 12 == 0) return BackendError{Kind::kCrashed, "gone"};
    return result;
  });
  const CellRecord record = RunOn(now_and_then, cell, Level::kStandard).front();
  EXPECT_EQ(record.verdict, Verdict::kCrashed);
  EXPECT_GT(record.cases, 16);
  EXPECT_EQ(record.cases, runs);
  EXPECT_EQ(record.reason, "gone");
}

// Each costs its time limit: somebody waits.
TEST(RunCells, AfterManyCellsThatOnlyHung_TheOthersAreNotAsked) {
  ChangedBackend backend([](const Model&, auto, RunResult) -> RunResult {
    return BackendError{BackendError::Kind::kTimedOut, "no answer"};
  });
  const auto records = RunOn(backend, {"QuantizeLinear/21/*"});
  ASSERT_EQ(records.size(), 120u);
  for (size_t i = 0; i < records.size(); ++i) {
    const bool asked = i < kMostHungCells;
    EXPECT_EQ(records[i].verdict, asked ? Verdict::kTimedOut : Verdict::kUntested) << i;
    if (asked) continue;
    EXPECT_EQ(records[i].cases, 0);
    EXPECT_NE(records[i].reason.find("not asked: in 12 cells in a row"),
              std::string::npos);
  }
}

TEST(RunCells, WhereSomeCasesAreAnswered_AllCellsAreAsked) {
  int cases = 0;
  ChangedBackend backend([&](const Model&, auto, RunResult result) -> RunResult {
    if (++cases % 3 == 0) return result;
    return BackendError{BackendError::Kind::kTimedOut, "no answer"};
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/21/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kTimedOut) << record.cell;
  }
}

}  // namespace
}  // namespace qconform
