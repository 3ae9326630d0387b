// Rows compared with answers of the backend.
#include "harness/certificate/row_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/samples.h"
#include "harness/certificate/testing/every_answer.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;

// The whole list was asked at an older opset_version: so are the samples, and what is
// asked again.
TEST(JudgedAt, AnOlderOpsetVersion_IsCheckedByTheSameList) {
  ChangedBackend backend([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.opset_version > 14) return Unsupported{"the opset is too new", ""};
    return result;
  });
  const std::string id = "QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor";
  const SelectedCell cell = SelectCells({id})->front();
  const CellRecord row = RunOn(backend, {id}).front();
  ASSERT_EQ(row.judged_at_opset_version, 14);
  const auto sentences = [](const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings) text += finding.sentence + "\n";
    return text;
  };
  EXPECT_EQ(sentences(CheckRow(row, cell, Level::kSmoke)), "");
  const auto share = [&](Backend& asked) {
    return sentences(CheckEveryAnswer(asked, row, cell, Level::kSmoke).value());
  };
  EXPECT_EQ(share(backend), "");
  EXPECT_THAT(share(*MakeOracleBackend()),
              HasSubstr("was answered, but the row is judged at opset 14"));
  Report report;
  report.run.suite.seed = 1;
  report.cells = {row};
  int at_14 = 0;
  const auto plan = PlanSamples(report, {cell}, Level::kSmoke);
  ASSERT_TRUE(plan) << plan.error().message;
  for (const PlannedSample& planned : *plan) at_14 += planned.key.opset_version == 14;
  EXPECT_GT(at_14, 0);
  for (const int other : {0, 13, 15, 18, 21}) {
    CellRecord changed = row;
    changed.judged_at_opset_version = other;
    EXPECT_NE(sentences(CheckRow(changed, cell, Level::kSmoke)), "") << other;
  }
}

RunResult ByReading(const Model& model, std::span<const TensorView> inputs,
                    const std::string& reading) {
  const auto oracle = OracleModel::Create(model);
  const auto choices = oracle->Readings(inputs);
  for (const ReadingSet& choice : *choices) {
    if (Spell(choice) == reading) {
      return PackAnswer(*oracle->Evaluate(inputs, choice));
    }
  }
  return PackAnswer(*oracle->Evaluate(inputs));
}

RunResult Spoilt(RunResult result) {
  for (std::byte& code : FirstOutput(result).data) code ^= std::byte{0x55};
  return result;
}

// A reading is admitted if other cases are declined, and also if another operand form
// deviates.
TEST(CheckAnswers, ReadingOfAPartialOrDeviatingRow_IsAdmitted) {
  const std::string id = "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor";
  const SelectedCell cell = SelectCells({id})->front();
  const auto findings = [&](const CellRecord& row, Backend& backend) {
    std::string text;
    const Findings found = CheckEveryAnswer(backend, row, cell, Level::kStandard).value();
    for (const Finding& finding : found) {
      text += finding.sentence + "\n";
    }
    return text;
  };
  const auto row_of = [&](Backend& backend) {
    return RunOn(backend, {id}, Level::kStandard).front();
  };
  ChangedBackend older([](const Model& model, auto inputs, RunResult) -> RunResult {
    if (model.opset_version > 21) return Unsupported{"the opset is too new", ""};
    return ByReading(model, inputs, "QL-04:f32_quotient");
  });
  const CellRecord partial = row_of(older);
  EXPECT_EQ(partial.verdict, Verdict::kPartial);
  EXPECT_THAT(partial.reading, HasSubstr("regular: QL-04:f32_quotient"));
  EXPECT_EQ(findings(partial, older), "");

  ChangedBackend wrong([](const Model& model, auto inputs, RunResult) -> RunResult {
    RunResult result = ByReading(model, inputs, "QL-04:f32_quotient");
    return model.initializers.empty() ? Spoilt(std::move(result)) : std::move(result);
  });
  const CellRecord deviating = row_of(wrong);
  EXPECT_EQ(deviating.verdict, Verdict::kNonconformant);
  EXPECT_EQ(findings(deviating, wrong), "");
  ChangedBackend wrong_in_all(
      [](const Model&, auto, RunResult result) { return Spoilt(std::move(result)); });
  EXPECT_NE(findings(partial, wrong_in_all), "");
}

