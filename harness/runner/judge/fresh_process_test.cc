// A deviation is asked again alone in a fresh process before it is explained.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/run_model.h"
#include "harness/core/fault.h"
#include "harness/runner/testing/run_on.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kCell = "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis";

// Answers like one backend, and alone in a fresh process like another.
class OtherAlone : public Backend {
 public:
  OtherAlone(std::unique_ptr<Backend> here, std::unique_ptr<Backend> alone)
      : here_(std::move(here)), alone_(std::move(alone)) {}
  const BackendInfo& info() const override { return here_->info(); }
  PrepareResult Prepare(const Model& model) override { return here_->Prepare(model); }
  std::optional<RunResult> RunAlone(const Model& model,
                                    std::span<const TensorView> inputs) override {
    ++asked_alone;
    return *RunModel(*alone_, model, inputs);
  }

  int asked_alone = 0;

 private:
  std::unique_ptr<Backend> here_, alone_;
};

std::unique_ptr<Backend> Faulty(const char* name) {
  return MakeFaultyBackend(*FindFault(name));
}

TEST(FreshProcess, DeviationThatIsReproduced_IsExplained) {
  OtherAlone backend(Faulty("ties_away"), Faulty("ties_away"));
  const CellRecord record = RunOn(backend, {kCell}).front();
  EXPECT_EQ(backend.asked_alone, 1);
  EXPECT_EQ(record.diagnosis, "ties_away");
  EXPECT_EQ(record.deviation->rerun, "");
}

TEST(FreshProcess, DeviationThatIsNotReproduced_DependsOnWhatRanBefore) {
  OtherAlone backend(Faulty("ties_away"), MakeOracleBackend());
  const CellRecord record = RunOn(backend, {kCell}).front();
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_GT(backend.asked_alone, 0);
  EXPECT_EQ(record.diagnosis, "");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_EQ(record.deviation->nearest, "");
  EXPECT_TRUE(record.deviation->pattern.empty());
  EXPECT_THAT(record.deviation->rerun,
              HasSubstr("qconform run --cells " + std::string(kCell) + " --backend"));
  EXPECT_THAT(record.deviation->rerun, HasSubstr(" --level smoke --jobs 1"));
  const std::string text = DiagnosisText(record);
  EXPECT_THAT(text, HasSubstr("depends on what ran before"));
  EXPECT_THAT(text, HasSubstr(record.deviation->rerun));
}

// What a model with a state says of such a deviation is its cause.
TEST(FreshProcess, ModelWithAState_IsStillNamed) {
  OtherAlone backend(Faulty("scale_of_previous_call"), MakeOracleBackend());
  const CellRecord record = RunOn(backend, {kCell}).front();
  EXPECT_EQ(record.diagnosis, "scale_of_previous_call") << DiagnosisText(record);
  EXPECT_THAT(record.deviation->rerun, HasSubstr("--jobs 1"));
}

TEST(FreshProcess, BackendWithoutProcesses_IsExplainedAtOnce) {
  const auto backend = Faulty("ties_away");
  const CellRecord record = RunOn(*backend, {kCell}).front();
  EXPECT_EQ(record.diagnosis, "ties_away");
  EXPECT_THAT(DiagnosisText(record), Not(HasSubstr("fresh process")));
}

}  // namespace
}  // namespace qconform
