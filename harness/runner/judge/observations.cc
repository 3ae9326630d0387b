#include "harness/runner/judge/observations.h"

#include <algorithm>
#include <optional>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/operators/q_linear_mat_mul/problem.h"

namespace qconform {
namespace {

using Accumulator = QLinearMatMulParameters::Accumulator;

constexpr const char* kOverflow = "MM-01b sums beyond INT32";
constexpr const char* kZeroSign = "MM-12 sign of a zero";
constexpr const char* kPadding = "QL-51 unused bits of the last byte";

constexpr struct {
  Accumulator accumulator;
  const char* name;
} kAccumulators[] = {{Accumulator::kModulo32, "modulo 2^32"},
                     {Accumulator::kWide, "wide"},
                     {Accumulator::kSaturating32, "saturating"}};

using ElementOperands = std::vector<ElementOperand>;

// What elements of a case are made of.
class ElementsOf {
 public:
  explicit ElementsOf(const OpCase& op_case) : op_case_(op_case) {}

  // None of another operator than QuantizeLinear.
  ElementOperands Operands(int64_t index) {
    if (op_case_.key.cell.op_type != "QuantizeLinear") return {};
    if (!model_) {
      auto made = OracleModel::Create(op_case_.model);
      if (!made) return {};
      model_ = *std::move(made);
      inputs_ = ViewsOf(op_case_.inputs);
    }
    auto operands = model_->OperandsOfElement(inputs_, index);
    return operands ? *std::move(operands) : ElementOperands();
  }

 private:
  const OpCase& op_case_;
  std::optional<OracleModel> model_;
  std::vector<TensorView> inputs_;
};

// What makes a quotient NaN: backends treat the ways apart.
std::string CauseOfNan(const ElementOperands& operands, const ElementAnswer& element) {
  if (operands.size() < 2) {  // QLinearMatMul
    return element.tier == Tier::kDegenerateScale ? "NaN by the scales" : "NaN in a or b";
  }
  const auto is = [&](ValueClass value_class, size_t operand) {
    const ElementOperand& one = operands[operand];
    return Decode(FormatOf(one.type), one.code).value_class == value_class;
  };
  if (is(ValueClass::kNan, 0)) return "NaN x";
  if (is(ValueClass::kNan, 1)) return "NaN y_scale";
  if (is(ValueClass::kZero, 0) && is(ValueClass::kZero, 1)) return "0/0";
  if (is(ValueClass::kInfinity, 0) && is(ValueClass::kInfinity, 1)) return "Inf/Inf";
  return "0/0 or Inf/Inf in P";
}

// Whether it is sums beyond INT32 that make an element free.
bool IsOverflow(const ElementAnswer& element) {
  return element.freedom == Freedom::kAnyCode &&
         element.tier == Tier::kAccumulatorOverflow &&
         (element.features & kFeatureNan) == 0;
}

// The class of an element of any code that is no overflow.
std::string NanClassOf(DataType type, const ElementOperands& operands,
                       const ElementAnswer& element) {
  return (IsInteger(type) ? "QL-12 " : "QL-26 ") + CauseOfNan(operands, element) +
         (IsInteger(type) ? " to an integer" : " to FLOAT4E2M1");
}

// The class of an element that is free in something, or "".
std::string InputClassOf(const OpCase& op_case, DataType type,
                         const ElementAnswer& element, int64_t index) {
  if (IsOverflow(element)) return kOverflow;
  if (element.freedom == Freedom::kAnyCode) {
    return NanClassOf(type, ElementsOf(op_case).Operands(index), element);
  }
  return element.zero_sign_is_free ? kZeroSign : "";
}

std::string NameOf(DataType type, uint64_t code,
                   const std::optional<uint64_t>& zero_point) {
  if (!IsInteger(type)) return ValueToString(type, code);
  const NumberFormat& format = FormatOf(type);
  const uint64_t mask = (uint64_t{1} << format.bits) - 1;
  if (code == (static_cast<uint64_t>(IntegerMin(format)) & mask)) return "qmin";
  if (code == static_cast<uint64_t>(IntegerMax(format))) return "qmax";
  if (code == 0) return "0";
  return zero_point == code ? "y_zero_point" : "others";
}

// The zero point where there is one for all of y.
std::optional<uint64_t> ZeroPointOf(const OpCase& op_case) {
  const size_t index = op_case.key.cell.op_type == "QLinearMatMul" ? 7 : 2;
  if (op_case.operands.size() <= index) return std::nullopt;
  const Tensor& zero_point = op_case.operands[index];
  if (zero_point.data.empty() || ElementCount(zero_point.shape) != 1) return std::nullopt;
  return ReadCode(zero_point.view(), 0);
}

QLinearMatMulProblem ProblemOf(const OpCase& op_case) {
  const std::vector<TensorView> operands = ViewsOf(op_case.operands);
  return QLinearMatMulProblemOf(op_case.key.cell.since_version,
                                {operands.begin(), operands.end()});
}

}  // namespace

void Observations::AddOverflows(const std::shared_ptr<const OpCase>& op_case,
                                const std::shared_ptr<const Answer>& answer,
                                const Tensor& y) {
  // Cases of equal content share an answer; most backends give them equal bits.
  for (const Overflow& known : overflows_) {
    if (known.answer == answer && known.y.data == y.data) return;
  }
  overflows_.push_back({op_case, answer, y});
}

// The first accumulator that explains all sums; the canonical answer is modulo's.
std::string Observations::Accumulators() const {
  for (const auto& [accumulator, name] : kAccumulators) {
    bool explains = true;
    for (const Overflow& overflow : overflows_) {
      const Answer* answer = overflow.answer.get();
      std::optional<Answer> made;
      if (accumulator != Accumulator::kModulo32) {
        auto other = EvaluateQLinearMatMulWith(ProblemOf(*overflow.op_case),
                                               {.accumulator = accumulator});
        if (!other) return "other";
        made = *std::move(other);
        answer = &*made;
      }
      for (size_t i = 0; i < answer->elements.size() && explains; ++i) {
        if (!IsOverflow(overflow.answer->elements[i])) continue;
        explains = answer->elements[i].code ==
                   ReadCode(overflow.y.view(), static_cast<int64_t>(i));
      }
      if (!explains) break;
    }
    if (explains) return name;
  }
  return "other";
}

void Observations::Add(const std::shared_ptr<const OpCase>& op_case,
                       const std::shared_ptr<const Answer>& expected, const Tensor& y) {
  const Answer& answer = *expected;
  const std::optional<uint64_t> zero_point = ZeroPointOf(*op_case);
  bool overflows = false;
  ElementsOf made_of(*op_case);
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    if (element.freedom != Freedom::kAnyCode && !element.zero_sign_is_free) continue;
    const uint64_t code = ReadCode(y.view(), static_cast<int64_t>(i));
    if (element.freedom != Freedom::kAnyCode) {
      const NumberFormat& format = FormatOf(answer.type);
      if (!IsZero(format, code)) continue;  // judged elsewhere: a deviation, or a reading
      const bool negative = format.has_negative_zero && (code >> (format.bits - 1)) != 0;
      seen_[kZeroSign].insert(negative ? "-" : "+");
    } else if (IsOverflow(element)) {
      overflows = true;
    } else {
      const ElementOperands operands = made_of.Operands(static_cast<int64_t>(i));
      const bool own = operands.size() > 2;  // of its channel or block
      seen_[NanClassOf(answer.type, operands, element)].insert(
          NameOf(answer.type, code, own ? std::optional(operands[2].code) : zero_point));
    }
  }
  if (overflows) AddOverflows(op_case, expected, y);
  const std::byte unused =
      ~LastByteMask(answer.type, static_cast<int64_t>(answer.elements.size()));
  if (unused != std::byte{0} && !y.data.empty()) {
    const bool clear = (y.data.back() & unused) == std::byte{0};
    seen_[kPadding].insert(clear ? "zero" : "not zero (uninitialised_padding)");
  }
}

