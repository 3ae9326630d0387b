#include "harness/runner/suites/coverage.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <variant>

#include "harness/core/bound_model.h"
#include "harness/runner/ask/parallel.h"
#include "harness/runner/ask/repeats.h"
#include "oracle/base/text.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

constexpr std::string_view kOpsetVersion = "opset_version";

bool IsByOpset(std::string_view fact) { return fact.starts_with(kOpsetVersion); }

class FactList {
 public:
  void Add(std::string fact, int64_t number) {
    facts_.push_back({std::move(fact), {number, ""}});
  }
  void Add(std::string fact, std::string words) {
    facts_.push_back({std::move(fact), {0, std::move(words)}});
  }
  std::vector<CaseFact> Take() { return std::move(facts_); }

 private:
  std::vector<CaseFact> facts_;
};

std::string SizeText(int64_t elements) {
  if (elements < 1024) return "fewer than 1024";
  return elements < 65'536 ? "1024 to 65535" : "65536 and more";
}

// Which of the zero points of an operand are 0.
std::string ZeroPointText(const Tensor& tensor) {
  if (tensor.type == DataType::kUndefined) return "left out";
  const int64_t count = ElementCount(tensor.shape).value_or(0);
  int64_t zeros = 0;
  for (int64_t i = 0; i < count; ++i) zeros += ReadCode(tensor.view(), i) == 0 ? 1 : 0;
  if (zeros == count) return "all 0";
  return zeros == 0 ? "none 0" : "some 0";
}

const int64_t* FindInt(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->value);
}

void AddAttributes(const OpCase& op_case, const Operator& op, FactList& list) {
  const int64_t opset = op_case.key.opset_version;
  const std::string by_opset = std::string(kOpsetVersion) + " where ";
  for (const std::string_view name : op.layout_attributes()) {
    const std::string fact(name);
    const int64_t* value = FindInt(op_case.model.node, name);
    if (value == nullptr) {
      list.Add(fact, std::string("left out, or a list"));
      continue;
    }
    list.Add(fact, *value);
    list.Add(by_opset + fact + (*value < 0 ? " is negative" : " is given"), opset);
  }
  for (const std::string& part : Split(op_case.key.variant, ",")) {
    list.Add("variant", part);
    list.Add(by_opset + part, opset);
  }
}

// Sizes of sums: the products in one, their rows, and how many there are. Other
// operators: the elements of x.
Status AddSizes(const OpCase& op_case, const Operator& op, FactList& list) {
  const auto infos = op.operands();
  const auto weight = std::ranges::find(infos, OperandRole::kWeight, &OperandInfo::role);
  const std::string of_x = " of " + std::string(infos.front().name);
  const Shape& x = op_case.operands.front().shape;
  if (weight == infos.end()) {
    list.Add("elements" + of_x, ElementCount(x).value_or(0));
    return Ok();
  }
  if (x.size() > 2) list.Add("first dimension" + of_x + " from rank 3 on", x.front());
  const auto dimensions = DimensionsOf(op_case.model);
  if (!dimensions) return dimensions.error();
  const auto place = static_cast<size_t>(weight - infos.begin());
  int64_t products = 1;
  int64_t rows = 1;
  bool has_rows = false;
  for (const Dimension& dimension : *dimensions) {
    const bool is_of_weight =
        std::ranges::find(dimension.operands, place, &AxisPlace::tensor) !=
        dimension.operands.end();
    if (is_of_weight && dimension.outputs.empty()) products *= dimension.size;
    if (dimension.is_rows) rows *= dimension.size;
    has_rows = has_rows || dimension.is_rows;
  }
  list.Add("products in a sum", products);
  if (has_rows) list.Add("rows", rows);
  const ValueInfo& y = op_case.model.outputs.front();
  const int64_t elements = ElementCount(y.shape).value_or(0);
  list.Add("elements of " + y.name, SizeText(elements));
  list.Add("last dimension of " + y.name, y.shape.empty() ? 1 : y.shape.back());
  if (!has_rows && y.shape.size() > 2) {
    list.Add("elements of a channel",
             ElementCount({y.shape.begin() + 2, y.shape.end()}).value_or(0));
  }
  return Ok();
}

