#include "oracle/exact/graphs/graph.h"

#include "oracle/exact/format.h"

namespace qconform::exact {

int64_t GraphNode::Integer(const std::string& name, int64_t otherwise) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? otherwise : found->second.integer.value();
}

mpq_class GraphNode::Number(const std::string& name, const mpq_class& otherwise) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? otherwise : found->second.number.value();
}

std::string GraphNode::Text(const std::string& name, const std::string& otherwise) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? otherwise : found->second.text.value();
}

std::vector<int64_t> GraphNode::Integers(const std::string& name) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::vector<int64_t>() : found->second.integers;
}

size_t CountOf(const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (int64_t size : shape) count *= static_cast<size_t>(size);
  return count;
}

std::vector<int64_t> IndicesOf(const Codes& codes) {
  std::vector<int64_t> indices;
  indices.reserve(codes.codes.size());
  for (uint64_t code : codes.codes) {
    indices.push_back(codes.type == kInt64 ? static_cast<int64_t>(code)
                                           : static_cast<int32_t>(code));
  }
  return indices;
}

}  // namespace qconform::exact
