// An Error of the harness itself is never a verdict: wherever an operator is asked
// something, an Error there makes the cell `error`, with its words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/asked_again.h"
#include "harness/certificate/testing/every_answer.h"
#include "harness/certificate/testing/tamperings.h"
#include "harness/certificate/verify.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/runner.h"
#include "harness/runner/shrink/shrink.h"
#include "harness/runner/suites/negative_runner.h"
#include "harness/runner/suites/node_test_runner.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/failing_operators.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kQuotients = "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor";
constexpr const char* kProductCell =
    "QLinearMatMul/21/FLOAT-UINT8-INT8-INT8/per_tensor-per_tensor";

CellRecord RecordOfSound(Backend& sound, const std::string& id,
                         Level level = Level::kSmoke) {
  RunRequest request;
  request.cells = *SelectCells({id});
  request.level = level;
  CellRecord record;
  const std::atomic<bool> stop{false};
  RunCells(
      sound, request, [&](CellRecord made) { record = std::move(made); }, stop);
  return record;
}

// The record of a backend whose own questions to operators never fail.
CellRecord RecordOf(Backend& backend, const std::string& id,
                    Level level = Level::kSmoke) {
  WithoutFailures sound(backend);
  return RecordOfSound(sound, id, level);
}

// Answers as the oracle does, behind an adapter that fails when `fails` says so; it is
// asked at each call.
class AdapterBackend : public Backend {
 public:
  explicit AdapterBackend(std::function<bool()> fails) : fails_(std::move(fails)) {}
  const BackendInfo& info() const override { return oracle_->info(); }
  PrepareResult Prepare(const Model& model) override {
    if (fails_()) return HarnessFailed({"planted error of an adapter"});
    auto prepared = oracle_->Prepare(model);
    auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
    if (ready == nullptr) return prepared;
    return std::make_unique<Adapter>(std::move(*ready), fails_);
  }

 private:
  class Adapter : public PreparedModel {
   public:
    Adapter(std::unique_ptr<PreparedModel> prepared, const std::function<bool()>& fails)
        : prepared_(std::move(prepared)), fails_(fails) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      if (fails_()) return HarnessFailed({"planted error of an adapter"});
      return prepared_->Run(inputs);
    }

   private:
    std::unique_ptr<PreparedModel> prepared_;
    const std::function<bool()>& fails_;
  };

  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  std::function<bool()> fails_;
};

// What the model has by a reading; the canonical answer if it has no such reading.
Outputs AnswerBy(const Model& model, std::span<const TensorView> inputs,
                 const std::string& name) {
  const auto oracle = OracleModel::Create(model).value();
  const auto all = oracle.Readings(inputs);
  for (const ReadingSet& readings : *all) {
    if (Spell(readings) == name) {
      return PackAnswer(oracle.Evaluate(inputs, readings).value());
    }
  }
  return PackAnswer(oracle.Evaluate(inputs).value());
}

struct Behaviour {
  const char* name;
  const char* cell;
  Verdict verdict;
  Change change;
  Level level = Level::kSmoke;
};

RunResult Spoilt(RunResult result) {
  for (std::byte& byte : FirstOutput(result).data) byte ^= std::byte{0x15};
  return result;
}

// Backends that make the harness ask all that it can ask.
std::vector<Behaviour> Behaviours() {
  const auto right = [](const Model&, auto, RunResult result) { return result; };
  const auto wrong = [](const Model&, auto, RunResult result) {
    return Spoilt(std::move(result));
  };
  const auto by_reading = [](const Model& model, auto inputs, RunResult) -> RunResult {
    return AnswerBy(model, inputs, "QL-04:f32_quotient");
  };
  const auto by_form = [](const Model& model, auto inputs, RunResult result) {
    if (model.initializers.empty()) return result;
    return RunResult(AnswerBy(model, inputs, "QL-04:f32_quotient"));
  };
  // Every other element as a reading has it.
  const auto alternating = [](const char* name) {
    return [name](const Model& model, auto inputs, RunResult result) {
      const Tensor other = AnswerBy(model, inputs, name).front();
      Tensor& y = FirstOutput(result);
      const int64_t count = ElementCount(y.shape).value();
      for (int64_t i = 0; i < count; i += 2) {
        WriteCode(y.mutable_view(), i, ReadCode(other.view(), i));
      }
      return result;
    };
  };
  const auto one_wrong = [](const Model& model, auto inputs, RunResult) {
    RunResult result = AnswerBy(model, inputs, "QL-04:f32_quotient");
    std::vector<std::byte>& y = FirstOutput(result).data;
    if (!y.empty()) y.front() ^= std::byte{0x40};
    return result;
  };
  return {
      {"Right", kQuotients, Verdict::kConformant, right},
      {"RightProducts", kProductCell, Verdict::kConformant, right},
      {"Wrong", kQuotients, Verdict::kNonconformant, wrong},
      {"WrongProducts", kProductCell, Verdict::kNonconformant, wrong},
      {"ByReading", kQuotients, Verdict::kAdmissible, by_reading},
      {"ByReadingAndOneWrong", kQuotients, Verdict::kNonconformant, one_wrong},
      {"MixedByForm", kQuotients, Verdict::kAdmissible, by_form},
      {"MixedByElement", kQuotients, Verdict::kNonconformant,
       alternating("QL-04:f32_quotient")},
      {"WithinABound", kProductCell, Verdict::kAdmissible,
       alternating("MM-02:f32_dequantize_quantize"), Level::kStandard},
  };
}

