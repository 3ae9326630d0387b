#include "harness/diagnosis/worked.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cases/model/attributes.h"
#include "harness/core/decoded_case.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {
namespace {

std::string Decimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// The value in decimal; what FLOAT16 and FLOAT cannot tell from a tie is written so.
std::string ValueText(const Unrounded& value) {
  switch (value.value_class) {
    case ValueClass::kNan:
      return "NaN";
    case ValueClass::kInfinity:
      return value.negative ? "-Inf" : "+Inf";
    case ValueClass::kZero:
      return value.negative ? "-0" : "0";
    case ValueClass::kFinite:
      break;
  }
  const double size = std::ldexp(static_cast<double>(value.significand), value.exponent);
  std::string text = (value.negative ? "-" : "") + Decimal(size);
  // Digits that decimal text does not show: how far from the multiple of 1/2 there.
  const double halves = std::round(size * 2) / 2;
  if (halves > 0 && halves < 1e9 && Decimal(halves) == Decimal(size)) {
    const Unrounded magnitude{.value_class = value.value_class,
                              .negative = false,
                              .sticky = value.sticky,
                              .significand = value.significand,
                              .exponent = value.exponent};
    const auto twice = static_cast<uint64_t>(halves * 2);
    const ExactValue minus{.value_class = ValueClass::kFinite,
                           .negative = true,
                           .significand = twice,
                           .exponent = -1};
    const Unrounded rest = Add(magnitude, minus);
    if (rest.value_class == ValueClass::kFinite) {
      const double distance =
          std::ldexp(static_cast<double>(rest.significand), rest.exponent);
      text = (value.negative ? "-" : "") + Decimal(halves) +
             (rest.negative == value.negative ? " + " : " - ") + Decimal(distance);
    } else if (rest.sticky) {
      text += rest.negative ? " and a little less" : " and a little more";
    }
  }
  return text;
}

std::string ValueText(const ExactValue& value) { return ValueText(ToUnrounded(value)); }

// A value of type P: bits and value; where P is none, the value.
std::string InType(const NumberFormat* format, const Unrounded& value) {
  const std::string text = ValueText(value);
  if (format == nullptr || value.value_class == ValueClass::kNan) return text;
  const uint64_t code =
      Round(*format, value, RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating);
  const ExactValue back = Decode(*format, code);
  const bool same = back.value_class == value.value_class &&
                    (value.value_class != ValueClass::kFinite ||
                     Add(value, {.value_class = ValueClass::kFinite,
                                 .negative = !back.negative,
                                 .significand = back.significand,
                                 .exponent = back.exponent})
                             .value_class == ValueClass::kZero);
  if (!same || value.sticky) return text;
  return BitsToString(format->type, code) + " (" + text + ")";
}

std::string CodeText(DataType type, uint64_t code) {
  const std::string bits = BitsToString(type, code);
  const ExactValue value = Decode(FormatOf(type), code);
  std::string text = value.value_class == ValueClass::kFinite ? ValueText(value)
                                                              : ValueToString(type, code);
  return bits + " (" + text + ")";
}

// After rounding. Traces hold integers of 48 bits, at whose ends they stop: what came to
// one was infinite or lay beyond, and is said by the value that was rounded.
std::string RoundedText(const std::optional<int64_t>& rounded, const Unrounded& value) {
  constexpr int64_t kLargestZeroPoint = int64_t{1} << 16;
  constexpr int64_t kEnd = (int64_t{1} << 47) - 1 - kLargestZeroPoint;
  if (!rounded) return "-";
  return std::abs(*rounded) < kEnd ? std::to_string(*rounded) : ValueText(value);
}

// The quotient by a reading: operands converted or not, divided, rounded to its P.
std::string ReadingQuotient(const AnsweredCase& answered, int since_version,
                            const DecodedQuantizeLinear& decoded, const ExactValue& x,
                            const ExactValue& scale, const ReadingSet& choice) {
  const Node& node = answered.model->node;
  const QuantizeLinearParameters parameters = ParametersOf(
      DecodeQuantizeLinearReadings(choice.code), since_version, decoded.x->type,
      decoded.y_scale->type, decoded.y->type, IntegerAttributeOr(node, "precision", 0),
      IntegerAttributeOr(node, "saturate", 1));
  if (parameters.precision == DataType::kUndefined) {
    return InType(nullptr, Divide(x, scale)) + " exactly";
  }
  const NumberFormat& p = FormatOf(parameters.precision);
  const auto in_p = [&](const Unrounded& value) {
    return Decode(
        p, Round(p, value, RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating));
  };
  const bool converts = parameters.convert_operands;
  const Unrounded q = ToUnrounded(in_p(Divide(
      converts && x.value_class == ValueClass::kFinite ? in_p(ToUnrounded(x)) : x,
      converts && scale.value_class == ValueClass::kFinite ? in_p(ToUnrounded(scale))
                                                           : scale)));
  return InType(&p, q) + " in " + std::string(DataTypeName(parameters.precision));
}

std::vector<WorkedStep> QuantizeLinearSteps(const AnsweredCase& answered,
                                            int since_version,
                                            const DecodedQuantizeLinear& decoded,
                                            const DecodedQuantizeLinear& followed,
                                            int64_t index, const WorkedModel& model) {
  std::vector<WorkedStep> steps;
  const ExactValue& x = decoded.x_values[static_cast<size_t>(index)];
  const QuantizeLinearTrace right = TraceElement(decoded, {}, index);
  std::optional<QuantizeLinearTrace> other;
  if (model.quantize_linear)
    other = TraceElement(followed, *model.quantize_linear, index);

  const bool other_scale = other && (ValueText(other->scale) != ValueText(right.scale));
  if (other_scale) {
    steps.push_back(
        {"y_scale that is taken", ValueText(right.scale), ValueText(other->scale)});
  }
  const std::string type =
      decoded.precision == nullptr
          ? "exactly"
          : "in " + std::string(DataTypeName(decoded.precision->type));
  WorkedStep quotient{"q = x / y_scale, " + type,
                      InType(decoded.precision, right.quotient), ""};
  if (other) quotient.actual = InType(followed.precision, other->quotient);
  if (model.reading) {
    quotient.actual =
        ReadingQuotient(answered, since_version, decoded, x, right.scale, *model.reading);
  }
  steps.push_back(std::move(quotient));
  const bool has_zero_point =
      right.zero_point.value_class != ValueClass::kZero ||
      (other && other->zero_point.value_class != ValueClass::kZero);
  std::string plus = "plus y_zero_point " + ValueText(right.zero_point);
  if (other && ValueText(other->zero_point) != ValueText(right.zero_point)) {
    plus = "plus y_zero_point, " + ValueText(right.zero_point) + " and " +
           ValueText(other->zero_point);
  }
  if (decoded.y->kind == NumberKind::kInteger) {
    const auto row = [&](std::string step,
                         std::optional<int64_t> QuantizeLinearTrace::*of) {
      steps.push_back({std::move(step), RoundedText(right.*of, right.quotient),
                       other ? RoundedText((*other).*of, other->quotient) : ""});
    };
    if (right.rounded) {
      row("rounded, ties to even", &QuantizeLinearTrace::rounded);
      if (has_zero_point) {
        row(plus, &QuantizeLinearTrace::sum);
      } else if (other && other->sum != right.sum && other->rounded == right.rounded) {
        // Nothing above tells the model from the specification.
        row("before the range of " + std::string(DataTypeName(decoded.y->type)),
            &QuantizeLinearTrace::sum);
      }
    }
  } else if (has_zero_point) {
    steps.push_back({plus, ValueText(Add(right.quotient, right.zero_point)), ""});
  }
  return steps;
}

std::vector<WorkedStep> MatMulSteps(const DecodedMatMul& decoded,
                                    const DecodedMatMul& followed, int64_t index,
                                    const WorkedModel& model) {
  std::vector<WorkedStep> steps;
  const auto right = TraceElement(decoded, {}, index);
  if (!right) return steps;
  std::optional<MatMulTrace> other;
  if (model.mat_mul) other = TraceElement(followed, *model.mat_mul, index);
  steps.push_back({"C = sum of " + std::to_string(decoded.terms) + " products",
                   ValueText(right->sum), other ? ValueText(other->sum) : ""});
  steps.push_back({"v = C * a_scale * b_scale / y_scale", ValueText(right->product),
                   other ? ValueText(other->product) : ""});
  if (right->rounded) {
    const auto row = [&](const char* step, std::optional<int64_t> MatMulTrace::*of) {
      steps.push_back({step, RoundedText((*right).*of, right->product),
                       other ? RoundedText((*other).*of, other->product) : ""});
    };
    row("rounded, ties to even", &MatMulTrace::rounded);
    const bool has_zero_point = right->with_zero_point != right->rounded ||
                                (other && other->with_zero_point != other->rounded);
    if (has_zero_point) row("plus y_zero_point", &MatMulTrace::with_zero_point);
  }
  return steps;
}

}  // namespace

