#include "harness/graphs/faults.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "harness/graphs/catalogue.h"
#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/sums/telling_inputs.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {
namespace {

// Makes the fault of an operator at its nodes.
std::vector<int> MakeNodeFault(Workspace& graph, const GraphMistake& mistake) {
  return AtEach(
      graph, mistake.where,
      [&](const Workspace& all, size_t step) {
        const GraphStep& at = all.steps()[step];
        if (!at.Is(mistake.op_type) || at.evaluation) return false;
        const auto producer = all.ProducerOf(at.node.inputs.front());
        return !producer || mistake.not_behind.empty() ||
               !all.steps()[*producer].Is(mistake.not_behind);
      },
      [&](Workspace& all, size_t step) {
        all.steps()[step].faults.push_back(mistake.node_fault);
        all.steps()[step].changed = true;
      });
}

std::string NodesText(const Workspace& graph, const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) {
    for (const GraphStep& step : graph.steps()) {
      if (step.number != number) continue;
      text += (text.empty() ? "" : ", ") + step.node.op_type + " (node " +
              std::to_string(number) + ")";
    }
  }
  return text;
}

}  // namespace

std::span<const OperatorFault> Faults::catalogue() const {
  // Made when it is first asked for: it looks up the catalogues of operators, and the
  // registry of all has to be complete then.
  static const std::vector<OperatorFault> all = [] {
    std::vector<OperatorFault> faults;
    AddActivationFaults(faults);
    AddParameterFaults(faults);
    AddPairFaults(faults);
    AddLayoutFaults(faults);
    AddSumFaults(faults);
    AddNodeFaults(faults);
    AddCombinations(faults);
    return faults;
  }();
  return all;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(
    const Node& node, int since_version, const Operands& operands, Codes canonical,
    const ReadingSet& readings) const {
  auto graph = Workspace::Create(node, since_version, operands, readings);
  if (!graph) return graph.error();
  return std::shared_ptr<const DecodedCase>(
      std::make_shared<Case>(op_type(), *std::move(graph), std::move(canonical)));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  GraphMistakes both = a.As<GraphMistakes>();
  for (const GraphMistake& mistake : b.As<GraphMistakes>().all) {
    if (std::ranges::count(both.all, mistake) == 0) both.all.push_back(mistake);
  }
  std::ranges::stable_sort(both.all, {}, &GraphMistake::stage);
  return both;
}

std::vector<TellingInput> Faults::TellingInputs(const Node& node, int since_version,
                                                const Operands& operands,
                                                size_t most) const {
  const auto graph = Workspace::Create(node, since_version, operands);
  return graph ? InputsOfPairs(*graph, node, most) : std::vector<TellingInput>();
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet&) const {
  return std::ranges::all_of(set.As<GraphMistakes>().all, [](const GraphMistake& one) {
    return one.rewrite != nullptr;
  });
}

WrongGraph Case::Rewritten(const GraphMistakes& mistakes) const {
  WrongGraph wrong{graph_, {}};
  for (const GraphMistake& mistake : mistakes.all) {
    wrong.acts_on.push_back(mistake.rewrite != nullptr
                                ? mistake.rewrite(wrong.graph, mistake.where)
                                : MakeNodeFault(wrong.graph, mistake));
  }
  return wrong;
}

Codes Case::CodesOf(const FaultSet& set, FaultState&) const {
  const auto& mistakes = set.As<GraphMistakes>();
  WrongGraph wrong = Rewritten(mistakes);
  const auto idle = std::ranges::count_if(wrong.acts_on, &std::vector<int>::empty);
  const auto most_idle = mistakes.only_together ? 0 : std::ssize(wrong.acts_on) - 1;
  if (idle > most_idle) return canonical();
  const auto values = wrong.graph.Evaluate();
  if (!values) return canonical();
  Codes codes;
  for (size_t i = 0; i < graph_.outputs().size(); ++i) {
    const SharedTensor right = graph_.ValueOf(graph_.outputs()[i]);
    const auto made = values->find(wrong.graph.outputs()[i]);
    if (right == nullptr || made == values->end()) return canonical();
    const Tensor& tensor = *made->second;
    if (tensor.type != right->type || tensor.shape != right->shape) return canonical();
    for (const uint64_t code : ReadCodes(tensor.view())) {
      codes.push_back(static_cast<uint32_t>(code));
    }
  }
  if (codes.size() != canonical().size()) return canonical();
  return codes;
}

std::string Case::SentenceOf(const FaultSet& set) const {
  const auto& mistakes = set.As<GraphMistakes>();
  const WrongGraph wrong = Rewritten(mistakes);
  std::string text;
  for (size_t i = 0; i < mistakes.all.size(); ++i) {
    const std::string nodes = NodesText(graph_, wrong.acts_on[i]);
    if (nodes.empty()) continue;
    text +=
        (text.empty() ? "" : " ") + nodes + ": " + std::string(mistakes.all[i].sentence);
  }
  return text;
}

bool Case::computes_in_floats() const {
  return std::ranges::any_of(graph_.steps(), [](const GraphStep& step) {
    const std::string& op_type = step.node.op_type;
    return !FindOperator(op_type) && !IsMover(op_type) && !IsChooser(op_type);
  });
}

bool Case::IsNear(int64_t index, uint32_t model, uint32_t observed) const {
  if (model == observed) return true;
  if (!computes_in_floats()) return false;
  for (const std::string& name : graph_.outputs()) {
    const SharedTensor output = graph_.ValueOf(name);
    const int64_t count = ElementCount(output->shape).value_or(0);
    if (index >= count) {
      index -= count;
      continue;
    }
    const NumberFormat& format = FormatOf(output->type);
    if (IsInteger(output->type)) {
      return std::abs(ToInteger(format, model) - ToInteger(format, observed)) <= 1;
    }
    if (IsNan(format, model) || IsNan(format, observed)) return false;
    if (BitWidth(output->type) <= 8) {
      return std::abs(ValueOrder(format, model) - ValueOrder(format, observed)) <= 1;
    }
    Number most = 0;
    for (const Number number : NumbersOf(*output)) {
      if (std::isfinite(number)) most = std::max(most, std::fabs(number));
    }
    const int digits = output->type == DataType::kFloat     ? 12
                       : output->type == DataType::kFloat16 ? 8
                                                            : 5;
    const auto number_of = [&](uint32_t code) {
      Tensor one = Tensor::Zeros(output->type, {});
      WriteCode(one.mutable_view(), 0, code);
      return NumbersOf(one).front();
    };
    return std::fabs(number_of(model) - number_of(observed)) <= std::ldexp(most, -digits);
  }
  return false;
}

}  // namespace qconform::graphs
