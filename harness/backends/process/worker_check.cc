#include "harness/backends/process/worker_check.h"

#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "cases/model/serialize.h"
#include "harness/backends/operands.h"
#include "harness/backends/process/child_process.h"
#include "harness/backends/process/handshake.h"

namespace qconform {
namespace {

using Outcome = WorkerCheckRow::Outcome;

// QuantizeLinear-13 of FLOAT to UINT8 whose answers anybody can compute: the
// values 0, 1, 2, ... over 1, plus 3.
struct Question : FedModel {
  std::vector<std::byte> y;
};

Tensor Floats(int64_t count, bool counting) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, counting ? Shape{count} : Shape{});
  for (int64_t i = 0; i < count; ++i) {
    const float value = counting ? static_cast<float>(i % 200) : 1.0f;
    std::memcpy(tensor.data.data() + 4 * i, &value, 4);
  }
  return tensor;
}

Question Ask(int64_t count, bool constants) {
  Question question;
  Model& model = question.model;
  model.opset_version = 13;
  model.ir_version = 8;
  model.node = {"QuantizeLinear", "", {"x", "y_scale", "y_zero_point"}, {"y"}, {}};
  model.inputs = {{"x", DataType::kFloat, {count}}};
  model.outputs = {{"y", DataType::kUint8, {count}}};
  question.inputs = {Floats(count, true)};
  const Tensor scale = Floats(1, false);
  const Tensor zero_point{DataType::kUint8, {}, {std::byte{3}}};
  if (constants) {
    model.initializers = {{"y_scale", scale}, {"y_zero_point", zero_point}};
  } else {
    model.inputs.push_back({"y_scale", DataType::kFloat, {}});
    model.inputs.push_back({"y_zero_point", DataType::kUint8, {}});
    question.inputs.push_back(scale);
    question.inputs.push_back(zero_point);
  }
  for (int64_t i = 0; i < count; ++i) {
    question.y.push_back(static_cast<std::byte>(i % 200 + 3));
  }
  return question;
}

std::string TextOf(const Unsupported& declined) {
  return "unsupported: " + declined.Words();
}
std::string TextOf(const Refused& refused) { return "refused: " + refused.reason; }
std::string TextOf(const BackendError& error) { return error.text; }

// The checks share one worker, as the cases of a run do.
class Checker {
 public:
  // The first worker is started.
  Checker(const WorkerCommand& command, std::unique_ptr<ChildProcess> first)
      : command_(command), first_(std::move(first)) {}

  std::vector<WorkerCheckRow> Run() {
    if (!Connect()) return std::move(rows_);
    const auto& about = link_->about();
    Add("answers hello", Outcome::kOk,
        about.name + " " + about.version + ", protocol " +
            std::to_string(about.protocol_version) +
            (about.shared_memory ? ", shared memory" : ", no shared memory"));
    CheckCase("answers a model whose operands are all fed", Ask(4, false));
    CheckCase("answers a model with constants", Ask(4, true));
    CheckTwoHandles();
    CheckCase("answers a large tensor (4 MB)", Ask(int64_t{1} << 20, true));
    CheckNoSuchOperator();
    CheckNonsense("declines bytes that are no model", "this is no model");
    CheckNoSuchHandle();
    CheckCase("goes on after all that", Ask(5, false));
    CheckEnd();
    return std::move(rows_);
  }

 private:
  void Add(std::string what, Outcome outcome, std::string text = "") {
    rows_.push_back({std::move(what), outcome, std::move(text)});
  }

  bool Connect() {
    if (link_ && link_->usable()) return true;
    auto link = first_ ? WorkerLink::Greet(std::move(first_), command_)
                       : WorkerLink::Start(command_);
    if (!link) {
      Add("answers hello", Outcome::kFailed, link.error().message);
      return false;
    }
    link_ = *std::move(link);
    return true;
  }

  // Whether a run would not ask that: a row says so.
  bool IsNotAsked(const std::string& what, const Model& model) {
    const auto declined = DeclinedByHello(link_->about(), model);
    if (declined) Add(what, Outcome::kDeclined, "not asked: " + declined->reason);
    return declined.has_value();
  }