Result<std::vector<WorkedStep>> WorkThrough(const AnsweredCase& answered,
                                            int since_version, int64_t index,
                                            const WorkedModel& model) {
  const auto decoded = DecodedCase::Create(*answered.model, since_version,
                                           answered.inputs, *answered.answer);
  if (!decoded) return decoded.error();
  std::optional<DecodedCase> other;  // what is over another reading
  if (model.follows != nullptr) {
    auto made = DecodeCase(answered, since_version, model.follows);
    if (!made) return made.error();
    other = *std::move(made);
  }
  const DecodedCase& followed = other ? *other : *decoded;
  std::vector<WorkedStep> steps;
  if (const auto* quantize = decoded->quantize_linear()) {
    steps = QuantizeLinearSteps(answered, since_version, *quantize,
                                *followed.quantize_linear(), index, model);
  } else if (const auto* mat_mul = decoded->mat_mul()) {
    steps = MatMulSteps(*mat_mul, *followed.mat_mul(), index, model);
  }
  if (steps.empty()) return steps;
  const DataType type = answered.answer->type;
  const ElementAnswer& element = answered.answer->elements[static_cast<size_t>(index)];
  const std::string last =
      IsInteger(type) ? "y, within the range of " : "y, rounded once to ";
  steps.push_back({last + std::string(DataTypeName(type)), CodeText(type, element.code),
                   CodeText(type, ReadCode(answered.output->view(), index))});
  return steps;
}

int64_t ComplexityOf(const std::vector<ElementOperand>& operands) {
  int64_t complexity = 0;
  for (const ElementOperand& operand : operands) {
    const ExactValue value = Decode(FormatOf(operand.type), operand.code);
    switch (value.value_class) {
      case ValueClass::kZero:
        // Of an x of zero nothing is seen.
        complexity += (value.negative ? 2 : 0) + (operand.name == "x" ? 40 : 0);
        break;
      case ValueClass::kFinite: {
        const int digits =
            TopBit(value.significand) + 1 - std::countr_zero(value.significand);
        complexity += 4 * digits + std::abs(TopOf(value)) + (value.negative ? 1 : 0);
        break;
      }
      case ValueClass::kInfinity:
      case ValueClass::kNan:
        complexity += 200;
        break;
    }
  }
  return complexity;
}

}  // namespace qconform
