#include "harness/parts/grouping.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cases/graphs/node_kind.h"
#include "cases/lattice/lattice.h"
#include "harness/parts/part.h"
#include "oracle/core/answer.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/float_operators.h"
#include "oracle/graphs/graph.h"
#include "oracle/graphs/nodes/definition.h"

namespace qconform {
namespace {

class Grouper {
 public:
  Grouper(const ModelFile& file, const Sizes& sizes)
      : file_(file), known_(file.ShapesWith(sizes)), is_claimed_(file.nodes().size()) {}

  std::vector<NodeGroup> Run() {
    const size_t count = file_.nodes().size();
    for (size_t i = 0; i < count; ++i) {
      if (IsKind(i, NodeKind::kIntegerSum)) AddDynamic(i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsFloat(i) && HasDequantizedInput(i) && !IsFolded(i)) AddAround(i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsFloat(i) && !IsFolded(i)) AddAround(i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsFloat(i)) AddAround(i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsKind(i, NodeKind::kDequantize)) AddRequantization(i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsKind(i, NodeKind::kDequantize)) AddDequantized(i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsQuantized(file_.nodes()[i])) AddAlone(i);
    }
    std::ranges::stable_sort(groups_, {}, &NodeGroup::main);
    return std::move(groups_);
  }

 private:
  const FileNode& NodeAt(size_t node) const { return file_.nodes()[node]; }

  bool IsKind(size_t node, NodeKind kind) const {
    return IsOwn(NodeAt(node)) && KindOf(NodeAt(node).node.op_type) == kind;
  }

  // Returns the node that gives a value, if it is of that kind.
  std::optional<size_t> ProducerOfKind(const std::string& value, NodeKind kind) const {
    const auto node = file_.ProducerOf(value);
    return node && IsKind(*node, kind) ? node : std::nullopt;
  }

  // Whether the clauses for graphs know the definition of the operator that the model
  // selects.
  bool IsKnown(size_t node) const {
    const Node& read = NodeAt(node).node;
    if (!IsOwn(NodeAt(node)) || !IsGraphNode(read)) return false;
    if (FindOperator(read.op_type) != nullptr) return true;
    const auto version = JudgingVersionFor(read.op_type, file_.opset_version());
    return version &&
           graphs::FindDefinition(read.op_type, version->since_version) != nullptr;
  }

  bool IsConstant(const std::string& value) const {
    if (value.empty() || file_.FindConstant(value) != nullptr) return true;
    return known_.numbers.contains(value) && known_.shapes.contains(value);
  }

  DataType TypeOf(const std::string& value) const {
    const FileValue* found = file_.FindValue(value);
    return found == nullptr ? DataType::kUndefined : found->type;
  }

  // A float node that the clauses for graphs know, with operands that can be fed.
  bool IsFloat(size_t node) const {
    const FileNode& read = NodeAt(node);
    if (is_claimed_[node] || !read.unread.empty() || IsQuantized(read) ||
        !IsKnown(node) || KindOf(read.node.op_type) == NodeKind::kCast ||
        read.node.inputs.empty()) {
      return false;
    }
    for (const std::string& input : read.node.inputs) {
      // Shapes, axes and indices decide what the node does.
      if (!IsConstant(input) && !IsFloatingPoint(TypeOf(input))) return false;
    }
    return IsFloatingPoint(TypeOf(read.node.inputs.front()));
  }

  bool HasDequantizedInput(size_t node) const {
    return std::ranges::any_of(NodeAt(node).node.inputs, [&](const std::string& input) {
      return ProducerOfKind(input, NodeKind::kDequantize).has_value();
    });
  }

  // Returns the node that is the only one to read the node's first output, if nobody
  // reads the others, and none is an output of the model.
  std::optional<size_t> OnlyReader(size_t node) const {
    const auto& outputs = NodeAt(node).node.outputs;
    if (outputs.empty()) return std::nullopt;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (file_.IsOutput(outputs[i])) return std::nullopt;
      if (i > 0 && !file_.ReadersOf(outputs[i]).empty()) return std::nullopt;
    }
    const auto readers = file_.ReadersOf(outputs.front());
    return readers.size() == 1 ? std::optional(readers.front()) : std::nullopt;
  }