// Bits that a case shows only when it is asked again are evidence by themselves.
// Returns the findings of a verifier whose backend is `verified` in the row of `run`.
std::string FindingsOf(Backend& run, Backend& verified, const std::string& id) {
  const SelectedCell cell = SelectCells({id})->front();
  const CellRecord row = RunOn(run, {id}, Level::kStandard).front();
  EXPECT_TRUE(IsDeviation(row.verdict)) << row.reason;
  const Result<Findings> found = CheckEveryAnswer(verified, row, cell, Level::kStandard);
  if (!found) return found.error().message;
  std::string text;
  for (const Finding& finding : *found) text += finding.sentence + "\n";
  return text;
}

TEST(CheckAnswers, AFailureAtAnotherOpsetVersion_IsItsSamplesToo) {
  // Declines the content that the list asks at 21, and fails at all other cases.
  std::vector<std::byte> declined;
  const auto change = [&](const Model& model, auto inputs,
                          RunResult result) -> RunResult {
    if (model.opset_version != 21) return result;
    const std::vector<std::byte> x(inputs[0].data.begin(), inputs[0].data.end());
    if (declined.empty()) declined = x;
    if (x == declined) return Unsupported{"not these", ""};
    return BackendError{BackendError::Kind::kFailed, "no kernel of that version"};
  };
  ChangedBackend run(change);
  ChangedBackend verified(change);
  EXPECT_EQ(FindingsOf(run, verified, "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor"),
            "");
}

TEST(CheckAnswers, ABackendThatReportsOtherBitsTheSecondTime_NeedsNoCodes) {
  const std::string id = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor";
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  const int64_t cases = RunOn(honest, {id}, Level::kStandard).front().cases;
  int64_t call = 0;
  ChangedBackend unsteady([&](const Model&, auto, RunResult result) -> RunResult {
    if (call++ != cases) return result;
    return BackendError{BackendError::Kind::kNondeterministic, "other bits"};
  });
  EXPECT_EQ(FindingsOf(unsteady, honest, id), "");
}

TEST(CheckAnswers, SecondAnswers_AreHeldAgainstTheFirst) {
  const std::string id = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor";
  const SelectedCell cell = SelectCells({id})->front();
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  const int64_t cases = RunOn(honest, {id}, Level::kStandard).front().cases;
  std::set<std::string> changed;
  const int64_t all = calls;
  for (int64_t at = cases; at < all; ++at) {
    int64_t call = 0;
    ChangedBackend once([&](const Model&, auto, RunResult result) -> RunResult {
      if (call++ == at && !FirstOutput(result).data.empty()) {
        FirstOutput(result).data.front() ^= std::byte{0x10};
      }
      return result;
    });
    CellRecord row = RunOn(once, {id}, Level::kStandard).front();
    const auto found = [&] {
      std::string text;
      const Findings all_found =
          CheckEveryAnswer(honest, row, cell, Level::kStandard).value();
      for (const Finding& finding : all_found) {
        text += finding.sentence + "\n";
      }
      return text;
    };
    EXPECT_EQ(found(), "") << "call " << at;
    if (row.verdict != Verdict::kNonconformant) continue;
    ASSERT_EQ(row.counterexamples.size(), 1u);
    std::optional<SecondAnswer>& second = row.counterexamples.front().second_answer;
    ASSERT_TRUE(second && second->index) << row.reason;
    changed.insert(second->changed);
    std::swap(second->first, second->second);
    if (second->changed != kChangedInputs && second->changed != kChangedSize) {
      EXPECT_THAT(found(), HasSubstr("shows another first answer than its sample"));
    }
    second->first = second->second;
    EXPECT_THAT(found(), HasSubstr("shows two answers that may both be given"));
    second->first = second->second = {"0x1", "about one"};
    EXPECT_THAT(found(), HasSubstr("shows another first answer than its sample"));
    second.reset();
    EXPECT_THAT(found(), HasSubstr("says that the case failed, but its sample does not"));
  }
  EXPECT_EQ(changed, (std::set<std::string>{kChangedAlignment, kChangedInputs,
                                            kChangedNamedDimensions, kChangedPosition,
                                            kChangedPreparedModel, kChangedSize}));
}

}  // namespace
}  // namespace qconform
