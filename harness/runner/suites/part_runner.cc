#include "harness/runner/suites/part_runner.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "cases/core/counter_rng.h"
#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/model/lookup.h"
#include "cases/model/model_file.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/judge/cell_judge.h"
#include "harness/runner/row_run.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "harness/runner/shrink/shrink.h"
#include "harness/runner/shrink/shrink_cuts.h"
#include "harness/runner/suites/part_inputs.h"
#include "oracle/base/stopwatch.h"
#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// Of the inputs: a higher one gives other inputs.
constexpr int kInputsVersion = 1;

// As parts of case ids spell them.
constexpr const char* kVariant = "model";
constexpr const char* kActivations = "activations";
constexpr const char* kDirected = "directed";
constexpr const char* kRandom = "random";

// Small tensors are asked more often, until this many elements were.
constexpr int64_t kEnoughElements = 8192;
constexpr int kMostDirected = 64;

// A part whose answer takes more elements or products is made smaller if it can be. The
// oracle wires each product of a graph, and does so for each reading if a part deviates.
constexpr int64_t kMostElements = int64_t{1} << 14;
constexpr int64_t kMostWorkOfGraph = int64_t{1} << 16;
constexpr int64_t kMostWorkOfNode = int64_t{1} << 22;
// All cases of a part together take so many times this; at least kFewestCases of each
// kind are asked.
constexpr int64_t kMostCasesOfMostWork = 16;
constexpr int64_t kFewestCases = 3;

int64_t MostWorkOf(const Model& model) {
  return model.node.is_graph() ? kMostWorkOfGraph : kMostWorkOfNode;
}

// The most models that stand for one that is too large.
constexpr size_t kMostSlices = 4;

int64_t ElementsOf(const Model& model) {
  int64_t most = 0;
  for (const auto* infos : {&model.inputs, &model.outputs}) {
    for (const ValueInfo& info : *infos) {
      most = std::max(most, ElementCount(info.shape).value_or(0));
    }
  }
  return most;
}

Result<bool> IsTooLarge(const Model& model) {
  const auto work = WorkOf(model);
  if (!work) return work.error();
  return *work > MostWorkOf(model) || ElementsOf(model) > kMostElements;
}

// The model with inputs that are all 0, which only its shapes are needed of.
FedModel WithZeros(Model model) {
  FedModel fed{std::move(model), {}};
  for (const ValueInfo& input : fed.model.inputs) {
    fed.inputs.push_back(Tensor::Zeros(input.type, input.shape));
  }
  return fed;
}

// The cases of one part.
class PartCases {
 public:
  static Result<PartCases> Create(const PartQuestion& question, uint64_t seed) {
    std::vector<std::vector<InputFacts>> facts;
    for (const Model& model : question.models) {
      auto of_model = FactsOfInputs(model);
      if (!of_model) return of_model.error();
      facts.push_back(*std::move(of_model));
    }
    return PartCases(question, std::move(facts), seed);
  }