  // The handle, or nothing after a row that says why.
  std::optional<uint64_t> Prepare(const std::string& what, const Question& question) {
    if (IsNotAsked(what, question.model)) return std::nullopt;
    auto prepared = link_->Prepare(SerializeModel(question.model));
    if (const auto* handle = std::get_if<uint64_t>(&prepared)) return *handle;
    if (const auto* error = std::get_if<BackendError>(&prepared)) {
      Add(what, Outcome::kFailed, "prepare: " + TextOf(*error));
    } else if (const auto* refused = std::get_if<Refused>(&prepared)) {
      Add(what, Outcome::kDeclined, TextOf(*refused));
    } else {
      Add(what, Outcome::kDeclined, TextOf(std::get<Unsupported>(prepared)));
    }
    return std::nullopt;
  }

  // Whether the answer is the right one; a row where it is not.
  bool RunAndLook(const std::string& what, uint64_t handle, const Question& question) {
    const std::vector<TensorView> views = ViewsOf(question.inputs);
    RunResult result = link_->Run(handle, views);
    const auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) {
      if (const auto* error = std::get_if<BackendError>(&result)) {
        Add(what, Outcome::kFailed, "run: " + TextOf(*error));
      } else if (const auto* refused = std::get_if<Refused>(&result)) {
        Add(what, Outcome::kDeclined, TextOf(*refused));
      } else {
        Add(what, Outcome::kDeclined, TextOf(std::get<Unsupported>(result)));
      }
      return false;
    }
    const Tensor expected{DataType::kUint8, question.model.outputs[0].shape, question.y};
    if (outputs->size() == 1 && outputs->front() == expected) return true;
    std::string text = "gave " + std::to_string(outputs->size()) + " outputs, not 1";
    if (outputs->size() == 1) {
      const Tensor& y = outputs->front();
      text = "y is " + std::string(DataTypeName(y.type)) + ShapeToString(y.shape) +
             " of " + std::to_string(y.data.size()) + " bytes, right is UINT8" +
             ShapeToString(expected.shape);
      if (y.type == expected.type && y.shape == expected.shape) {
        text = "y has other values than 0, 1, 2, ... 199, 0, ... over 1, plus 3";
      }
    }
    Add(what, Outcome::kFailed, std::move(text));
    return false;
  }

  void CheckCase(const std::string& what, const Question& question) {
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
    const Question first = Ask(3, false);
    const Question second = Ask(6, true);
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
    Model model = Ask(4, true).model;
    model.node.op_type = "QconformNoSuchOperator";
    if (!Connect() || IsNotAsked(what, model)) return;
    CheckNonsense(what, SerializeModel(model));
  }

  void CheckNonsense(const std::string& what, const std::string& model) {
    if (!Connect()) return;
    const auto prepared = link_->Prepare(model);
    if (const auto* handle = std::get_if<uint64_t>(&prepared)) {
      // Some find out when they run.
      const Question question = Ask(4, true);
      const std::vector<TensorView> views = ViewsOf(question.inputs);
      const RunResult result = link_->Run(*handle, views);
      const bool answered = std::holds_alternative<Outputs>(result);
      const bool lost = !link_->usable();
      Add(what, answered || lost ? Outcome::kFailed : Outcome::kOk,
          answered ? "it was prepared, and answered with outputs"
                   : (lost ? TextOf(std::get<BackendError>(result)) : "at run"));
      return;
    }
    if (const auto* error = std::get_if<BackendError>(&prepared)) {
      Add(what, link_->usable() ? Outcome::kOk : Outcome::kFailed, TextOf(*error));
    } else {
      Add(what, Outcome::kOk);
    }
  }

  void CheckNoSuchHandle() {
    const std::string what = "answers a handle that was never given with an error";
    if (!Connect()) return;
    const RunResult result = link_->Run(uint64_t{1} << 40, {});
    const auto* error = std::get_if<BackendError>(&result);
    if (error != nullptr && link_->usable()) return Add(what, Outcome::kOk);
    Add(what, Outcome::kFailed,
        error == nullptr ? "it gave another answer than an error" : error->text);
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
  std::unique_ptr<ChildProcess> first_;  // until it is greeted
  std::unique_ptr<WorkerLink> link_;
  std::vector<WorkerCheckRow> rows_;
};

}  // namespace

Result<std::vector<WorkerCheckRow>> CheckWorker(const WorkerCommand& command) {
  auto first = ChildProcess::Start(command.words);
  if (!first) return first.error();
  return Checker(command, *std::move(first)).Run();
}

}  // namespace qconform
