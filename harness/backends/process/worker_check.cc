#include "harness/backends/process/worker_check.h"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "cases/model/serialize.h"
#include "harness/backends/process/child_process.h"
#include "harness/backends/process/handshake.h"
#include "harness/backends/same_bits.h"
#include "oracle/base/expected.h"
#include "oracle/base/first_error.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

using Outcome = WorkerCheckRow::Outcome;

std::string TextOf(const Unsupported& declined) {
  return "unsupported: " + declined.Words();
}
std::string TextOf(const Refused& refused) { return "refused: " + refused.reason; }
std::string TextOf(const BackendError& error) { return error.text; }

// Returns "UINT8[4] of 4 bytes", with commas between several.
std::string FormOf(const Outputs& outputs) {
  const auto form = [](const Tensor& output) {
    return std::string(DataTypeName(output.type)) + ShapeToString(output.shape) + " of " +
           std::to_string(output.data.size()) + " bytes";
  };
  return outputs.empty() ? "none" : Joined(outputs, ", ", form);
}

// The checks share one worker, as the cases of a run do.
class Checker {
 public:
  // `first` is a worker that was started.
  Checker(const WorkerCommand& command, std::unique_ptr<ChildProcess> first,
          const WorkerQuestions& questions)
      : command_(command), first_(std::move(first)), questions_(questions) {}

  Result<std::vector<WorkerCheckRow>> Run() {
    if (!Connect()) return Rows();
    const auto& about = link_->about();
    Add("answers hello", Outcome::kOk,
        about.name() + " " + about.version() + ", protocol " +
            std::to_string(about.protocol_version()) +
            (about.shared_memory() ? ", shared memory" : ", no shared memory"));
    CheckCase("answers a model whose operands are all inputs", questions_.make(4, false));
    CheckCase("answers a model with constants", questions_.make(4, true));
    CheckTwoHandles();
    CheckCase("answers a large tensor (2^20 elements)",
              questions_.make(int64_t{1} << 20, true));
    CheckNoSuchOperator();
    CheckNonsense("declines bytes that are not a model", "this is not a model");
    CheckNoSuchHandle();
    CheckCase("still answers after all that", questions_.make(5, true));
    CheckEnd();
    return Rows();
  }

 private:
  // Returns the rows, or the first error of the harness.
  Result<std::vector<WorkerCheckRow>> Rows() {
    if (errors_.error()) return *errors_.error();
    return std::move(rows_);
  }

  // Adds a row; an error of the harness says nothing about the worker.
  void AddFailed(const std::string& what, const std::string& when,
                 const BackendError& error) {
    if (error.kind == BackendError::Kind::kHarness) {
      errors_.Keep(Status(Error{error.text}));
    } else {
      Add(what, Outcome::kFailed, when + TextOf(error));
    }
  }

  void Add(std::string what, Outcome outcome, std::string text = "") {
    rows_.push_back({std::move(what), outcome, std::move(text)});
  }

  bool Connect() {
    if (link_ && link_->usable()) return true;
    auto started = first_ ? WorkerLink::Greet(std::move(first_), command_)
                          : WorkerLink::Start(command_);
    if (!started) {
      Add("answers hello", Outcome::kFailed, started.error().message);
      return false;
    }
    link_ = *std::move(started);
    return true;
  }

  // Returns whether a run would not ask that; a row says so.
  bool IsNotAsked(const std::string& what, const Model& model) {
    const auto declined = DeclinedByHello(link_->about(), model);
    if (declined) Add(what, Outcome::kDeclined, "not asked: " + declined->reason);
    return declined.has_value();
  }

  // Returns the handle, or nothing after adding a row that says why.
  std::optional<uint64_t> Prepare(const std::string& what, const FedModel& question) {
    if (IsNotAsked(what, question.model)) return std::nullopt;
    auto prepared = link_->Prepare(SerializeModel(question.model));
    if (const auto* handle = std::get_if<uint64_t>(&prepared)) return *handle;
    if (const auto* error = std::get_if<BackendError>(&prepared)) {
      AddFailed(what, "prepare: ", *error);
    } else if (const auto* refused = std::get_if<Refused>(&prepared)) {
      Add(what, Outcome::kDeclined, TextOf(*refused));
    } else {
      Add(what, Outcome::kDeclined, TextOf(std::get<Unsupported>(prepared)));
    }
    return std::nullopt;
  }

