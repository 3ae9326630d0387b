#include "harness/runner/observations.h"

#include <algorithm>
#include <optional>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/mat_mul_problem.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/scalar/q_linear_mat_mul_parameters.h"

namespace qconform {
namespace {

using Accumulator = QLinearMatMulParameters::Accumulator;

constexpr const char* kNanToInteger = "QL-12 NaN to an integer";
constexpr const char* kNanToFloat4 = "QL-26 NaN to FLOAT4E2M1";
constexpr const char* kOverflow = "MM-01b sums beyond INT32";
constexpr const char* kZeroSign = "MM-12 sign of a zero";
constexpr const char* kPadding = "QL-51 unused bits of the last byte";

constexpr struct {
  Accumulator accumulator;
  const char* name;
} kAccumulators[] = {{Accumulator::kModulo32, "modulo 2^32"},
                     {Accumulator::kWide, "wide"},
                     {Accumulator::kSaturating32, "saturating"}};

// The class of an element that is free; nothing for one that is not.
const char* ClassOf(DataType type, const ElementAnswer& element) {
  if (element.freedom != Freedom::kAnyCode) return nullptr;
  if (element.tier == Tier::kAccumulatorOverflow &&
      (element.features & kFeatureNan) == 0) {
    return kOverflow;
  }
  return IsInteger(type) ? kNanToInteger : kNanToFloat4;
}

// The same, zeros whose sign is free included.
const char* InputClassOf(DataType type, const ElementAnswer& element) {
  const char* input = ClassOf(type, element);
  return input == nullptr && element.zero_sign_is_free ? kZeroSign : input;
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
  return MatMulProblemOf(op_case.key.cell.since_version,
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
        if (ClassOf(answer->type, overflow.answer->elements[i]) != kOverflow) continue;
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
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    const char* input = ClassOf(answer.type, element);
    if (input == nullptr && !element.zero_sign_is_free) continue;
    const uint64_t code = ReadCode(y.view(), static_cast<int64_t>(i));
    if (input == nullptr) {
      const NumberFormat& format = FormatOf(answer.type);
      if (!IsZero(format, code)) continue;  // judged elsewhere: a deviation, or a reading
      const bool negative = format.has_negative_zero && (code >> (format.bits - 1)) != 0;
      seen_[kZeroSign].insert(negative ? "-" : "+");
    } else if (input == kOverflow) {
      overflows = true;
    } else {
      seen_[input].insert(NameOf(answer.type, code, zero_point));
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

int64_t Observations::AddRepeat(const Answer& answer, const Tensor& first,
                                const Tensor& second, const std::string& changed) {
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const uint64_t before = ReadCode(first.view(), at);
    const uint64_t now = ReadCode(second.view(), at);
    if (before == now) continue;
    const ElementAnswer& element = answer.elements[i];
    const char* input = InputClassOf(answer.type, element);
    if (input != nullptr && MayVary(answer.type, element, before, now)) {
      varies_[input].insert(changed);
    }
  }
  return FirstUnsteady(answer, first, second);
}

void Observations::AddMoved(const Answer& answer, const Tensor& first,
                            const Tensor& second, const std::vector<int64_t>& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    const ElementAnswer& element = answer.elements[static_cast<size_t>(source[i])];
    const char* input = InputClassOf(answer.type, element);
    if (input == nullptr) continue;
    const uint64_t before = ReadCode(first.view(), source[i]);
    const uint64_t moved = ReadCode(second.view(), static_cast<int64_t>(i));
    if (moved != before && MayVary(answer.type, element, before, moved)) {
      varies_[input].insert("position");
    }
  }
}

std::vector<Observation> Observations::Records() const {
  auto seen = seen_;
  if (!overflows_.empty()) seen[kOverflow].insert(Accumulators());
  std::vector<Observation> records;
  for (const auto& [input, names] : seen) {
    // "QL-12 NaN to an integer"
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
