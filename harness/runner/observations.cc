#include "harness/runner/observations.h"

#include <algorithm>
#include <optional>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/scalar/q_linear_mat_mul.h"
#include "oracle/scalar/q_linear_mat_mul_parameters.h"

namespace qconform {
namespace {

using Accumulator = QLinearMatMulParameters::Accumulator;

constexpr const char* kNanToInteger = "QL-12 NaN to an integer";
constexpr const char* kNanToFloat4 = "QL-26 NaN to FLOAT4E2M1";
constexpr const char* kOverflow = "MM-01b sums beyond INT32";
constexpr const char* kZeroSign = "MM-12 sign of a zero";
constexpr const char* kPadding = "QL-51 unused bits of the last byte";
constexpr const char* kJudged = "elements that are judged";

constexpr struct {
  Accumulator accumulator;
  const char* name;
} kAccumulators[] = {{Accumulator::kModulo32, "modulo 2^32"},
                     {Accumulator::kWide, "wide"},
                     {Accumulator::kSaturating32, "saturating"}};

// The class of an element that is free; nothing for one that is not.
const char* ClassOf(DataType type, const ElementAnswer& element) {
  if (element.freedom != Freedom::kAnyCode) return nullptr;
  if (element.tier == Tier::kAccumulatorOverflow && (element.features & kFeatureNan) == 0) {
    return kOverflow;
  }
  return IsInteger(type) ? kNanToInteger : kNanToFloat4;
}

std::string NameOf(DataType type, uint64_t code, const std::optional<uint64_t>& zero_point) {
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
  const auto& operands = op_case.operands;
  return {.since_version = op_case.key.cell.since_version,
          .a = operands[0].view(),
          .a_scale = operands[1].view(),
          .a_zero_point = operands[2].view(),
          .b = operands[3].view(),
          .b_scale = operands[4].view(),
          .b_zero_point = operands[5].view(),
          .y_scale = operands[6].view(),
          .y_zero_point = operands[7].view()};
}

}  // namespace

void Observations::AddOverflows(const OpCase& op_case, const Answer& answer,
                                const Tensor& y) {
  has_overflow_ = true;
  const QLinearMatMulProblem problem = ProblemOf(op_case);
  for (size_t which = 0; which < accumulators_.size(); ++which) {
    if (!accumulators_[which]) continue;
    const auto other = EvaluateQLinearMatMulWith(
        problem, {.accumulator = kAccumulators[which].accumulator});
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      if (ClassOf(answer.type, answer.elements[i]) != kOverflow) continue;
      accumulators_[which] = accumulators_[which] && other.ok() &&
                             other->elements[i].code ==
                                 ReadCode(y.view(), static_cast<int64_t>(i));
    }
  }
}

void Observations::Add(const OpCase& op_case, const Answer& answer, const Tensor& y) {
  const std::optional<uint64_t> zero_point = ZeroPointOf(op_case);
  bool overflows = false;
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    const char* input = ClassOf(answer.type, element);
    if (input == nullptr && !element.zero_sign_is_free) continue;
    const uint64_t code = ReadCode(y.view(), static_cast<int64_t>(i));
    if (input == nullptr) {
      const NumberFormat& format = FormatOf(answer.type);
      const bool negative = format.has_negative_zero && (code >> (format.bits - 1)) != 0;
      seen_[kZeroSign].insert(negative ? "-" : "+");
    } else if (input == kOverflow) {
      overflows = true;
    } else {
      seen_[input].insert(NameOf(answer.type, code, zero_point));
    }
  }
  if (overflows) AddOverflows(op_case, answer, y);
  const int bits = FormatOf(answer.type).bits;
  const auto used = static_cast<int>(static_cast<int64_t>(answer.elements.size()) * bits % 8);
  if (used != 0 && !y.data.empty()) {
    const bool clear = (static_cast<unsigned>(y.data.back()) >> used) == 0;
    seen_[kPadding].insert(clear ? "zero" : "not zero (uninitialised_padding)");
  }
}

int64_t Observations::AddRepeat(const Answer& answer, const Tensor& first,
                                const Tensor& second) {
  int64_t judged = -1;
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (ReadCode(first.view(), at) == ReadCode(second.view(), at)) continue;
    const char* input = ClassOf(answer.type, answer.elements[i]);
    if (input == nullptr && answer.elements[i].freedom == Freedom::kNone && judged < 0) {
      judged = at;
    }
    unstable_.insert(input == nullptr ? kJudged : input);
  }
  return judged;
}

std::vector<std::string> Observations::Notes() const {
  auto seen = seen_;
  if (has_overflow_) {
    std::set<std::string>& names = seen[kOverflow];
    for (size_t which = 0; which < accumulators_.size() && names.empty(); ++which) {
      if (accumulators_[which]) names.insert(kAccumulators[which].name);
    }
    if (names.empty()) names.insert("other");
  }
  for (const std::string& input : unstable_) seen[input].insert("unstable");
  std::vector<std::string> notes;
  for (const auto& [input, names] : seen) {
    std::string note = input + ":";
    for (const std::string& name : names) {
      note += (name == *names.begin() ? " " : ", ") + name;
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace qconform