  // Returns nothing if the specification does not define the answer to these inputs.
  Result<std::optional<OpCase>> Make(std::string_view generator, int index,
                                     uint64_t more_seed = 0) {
    // Cases take turns; what a run of the whole model gave is that of the first.
    const size_t turn = generator == kActivations
                            ? 0
                            : static_cast<size_t>(index) % question_->models.size();
    const Model& model = question_->models[turn];
    OpCase made;
    made.key = KeyOf(model, generator, index);
    made.model = model;
    for (size_t i = 0; i < model.inputs.size(); ++i) {
      made.inputs.push_back(InputOf(facts_[turn][i], generator, index, i, more_seed));
    }
    const auto validity = ValidityOf(made);
    if (!validity) return validity.error();
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      why_not_ = validity->clause + ": " + validity->reason;
      return std::optional<OpCase>();
    }
    is_open_ = validity->kind == ModelValidity::Kind::kOpen;
    const Status resolved = AddOperands(made);
    if (!resolved) return resolved.error();
    return std::optional(std::move(made));
  }

  uint64_t seed() const { return seed_; }
  // Why the specification does not define the answer to the last inputs without one.
  const std::string& why_not() const { return why_not_; }
  // Whether the specification leaves open if the last case is valid. Models are often
  // such: a scale of shape [1] beside a zero point of shape []. Whoever answers it has to
  // give the values that it has.
  bool is_open() const { return is_open_; }

 private:
  PartCases(const PartQuestion& question, std::vector<std::vector<InputFacts>> facts,
            uint64_t seed)
      : question_(&question), facts_(std::move(facts)), seed_(seed) {}

  CaseKey KeyOf(const Model& model, std::string_view generator, int index) const {
    CaseKey key{.cell = question_->cell,
                .opset_version = model.opset_version,
                .form = model.initializers.empty() ? OperandForm::kInputs
                                                   : OperandForm::kInitializers,
                .variant = kVariant,
                .generator = std::string(generator),
                .index = index};
    // Ids of its cases name the part.
    key.cell.granularity += "#" + question_->part.name;
    return key;
  }

  Tensor InputOf(const InputFacts& facts, std::string_view generator, int index,
                 size_t input, uint64_t more_seed) const {
    if (generator == kActivations) {
      return question_->activations[static_cast<size_t>(index)][input];
    }
    const std::string id = question_->part.name + "/" + std::string(generator) + "/" +
                           std::to_string(index) + "/" + std::to_string(input);
    const uint64_t key = generators::ContentKey(id, seed_ + more_seed, kInputsVersion);
    if (generator == kRandom) return RandomInput(facts, key);
    // Every second time around, the other inputs are of other kinds than the first.
    const auto turn = static_cast<size_t>(index);
    const size_t other = input * (turn / kDirectedInputs % 2) * 3;
    return DirectedInput(facts, turn + other, key);
  }

  // Adds the small operands of an operator: its zero points are among them.
  static Status AddOperands(OpCase& made) {
    constexpr int64_t kMost = 4096;
    if (made.model.node.is_graph()) return Ok();
    const std::vector<TensorView> views = ViewsOf(made.inputs);
    const auto operands = ResolveOperands(made.model, views);
    if (!operands) return operands.error();
    for (const auto& operand : *operands) {
      Tensor& tensor = made.operands.emplace_back();
      if (!operand) continue;
      tensor.type = operand->type;
      tensor.shape.assign(operand->shape.begin(), operand->shape.end());
      if (*ElementCount(tensor.shape) > kMost) continue;
      tensor.data.assign(operand->data.begin(), operand->data.end());
    }
    return Ok();
  }

  const PartQuestion* question_;
  std::vector<std::vector<InputFacts>> facts_;  // by model
  uint64_t seed_;
  std::string why_not_;
  bool is_open_ = false;
};

// Further inputs for the same constants, on which a diagnosis is tested.
class FurtherInputs : public MadeCases {
 public:
  FurtherInputs(Backend& backend, PartCases& cases)
      : MadeCases(backend), cases_(&cases) {}

  Result<std::optional<AnsweredCase>> Question(size_t index) override {
    const auto number = static_cast<int>(index);
    auto made = cases_->Make(index % 2 == 0 ? kDirected : kRandom, number / 2,
                             /*more_seed=*/1);
    if (!made) return made.error();
    if (!*made) return std::optional<AnsweredCase>();
    return Answered(**std::move(made));
  }

  Result<std::optional<AnsweredCase>> Varied(size_t index) override {
    auto made = cases_->Make(kRandom, static_cast<int>(index), /*more_seed=*/2);
    if (!made) return made.error();
    if (!*made) return std::optional<AnsweredCase>();
    OpCase op_case = **std::move(made);
    std::vector<Tensor*> inputs;
    for (Tensor& input : op_case.inputs) inputs.push_back(&input);
    VaryTensors(cases_->seed() + index, inputs);
    const auto validity = ValidityOf(op_case);
    if (!validity) return validity.error();
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return std::optional<AnsweredCase>();
    }
    return Answered(std::move(op_case));
  }

 private:
  PartCases* cases_;
};

