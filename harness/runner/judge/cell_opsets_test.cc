// Backends that take only some opset_versions, and verdicts at each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "harness/core/operands.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "reports/report/row_rules.h"

namespace qconform {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kOpsets13To18 = "QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor";
constexpr const char* kHalfQuotients =
    "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor";
constexpr const char* kOpsetsFrom21 =
    "QLinearMatMul/21/FLOAT-UINT8-UINT8-UINT8/per_tensor-per_tensor";

CellRecord RecordOfCell(Change change, const std::string& cell,
                        Level level = Level::kStandard) {
  ChangedBackend backend(std::move(change));
  std::vector<CellRecord> records = RunOn(backend, {cell}, level);
  EXPECT_EQ(records.size(), 1u);
  if (records.empty()) return {};
  EXPECT_THAT(
      ContradictionsIn(records.front(), OperatorRecordOf({}, records.front().op_type)),
      IsEmpty());
  return std::move(records.front());
}

CellRecord RecordOfTheOracle(const std::string& cell, Level level = Level::kStandard) {
  return RecordOfCell([](const Model&, auto, RunResult result) { return result; }, cell,
                      level);
}

// Declines what is newer than `last`.
Change UpTo(int last, Change change) {
  return [last, change = std::move(change)](const Model& model, auto inputs,
                                            RunResult result) -> RunResult {
    if (model.opset_version > last) return Unsupported{"the opset is too new", ""};
    return change ? change(model, inputs, std::move(result)) : std::move(result);
  };
}

bool HasNoProducts(const Model& model, std::span<const TensorView> inputs) {
  const Operands operands = *ResolveOperands(model, inputs);
  return operands[0]->shape.back() == 0;
}

RunResult WithOtherCodes(RunResult result) {
  for (std::byte& code : FirstOutput(result).data) code ^= std::byte{0x55};
  return result;
}

Verdict VerdictAt(const CellRecord& record, int opset_version) {
  for (const OpsetRecord& opset : record.opset_versions) {
    if (opset.opset_version == opset_version) return opset.verdict;
  }
  ADD_FAILURE() << "no opset_version " << opset_version;
  return Verdict::kUntested;
}

TEST(JudgedAt, NewestIsTaken_IsAskedAsEver) {
  const CellRecord record = RecordOfCell(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        // All but a little is declined at the newest.
        const bool taken = model.opset_version < 18 || inputs[0].shape.size() > 2;
        return taken ? std::move(result) : RunResult(Unsupported{"not this", ""});
      },
      kOpsets13To18);
  EXPECT_EQ(record.judged_at_opset_version, 0);
  EXPECT_EQ(record.cases, RecordOfTheOracle(kOpsets13To18).cases);
  EXPECT_EQ(VerdictAt(record, 18), Verdict::kPartial);
}

TEST(JudgedAt, OlderOnesAreTaken_TheListIsAskedAtTheNewestOfThem) {
  const CellRecord right = RecordOfTheOracle(kOpsets13To18);
  const CellRecord record = RecordOfCell(UpTo(16, nullptr), kOpsets13To18);
  EXPECT_EQ(record.judged_at_opset_version, 16);
  EXPECT_EQ(record.verdict, Verdict::kPartial);
  EXPECT_EQ(record.cases, right.cases);
  // At 17 and 18: a content in two forms, and what a covering array asks there.
  EXPECT_EQ(record.declined, 25);
  EXPECT_GT(record.elements(), right.elements() * 9 / 10);
  EXPECT_EQ(record.reason, "the opset is too new");
  using enum Verdict;
  EXPECT_THAT(record.opset_versions,
              ElementsAre(OpsetRecord{13, kConformant}, OpsetRecord{14, kConformant},
                          OpsetRecord{15, kConformant}, OpsetRecord{16, kConformant},
                          OpsetRecord{17, kUnsupported}, OpsetRecord{18, kUnsupported}));
}

TEST(JudgedAt, NoneIsTaken_IsUnsupported) {
  for (const char* cell : {kOpsets13To18, kOpsetsFrom21}) {
    const CellRecord record = RecordOfCell(UpTo(0, nullptr), cell);
    EXPECT_EQ(record.judged_at_opset_version, 0);
    EXPECT_EQ(record.verdict, Verdict::kUnsupported);
    EXPECT_EQ(record.cases, RecordOfTheOracle(cell).cases);
    EXPECT_EQ(record.declined, record.cases);
  }
}

// The probe at an older opset_version may be of a form that is not taken.
TEST(JudgedAt, OneFormIsTaken_IsFoundByTheOthers) {
  const auto constants = [](const Model& model, auto, RunResult result) -> RunResult {
    if (model.initializers.empty()) return Unsupported{"scales are constants", ""};
    return result;
  };
  for (const Level level : {Level::kSmoke, Level::kStandard}) {
    const CellRecord record = RecordOfCell(UpTo(14, constants), kOpsets13To18, level);
    EXPECT_EQ(record.judged_at_opset_version, 14);
    EXPECT_EQ(VerdictAt(record, 14), Verdict::kPartial);
    EXPECT_EQ(VerdictAt(record, 13), Verdict::kPartial);
    EXPECT_EQ(VerdictAt(record, 15), Verdict::kUnsupported);
  }
}

