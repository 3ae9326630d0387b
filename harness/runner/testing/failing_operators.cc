#include "harness/runner/testing/failing_operators.h"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace qconform {
namespace {

// What the calls of this thread are watched for.
struct Watch {
  bool paused = false;
  size_t outer = 0;  // functions that lead to the watched work, and do not count
  std::set<CallChain>* seen = nullptr;
  const CallChain* failing = nullptr;
  bool failed = false;
  bool has_no_operators = false;
};
thread_local Watch watch;

RefusedBy refused_by;

constexpr size_t kDeepest = 200;

[[gnu::noinline]] CallChain CallersOfThis() {
  std::array<void*, kDeepest> frames{};
  const auto count =
      static_cast<size_t>(backtrace(frames.data(), static_cast<int>(frames.size())));
  const size_t inner = count - std::min(count, watch.outer);
  return CallChain(frames.begin(), frames.begin() + inner);
}

// Whether this call has to fail.
bool Fails() {
  if (watch.paused || (watch.seen == nullptr && watch.failing == nullptr)) return false;
  const CallChain place = CallersOfThis();
  if (watch.seen != nullptr) watch.seen->insert(place);
  if (watch.failing == nullptr || watch.failed || *watch.failing != place) return false;
  watch.failed = true;
  return true;
}

Error Planted() { return Error{kPlantedError}; }

class FailingBound : public BoundOperator {
 public:
  explicit FailingBound(std::unique_ptr<const BoundOperator> bound)
      : bound_(std::move(bound)) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    if (Fails()) return Planted();
    return bound_->Validate(operands);
  }
  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    if (Fails()) return Planted();
    return bound_->Evaluate(operands, readings);
  }
  bool rounds(const Operands& operands) const override {
    return bound_->rounds(operands);
  }
  Result<std::vector<ReadingSet>> Readings(const Operands& operands) const override {
    if (Fails()) return Planted();
    return bound_->Readings(operands);
  }
  int64_t ReadingsKey() const override { return bound_->ReadingsKey(); }
  Result<std::vector<ReadingLeftOut>> ReadingsLeftOut(
      const Operands& operands) const override {
    if (Fails()) return Planted();
    return bound_->ReadingsLeftOut(operands);
  }
  Result<std::optional<Reading>> ReadingOfRefusal(
      const Operands& operands) const override {
    if (Fails()) return Planted();
    if (refused_by) return refused_by(operands);
    return bound_->ReadingOfRefusal(operands);
  }
  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                        size_t output,
                                                        int64_t index) const override {
    if (Fails()) return Planted();
    return bound_->OperandsOfElement(operands, output, index);
  }
  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands& operands, size_t output, int64_t index,
      const ElementAnswer& answer) const override {
    if (Fails()) return Planted();
    return bound_->FreeInputOf(operands, output, index, answer);
  }
  Result<std::vector<KnownAnswer>> KnownAnswers(const Operands& operands,
                                                const FreeInput& free) const override {
    if (Fails()) return Planted();
    return bound_->KnownAnswers(operands, free);
  }
  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t output,
                                             int64_t index) const override {
    if (Fails()) return Planted();
    return bound_->IsolateElement(operands, output, index);
  }
  Result<std::vector<Attribute>> IsolatedAttributes(const Operands& operands,
                                                    size_t output,
                                                    int64_t index) const override {
    if (Fails()) return Planted();
    return bound_->IsolatedAttributes(operands, output, index);
  }
  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    if (Fails()) return Planted();
    return bound_->DimensionsOf(operands);
  }

 private:
  std::unique_ptr<const BoundOperator> bound_;
};

class FailingOperator : public Operator {
 public:
  explicit FailingOperator(const Operator& real) : real_(real) {}

  std::string_view op_type() const override { return real_.op_type(); }
  std::span<const OperandInfo> operands() const override { return real_.operands(); }
  std::span<const OutputInfo> outputs() const override { return real_.outputs(); }
  std::vector<Clause> clauses() const override { return real_.clauses(); }
  bool depends_on_order() const override { return real_.depends_on_order(); }
  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute> attributes,
                                                    int since_version) const override {
    if (Fails()) return Planted();
    auto bound = real_.Bind(attributes, since_version);
    if (!bound) return bound;
    return std::unique_ptr<const BoundOperator>(
        std::make_unique<FailingBound>(*std::move(bound)));
  }

 private:
  const Operator& real_;
};

class Unwatched {
 public:
  Unwatched() : before_(std::exchange(watch.paused, true)) {}
  ~Unwatched() { watch.paused = before_; }

 private:
  bool before_;
};

class PreparedWithoutFailures : public PreparedModel {
 public:
  explicit PreparedWithoutFailures(std::unique_ptr<PreparedModel> prepared)
      : prepared_(std::move(prepared)) {}
  RunResult Run(std::span<const TensorView> inputs) override {
    const Unwatched unwatched;
    return prepared_->Run(inputs);
  }

 private:
  std::unique_ptr<PreparedModel> prepared_;
};

Result<generators::Content> MakeContent(const Cell& cell,
                                        const generators::ContentName& name,
                                        generators::CounterRng rng) {
  if (Fails()) return Planted();
  const auto real = std::ranges::find(RealOperatorCases(), std::string_view(cell.op_type),
                                      &OperatorCases::op_type);
  return (*real)->make_content(cell, name, rng);
}

}  // namespace

std::span<const OperatorCases* const> AllOperatorCases() {
  static const std::vector<const OperatorCases*> all = [] {
    std::vector<const OperatorCases*> failing;
    for (const OperatorCases* real : RealOperatorCases()) {
      auto* made = new OperatorCases(*real);  // lives as long as the program
      made->make_content = MakeContent;
      failing.push_back(made);
    }
    return failing;
  }();
  return all;
}

std::span<const Operator* const> Operators() {
  if (watch.has_no_operators) return {};
  static const std::vector<const Operator*> all = [] {
    std::vector<const Operator*> failing;
    for (const Operator* real : RealOperators()) {
      failing.push_back(new FailingOperator(*real));  // lives as long as the program
    }
    return failing;
  }();
  return all;
}

void SetRefusedBy(RefusedBy function) { refused_by = std::move(function); }

std::string PlaceText(const CallChain& place) {
  char** names = backtrace_symbols(place.data(), static_cast<int>(place.size()));
  std::string text;
  for (size_t i = 0; i < place.size(); ++i) text += "\n  " + std::string(names[i]);
  std::free(names);
  return text;
}

std::set<CallChain> CallsOf(const std::function<void()>& work) {
  std::set<CallChain> seen;
  watch = {};
  watch = {.outer = CallersOfThis().size() - 1, .seen = &seen};
  work();
  watch = {};
  return seen;
}

bool RunFailingAt(const CallChain& place, const std::function<void()>& work) {
  watch = {};
  watch = {.outer = CallersOfThis().size() - 1, .failing = &place};
  work();
  return std::exchange(watch, {}).failed;
}

void RunWithoutOperators(const std::function<void()>& work) {
  watch = {.has_no_operators = true};
  work();
  watch = {};
}

PrepareResult WithoutFailures::Prepare(const Model& model) {
  const Unwatched unwatched;
  PrepareResult prepared = backend_.Prepare(model);
  auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  if (ready == nullptr) return prepared;
  return std::make_unique<PreparedWithoutFailures>(std::move(*ready));
}

}  // namespace qconform
