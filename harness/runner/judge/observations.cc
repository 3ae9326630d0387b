#include "harness/runner/judge/observations.h"

#include <algorithm>
#include <optional>

#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// The reasons why elements of a case are free.
class FreeInputs {
 public:
  // Keeps errors of the harness in `errors`.
  FreeInputs(const OpCase& op_case, const CaseAnswer& answer, FirstError& errors)
      : op_case_(op_case), answer_(answer), errors_(errors) {}

  // Returns nothing if the element is not free, or if that is not reported.
  std::optional<FreeInput> Of(size_t index) {
    const ElementAnswer& element = answer_.elements[index];
    if (element.freedom != Freedom::kAnyCode && !element.zero_sign_is_free) {
      return std::nullopt;
    }
    if (!Bind()) return std::nullopt;
    auto free =
        errors_.Keep(model_->FreeInputOf(inputs_, answer_.PlaceOf(index), element));
    return free ? *std::move(free) : std::nullopt;
  }

  // The output's zero point of an element.
  std::optional<uint64_t> ZeroPointOf(size_t index) {
    if (!Bind()) return std::nullopt;
    const auto infos = model_->op().operands();
    for (size_t i = 0; i < infos.size() && i < op_case_.operands.size(); ++i) {
      if (infos[i].role != OperandRole::kZeroPoint || infos[i].of) continue;
      const Tensor& tensor = op_case_.operands[i];
      if (tensor.data.empty()) return std::nullopt;
      if (ElementCount(tensor.shape) == 1) return ReadCode(tensor.view(), 0);
      const auto operands =
          errors_.Keep(model_->OperandsOfElement(inputs_, answer_.PlaceOf(index)));
      if (!operands) return std::nullopt;
      for (const ElementOperand& operand : *operands) {
        if (operand.name == infos[i].name) return operand.code;
      }
    }
    return std::nullopt;
  }

  const OracleModel* model() { return Bind() ? &*model_ : nullptr; }

 private:
  bool Bind() {
    if (!model_) {
      model_ = errors_.Keep(OracleModel::Create(op_case_.model));
      inputs_ = ViewsOf(op_case_.inputs);
    }
    return model_.has_value();
  }

  const OpCase& op_case_;
  const CaseAnswer& answer_;
  FirstError& errors_;
  std::optional<OracleModel> model_;
  std::vector<TensorView> inputs_;
};

std::string NameOfCode(DataType type, uint64_t code,
                       const std::optional<uint64_t>& zero_point) {
  if (!IsInteger(type)) return ValueToString(type, code);
  const NumberFormat& format = FormatOf(type);
  const uint64_t mask = (uint64_t{1} << format.bits) - 1;
  if (code == (static_cast<uint64_t>(IntegerMin(format)) & mask)) return "qmin";
  if (code == static_cast<uint64_t>(IntegerMax(format))) return "qmax";
  if (code == 0) return "0";
  return zero_point == code ? "y_zero_point" : "others";
}

}  // namespace

Result<std::string> Observations::NameOf(const FreeInput& free,
                                         const std::vector<Answered>& cases) {
  std::vector<std::string> names;  // that explain all so far
  for (const Answered& one : cases) {
    const auto model = OracleModel::Create(one.op_case->model);
    if (!model) return model.error();
    const auto known = model->KnownAnswers(ViewsOf(one.op_case->inputs), free);
    if (!known) return known.error();
    std::vector<std::string> explaining;
    for (const KnownAnswer& answer : *known) {
      const CaseAnswer all(answer.answers);
      const bool explains = std::ranges::all_of(
          one.elements, [&](size_t i) { return all.elements[i].code == one.codes[i]; });
      if (explains) explaining.push_back(answer.name);
    }
    if (&one == &cases.front()) {
      names = std::move(explaining);
    } else {
      std::erase_if(names, [&](const std::string& name) {
        return std::ranges::find(explaining, name) == explaining.end();
      });
    }
    if (names.empty()) return std::string("other");
  }
  return names.front();
}

