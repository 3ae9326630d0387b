#include "harness/backends/faulty/faulty_backend.h"

#include <mutex>
#include <string>
#include <utility>

#include "harness/backends/faulty/decode.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

// The state of a backend; calls may come from several threads.
struct SharedState {
  std::mutex mutex;
  FaultState state;
};

class FaultyPrepared : public PreparedModel {
 public:
  FaultyPrepared(const Model& model, BoundModel oracle, const Fault& fault,
                 std::shared_ptr<SharedState> shared)
      : model_(model),
        oracle_(std::move(oracle)),
        fault_(fault),
        shared_(std::move(shared)) {}

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
    const CaseAnswer answer(*std::move(answers));
    const auto decoded = DecodeCase(model_, oracle_.since_version, inputs, answer);
    if (!decoded) return HarnessFailed(decoded.error());
    return PackCodes(answer, CodesOf(**decoded));
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

  Model model_;
  BoundModel oracle_;
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
    auto oracle = BindModel(model);
    if (!oracle) {
      const Status judged = CheckIsJudged(model);
      if (!judged) return Unsupported{judged.error().message, ""};
      return HarnessFailed(oracle.error());
    }
    return std::make_unique<FaultyPrepared>(model, *std::move(oracle), fault_, shared_);
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
