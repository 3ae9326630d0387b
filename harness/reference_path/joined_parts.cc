#include "harness/reference_path/joined_parts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "oracle/base/node.h"
#include "oracle/core/operator.h"

namespace qconform {
namespace {

// Whether the node quantizes or dequantizes one value and computes nothing else.
bool ChangesOnlyTheType(const FileNode& node) {
  if (!IsQuantized(node)) return false;
  const Operator* op = FindOperator(node.node.op_type);
  return op != nullptr &&
         std::ranges::count(op->operands(), OperandRole::kData, &OperandInfo::role) ==
             1 &&
         std::ranges::none_of(op->operands(), [](const OperandInfo& operand) {
           return operand.role == OperandRole::kWeight ||
                  operand.role == OperandRole::kBias;
         });
}

// Whether all that the node reads is constant or lies in `values`.
bool ReadsOnly(const ModelFile& file, const FileNode& node,
               const std::set<std::string>& values) {
  return std::ranges::all_of(node.node.inputs, [&](const std::string& name) {
    return name.empty() || values.contains(name) || file.FindConstant(name) != nullptr;
  });
}

}  // namespace

std::optional<Part> JoinedWithNeighbours(const ModelFile& file, const Part& part) {
  if (!part.not_judged.empty()) return std::nullopt;
  std::set<size_t> nodes(part.nodes.begin(), part.nodes.end());
  std::set<std::string> made;
  for (const size_t index : part.nodes) {
    const Node& node = file.nodes()[index].node;
    made.insert(node.outputs.begin(), node.outputs.end());
    for (const std::string& name : node.inputs) {
      const auto producer = file.ProducerOf(name);
      if (producer && ChangesOnlyTheType(file.nodes()[*producer])) {
        nodes.insert(*producer);
      }
    }
  }
  for (const std::string& name : part.outputs) {
    for (const size_t reader : file.ReadersOf(name)) {
      const FileNode& node = file.nodes()[reader];
      if (ChangesOnlyTheType(node) && ReadsOnly(file, node, made)) nodes.insert(reader);
    }
  }
  if (nodes.size() == part.nodes.size() || nodes.size() > kMostGraphNodes) {
    return std::nullopt;
  }
  Part joined = part;
  joined.nodes.assign(nodes.begin(), nodes.end());
  joined.cell.reset();
  joined.outputs.clear();
  for (const size_t index : joined.nodes) {
    for (const std::string& name : file.nodes()[index].node.outputs) {
      const bool is_read = std::ranges::any_of(
          file.ReadersOf(name), [&](size_t reader) { return !nodes.contains(reader); });
      if (!name.empty() && (is_read || file.IsOutput(name))) {
        joined.outputs.push_back(name);
      }
    }
  }
  if (joined.outputs.empty()) return std::nullopt;
  return joined;
}

}  // namespace qconform
