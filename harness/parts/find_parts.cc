#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "cases/core/known_cells.h"
#include "cases/core/operator_cases.h"
#include "cases/graphs/node_kind.h"
#include "cases/graphs/table.h"
#include "cases/lattice/lattice.h"
#include "harness/core/granularity.h"
#include "harness/parts/cut.h"
#include "harness/parts/grouping.h"
#include "harness/parts/part.h"
#include "oracle/base/expected.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/float_operators.h"
#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

using generators::CellOfGraph;
using generators::EdgeTypes;
using generators::TokenOf;

constexpr std::string_view kPerTensor = "per_tensor";
constexpr std::string_view kPerAxis = "per_axis";
constexpr std::string_view kBlocked = "blocked";

std::string QualifiedName(const std::string& domain, const std::string& op_type) {
  return domain.empty() ? op_type : domain + "." + op_type;
}

class Finder {
 public:
  Finder(const ModelFile& file, const Sizes& sizes)
      : file_(file), sizes_(sizes), known_(file.ShapesWith(sizes)) {}

  PartsOfModel Run() {
    std::vector<std::pair<size_t, Part>> parts;  // by their main nodes
    std::vector<bool> is_in_part(file_.nodes().size());
    for (NodeGroup& group : GroupNodes(file_, sizes_)) {
      for (const size_t node : group.nodes) is_in_part[node] = true;
      const size_t main = group.main;
      parts.emplace_back(main, PartOf(std::move(group)));
    }
    PartsOfModel found;
    for (size_t i = 0; i < file_.nodes().size(); ++i) {
      if (is_in_part[i]) continue;
      const FileNode& node = file_.nodes()[i];
      if (IsOwn(node)) {
        ++found.others[node.node.op_type];
      } else {
        parts.emplace_back(i, ForeignPart(i));
      }
    }
    std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.first; });
    for (auto& [main, part] : parts) found.parts.push_back(std::move(part));
    for (const NestedNode& nested : file_.nested()) {
      if (!nested.domain.empty() || FindOperator(nested.op_type) != nullptr) {
        found.parts.push_back(NestedPart(nested));
      }
    }
    MakeNamesUnique(found.parts);
    CountUnclaimed(is_in_part, found);
    return found;
  }

 private:
  const FileNode& NodeAt(size_t node) const { return file_.nodes()[node]; }

  std::string NameOf(size_t node) const {
    const FileNode& read = NodeAt(node);
    if (!read.name.empty()) return read.name;
    for (const std::string& output : read.node.outputs) {
      if (!output.empty()) return output;
    }
    return read.node.op_type;
  }

  const FileValue* ValueAt(const std::string& name) const {
    return name.empty() ? nullptr : file_.FindValue(name);
  }

  DataType TypeOf(const std::string& name) const {
    const FileValue* value = ValueAt(name);
    return value == nullptr ? DataType::kUndefined : value->type;
  }

  std::string TypeText(const std::string& name) const {
    const FileValue* value = ValueAt(name);
    return value == nullptr || value->type_name.empty() ? "?" : value->type_name;
  }

  // The shape with the sizes, or what is known without them.
  std::optional<Shape> ShapeOf(const std::string& name) const {
    if (const auto shape = known_.shapes.find(name); shape != known_.shapes.end()) {
      return shape->second;
    }
    const FileValue* value = ValueAt(name);
    return value == nullptr ? std::nullopt : value->shape;
  }

  // --- parts ----------------------------------------------------------------------

  Part PartOf(NodeGroup group) const {
    Part part{.name = NameOf(group.main),
              .nodes = std::move(group.nodes),
              .outputs = std::move(group.outputs)};
    part.graph = part.nodes.size() > 1 ? GraphName(part.nodes)
                                       : NodeAt(part.nodes.front()).node.op_type;
    if (part.nodes.size() > 1) part.family = generators::FamilyOfGraph(part.graph);
    DescribeTypes(part);
    part.not_judged = WhyNotJudged(part);
    if (part.not_judged.empty()) {
      part.cell = part.nodes.size() == 1 ? CellOfNode(part) : CellOfPart(part);
      Check(part);
    }
    return part;
  }

  Part ForeignPart(size_t index) const {
    const FileNode& node = NodeAt(index);
    Part part{.name = NameOf(index), .nodes = {index}, .outputs = node.node.outputs};
    std::erase(part.outputs, "");
    part.graph = QualifiedName(node.node.domain, node.node.op_type);
    DescribeTypes(part);
    part.not_judged =
        node.is_function ? "a function of the model" : "domain " + node.node.domain;
    return part;
  }

  static Part NestedPart(const NestedNode& nested) {
    return {.name = nested.name.empty() ? nested.op_type : nested.name,
            .nodes = {},
            .outputs = {},
            .graph = QualifiedName(nested.domain, nested.op_type),
            .types = {},
            .granularity = {},
            .not_judged = "inside of " + nested.where};
  }

  static void MakeNamesUnique(std::vector<Part>& parts) {
    std::set<std::string> taken;
    std::map<std::string, int> next;  // a model may have thousands of one name
    for (Part& part : parts) {
      const std::string name = part.name;
      int& number = next.try_emplace(name, 2).first->second;
      while (!taken.insert(part.name).second) {
        part.name = name + " #" + std::to_string(number++);
      }
    }
  }

  // "DQ,DQ-Conv-Relu-Q": nodes that do not depend on each other are joined by commas.
  std::string GraphName(const std::vector<size_t>& nodes) const {
    std::string name;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const std::string& op_type = NodeAt(nodes[i]).node.op_type;
      if (i > 0) {
        const auto before = std::span(nodes).first(i);
        const bool is_second_reader =
            KindOf(op_type) == NodeKind::kQuantize && !ReadsAny(nodes[i], before.last(1));
        const bool is_beside = is_second_reader || !ReadsAny(nodes[i], before);
        if (!is_beside && i > 1 && HasFloatBias(nodes[i], nodes)) name += ",FLOAT";
        name += is_beside ? "," : "-";
      }
      name += TokenOf(op_type);
    }
    return name;
  }

  // Whether a node reads an output of one of these.
  bool ReadsAny(size_t node, std::span<const size_t> others) const {
    return std::ranges::any_of(NodeAt(node).node.inputs, [&](const std::string& input) {
      const auto producer = file_.ProducerOf(input);
      return producer && std::ranges::find(others, *producer) != others.end();
    });
  }

  // Whether a sum of products has a bias that is not dequantized.
  bool HasFloatBias(size_t node, const std::vector<size_t>& nodes) const {
    const Node& read = NodeAt(node).node;
    for (size_t i = 0; i < read.inputs.size(); ++i) {
      if (RoleOf(read.op_type, i) != OperandRole::kBias || read.inputs[i].empty()) {
        continue;
      }
      const auto producer = file_.ProducerOf(read.inputs[i]);
      return !producer || std::ranges::find(nodes, *producer) == nodes.end();
    }
    return false;
  }

  // --- types and granularity --------------------------------------------------------

  struct NodeFacts {
    const Operator* op = nullptr;
    std::string granularity;
  };

  // Returns the value of an operand or output of a judged node by its name in the schema.
  std::string Named(const Node& node, const Operator& op, std::string_view name) const {
    const auto operands = op.operands();
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].name == name && i < node.inputs.size()) return node.inputs[i];
    }
    const auto outputs = op.outputs();
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].name == name && i < node.outputs.size()) return node.outputs[i];
    }
    return "";
  }

  // Returns the first operand of a role; "" if the node has none.
  static std::string OperandOf(const Node& node, const Operator& op, OperandRole role) {
    const auto operands = op.operands();
    for (size_t i = 0; i < operands.size() && i < node.inputs.size(); ++i) {
      if (operands[i].role == role) return node.inputs[i];
    }
    return "";
  }

  // Returns how the scales and zero points of a judged node lie, in the words of its
  // cells; "" if a shape is not known.
  std::string GranularityOf(const Node& node) const {
    const OperatorCases* cases = FindOperatorCases(node.op_type);
    const Operator* op = FindOperator(node.op_type);
    if (cases == nullptr || op == nullptr) return "";
    std::vector<std::string> names;
    for (const GranularityInfo& info : cases->granularities)
      names.emplace_back(info.name);
    return GranularityOfNode(*op, node, names,
                             [&](const std::string& name) { return ShapeOf(name); });
  }

  void DescribeTypes(Part& part) const {
    const Node& first = NodeAt(part.nodes.front()).node;
    if (part.nodes.size() > 1) return DescribeGraph(part);
    const OperatorCases* cases = FindOperatorCases(part.graph);
    const Operator* op =
        IsQuantized(NodeAt(part.nodes.front())) ? FindOperator(first.op_type) : nullptr;
    if (cases == nullptr || op == nullptr) {
      for (const auto* names : {&first.inputs, &first.outputs}) {
        for (const std::string& name : *names) {
          if (!name.empty()) part.types.push_back(TypeText(name));
        }
      }
      return;
    }
    for (const std::string_view formal : cases->formals) {
      part.types.push_back(TypeText(Named(first, *op, formal)));
    }
    part.granularity = GranularityOf(first);
  }

  // The codes of each DequantizeLinear, the scales, and the results.
  void DescribeGraph(Part& part) const {
    std::set<std::string> granularities;
    std::string scale;
    for (const size_t index : part.nodes) {
      const Node& node = NodeAt(index).node;
      const Operator* op = FindOperator(node.op_type);
      if (op == nullptr) continue;
      granularities.insert(GranularityOf(node));
      const NodeKind kind = KindOf(node.op_type);
      if (kind == NodeKind::kDequantize || kind == NodeKind::kDynamicQuantize) {
        part.types.push_back(TypeText(OperandOf(node, *op, OperandRole::kData)));
      }
      if (kind == NodeKind::kIntegerSum) {
        part.types.push_back(TypeText(OperandOf(node, *op, OperandRole::kWeight)));
      }
      if (scale.empty() && op->operands().size() > 1 &&
          (kind == NodeKind::kDequantize || kind == NodeKind::kQuantize)) {
        scale = TypeText(OperandOf(node, *op, OperandRole::kScale));
      }
    }
    if (part.types.empty()) {
      const auto& inputs = NodeAt(part.nodes.front()).node.inputs;
      part.types.push_back(inputs.empty() ? "?" : TypeText(inputs.front()));
    }
    if (!scale.empty()) part.types.push_back(scale);
    for (const std::string& output : part.outputs) {
      part.types.push_back(TypeText(output));
    }
    // A graph is per axis if any of its nodes is, and blocked before that.
    const auto has = [&](std::string_view name) {
      return granularities.contains(std::string(name));
    };
    if (has("")) return;
    const bool is_fine = std::ranges::any_of(granularities, [](const auto& name) {
      return name != kPerTensor && !name.starts_with("per_tensor-per_tensor");
    });
    part.granularity = std::string(has(kBlocked) ? kBlocked
                                   : is_fine     ? kPerAxis
                                                 : kPerTensor);
  }

  // --- cells ----------------------------------------------------------------------

  std::optional<Cell> CellOfNode(const Part& part) const {
    const Node& node = NodeAt(part.nodes.front()).node;
    const auto version = JudgingVersionFor(node.op_type, file_.opset_version());
    if (!version || part.granularity.empty()) return std::nullopt;
    const Operator* op = FindOperator(node.op_type);
    Cell cell{.op_type = node.op_type,
              .since_version = version->since_version,
              .types = {},
              .granularity = part.granularity};
    for (const std::string_view formal : FindOperatorCases(node.op_type)->formals) {
      cell.types.push_back(TypeOf(Named(node, *op, formal)));
    }
    return generators::IsInLattice(cell) ? std::optional(cell) : std::nullopt;
  }

  std::optional<Cell> CellOfPart(const Part& part) const {
    EdgeTypes edges;
    for (const size_t index : part.nodes) {
      const Node& node = NodeAt(index).node;
      const Operator* op = FindOperator(node.op_type);
      if (op == nullptr) continue;
      switch (KindOf(node.op_type)) {
        case NodeKind::kDequantize:
          edges.dequantized.push_back(TypeOf(OperandOf(node, *op, OperandRole::kData)));
          break;
        case NodeKind::kQuantize:
          edges.quantized.push_back(
              TypeOf(node.outputs.empty() ? "" : node.outputs.front()));
          break;
        case NodeKind::kIntegerSum:
          edges.weights = TypeOf(OperandOf(node, *op, OperandRole::kWeight));
          continue;
        default:
          continue;
      }
      const DataType scale = TypeOf(OperandOf(node, *op, OperandRole::kScale));
      if (edges.scale == DataType::kUndefined) edges.scale = scale;
      if (scale != edges.scale) return std::nullopt;
    }
    edges.output = TypeOf(part.outputs.empty() ? "" : part.outputs.front());
    if (edges.weights == DataType::kUndefined && !edges.dequantized.empty()) {
      edges.weights = edges.dequantized.front();
    }
    return CellOfGraph(part.graph, part.granularity, file_.opset_version(), edges);
  }

  // --- what is not judged -----------------------------------------------------------

  std::string WhyNotJudged(const Part& part) const {
    if (file_.opset_version() == 0) return "no opset_version of ONNX's domain";
    for (const size_t index : part.nodes) {
      const FileNode& node = NodeAt(index);
      const auto version = JudgingVersionFor(node.node.op_type, file_.opset_version());
      if (!version) return version.error().message;
      if (!node.unread.empty()) return node.unread;
      for (const auto* names : {&node.node.inputs, &node.node.outputs}) {
        for (const std::string& name : *names) {
          const FileValue* value = ValueAt(name);
          if (name.empty() || (value != nullptr && value->type != DataType::kUndefined)) {
            continue;
          }
          return "the type of '" + name + "' is " +
                 (value == nullptr || value->type_name.empty()
                      ? "not known"
                      : value->type_name + ", which is not judged");
        }
      }
    }
    return "";
  }

  // Checks what can be checked without the data of large constants.
  void Check(Part& part) const {
    const auto model = Cut(file_, part, sizes_, LargeConstants::kFed);
    if (!model) {
      part.not_judged = model.error().message;
      return;
    }
    const CutProblem problem = ProblemOf(*model);
    if (problem.text.empty()) return;
    const bool is_open = HasOpenShape(file_, part);
    part.is_invalid = problem.is_invalid && !is_open;
    const std::string node = problem.is_invalid && part.nodes.size() > 1
                                 ? "node '" + NameOf(part.nodes[problem.node]) + "': "
                                 : "";
    part.not_judged = (part.is_invalid ? "invalid: "
                       : is_open       ? "with the sizes that were chosen: "
                                       : "") +
                      node + problem.text;
  }

  // --- the rest ---------------------------------------------------------------------

  void CountUnclaimed(const std::vector<bool>& is_in_part, PartsOfModel& found) const {
    // Codes may be moved before a quantized node reads them.
    if (std::ranges::any_of(file_.nodes(), IsQuantized)) return;
    for (const FileConstant& constant : file_.constants()) {
      const DataType type = constant.type;
      if (type == DataType::kUndefined || BitWidth(type) > 8) continue;
      const auto readers = file_.ReadersOf(constant.name);
      if (readers.empty()) continue;
      if (std::ranges::any_of(readers, [&](size_t node) {
            return is_in_part[node] || !IsOwn(NodeAt(node));
          })) {
        continue;
      }
      ++found.unclaimed_constants[NodeAt(readers.front()).node.op_type];
    }
  }

  const ModelFile& file_;
  const Sizes& sizes_;
  const KnownShapes& known_;
};

}  // namespace

PartsOfModel FindParts(const ModelFile& file, const Sizes& sizes) {
  return Finder(file, sizes).Run();
}

}  // namespace qconform
