#include "harness/backends/faulty/faulty_backend.h"

#include <mutex>
#include <string>
#include <utility>

#include "harness/backends/faulty/decode.h"
#include "harness/compare/oracle_model.h"
#include "oracle/base/expected.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// The state of a backend; calls may come from several threads.
struct SharedState {
  std::mutex mutex;
  FaultState state;
};

class FaultyPrepared : public PreparedModel {
 public:
  FaultyPrepared(std::unique_ptr<Model> model, OracleModel oracle, const Fault& fault,
                 std::shared_ptr<SharedState> shared)
      : model_(std::move(model)),
        oracle_(std::move(oracle)),
        fault_(fault),
        shared_(std::move(shared)) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto validity = oracle_.Validate(inputs);
    if (!validity)
      return BackendError{BackendError::Kind::kFailed, validity.error().message};
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return Refused{validity->clause + ": " + validity->reason};
    }
    const auto answer = oracle_.Evaluate(inputs);
    if (!answer) return BackendError{BackendError::Kind::kFailed, answer.error().message};
    const auto decoded = DecodeCase(*model_, oracle_.since_version(), inputs, *answer);
    if (!decoded)
      return BackendError{BackendError::Kind::kFailed, decoded.error().message};
    return PackCodes(*answer, CodesOf(**decoded));
  }

 private:
  Codes CodesOf(const DecodedCase& decoded) {
    if (fault_.has_state) {
      const std::lock_guard lock(shared_->mutex);
      return decoded.CodesOf(fault_, shared_->state);
    }
    FaultState state;
    return decoded.CodesOf(fault_, state);
  }

  std::unique_ptr<Model> model_;  // oracle_ points to it
  OracleModel oracle_;
  const Fault& fault_;
  std::shared_ptr<SharedState> shared_;
};

class FaultyBackend : public Backend {
 public:
  explicit FaultyBackend(const Fault& fault)
      : fault_(fault),
        info_{.kind = "faulty",
              .name = "faulty:" + std::string(fault.name),
              .version = "1",
              .vendor = "qconform",
              .device = "scalar integer arithmetic",
              .details = {{"fault", std::string(fault.sentence)}}},
        shared_(std::make_shared<SharedState>()) {}

  const BackendInfo& info() const override { return info_; }
  // What a fault with a state answers must not depend on threads.
  bool concurrent() const override { return !fault_.has_state; }

  PrepareResult Prepare(const Model& model) override {
    auto copy = std::make_unique<Model>(model);
    auto oracle = OracleModel::Create(*copy);
    if (!oracle) return Unsupported{oracle.error().message, ""};
    return std::make_unique<FaultyPrepared>(std::move(copy), *std::move(oracle), fault_,
                                            shared_);
  }

 private:
  const Fault& fault_;
  BackendInfo info_;
  std::shared_ptr<SharedState> shared_;
};

}  // namespace

std::unique_ptr<Backend> MakeFaultyBackend(const Fault& fault) {
  return std::make_unique<FaultyBackend>(fault);
}

Result<std::unique_ptr<Backend>> MakeFaultyBackend(std::string_view name) {
  const Fault* fault = FindFault(name);
  if (fault == nullptr) {
    return Expected("--backend faulty:NAME", "the name of a fault",
                    "'" + std::string(name) + "'",
                    "'qconform list faults' prints them all");
  }
  return MakeFaultyBackend(*fault);
}

}  // namespace qconform