  // Whether the node is a QuantizeLinear of the value.
  bool Quantizes(size_t node, const std::string& value) const {
    const auto& inputs = NodeAt(node).node.inputs;
    return IsKind(node, NodeKind::kQuantize) && !inputs.empty() &&
           inputs.front() == value;
  }

  // Returns the QuantizeLinear nodes that read the outputs of a node, if these and no
  // others do, and every output has one.
  std::vector<size_t> QuantizersOf(size_t node) const {
    std::vector<size_t> quantizers;
    for (const std::string& output : NodeAt(node).node.outputs) {
      const auto readers = file_.ReadersOf(output);
      if (output.empty() || file_.IsOutput(output) || readers.empty()) return {};
      for (const size_t reader : readers) {
        if (!Quantizes(reader, output) || is_claimed_[reader]) return {};
        quantizers.push_back(reader);
      }
    }
    std::ranges::sort(quantizers);
    return quantizers;
  }

  // Whether the node moves or chooses elements of its first input, its others being
  // constants.
  bool Passes(size_t node, const std::string& value) const {
    const FileNode& read = NodeAt(node);
    if (!IsFloat(node) || RoundsOf(read.node.op_type) != FloatRounding::kNone) {
      return false;
    }
    const auto& inputs = read.node.inputs;
    return inputs.front() == value && read.node.outputs.size() == 1 &&
           std::all_of(inputs.begin() + 1, inputs.end(),
                       [&](const std::string& input) { return IsConstant(input); });
  }

  // Whether a node computes from constants alone, so that a backend may do so when it
  // loads the model: weights are quantized or dequantized, and moved.
  bool IsFolded(size_t node, int depth = 0) const {
    const FileNode& read = NodeAt(node);
    const NodeKind kind = KindOf(read.node.op_type);
    const bool is_known = kind == NodeKind::kDequantize || kind == NodeKind::kQuantize ||
                          RoundsOf(read.node.op_type) == FloatRounding::kNone;
    if (depth > static_cast<int>(kMostGraphNodes) || !read.unread.empty() || !is_known ||
        !IsKnown(node) || read.node.inputs.empty()) {
      return false;
    }
    return std::ranges::all_of(read.node.inputs, [&](const std::string& input) {
      if (IsConstant(input)) return true;
      const auto producer = file_.ProducerOf(input);
      return producer && IsFolded(*producer, depth + 1);
    });
  }

  // Appends the nodes that a folded node needs, and the node.
  void AddFolded(size_t node, std::vector<size_t>& nodes) const {
    if (std::ranges::find(nodes, node) != nodes.end()) return;
    for (const std::string& input : NodeAt(node).node.inputs) {
      if (!IsConstant(input)) AddFolded(*file_.ProducerOf(input), nodes);
    }
    nodes.push_back(node);
  }

  // Whether a node quantizes or dequantizes among these.
  bool HasQuantized(std::span<const size_t> nodes) const {
    return std::ranges::any_of(nodes,
                               [&](size_t node) { return IsQuantized(NodeAt(node)); });
  }

  // Appends the DequantizeLinear nodes that give the inputs of a node. `folds`: and what
  // makes their codes, or moves their values, of constants alone.
  void AddDequantizers(size_t node, bool folds, std::vector<size_t>& nodes) const {
    for (const std::string& input : NodeAt(node).node.inputs) {
      const auto producer = file_.ProducerOf(input);
      if (!producer || IsConstant(input)) continue;
      std::vector<size_t> folded;
      if (folds && IsFolded(*producer)) AddFolded(*producer, folded);
      if (HasQuantized(folded)) {
        for (const size_t one : folded) {
          if (std::ranges::find(nodes, one) == nodes.end()) nodes.push_back(one);
        }
      } else if (IsKind(*producer, NodeKind::kDequantize) &&
                 std::ranges::find(nodes, *producer) == nodes.end()) {
        nodes.push_back(*producer);
      }
    }
  }

  // The graph around a float node, if it has a DequantizeLinear or a QuantizeLinear.
  void AddAround(size_t node) {
    if (is_claimed_[node]) return;
    if (!AddAround(node, true)) AddAround(node, false);
  }