// How many cases of each generator a part is asked.
struct Amounts {
  int activations = 0;
  int directed = 0;
  int random = 0;
};

Result<Amounts> AmountsOf(const PartQuestion& question, const PartRequest& request) {
  const auto work = WorkOf(question.models.front());
  if (!work) return work.error();
  const int64_t most = kMostCasesOfMostWork * MostWorkOf(question.models.front());
  const int64_t room = std::max(most / std::max<int64_t>(*work, 1), 2 * kFewestCases);
  const int64_t elements = std::max<int64_t>(ElementsOf(question.models.front()), 1);
  const int64_t wanted = std::min<int64_t>(kEnoughElements / elements, kMostDirected);
  Amounts amounts;
  amounts.activations = static_cast<int>(question.activations.size());
  // Of only constants there is one question.
  if (question.models.front().inputs.empty() && request.random > 0) {
    amounts.random = 1;
    return amounts;
  }
  amounts.random = static_cast<int>(std::min<int64_t>(request.random, room / 2));
  if (request.directed == 0) return amounts;
  amounts.directed = static_cast<int>(
      std::min<int64_t>(std::max<int64_t>(request.directed, wanted), room / 2));
  return amounts;
}

// Returns the case that a counterexample is about.
std::shared_ptr<const OpCase> CaseOf(
    const std::vector<std::shared_ptr<const OpCase>>& cases, const CellRecord& record) {
  for (const Counterexample& example : record.counterexamples) {
    for (const auto& op_case : cases) {
      if (CaseId(op_case->key) == example.case_id) return op_case;
    }
  }
  return nullptr;
}

// Judges one part. Returns nothing if `stop` became true on the way.
class PartRun {
 public:
  PartRun(Backend& backend, const PartRequest& request, FreshTime& fresh_time,
          std::mutex& mutex, const std::atomic<bool>& stop)
      : backend_(backend),
        request_(request),
        fresh_time_(fresh_time),
        mutex_(mutex),
        stop_(stop) {}

  Result<std::optional<CellRecord>> Run(const PartQuestion& question) {
    if (!question.load) return RunLoaded(question);
    auto models = question.load();
    if (!models) return models.error();
    PartQuestion loaded = question;
    loaded.models = *std::move(models);
    return RunLoaded(loaded);
  }

 private:
  Result<std::optional<CellRecord>> RunLoaded(const PartQuestion& question) {
    const Stopwatch watch;
    auto made = PartCases::Create(question, request_.seed);
    if (!made) return made.error();
    const auto amounts = AmountsOf(question, request_);
    if (!amounts) return amounts.error();
    ReplayContext context = request_.replay;
    context.part_line = PartLine(
        request_, question.asked_with.empty() ? question.part.name : question.asked_with);
    CellJudge judge(question.cell, context);
    judge.LeaveMistrust();
    judge.LeaveNotToldApart();
    if (question.models.front().node.is_graph()) judge.LeaveObservations();
    Patience patience;
    int64_t unasked = 0;
    for (const auto& [generator, count] :
         {std::pair(kActivations, amounts->activations),
          std::pair(kDirected, amounts->directed), std::pair(kRandom, amounts->random)}) {
      for (int i = 0; i < count; ++i) {
        if (patience.ended()) {
          ++unasked;
          continue;
        }
        auto op_case = made->Make(generator, i);
        if (!op_case) return op_case.error();
        if (!*op_case) continue;
        cases_.push_back(std::make_shared<const OpCase>(**std::move(op_case)));
        std::shared_ptr<const CaseAnswer> expected;
        const auto asked = AskCase(backend_, cases_.back(), stop_, expected, judge,
                                   patience, made->is_open());
        if (!asked) return asked.error();
        if (!*asked) return std::optional<CellRecord>();
      }
    }
    if (unasked > 0) judge.AddUnasked(unasked);
    if (cases_.empty()) {
      return Error{"the specification defines no answer to any of its inputs: " +
                   made->why_not()};
    }
    std::optional<FurtherInputs> further;
    const auto prepare = [&](const CaseKey&, AskFurther& ask) {
      further.emplace(backend_, *made);
      ask.cases = &*further;
      ask.rerun = context.part_line + " --jobs 1";
    };
    auto record = FinishRow(
        backend_,
        {request_.other_threads, request_.explain, &fresh_time_, &stop_, &watch}, judge,
        patience, prepare);
    if (!record || !*record) return record;
    (*record)->cell = PartId(question);
    (*record)->part = question.part;
    const Status kept = KeepSmallest(question, **record);
    if (!kept) return kept.error();
    return record;
  }