int64_t Observations::AddRepeat(const OpCase& op_case, const Answer& answer,
                                const Tensor& first, const Tensor& second,
                                const std::string& changed) {
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const uint64_t before = ReadCode(first.view(), at);
    const uint64_t now = ReadCode(second.view(), at);
    if (before == now) continue;
    const ElementAnswer& element = answer.elements[i];
    if (!MayVary(answer.type, element, before, now)) continue;
    const std::string input = InputClassOf(op_case, answer.type, element, at);
    if (!input.empty()) varies_[input].insert(changed);
  }
  return FirstUnsteady(answer, first, second);
}

void Observations::AddMoved(const OpCase& op_case, const Answer& answer,
                            const Tensor& first, const Tensor& second,
                            const std::vector<int64_t>& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    const ElementAnswer& element = answer.elements[static_cast<size_t>(source[i])];
    const uint64_t before = ReadCode(first.view(), source[i]);
    const uint64_t moved = ReadCode(second.view(), static_cast<int64_t>(i));
    if (moved == before || !MayVary(answer.type, element, before, moved)) continue;
    const std::string input = InputClassOf(op_case, answer.type, element, source[i]);
    if (!input.empty()) varies_[input].insert("position");
  }
}

std::vector<Observation> Observations::Records() const {
  auto seen = seen_;
  if (!overflows_.empty()) seen[kOverflow].insert(Accumulators());
  std::vector<Observation> records;
  for (const auto& [input, names] : seen) {
    // "QL-12 NaN x to an integer"
    const size_t space = input.find(' ');
    Observation record{input.substr(0, space),
                       input.substr(space + 1),
                       {names.begin(), names.end()},
                       {}};
    const auto varies = varies_.find(input);
    if (varies != varies_.end()) {
      record.varies_with.assign(varies->second.begin(), varies->second.end());
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace qconform