  // Returns false if that makes too many nodes.
  bool AddAround(size_t node, bool folds) {
    std::vector<size_t> nodes;
    AddDequantizers(node, folds, nodes);
    const bool has_dequantizers = !nodes.empty();
    nodes.push_back(node);
    if (nodes.size() > kMostGraphNodes) return false;
    size_t tails = 0;
    const std::vector<size_t> whole = WithQuantizers(nodes, tails);
    if (!whole.empty()) {
      Claim(whole, node, tails);
      return true;
    }
    if (!has_dequantizers) return true;
    if (RoundsOf(NodeAt(node).node.op_type) == FloatRounding::kPosition) {
      // Positions have more bits than codes, unless they are cast.
      const auto cast = OnlyReader(node);
      if (!cast || !IsKind(*cast, NodeKind::kCast) || !IsKnown(*cast)) return true;
      nodes.push_back(*cast);
    }
    const bool fits =
        std::ranges::all_of(UsedOutputs(nodes.back()), [&](const std::string& output) {
          const DataType type = TypeOf(output);
          return type != DataType::kUndefined && BitWidth(type) <= kMostCodeBits;
        });
    if (nodes.size() > kMostGraphNodes) return false;
    if (fits) Claim(nodes, node);
    return true;
  }

  // Returns the nodes with those that follow the last one to its QuantizeLinear nodes;
  // none if it has none of these, or there are too many nodes. `count`: of the
  // QuantizeLinear nodes.
  std::vector<size_t> WithQuantizers(std::vector<size_t> nodes, size_t& count) const {
    while (nodes.size() < kMostGraphNodes) {
      const size_t last = nodes.back();
      const std::vector<size_t> quantizers = QuantizersOf(last);
      if (!quantizers.empty()) {
        nodes.insert(nodes.end(), quantizers.begin(), quantizers.end());
        count = quantizers.size();
        return nodes.size() <= kMostGraphNodes ? nodes : std::vector<size_t>();
      }
      const auto next = OnlyReader(last);
      if (!next || !Passes(*next, NodeAt(last).node.outputs.front())) break;
      nodes.push_back(*next);
    }
    return {};
  }

  // The products of an integer sum with scales, and a bias.
  void AddDynamic(size_t sum) {
    if (!NodeAt(sum).unread.empty()) return;
    std::set<size_t> quantizers;
    for (const std::string& input : NodeAt(sum).node.inputs) {
      if (const auto one = ProducerOfKind(input, NodeKind::kDynamicQuantize)) {
        quantizers.insert(*one);
      } else if (!IsConstant(input)) {
        return;
      }
    }
    if (quantizers.empty()) return;
    std::vector<size_t> nodes(quantizers.begin(), quantizers.end());
    nodes.push_back(sum);
    const auto cast = OnlyReader(sum);
    if (!cast || !IsKind(*cast, NodeKind::kCast)) return;
    nodes.push_back(*cast);
    const auto product = OnlyReader(*cast);
    if (!product || !IsKind(*product, NodeKind::kProduct)) return;
    const auto is_scale = [&](const std::string& value) {
      if (IsConstant(value)) return true;
      const auto producer = file_.ProducerOf(value);
      return producer && quantizers.contains(*producer);
    };
    for (const std::string& factor : NodeAt(*product).node.inputs) {
      if (factor == NodeAt(*cast).node.outputs.front() || is_scale(factor)) continue;
      const auto scales = ProducerOfKind(factor, NodeKind::kProduct);
      if (!scales || !std::ranges::all_of(NodeAt(*scales).node.inputs, is_scale)) return;
      nodes.push_back(*scales);
    }
    nodes.push_back(*product);
    if (const auto bias = OnlyReader(*product); bias && IsKind(*bias, NodeKind::kSum)) {
      const auto& terms = NodeAt(*bias).node.inputs;
      const std::string& value = NodeAt(*product).node.outputs.front();
      if (std::ranges::all_of(terms, [&](const std::string& term) {
            return term == value || IsConstant(term);
          })) {
        nodes.push_back(*bias);
      }
    }
    const auto is_known = [&](size_t node) { return IsKnown(node); };
    if (nodes.size() <= kMostGraphNodes && std::ranges::all_of(nodes, is_known)) {
      Claim(std::move(nodes), sum);
    }
  }

  // A DequantizeLinear whose value is quantized again.
  void AddRequantization(size_t node) {
    std::vector<size_t> quantizers;
    const auto& outputs = NodeAt(node).node.outputs;
    if (outputs.empty()) return;
    for (const size_t reader : file_.ReadersOf(outputs.front())) {
      if (Quantizes(reader, outputs.front()) && !is_claimed_[reader]) {
        quantizers.push_back(reader);
      }
    }
    if (quantizers.empty() || quantizers.size() >= kMostGraphNodes) return;
    std::vector<size_t> nodes{node};
    nodes.insert(nodes.end(), quantizers.begin(), quantizers.end());
    Claim(std::move(nodes), node, quantizers.size());
  }