  Status KeepSmallest(const PartQuestion& question, const CellRecord& record) {
    if (!request_.keep_smallest || !IsDeviation(record.verdict)) return Ok();
    const auto op_case = CaseOf(cases_, record);
    if (op_case == nullptr) return Ok();
    const StoredCase whole{*op_case, "part " + question.part.name + " of " +
                                         request_.file + ", " + op_case->key.generator +
                                         " inputs"};
    const auto validity = ValidityOf(whole);
    if (!validity) return validity.error();
    const StillDeviates deviates =
        DeviatesOn(backend_, validity->kind == ModelValidity::Kind::kOpen);
    const auto still = deviates(whole);
    if (!still) return still.error();
    // What deviates only when it is asked again is kept as it is.
    const StoredCase small = *still ? Shrink(whole, deviates).stored : whole;
    const std::lock_guard lock(mutex_);
    request_.keep_smallest(question, small);
    return Ok();
  }

  Backend& backend_;
  const PartRequest& request_;
  FreshTime& fresh_time_;
  std::mutex& mutex_;  // of keep_smallest
  const std::atomic<bool>& stop_;
  std::vector<std::shared_ptr<const OpCase>> cases_;
};

// --- cells for parts that have none --------------------------------------------------

// Returns the words of "DQ,DQ-Conv-Relu-Q".
std::vector<std::string> WordsOf(const std::string& graph) {
  std::string text = graph;
  std::ranges::replace(text, ',', '-');
  return Split(text, "-");
}

// Returns the family with the graph that has most of its nodes; "" if no family is in
// use.
std::string FamilyLike(const std::string& graph) {
  const std::vector<std::string> words = WordsOf(graph);
  std::string best;
  int64_t most = -1;
  for (const std::string& family : FamiliesInUse()) {
    const OperatorCases* cases = FindOperatorCases(family);
    for (const GranularityInfo& info : cases->granularities) {
      const std::string name(info.name.substr(0, info.name.rfind('.')));
      std::vector<std::string> left = WordsOf(name);
      const auto size = std::ssize(left);
      for (const std::string& word : words) {
        const auto found = std::ranges::find(left, word);
        if (found != left.end()) left.erase(found);
      }
      // Nodes that both have, without those that only this graph has.
      const int64_t both = 2 * (size - std::ssize(left)) - std::ssize(left);
      if (both <= most) continue;
      most = both;
      best = family;
    }
  }
  return best;
}

// Returns the type of the value that a node of the model reads or gives.
DataType TypeOf(const Model& model, const std::string& name) {
  for (const auto* infos : {&model.inputs, &model.outputs}) {
    const auto found = std::ranges::find(*infos, name, &ValueInfo::name);
    if (found != infos->end()) return found->type;
  }
  const Tensor* constant = FindConstant(model, name);
  return constant == nullptr ? DataType::kUndefined : constant->type;
}

// Returns the types of the operands that a cell is named by: data, weights, one scale.
std::vector<DataType> TypesOfOperands(const Model& model) {
  std::vector<DataType> data;
  std::vector<DataType> scales;
  for (const Node& node : NodesOf(model.node)) {
    const Operator* op = FindOperator(node.op_type);
    for (size_t i = 0; op != nullptr && i < node.inputs.size(); ++i) {
      const DataType type = TypeOf(model, node.inputs[i]);
      if (type == DataType::kUndefined || i >= op->operands().size()) continue;
      const OperandRole role = op->operands()[i].role;
      if (role == OperandRole::kScale) scales.push_back(type);
      if (role == OperandRole::kData || role == OperandRole::kWeight) {
        data.push_back(type);
      }
    }
  }
  if (data.size() > 2) data.resize(2);
  if (!scales.empty()) data.push_back(scales.front());
  return data;
}

