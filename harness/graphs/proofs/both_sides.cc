#include "harness/graphs/proofs/both_sides.h"

#include <bit>
#include <charconv>
#include <utility>

#include "cases/lattice/lattice.h"
#include "oracle/formats/codes.h"
#include "oracle/graphs/graph.h"

namespace qconform::graphs {
namespace {

// All types of these proofs exist there.
constexpr int kOpsetVersion = 28;

}  // namespace

Node MakeOp(std::string op_type, std::vector<std::string> inputs, std::string output,
            std::vector<Attribute> attributes) {
  Node node;
  node.op_type = std::move(op_type);
  node.inputs = std::move(inputs);
  node.outputs = {std::move(output)};
  node.attributes = std::move(attributes);
  return node;
}

Node MakeGraph(std::vector<std::string> inputs, std::vector<Node> body) {
  Node graph;
  graph.op_type = kGraphOpType;
  graph.inputs = std::move(inputs);
  graph.outputs = body.back().outputs;
  graph.body = std::move(body);
  return graph;
}

Tensor MakeTensor(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  const int bits = BitWidth(type);
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i] & mask);
  }
  return tensor;
}

Tensor MakeFloats(Shape shape, const std::vector<float>& values) {
  std::vector<uint64_t> codes;
  for (const float value : values) codes.push_back(std::bit_cast<uint32_t>(value));
  return MakeTensor(DataType::kFloat, std::move(shape), codes);
}

Result<Codes> Evaluate(const Side& side) {
  std::vector<int> versions;
  for (const Node& node : side.graph.body) {
    const auto version = JudgingVersionFor(node.op_type, kOpsetVersion);
    if (!version) return version.error();
    versions.push_back(version->since_version);
  }
  const auto bound = BindGraph(side.graph, versions);
  if (!bound) return bound.error();
  Operands operands;
  for (const Tensor& operand : side.operands) operands.emplace_back(operand.view());
  const auto answers = (*bound)->Evaluate(operands, ReadingSet());
  if (!answers) return answers.error();
  Codes codes;
  for (const ElementAnswer& element : answers->front().elements) {
    const bool is_given = element.freedom == Freedom::kNone && !element.zero_sign_is_free;
    codes.push_back(is_given ? std::optional<uint64_t>(element.code) : std::nullopt);
  }
  return codes;
}

Status Comparison::Add(const Codes& before, const Codes& after,
                       const std::vector<Claim>& claims, const Describe& describe) {
  if (before.size() != after.size()) {
    return Error{"rewrite: expected as many elements on both sides, got " +
                 std::to_string(before.size()) + " and " + std::to_string(after.size())};
  }
  for (const Claim& claim : claims) {
    std::optional<size_t> different;
    for (size_t i = claim.first; i < claim.first + claim.count; ++i) {
      if (!before[i] || !after[i]) continue;
      ++proof_.evaluations;
      if (*before[i] != *after[i] && !different) different = i;
    }
    if (different.has_value() == !claim.holds) {
      if (!different || !proof_.counterexample.empty()) continue;
      proof_.counterexample = claim.parameters + ", " + describe(*different);
      continue;
    }
    return Error{
        "rewrite: expected " +
        std::string(claim.holds ? "equal answers" : "a difference") + " with " +
        claim.parameters +
        (different ? ", got a difference: " + describe(*different) : ", got none")};
  }
  return Ok();
}

std::string DecimalOf(float value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace qconform::graphs