  // A DequantizeLinear by itself, or with the node that quantized its codes, if that one
  // gives nothing else: the round trip of a float.
  void AddDequantized(size_t node) {
    if (!IsUsedElsewhere(node)) return;
    const auto& inputs = NodeAt(node).node.inputs;
    if (inputs.empty()) return;
    std::vector<size_t> nodes{node};
    const auto quantize = ProducerOfKind(inputs.front(), NodeKind::kQuantize);
    const auto dynamic = ProducerOfKind(inputs.front(), NodeKind::kDynamicQuantize);
    const auto from_dynamic = [&](const std::string& input) {
      return file_.ProducerOf(input) == dynamic;
    };
    if (quantize && !is_claimed_[*quantize] && OnlyReader(*quantize) == node) {
      nodes.insert(nodes.begin(), *quantize);
    } else if (dynamic && std::ranges::all_of(inputs, from_dynamic)) {
      nodes.insert(nodes.begin(), *dynamic);
    }
    Claim(std::move(nodes), node);
  }

  void AddAlone(size_t node) {
    const NodeKind kind = KindOf(NodeAt(node).node.op_type);
    const bool is_copied = kind == NodeKind::kDequantize ||
                           kind == NodeKind::kDynamicQuantize || IsFolded(node);
    if (is_claimed_[node] && !(is_copied && IsUsedElsewhere(node))) return;
    if (kind == NodeKind::kDequantize && is_claimed_[node]) return;
    Claim({node}, node);
  }

  // Whether something reads an output of the node, or is to be given one, that lies in no
  // group with it. A node that nobody reads counts too.
  bool IsUsedElsewhere(size_t node) const {
    const auto groups = groups_of_.find(node);
    if (groups == groups_of_.end()) return true;
    for (const std::string& output : NodeAt(node).node.outputs) {
      if (output.empty()) continue;
      if (file_.IsOutput(output)) return true;
      for (const size_t reader : file_.ReadersOf(output)) {
        if (std::ranges::none_of(groups->second, [&](size_t group) {
              const auto& nodes = groups_[group].nodes;
              return std::ranges::find(nodes, reader) != nodes.end();
            })) {
          return true;
        }
      }
    }
    return false;
  }

  // Makes a group whose outputs are those of its last `tails` nodes.
  void Claim(std::vector<size_t> nodes, size_t main, size_t tails = 1) {
    NodeGroup group{.nodes = std::move(nodes), .main = main, .outputs = {}};
    for (const size_t node : group.nodes) {
      is_claimed_[node] = true;
      groups_of_[node].push_back(groups_.size());
    }
    for (size_t i = group.nodes.size() - tails; i < group.nodes.size(); ++i) {
      const std::vector<std::string> used = UsedOutputs(group.nodes[i]);
      group.outputs.insert(group.outputs.end(), used.begin(), used.end());
    }
    groups_.push_back(std::move(group));
  }

  // Returns the outputs that somebody reads; all that have names if nobody does, or if
  // the node is judged by itself.
  std::vector<std::string> UsedOutputs(size_t node) const {
    std::vector<std::string> named = NodeAt(node).node.outputs;
    std::erase(named, "");
    std::vector<std::string> used = named;
    std::erase_if(used, [&](const std::string& output) {
      return file_.ReadersOf(output).empty() && !file_.IsOutput(output);
    });
    return used.empty() || IsQuantized(NodeAt(node)) ? named : used;
  }

  const ModelFile& file_;
  const KnownShapes& known_;
  std::vector<bool> is_claimed_;
  std::vector<NodeGroup> groups_;
  std::map<size_t, std::vector<size_t>> groups_of_;
};

}  // namespace

bool IsOwn(const FileNode& node) { return node.node.domain.empty() && !node.is_function; }

bool IsQuantized(const FileNode& node) {
  return IsOwn(node) && FindOperator(node.node.op_type) != nullptr;
}

std::vector<NodeGroup> GroupNodes(const ModelFile& file, const Sizes& sizes) {
  return Grouper(file, sizes).Run();
}

}  // namespace qconform