// Returns a cell for a part that belongs to none.
Result<Cell> CellStandingFor(const Model& model, const std::string& graph,
                             const std::string& granularity) {
  const auto bound = BindModel(model);
  if (!bound) return bound.error();
  Cell cell{.op_type = model.node.op_type,
            .since_version = bound->since_version,
            .types = TypesOfOperands(model),
            .granularity = granularity.empty() ? "per_tensor" : granularity};
  cell.types.push_back(model.outputs.front().type);
  if (!model.node.is_graph()) return cell;
  cell.op_type = FamilyLike(graph);
  cell.granularity = graph + "." + cell.granularity;
  return cell;
}

// Whether a graph is not bound only because it has too many products or elements
// (oracle/graphs/nodes): its shapes fit together.
bool IsOnlyTooLarge(const Error& error) {
  return error.message.find("expected at most 2^2") != std::string::npos;
}

// Returns the model with half of the longest axis of an input that ONNX's shape inference
// allows to be shorter, and that makes less work. An axis along which a window slides has
// no constant, but its outputs have other sizes.
std::optional<Model> HalfOfOneAxis(const Model& model) {
  constexpr int64_t kSmallest = 8;
  struct Axis {
    int64_t size = 0;
    size_t input = 0;
    size_t axis = 0;
  };
  std::vector<Axis> axes;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const Shape& shape = model.inputs[i].shape;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] >= 2 * kSmallest) axes.push_back({shape[axis], i, axis});
    }
  }
  std::ranges::stable_sort(axes, std::ranges::greater(), &Axis::size);
  const auto before = WorkOf(model);
  for (const Axis& at : axes) {
    Model half = model;
    int64_t& size = half.inputs[at.input].shape[at.axis];
    // What is far too large becomes small at once: each try wires a whole graph.
    size = before ? size / 2 : std::min(size / 2, 2 * kSmallest);
    auto outputs = InferOutputs(half, half.node.outputs);
    if (!outputs) continue;
    half.outputs = *std::move(outputs);
    const auto work = WorkOf(half);
    if (!work && !before && IsOnlyTooLarge(work.error())) return half;
    if (!work || (before && *work >= *before)) continue;
    const auto validity = ValidityOf(WithZeros(half));
    if (validity && validity->kind != ModelValidity::Kind::kInvalid) return half;
  }
  return std::nullopt;
}

// Returns the model made smaller along dimensions that its constants do not have.
Result<Model> WithFewerInputs(Model model) {
  while (true) {
    const auto is_too_large = IsTooLarge(model);
    if (!is_too_large) {
      auto shorter =
          IsOnlyTooLarge(is_too_large.error()) ? HalfOfOneAxis(model) : std::nullopt;
      if (!shorter) return is_too_large.error();
      model = *std::move(shorter);
      continue;
    }
    if (!*is_too_large) return model;
    const auto half = HalfWithSameConstants(WithZeros(model));
    if (!half) return half.error();
    if (*half) {
      model = (*half)->model;
    } else if (auto shorter = HalfOfOneAxis(model)) {
      model = *std::move(shorter);
    } else {
      return model;
    }
  }
}

// Returns models with some of the channels of one that is still too large. Number `slice`
// of kMostSlices takes other channels than those before, if there are enough.
Result<Model> SliceOf(Model model, size_t slice) {
  for (size_t turn = 0;; ++turn) {
    const auto is_too_large = IsTooLarge(model);
    if (!is_too_large) return is_too_large.error();
    if (!*is_too_large) return model;
    const auto halves = Halves(WithZeros(model));
    if (!halves) return halves.error();
    if (halves->empty()) return model;
    // The halves of a dimension stand side by side.
    model = (*halves)[(slice >> (turn % 2)) % 2].model;
  }
}