// What a run asks of a cell once more, of the cases that it chooses (CellJudge::ToRepeat,
// ToRunOnce): each way of the case with the most elements of y, or of one with free
// elements; prepared models in each operand form.
class AskedAgain {
 public:
  Status Add(const OpCase& op_case) {
    int64_t elements = 0;
    for (const ValueInfo& y : op_case.model.outputs) {
      elements += ElementCount(y.shape).value_or(0);
    }
    forms_.insert(op_case.key.form);
    if (elements <= most_) return Ok();
    most_ = elements;
    const auto turning = FindTurning(op_case.model);
    if (!turning) return turning.error();
    turns_ = turning->has_value();
    return Ok();
  }

  std::vector<CaseFact> Facts() const {
    FactList list;
    const std::string again = "asked again";
    list.Add(again, std::string("elsewhere in memory"));
    if (turns_) list.Add(again, std::string("its elements at other indices"));
    list.Add(again, "with other threads, elements: " + SizeText(most_));
    for (const OperandForm form : forms_) {
      const std::string of_form = ", " + std::string(OperandFormName(form));
      list.Add(again, "three calls of a prepared model" + of_form);
      list.Add(again, "named dimensions" + of_form);
    }
    return list.Take();
  }

 private:
  int64_t most_ = -1;
  bool turns_ = false;
  std::set<OperandForm> forms_;
};

}  // namespace

std::string FactText(const FactValue& value) {
  return value.words.empty() ? std::to_string(value.number) : value.words;
}

Result<std::vector<CaseFact>> FactsOfCase(const OpCase& op_case) {
  const Operator* op = FindOperator(op_case.key.cell.op_type);
  if (op == nullptr) return CheckIsJudged(op_case.model).error();
  FactList list;
  const auto infos = op->operands();
  const Shape& x = op_case.operands.front().shape;
  const std::string of_x = " of " + std::string(infos.front().name);
  list.Add("rank" + of_x, static_cast<int64_t>(x.size()));
  list.Add("operand form", std::string(OperandFormName(op_case.key.form)));
  list.Add(std::string(kOpsetVersion), op_case.key.opset_version);
  AddAttributes(op_case, *op, list);
  if (const Status sizes = AddSizes(op_case, *op, list); !sizes) return sizes.error();
  for (size_t i = 0; i < std::min(infos.size(), op_case.operands.size()); ++i) {
    if (infos[i].role != OperandRole::kZeroPoint) continue;
    list.Add(std::string(infos[i].name), ZeroPointText(op_case.operands[i]));
  }
  return list.Take();
}

Result<OperatorCoverage> CountCoverage(const std::string& op_type,
                                       std::span<const SelectedCell> cells, Level level,
                                       int jobs) {
  struct Count {
    int64_t cells = 0;
    int64_t cases = 0;
  };
  std::map<CaseFact, Count> counts;
  OperatorCoverage coverage;
  coverage.op_type = op_type;
  std::map<int64_t, int64_t> cells_at;  // by opset_version
  std::mutex mutex;
  const std::atomic<bool> never{false};
  const auto count_cell = [&](size_t index) -> Result<bool> {
    const SelectedCell& selected = cells[index];
    std::map<CaseFact, int64_t> of_cell;
    CaseMaker maker(1);
    AskedAgain again;
    const auto keys = CasesOf(selected.cell, selected.versions, level);
    for (const CaseKey& key : keys) {
      const auto made = maker.Make(key);
      if (!made) return made.error();
      const auto facts = FactsOfCase(*made);
      if (!facts) return facts.error();
      for (const CaseFact& fact : *facts) ++of_cell[fact];
      if (const Status added = again.Add(*made); !added) return added.error();
    }
    for (const CaseFact& fact : again.Facts()) ++of_cell[fact];
    const std::lock_guard lock(mutex);
    ++coverage.cells;
    coverage.cases += static_cast<int64_t>(keys.size());
    for (const int opset : selected.versions.opset_versions) ++cells_at[opset];
    for (const auto& [fact, cases] : of_cell) {
      ++counts[fact].cells;
      counts[fact].cases += cases;
    }
    return true;
  };
  const auto counted = ForEachInParallel(cells.size(), jobs, never, count_cell);
  if (!counted) return counted.error();
  for (auto& [fact, count] : counts) {
    const int64_t of_cells =
        IsByOpset(fact.first) ? cells_at[fact.second.number] : coverage.cells;
    coverage.facts.push_back(
        {fact.first, fact.second, count.cells, of_cells, count.cases});
  }
  return coverage;
}

}  // namespace qconform