class HarnessErrors : public testing::TestWithParam<Behaviour> {};

TEST_P(HarnessErrors, OfAnyCall_MakeTheCellAnError) {
  const Behaviour& behaviour = GetParam();
  ChangedBackend backend(behaviour.change);
  CellRecord record;
  const auto run = [&] { record = RecordOf(backend, behaviour.cell, behaviour.level); };
  const std::set<CallChain> places = CallsOf(run);
  ASSERT_EQ(record.verdict, behaviour.verdict) << record.reason;
  EXPECT_GT(places.size(), 8u);
  for (const CallChain& place : places) {
    ASSERT_TRUE(RunFailingAt(place, run));
    EXPECT_EQ(record.verdict, Verdict::kError)
        << record.reason << " " << PlaceText(place);
    EXPECT_THAT(record.reason, HasSubstr(kPlantedError));
    EXPECT_TRUE(record.counterexamples.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, HarnessErrors, testing::ValuesIn(Behaviours()),
                         [](const auto& test) { return std::string(test.param.name); });

// What a case shows only when it is asked once more: each later call answers otherwise.
TEST(HarnessErrors, WhereCasesAreAskedAgain_MakeTheCellAnError) {
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  const int64_t cases = RecordOf(honest, kQuotients).cases;
  std::set<CallChain> tried;
  const int64_t all = calls;
  for (int64_t at = cases; at < all; ++at) {
    int64_t call = 0;
    ChangedBackend once([&](const Model&, auto, RunResult result) {
      return call++ == at ? Spoilt(std::move(result)) : result;
    });
    CellRecord record;
    const auto run = [&] {
      call = 0;
      record = RecordOf(once, kQuotients);
    };
    for (const CallChain& place : CallsOf(run)) {
      if (!tried.insert(place).second) continue;
      ASSERT_TRUE(RunFailingAt(place, run));
      EXPECT_EQ(record.verdict, Verdict::kError) << record.reason << PlaceText(place);
    }
  }
}

TEST(HarnessErrors, OfNegativeModels_AreTheirResult) {
  const auto oracle = MakeOracleBackend();
  WithoutFailures sound(*oracle);
  std::set<CallChain> tried;
  for (const NegativeModel& model : JudgedNegativeModels()) {
    ChangedBackend plain([&](const Model&, auto, RunResult result) { return result; });
    NegativeRecord record;
    const auto run = [&] { record = RunNegativeModel(sound, model); };
    for (const CallChain& place : CallsOf(run)) {
      if (!tried.insert(place).second) continue;
      ASSERT_TRUE(RunFailingAt(place, run));
      EXPECT_EQ(record.result, NegativeResult::kError) << PlaceText(place);
      EXPECT_THAT(record.text, HasSubstr(kPlantedError));
    }
  }
  EXPECT_GT(tried.size(), 1u);
}

// Two readings by which a backend may refuse models: by the number of x's elements.
TEST(Refusals, OfSeveralReadings_AreEachFollowedOrNot) {
  const auto refusal_of = [](const Shape& shape) -> std::optional<Reading> {
    const int64_t rest = *ElementCount(shape) % 3;
    if (rest == 0) return Reading{"T-1", "refused"};
    if (rest == 1) return Reading{"T-2", "refused"};
    return std::nullopt;
  };
  SetRefusedBy([&](const Operands& operands) {
    return refusal_of({operands[0]->shape.begin(), operands[0]->shape.end()});
  });
  const auto record_of = [&](int64_t most_answered) {
    ChangedBackend backend([&](const Model& model, auto, RunResult result) -> RunResult {
      const Shape& shape = model.inputs[0].shape;
      const auto refusal = refusal_of(shape);
      const bool answered =
          refusal == Reading{"T-2", "refused"} && *ElementCount(shape) <= most_answered;
      if (refusal && !answered) return Refused{"refused"};
      return result;
    });
    return RecordOf(backend, "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor",
                    Level::kStandard);
  };
  const CellRecord both = record_of(0);
  EXPECT_EQ(both.verdict, Verdict::kAdmissible) << both.reason;
  EXPECT_THAT(both.reading, HasSubstr("T-1:refused"));
  EXPECT_THAT(both.reading, HasSubstr("T-2:refused"));
  const CellRecord one = record_of(40);
  EXPECT_EQ(one.verdict, Verdict::kPartial) << one.reason;
  EXPECT_THAT(one.reading, Not(HasSubstr("T-2:refused")));
  SetRefusedBy(nullptr);
}

// A verifier whose own oracle fails says nothing about the package.
TEST(HarnessErrors, OfAVerifier_AreNoFindings) {
  for (const char* id : {kQuotients, kProductCell}) {
    const SelectedCell cell = SelectCells({id})->front();
    ChangedBackend wrong(
        [](const Model&, auto, RunResult result) { return Spoilt(std::move(result)); });
    ChangedBackend right([](const Model&, auto, RunResult result) { return result; });
    for (Backend* backend :
         {static_cast<Backend*>(&wrong), static_cast<Backend*>(&right)}) {
      const CellRecord row = RecordOf(*backend, id);
      WithoutFailures sound(*backend);
      std::optional<Result<Findings>> findings;
      const auto fails_everywhere = [&](const std::function<void()>& run) {
        for (const CallChain& place : CallsOf(run)) {
          ASSERT_TRUE(findings->ok());
          ASSERT_TRUE(RunFailingAt(place, run));
          EXPECT_FALSE(findings->ok()) << PlaceText(place);
          run();
        }
      };
      fails_everywhere(
          [&] { findings = CheckEveryAnswer(sound, row, cell, Level::kSmoke); });
      fails_everywhere(
          [&] { findings = RecountCell(row, cell, Level::kSmoke, 1, true); });
    }
  }
}

TEST(HarnessErrors, OfAVerifier_AreToldApartFromTampering) {
  const PackageFiles& files = Right().files;
  Verification verification;
  VerifyOptions options;
  options.recount = false;
  const auto run = [&] { verification = VerifyPackage(files, options); };
  const std::set<CallChain> places = CallsOf(run);
  EXPECT_GE(places.size(), 3u);
  EXPECT_FALSE(verification.error);
  for (const CallChain& place : places) {
    ASSERT_TRUE(RunFailingAt(place, run));
    EXPECT_TRUE(verification.findings.empty()) << PlaceText(place);
    ASSERT_TRUE(verification.error) << PlaceText(place);
    EXPECT_THAT(verification.error->message, HasSubstr(kPlantedError));
  }
}

// The cells of a profile, and the operators of cases, are the verifier's own.
TEST(HarnessErrors, OfAProfile_AreNoFindings) {
  const PackageFiles& files = Right().files;
  Verification verification;
  RunWithoutOperators([&] { verification = VerifyPackage(files, {}); });
  EXPECT_TRUE(verification.findings.empty());
  ASSERT_TRUE(verification.error);
  EXPECT_THAT(verification.error->message, HasSubstr("expected one that qconform judges ()"));
}

// The oracle and planted faults as backends: their own errors are not answers.
TEST(HarnessErrors, OfABuiltInBackend_MakeTheCellAnError) {
  for (const bool faulty : {false, true}) {
    const auto backend =
        faulty ? MakeFaultyBackend("ties_away").value() : MakeOracleBackend();
    CellRecord record;
    const auto run = [&] { record = RecordOfSound(*backend, kQuotients); };
    const std::set<CallChain> places = CallsOf(run);
    EXPECT_EQ(record.verdict, faulty ? Verdict::kNonconformant : Verdict::kConformant);
    for (const CallChain& place : places) {
      ASSERT_TRUE(RunFailingAt(place, run));
      EXPECT_EQ(record.verdict, Verdict::kError)
          << record.reason << " " << PlaceText(place);
      EXPECT_THAT(record.reason, HasSubstr(kPlantedError));
    }
  }
}

// Of what adapts a backend, whenever it is asked: to prepare a model or to run it.
TEST(HarnessErrors, OfAnAdapter_MakeTheCellAnError) {
  int64_t fails_at = -1;
  int64_t calls = 0;
  AdapterBackend backend([&] { return calls++ == fails_at; });
  const CellRecord right = RecordOfSound(backend, kQuotients);
  EXPECT_EQ(right.verdict, Verdict::kConformant);
  // The cases of the list are asked alike, by two calls each.
  const int64_t all = calls;
  for (fails_at = 0; fails_at < all;
       fails_at += fails_at == 2 ? 2 * (right.cases - 2) : 1) {
    calls = 0;
    const CellRecord record = RecordOfSound(backend, kQuotients);
    EXPECT_EQ(record.verdict, Verdict::kError) << fails_at << " of " << all;
    EXPECT_THAT(record.reason, HasSubstr("planted error of an adapter"));
  }
}

// Of node tests, and of one whose definition is newer than those that are judged, which
// could be disputed.
TEST(HarnessErrors, OfNodeTests_AreTheirVerdict) {
  const OpCase asked =
      MakeCase(CasesOf(SelectCells({kQuotients})->front().cell,
                       SelectCells({kQuotients})->front().versions, Level::kSmoke)
                   .front(),
               1)
          .value();
  NodeTest test;
  test.name = "test_quotients";
  test.model = asked.model;
  test.data_sets.push_back({.name = "test_data_set_0",
                            .inputs = asked.inputs,
                            .outputs = AnswerBy(asked.model, ViewsOf(asked.inputs), ""),
                            .output_sha256 = {},
                            .disputed = {}});
  for (const int opset_version : {asked.model.opset_version, 1000}) {
    test.model.opset_version = opset_version;
    ChangedBackend backend([](const Model&, auto, RunResult result) { return result; });
    WithoutFailures sound(backend);
    NodeTestRecord record;
    const auto run = [&] { record = RunNodeTest(sound, {"1.23", test, test.name}); };
    const std::set<CallChain> places = CallsOf(run);
    EXPECT_EQ(record.verdict, NodeVerdict::kPass) << record.reason;
    EXPECT_GE(places.size(), 3u);
    for (const CallChain& place : places) {
      ASSERT_TRUE(RunFailingAt(place, run));
      EXPECT_EQ(record.verdict, NodeVerdict::kError) << PlaceText(place);
      EXPECT_THAT(record.reason, HasSubstr(kPlantedError));
    }
  }
}

// Shrinking keeps what it has.
TEST(HarnessErrors, OfShrinking_LeaveTheSmallestCaseSoFar) {
  const OpCase asked =
      MakeCase(CasesOf(SelectCells({kProductCell})->front().cell,
                       SelectCells({kProductCell})->front().versions, Level::kSmoke)
                   .front(),
               1)
          .value();
  const StoredCase whole{asked, "why"};
  int64_t steps = 0;
  const StillDeviates deviates = [&](const FedModel&) -> Result<bool> {
    ++steps;
    return true;
  };
  std::optional<Shrunk> shrunk;
  const auto run = [&] {
    steps = 0;
    shrunk = Shrink(whole, deviates);
  };
  const std::set<CallChain> places = CallsOf(run);
  EXPECT_FALSE(shrunk->error);
  const Shrunk smallest = *shrunk;
  EXPECT_FALSE(places.empty());
  for (const CallChain& place : places) {
    ASSERT_TRUE(RunFailingAt(place, run));
    ASSERT_TRUE(shrunk->error) << PlaceText(place);
    EXPECT_EQ(shrunk->stored.why, "why");
  }
  // An Error of the question itself, after some steps.
  const StillDeviates fails = [&](const FedModel&) -> Result<bool> {
    if (++steps > 3) return Error{"planted"};
    return true;
  };
  steps = 0;
  const Shrunk partly = Shrink(whole, fails);
  EXPECT_EQ(steps, 4);
  ASSERT_TRUE(partly.error);
  EXPECT_EQ(partly.error->message, "planted");
  EXPECT_NE(static_cast<const FedModel&>(partly.stored), asked);
  EXPECT_NE(static_cast<const FedModel&>(partly.stored),
            static_cast<const FedModel&>(smallest.stored));
}

}  // namespace
}  // namespace qconform
