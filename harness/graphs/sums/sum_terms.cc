#include "harness/graphs/sums/sum_terms.h"

#include <memory>
#include <utility>

#include "harness/graphs/nodes.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {
namespace {

bool HasIntegers(const Workspace& graph, size_t step, size_t position) {
  const auto from = GivenBy(graph, step, position);
  if (!from) return false;
  const SharedTensor codes = graph.InputOf(graph.steps()[*from], kQuantizedInput);
  return codes != nullptr && IsInteger(codes->type);
}

Tensor Filled(const Tensor& like, DataType type, Number number) {
  const std::vector<Number> numbers(
      static_cast<size_t>(ElementCount(like.shape).value_or(0)), number);
  return TensorOfNumbers(type, like.shape, numbers);
}

Result<std::vector<Number>> Evaluated(const GraphStep& dequantizer, Tensor codes,
                                      Tensor scale, SharedTensor zero_point) {
  const std::vector<SharedTensor> inputs = {std::make_shared<Tensor>(std::move(codes)),
                                            std::make_shared<Tensor>(std::move(scale)),
                                            std::move(zero_point)};
  auto made = EvaluateNode(dequantizer.node, dequantizer.since_version, inputs);
  if (!made) return made.error();
  return NumbersOf(made->front());
}

Number NumberOfFloat(uint32_t code) {
  Tensor one = Tensor::Zeros(DataType::kFloat, {});
  WriteCode(one.mutable_view(), 0, code);
  return NumbersOf(one).front();
}

}  // namespace

bool IsSumAt(const Workspace& graph, size_t step) {
  return IsSum(graph.steps()[step].node.op_type);
}

bool HasBias(const Workspace& graph, size_t step) {
  return IsSumAt(graph, step) &&
         graph.InputOf(graph.steps()[step], kBiasInput) != nullptr;
}

std::optional<size_t> GivenBy(const Workspace& graph, size_t step, size_t position) {
  const std::vector<std::string>& inputs = graph.steps()[step].node.inputs;
  if (position >= inputs.size()) return std::nullopt;
  const auto producer = graph.ProducerOf(inputs[position]);
  return producer && graph.steps()[*producer].Is(kDequantize) ? producer : std::nullopt;
}

SharedTensor CodesOf(const Workspace& graph, size_t step, size_t position) {
  return graph.InputOf(graph.steps()[*GivenBy(graph, step, position)], kQuantizedInput);
}

int BitsOfOperands(const Workspace& graph, size_t step) {
  if (!IsSumAt(graph, step)) return 0;
  int bits = 0;
  for (const size_t position : {kOperandInput, kWeightsInput}) {
    if (!HasIntegers(graph, step, position)) return 0;
    bits += BitWidth(CodesOf(graph, step, position)->type);
  }
  return bits;
}

std::vector<std::string> InputsOfSum(const Workspace& graph, size_t step) {
  std::vector<std::string> names;
  for (const size_t position : {kOperandInput, kWeightsInput}) {
    std::vector<std::string> of =
        graph.steps()[*GivenBy(graph, step, position)].node.inputs;
    of.resize(kZeroPointInput + 1);
    names.insert(names.end(), of.begin(), of.end());
  }
  const std::vector<std::string>& inputs = graph.steps()[step].node.inputs;
  names.push_back(inputs.size() > kBiasInput ? inputs[kBiasInput] : "");
  return names;
}

Result<Terms> TermsOf(const GraphStep& sum, const GraphStep& a, const GraphStep& b,
                      std::span<const SharedTensor> inputs) {
  Operands operands = {inputs[kOperandInput]->view(), inputs[kWeightsInput]->view()};
  if (inputs.back() != nullptr) operands.emplace_back(inputs.back()->view());
  auto wiring = WireNode(sum.node, sum.since_version, operands);
  if (!wiring) return wiring.error();
  Terms terms;
  terms.wired = std::move(wiring->outputs.front());
  terms.alpha = NumberOfFloat(wiring->alpha);
  terms.beta = NumberOfFloat(wiring->beta);
  const GraphStep* dequantizers[2] = {&a, &b};
  for (size_t side = 0; side < 2; ++side) {
    const std::span<const SharedTensor> from =
        inputs.subspan(kBiasInput + side * (kZeroPointInput + 1));
    const SharedTensor& codes = from[kQuantizedInput];
    const SharedTensor& scale = from[kScaleInput];
    auto made = Evaluated(*dequantizers[side], *codes, Filled(*scale, scale->type, 1),
                          from[kZeroPointInput]);
    if (!made) return made.error();
    terms.codes[side] = *std::move(made);
    made =
        Evaluated(*dequantizers[side], Filled(*codes, codes->type, 1), *scale, nullptr);
    if (!made) return made.error();
    terms.scales[side] = *std::move(made);
    terms.zeros[side] = NumbersOf(*codes);
    for (size_t i = 0; i < terms.zeros[side].size(); ++i) {
      terms.zeros[side][i] -= terms.codes[side][i];
    }
  }
  return terms;
}

Number ProductAt(const Terms& terms, size_t at) {
  const WiredElement& a = terms.wired.sources[at];
  const WiredElement& b = terms.wired.sources[at + 1];
  if (a.operand == WiredElement::kZero || b.operand == WiredElement::kZero) return 0;
  return terms.codes[a.operand][static_cast<size_t>(a.index)] *
         terms.codes[b.operand][static_cast<size_t>(b.index)];
}

Result<Number> UnitOf(const Terms& terms, size_t i) {
  Number unit = 0;
  for (size_t at = terms.wired.first[i]; at < terms.wired.first[i + 1]; at += 2) {
    const WiredElement& x = terms.wired.sources[at];
    const WiredElement& w = terms.wired.sources[at + 1];
    if (x.operand == WiredElement::kZero || w.operand == WiredElement::kZero) continue;
    const Number product = terms.scales[x.operand][static_cast<size_t>(x.index)] *
                           terms.scales[w.operand][static_cast<size_t>(w.index)];
    if (unit != 0 && product != unit) return Error{"a scale varies along the sum"};
    unit = product;
  }
  return unit;
}

}  // namespace qconform::graphs