void Observations::Add(const std::shared_ptr<const OpCase>& op_case,
                       const std::shared_ptr<const CaseAnswer>& expected,
                       std::span<const uint32_t> codes, const Outputs& outputs) {
  const CaseAnswer& answer = *expected;
  FreeInputs inputs(*op_case, answer, errors_);
  std::map<FreeInput, std::vector<size_t>> with_known_answers;
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const std::optional<FreeInput> free = inputs.Of(i);
    if (!free) continue;
    const uint32_t code = codes[i];
    const DataType type = answer.TypeOf(i);
    const NumberFormat& format = FormatOf(type);
    if (answer.elements[i].freedom != Freedom::kAnyCode) {
      if (!IsZero(format, code)) continue;  // judged elsewhere: a deviation, or a reading
      const bool negative = format.has_negative_zero && (code >> (format.bits - 1)) != 0;
      seen_[*free].insert(negative ? "-" : "+");
    } else if (free->has_known_answers) {
      with_known_answers[*free].push_back(i);
    } else {
      seen_[*free].insert(NameOfCode(type, code, inputs.ZeroPointOf(i)));
    }
  }
  for (auto& [free, elements] : with_known_answers) {
    std::vector<Answered>& cases = with_known_answers_[free];
    // Cases of equal content share an answer, and most backends give them equal bits.
    const bool is_known = std::ranges::any_of(cases, [&](const Answered& known) {
      return known.answer == expected && std::ranges::equal(known.codes, codes);
    });
    if (is_known) continue;
    cases.push_back(
        {op_case, expected, {codes.begin(), codes.end()}, std::move(elements)});
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    const std::byte unused =
        ~LastByteMask(output.type, ElementCount(output.shape).value_or(0));
    if (unused == std::byte{0} || output.data.empty() || inputs.model() == nullptr) {
      continue;
    }
    const std::string clause(inputs.model()->op().outputs()[i].unused_bits_clause);
    if (clause.empty()) continue;
    const bool clear = (output.data.back() & unused) == std::byte{0};
    seen_[{clause, "unused bits of the last byte"}].insert(
        clear ? "zero" : "not zero (uninitialised_padding)");
  }
}

int64_t Observations::AddRepeat(const OpCase& op_case, const CaseAnswer& answer,
                                std::span<const uint32_t> first,
                                std::span<const uint32_t> second,
                                const std::string& changed) {
  FreeInputs inputs(op_case, answer, errors_);
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    if (first[i] == second[i]) continue;
    if (!MayVary(answer.TypeOf(i), answer.elements[i], first[i], second[i])) continue;
    if (const auto free = inputs.Of(i)) varies_[*free].insert(changed);
  }
  return FirstUnsteady(answer, first, second);
}

void Observations::AddMoved(const OpCase& op_case, const CaseAnswer& answer,
                            std::span<const uint32_t> first,
                            std::span<const uint32_t> second,
                            const std::vector<int64_t>& source) {
  FreeInputs inputs(op_case, answer, errors_);
  for (size_t i = 0; i < source.size(); ++i) {
    const auto at = static_cast<size_t>(source[i]);
    if (first[at] == second[i]) continue;
    if (!MayVary(answer.TypeOf(at), answer.elements[at], first[at], second[i])) continue;
    const auto free = inputs.Of(at);
    if (free) varies_[*free].insert("position");
  }
}

Result<std::vector<Observation>> Observations::Records() const {
  if (errors_.error()) return *errors_.error();
  std::vector<Observation> records;
  auto seen = seen_;
  for (const auto& [free, cases] : with_known_answers_) {
    const auto name = NameOf(free, cases);
    if (!name) return name.error();
    seen[free].insert(*name);
  }
  for (const auto& [free, names] : seen) {
    Observation record{free.clause, free.input, {names.begin(), names.end()}, {}};
    const auto varies = varies_.find(free);
    if (varies != varies_.end()) {
      record.varies_with.assign(varies->second.begin(), varies->second.end());
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace qconform
