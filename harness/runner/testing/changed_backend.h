// A backend that answers like the oracle, except where a test changes that.
#ifndef QCONFORM_HARNESS_RUNNER_TESTING_CHANGED_BACKEND_H_
#define QCONFORM_HARNESS_RUNNER_TESTING_CHANGED_BACKEND_H_

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "harness/backends/backend.h"
#include "harness/backends/oracle/oracle_backend.h"

namespace qconform {

// Makes an answer of the model, its inputs and the oracle's answer.
using Change =
    std::function<RunResult(const Model&, std::span<const TensorView>, RunResult)>;

class ChangedBackend : public Backend {
 public:
  explicit ChangedBackend(Change change) : change_(std::move(change)) {}
  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    auto prepared = oracle_->Prepare(model);
    return std::make_unique<Changed>(
        model, std::get<std::unique_ptr<PreparedModel>>(std::move(prepared)), change_);
  }

 private:
  class Changed : public PreparedModel {
   public:
    Changed(Model model, std::unique_ptr<PreparedModel> prepared, const Change& change)
        : model_(std::move(model)), prepared_(std::move(prepared)), change_(change) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      return change_(model_, inputs, prepared_->Run(inputs));
    }

   private:
    Model model_;
    std::unique_ptr<PreparedModel> prepared_;
    const Change& change_;
  };

  BackendInfo info_{.kind = "changed",
                    .name = "changed",
                    .version = "",
                    .vendor = "",
                    .device = "",
                    .details = {}};
  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  Change change_;
};

inline Tensor& FirstOutput(RunResult& result) {
  return std::get<Outputs>(result).front();
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_TESTING_CHANGED_BACKEND_H_
