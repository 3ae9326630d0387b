#include "harness/backends/oracle/oracle_backend.h"

#include <utility>

#include "harness/core/bound_model.h"
#include "harness/core/case_answer.h"
#include "harness/core/operands.h"

namespace qconform {
namespace {

class OraclePrepared : public PreparedModel {
 public:
  OraclePrepared(const Model& model, BoundModel oracle)
      : model_(model), oracle_(std::move(oracle)) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands) return HarnessFailed(operands.error());
    const auto validity = oracle_.bound->Validate(*operands);
    if (!validity) return HarnessFailed(validity.error());
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return Refused{validity->clause + ": " + validity->reason};
    }
    auto answers = oracle_.bound->Evaluate(*operands, ReadingSet());
    if (!answers) return HarnessFailed(answers.error());
    return PackAnswer(CaseAnswer(*std::move(answers)));
  }

 private:
  Model model_;
  BoundModel oracle_;
};

class OracleBackend : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    auto oracle = BindModel(model);
    if (!oracle) {
      const Status judged = CheckIsJudged(model);
      if (!judged) return Unsupported{judged.error().message, ""};
      return HarnessFailed(oracle.error());
    }
    return std::make_unique<OraclePrepared>(model, *std::move(oracle));
  }

 private:
  BackendInfo info_{.kind = "oracle",
                    .name = "oracle",
                    .version = "1",
                    .vendor = "qconform",
                    .device = "scalar integer arithmetic",
                    .details = {}};
};

}  // namespace

std::unique_ptr<Backend> MakeOracleBackend() { return std::make_unique<OracleBackend>(); }

}  // namespace qconform