std::string ShapeChanges(const Model& whole, const Model& asked) {
  std::vector<std::string> changes;
  const auto add = [&](const std::string& name, const Shape& before, const Shape& after) {
    if (before == after) return;
    changes.push_back(name + " " + ShapeToString(after) + " instead of " +
                      ShapeToString(before));
  };
  for (size_t i = 0; i < asked.inputs.size(); ++i) {
    add(asked.inputs[i].name, whole.inputs[i].shape, asked.inputs[i].shape);
  }
  for (size_t i = 0; i < asked.initializers.size(); ++i) {
    add(asked.initializers[i].name, whole.initializers[i].tensor.shape,
        asked.initializers[i].tensor.shape);
  }
  return Joined(changes, ", ");
}

// Sets models and asked_as. `fewer` is the whole with fewer inputs.
Status AddSlices(const Model& whole, const Model& fewer, PartQuestion& question) {
  for (size_t slice = 0; slice < kMostSlices; ++slice) {
    auto model = SliceOf(fewer, slice);
    if (!model) return model.error();
    if (std::ranges::find(question.models, *model) == question.models.end()) {
      question.models.push_back(*std::move(model));
    }
  }
  question.part.asked_as = ShapeChanges(whole, question.models.front());
  return Ok();
}

}  // namespace

Result<PartQuestion> MakePartQuestion(PartRecord part, const std::optional<Cell>& cell,
                                      const std::string& granularity, Model model) {
  PartQuestion question{std::move(part), {}, {}};
  auto fewer = WithFewerInputs(model);
  if (!fewer) return fewer.error();
  if (cell) {
    question.cell = *cell;
  } else {
    auto standing = CellStandingFor(*fewer, question.part.graph, granularity);
    if (!standing) return standing.error();
    question.cell = *std::move(standing);
  }
  // Faults of graphs are those of a family.
  if (model.node.is_graph()) fewer->node.op_type = question.cell.op_type;
  const Status made = AddSlices(model, *fewer, question);
  if (!made) return made.error();
  return question;
}

void Unload(PartQuestion& question, std::function<Result<std::vector<Model>>()> load) {
  for (Model& model : question.models) {
    for (Initializer& constant : model.initializers) constant.tensor.data = {};
  }
  question.load = std::move(load);
}

size_t BytesOfConstants(const PartQuestion& question) {
  size_t bytes = 0;
  for (const Model& model : question.models) {
    for (const Initializer& constant : model.initializers) {
      bytes += constant.tensor.data.size();
    }
  }
  return bytes;
}

std::string PartId(const PartQuestion& question) {
  return CellId(question.cell) + "#" + question.part.name;
}

CellRecord PartWithoutAnswers(const PartQuestion& question, Verdict verdict,
                              const std::string& reason) {
  CellRecord record = RecordWithoutAnswers(question.cell, verdict, reason);
  record.cell = PartId(question);
  record.part = question.part;
  return record;
}

std::string PartLine(const PartRequest& request, const std::string& part) {
  const PartRequest defaults;
  std::string line = "qconform model " + ShellWord(request.file) + " --part " +
                     ShellWord(part) + request.more_flags + " " + FlagsOf(request.replay);
  if (request.directed != defaults.directed) {
    line += " --cases " + std::to_string(request.directed);
  }
  return line;
}

bool RunParts(Backend& backend, const PartRequest& request,
              const std::function<void(CellRecord)>& done,
              const std::atomic<bool>& stop) {
  FreshTime fresh_time;
  std::mutex mutex;
  const RowsToRun rows{.count = request.parts.size(),
                       .noun = "parts",
                       .run =
                           [&](size_t index) {
                             return PartRun(backend, request, fresh_time, mutex, stop)
                                 .Run(request.parts[index]);
                           },
                       .without_answers =
                           [&](size_t index, Verdict verdict, const std::string& reason) {
                             return PartWithoutAnswers(request.parts[index], verdict,
                                                       reason);
                           },
                       .fewer = request.fewer};
  return RunRows(rows, backend.concurrent() ? request.jobs : 1, done, stop);
}

}  // namespace qconform
