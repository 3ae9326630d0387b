#include "harness/backends/oracle/oracle_backend.h"

#include <utility>

#include "harness/compare/oracle_model.h"

namespace qconform {
namespace {

class OraclePrepared : public PreparedModel {
 public:
  OraclePrepared(std::unique_ptr<Model> model, OracleModel oracle)
      : model_(std::move(model)), oracle_(std::move(oracle)) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto validity = oracle_.Validate(inputs);
    if (!validity)
      return BackendError{BackendError::Kind::kFailed, validity.error().message};
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return Refused{validity->clause + ": " + validity->reason};
    }
    const auto answer = oracle_.Evaluate(inputs);
    if (!answer) return BackendError{BackendError::Kind::kFailed, answer.error().message};
    return PackAnswer(*answer);
  }

 private:
  std::unique_ptr<Model> model_;  // what oracle_ points to
  OracleModel oracle_;
};

class OracleBackend : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    auto copy = std::make_unique<Model>(model);
    auto oracle = OracleModel::Create(*copy);
    if (!oracle) return Unsupported{oracle.error().message, ""};
    return std::make_unique<OraclePrepared>(std::move(copy), *std::move(oracle));
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