// What only the whole list shows: y of K = 0.
TEST(JudgedAt, FaultsAreSeenAndShownThere) {
  const CellRecord record = RecordOfCell(
      UpTo(22,
           [](const Model& model, auto inputs, RunResult result) -> RunResult {
             return HasNoProducts(model, inputs) ? WithOtherCodes(std::move(result))
                                                 : std::move(result);
           }),
      kOpsetsFrom21);
  EXPECT_EQ(record.judged_at_opset_version, 22);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(VerdictAt(record, 21), Verdict::kNonconformant);
  EXPECT_EQ(VerdictAt(record, 22), Verdict::kNonconformant);
  EXPECT_EQ(VerdictAt(record, 23), Verdict::kUnsupported);
  ASSERT_FALSE(record.counterexamples.empty());
  for (const Counterexample& example : record.counterexamples) {
    EXPECT_THAT(example.case_id, HasSubstr("QLinearMatMul/21@22/"));
    const auto key = ParseCaseId(example.case_id);
    ASSERT_TRUE(key.ok());
    EXPECT_TRUE(MakeCase(*key, 1).ok());
  }
}

TEST(OpsetVerdicts, WrongAtAll_IsToldOfAll) {
  const CellRecord record = RecordOfCell(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        return HasNoProducts(model, inputs) ? WithOtherCodes(std::move(result))
                                            : std::move(result);
      },
      kOpsetsFrom21);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_GT(record.opset_versions.size(), 4u);
  EXPECT_THAT(record.opset_versions,
              Each(Field(&OpsetRecord::verdict, Verdict::kNonconformant)));
}

TEST(OpsetVerdicts, WrongAtTheNewest_IsToldOfItOnly) {
  const int newest = RecordOfTheOracle(kOpsetsFrom21).opset_versions.back().opset_version;
  const CellRecord record = RecordOfCell(
      [&](const Model& model, auto inputs, RunResult result) -> RunResult {
        const bool wrong = model.opset_version == newest && HasNoProducts(model, inputs);
        return wrong ? WithOtherCodes(std::move(result)) : std::move(result);
      },
      kOpsetsFrom21);
  for (const OpsetRecord& opset : record.opset_versions) {
    EXPECT_EQ(opset.verdict, opset.opset_version == newest ? Verdict::kNonconformant
                                                           : Verdict::kConformant);
  }
}

TEST(OpsetVerdicts, OtherWrongBits_AreLeftOut) {
  const int newest = RecordOfTheOracle(kOpsetsFrom21).opset_versions.back().opset_version;
  const CellRecord record = RecordOfCell(
      [&](const Model& model, auto inputs, RunResult result) -> RunResult {
        if (!HasNoProducts(model, inputs)) return result;
        result = WithOtherCodes(std::move(result));
        if (model.opset_version != newest) {
          for (std::byte& code : FirstOutput(result).data) code ^= std::byte{0x0F};
        }
        return result;
      },
      kOpsetsFrom21);
  EXPECT_EQ(VerdictAt(record, newest), Verdict::kNonconformant);
  for (const OpsetRecord& opset : record.opset_versions) {
    EXPECT_NE(opset.verdict, Verdict::kConformant) << opset.opset_version;
  }
}

TEST(OpsetVerdicts, AReadingFollowedByAll_IsToldOfAll) {
  const CellRecord record = RecordOfCell(
      [](const Model& model, auto inputs, RunResult) -> RunResult {
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Readings(inputs);
        for (const ReadingSet& choice : *choices) {
          if (Spell(choice) == "QL-04:f32_quotient") {
            return Outputs{PackAnswer(*oracle->Evaluate(inputs, choice))};
          }
        }
        return Outputs{PackAnswer(*oracle->Evaluate(inputs))};
      },
      kHalfQuotients);
  EXPECT_EQ(record.verdict, Verdict::kAdmissible);
  EXPECT_THAT(record.opset_versions, ElementsAre(OpsetRecord{21, Verdict::kAdmissible},
                                                 OpsetRecord{22, Verdict::kAdmissible}));
}

TEST(OpsetVerdicts, AFormThatIsDeclined_IsToldOfAll) {
  for (const bool constants : {true, false}) {
    const CellRecord record = RecordOfCell(
        [&](const Model& model, auto, RunResult result) -> RunResult {
          if (model.initializers.empty() != constants) return Unsupported{"the form", ""};
          return result;
        },
        kOpsets13To18, Level::kSmoke);
    EXPECT_EQ(record.judged_at_opset_version, 0);
    EXPECT_THAT(record.opset_versions,
                Each(Field(&OpsetRecord::verdict, Verdict::kPartial)));
  }
}

// What is found when an older opset_version is asked more counts.
TEST(OpsetVerdicts, AnErrorAtAnOlderOne_IsADeviationOfTheCell) {
  const CellRecord record = RecordOfCell(
      [](const Model& model, auto, RunResult result) -> RunResult {
        if (model.initializers.empty()) return result;
        if (model.opset_version == 18) return Unsupported{"constants", ""};
        return BackendError{BackendError::Kind::kFailed, "raised"};
      },
      kOpsets13To18, Level::kSmoke);
  EXPECT_EQ(record.verdict, Verdict::kFailed);
  EXPECT_EQ(VerdictAt(record, 18), Verdict::kPartial);
  EXPECT_EQ(VerdictAt(record, 13), Verdict::kFailed);
  ASSERT_FALSE(record.counterexamples.empty());
  EXPECT_THAT(record.counterexamples.front().message,
              HasSubstr("asked again at opset_version 13: raised"));
}

}  // namespace
}  // namespace qconform
