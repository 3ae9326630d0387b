// Makes the question about a part: the cell that it belongs to, and models that are small
// enough for the oracle.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/model/lookup.h"
#include "cases/model/model_file.h"
#include "harness/core/bound_model.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "harness/runner/shrink/shrink_cuts.h"
#include "harness/runner/suites/constant_slicer.h"
#include "harness/runner/suites/part_inputs.h"
#include "harness/runner/suites/part_runner.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// The most models that stand for one that is too large.
constexpr size_t kMostSlices = 4;

bool IsTooLarge(const Model& model, int64_t work) {
  constexpr int64_t kMostElements = int64_t{1} << 14;
  return work > MostWorkOf(model) || ElementsOf(model) > kMostElements;
}

// The model with inputs that have shapes and no data: what a part reads may be larger
// than the memory.
FedModel WithoutData(Model model) {
  FedModel fed{std::move(model), {}};
  for (const ValueInfo& input : fed.model.inputs) {
    fed.inputs.push_back({input.type, input.shape, {}});
  }
  return fed;
}

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

// Returns the model with at most half of the longest axis of an input that ONNX's shape
// inference allows to be shorter, and that makes less work. An axis along which a window
// slides has no constant, but its outputs have other sizes.
std::optional<Model> WithLessOfOneAxis(const Model& model) {
  constexpr int64_t kSmallest = 4;
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
    // Each try wires a whole graph: what is far too large becomes small at once, if the
    // windows fit into that.
    const int64_t fitting =
        before ? at.size * std::min(MostWorkOf(model), *before) / *before : 0;
    const int64_t small =
        std::clamp(fitting, std::min(2 * kSmallest, at.size / 2), at.size / 2);
    for (const int64_t size : {small, at.size / 2}) {
      Model less = model;
      less.inputs[at.input].shape[at.axis] = size;
      auto outputs = InferOutputs(less, less.node.outputs);
      if (!outputs) continue;
      less.outputs = *std::move(outputs);
      const auto work = WorkOf(less);
      // One that the oracle does not take may only be too large, and this one may be too.
      if (!work && !before) return less;
      if (!work || (before && *work >= *before)) continue;
      if (IsValidWithZeros(less)) return less;
    }
  }
  return std::nullopt;
}

// Makes the model smaller along dimensions that its constants do not have. An Error if
// the oracle does not take it however small it is.
Status TakeFewerInputs(Model& model) {
  while (true) {
    const auto work = WorkOf(model);
    if (!work) {
      auto shorter = WithLessOfOneAxis(model);
      if (!shorter) return work.error();
      model = *std::move(shorter);
      continue;
    }
    if (!IsTooLarge(model, *work)) return Ok();
    const auto half = HalfWithSameConstants(WithoutData(model));
    if (!half) return half.error();
    if (*half) {
      model = (*half)->model;
    } else if (auto shorter = WithLessOfOneAxis(model)) {
      model = *std::move(shorter);
    } else {
      return Ok();
    }
  }
}

// Returns models with some of the channels of one that is still too large. Number `slice`
// of kMostSlices takes other channels than those before, if there are enough.
Result<Model> SliceOf(Model model, size_t slice) {
  for (size_t turn = 0;; ++turn) {
    const auto dimensions = DimensionsOf(model);
    if (!dimensions) return dimensions.error();
    if (!IsTooLarge(model, WorkOf(model, *dimensions))) return model;
    std::vector<FedModel> halves = Halves(WithoutData(model), *dimensions);
    if (halves.empty()) return model;
    // The halves of a dimension stand side by side.
    model = std::move(halves[(slice >> (turn % 2)) % 2].model);
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

// Returns a slice with constants at which wrong kernels show, if the model has some and
// is not so large that looking for them takes long.
std::optional<Model> TellingSlice(Model model) {
  constexpr int64_t kMost = int64_t{1} << 20;
  for (bool is_first = true;; is_first = false) {
    const auto dimensions = DimensionsOf(model);
    if (!dimensions) return std::nullopt;
    const int64_t work = WorkOf(model, *dimensions);
    if (is_first && (work > kMost || TellingInputsOf(model, 1).empty())) {
      return std::nullopt;
    }
    if (!IsTooLarge(model, work)) return model;
    std::vector<FedModel> halves = Halves(WithoutData(model), *dimensions);
    const auto telling = std::ranges::find_if(halves, [](const FedModel& half) {
      return !TellingInputsOf(half.model, 1).empty();
    });
    if (telling == halves.end()) return std::nullopt;
    model = std::move(telling->model);
  }
}

// Sets asked_as.
void Describe(const Model& whole, PartQuestion& question) {
  question.part.asked_as = ShapeChanges(whole, question.models.front());
  if (question.models.size() > 1) {
    question.part.asked_as += "; cases take turns with " +
                              std::to_string(question.models.size()) +
                              " slices of this size";
  }
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
  Describe(whole, question);
  return Ok();
}

// Of many channels, few may have weights by which a wrong kernel shows: adds a slice with
// them, if no other has some.
void AddTellingSlice(const Model& whole, Model fewer, PartQuestion& question) {
  const auto tells = [](const Model& model) {
    return !TellingInputsOf(model, 1).empty();
  };
  if (question.models.size() < kMostSlices ||
      std::ranges::any_of(question.models, tells)) {
    return;
  }
  fewer.node.op_type = question.models.front().node.op_type;
  auto slice = TellingSlice(std::move(fewer));
  if (!slice) return;
  question.models.push_back(*std::move(slice));
  Describe(whole, question);
}

// Adds models with a few of the channels of constants each, for a part that the oracle
// does not take with all of them. Returns whether it takes such models. `fewer` is the
// whole with fewer inputs.
bool AddConstantSlices(const Model& whole, const Model& fewer, PartQuestion& question) {
  const auto slicer = ConstantSlicer::Create(fewer);
  if (!slicer) return false;
  for (size_t slice = 0; slice < kMostSlices; ++slice) {
    question.models.push_back(slicer->Slice(slice, kMostSlices));
  }
  Describe(whole, question);
  return true;
}

}  // namespace

Result<PartQuestion> MakePartQuestion(PartRecord part, const std::optional<Cell>& cell,
                                      const std::string& granularity, Model model) {
  PartQuestion question{std::move(part), {}, {}};
  Model fewer = model;
  const Status taken = TakeFewerInputs(fewer);
  if (taken) {
    if (const Status added = AddSlices(model, fewer, question); !added) {
      return added.error();
    }
  } else if (!AddConstantSlices(model, fewer, question)) {
    return taken.error();
  }
  if (cell) {
    question.cell = *cell;
  } else {
    auto standing =
        CellStandingFor(question.models.front(), question.part.graph, granularity);
    if (!standing) return standing.error();
    question.cell = *std::move(standing);
  }
  // Faults of graphs are those of a family.
  for (Model& asked : question.models) {
    if (asked.node.is_graph()) asked.node.op_type = question.cell.op_type;
  }
  if (taken) AddTellingSlice(model, std::move(fewer), question);
  return question;
}

PartQuestions All(const std::vector<PartQuestion>& parts) {
  PartQuestions all;
  for (const PartQuestion& part : parts) all.push_back(&part);
  return all;
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

}  // namespace qconform