  // Returns whether the answer is as expected; adds a row if it is not.
  bool RunAndLook(const std::string& what, uint64_t handle, const FedModel& question) {
    const auto right = errors_.Keep(questions_.answer(question));
    if (!right) return false;
    const std::vector<TensorView> views = ViewsOf(question.inputs);
    RunResult result = link_->Run(handle, views, RunReplyLimits(question.model, false));
    const auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) {
      if (const auto* error = std::get_if<BackendError>(&result)) {
        AddFailed(what, "run: ", *error);
      } else if (const auto* refused = std::get_if<Refused>(&result)) {
        Add(what, Outcome::kDeclined, TextOf(*refused));
      } else {
        Add(what, Outcome::kDeclined, TextOf(std::get<Unsupported>(result)));
      }
      return false;
    }
    Error error;
    if (!HaveSameForm(*right, *outputs)) {
      error = Expected("outputs", FormOf(*right), FormOf(*outputs));
    } else if (const auto where = FirstDifference(*right, *outputs)) {
      error.message = *where + " differs from the expected answer";
    } else {
      return true;
    }
    Add(what, Outcome::kFailed, std::move(error.message));
    return false;
  }

  void CheckCase(const std::string& what, const FedModel& question) {
    if (!Connect()) return;
    const auto handle = Prepare(what, question);
    if (!handle || !RunAndLook(what, *handle, question) ||
        !RunAndLook(what + ", again", *handle, question)) {
      return;
    }
    link_->Release(*handle);
    Add(what, Outcome::kOk);
  }

  void CheckTwoHandles() {
    const std::string what = "keeps two prepared models apart";
    if (!Connect()) return;
    const FedModel first = questions_.make(3, false);
    const FedModel second = questions_.make(6, true);
    const auto a = Prepare(what, first);
    if (!a) return;
    const auto b = Prepare(what, second);
    if (!b) return;
    if (*a == *b) {
      Add(what, Outcome::kFailed, "both have the handle " + std::to_string(*a));
      return;
    }
    if (!RunAndLook(what, *b, second) || !RunAndLook(what, *a, first)) return;
    link_->Release(*a);
    if (!RunAndLook(what, *b, second)) return;
    link_->Release(*b);
    Add(what, Outcome::kOk);
  }

  void CheckNoSuchOperator() {
    const std::string what = "declines an operator that does not exist";
    Model model = questions_.make(4, true).model;
    model.node.op_type = "QconformNoSuchOperator";
    if (!Connect() || IsNotAsked(what, model)) return;
    CheckNonsense(what, SerializeModel(model));
  }

  void CheckNonsense(const std::string& what, const std::string& model) {
    if (!Connect()) return;
    const auto prepared = link_->Prepare(model);
    if (const auto* handle = std::get_if<uint64_t>(&prepared)) {
      // Some workers decline only when they run.
      const FedModel question = questions_.make(4, true);
      const RunResult result = link_->Run(*handle, ViewsOf(question.inputs),
                                          RunReplyLimits(question.model, false));
      const bool answered = std::holds_alternative<Outputs>(result);
      const bool lost = !link_->usable();
      Add(what, answered || lost ? Outcome::kFailed : Outcome::kOk,
          answered ? "it was prepared and answered with outputs"
                   : (lost ? TextOf(std::get<BackendError>(result)) : "at run"));
      return;
    }
    const auto* error = std::get_if<BackendError>(&prepared);
    if (error == nullptr) {
      Add(what, Outcome::kOk);
    } else if (link_->usable() && error->kind != BackendError::Kind::kHarness) {
      Add(what, Outcome::kOk, TextOf(*error));
    } else {
      AddFailed(what, "", *error);
    }
  }

  void CheckNoSuchHandle() {
    const std::string what = "answers an unknown handle with an error";
    if (!Connect()) return;
    const RunResult result = link_->Run(uint64_t{1} << 40, {}, {});
    const auto* error = std::get_if<BackendError>(&result);
    if (error != nullptr && link_->usable()) return Add(what, Outcome::kOk);
    Add(what, Outcome::kFailed,
        error == nullptr ? "expected an error, got another answer" : error->text);
  }

  void CheckEnd() {
    const std::string what = "exits when its input ends";
    if (!Connect()) return;
    const bool left = link_->LeavesAtTheEnd();
    Add(what, left ? Outcome::kOk : Outcome::kFailed,
        left ? "" : "it still ran after five seconds");
    link_.reset();
  }

  WorkerCommand command_;
  std::unique_ptr<ChildProcess> first_;  // null after the handshake
  const WorkerQuestions& questions_;
  FirstError errors_;
  std::unique_ptr<WorkerLink> link_;
  std::vector<WorkerCheckRow> rows_;
};

}  // namespace

Result<std::vector<WorkerCheckRow>> CheckWorker(const WorkerCommand& command,
                                                const WorkerQuestions& questions) {
  auto first = ChildProcess::Start(command.words);
  if (!first) return first.error();
  return Checker(command, *std::move(first), questions).Run();
}

}  // namespace qconform
