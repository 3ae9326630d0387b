// The operands of a FloatEvaluator, decoded once.
#include <string>

#include "oracle/formats/codes.h"
#include "oracle/graphs/evaluate.h"

namespace qconform {
namespace {

// Whether elements are computed, not chosen, moved or converted.
bool IsComputed(WiredKind kind) {
  switch (kind) {
    case WiredKind::kMove:
    case WiredKind::kRelu:
    case WiredKind::kClip:
    case WiredKind::kMaximum:
    case WiredKind::kMinimum:
    case WiredKind::kArgMax:
    case WiredKind::kArgMin:
    case WiredKind::kNeg:
    case WiredKind::kAbs:
    case WiredKind::kCast:
      return false;
    default:
      return true;
  }
}

bool IsComputedType(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 ||
         type == DataType::kBfloat16;
}

}  // namespace

FloatEvaluator::FloatEvaluator(const Wiring& wiring)
    : wiring_(&wiring),
      alpha_(Decode(FormatOf(DataType::kFloat), wiring.alpha)),
      beta_(Decode(FormatOf(DataType::kFloat), wiring.beta)) {
  for (const WiredOutput& output : wiring.outputs) {
    const NumberFormat& format = FormatOf(output.type);
    switch (format.kind) {
      case NumberKind::kFloat:
        // Casts to float8 types saturate; nothing else computes in them.
        rounders_.emplace_back(format, RoundingMode::kNearestEven,
                               IsFloat8(output.type) ? OverflowPolicy::kSaturate
                                                     : OverflowPolicy::kNonSaturating);
        break;
      case NumberKind::kInteger:
        rounders_.emplace_back(format, RoundingMode::kNearestEven,
                               OverflowPolicy::kSaturate);
        break;
      case NumberKind::kPowerOfTwo:  // it is only moved
        rounders_.emplace_back(FormatOf(DataType::kInt32), RoundingMode::kNearestEven,
                               OverflowPolicy::kSaturate);
        break;
    }
  }
}

Result<FloatEvaluator> FloatEvaluator::Create(const Wiring& wiring,
                                              const Operands& operands) {
  for (const WiredOutput& output : wiring.outputs) {
    if (IsComputed(wiring.kind) && !IsComputedType(output.type)) {
      return Error{"node: expected FLOAT, FLOAT16 or BFLOAT16, got " +
                   std::string(DataTypeName(output.type)) +
                   ": arithmetic in other types is not judged"};
    }
  }
  FloatEvaluator evaluator(wiring);
  const Status read = evaluator.Read(operands);
  if (!read) return read.error();
  return evaluator;
}

Status FloatEvaluator::Read(const Operands& operands) {
  values_.resize(operands.size());
  std::vector<bool> used(operands.size(), false);
  const auto use = [&](const WiredElement& element) {
    if (element.operand != WiredElement::kZero) {
      used[static_cast<size_t>(element.operand)] = true;
    }
  };
  for (const WiredOutput& output : wiring_->outputs) {
    for (const WiredElement& source : output.sources) use(source);
    for (const WiredElement& bias : output.bias) use(bias);
  }
  if (wiring_->low) use(*wiring_->low);
  if (wiring_->high) use(*wiring_->high);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!used[i]) continue;
    if (!operands[i]) {
      return Error{"node: expected an operand " + std::to_string(i) + ", got none"};
    }
    Values& values = values_[i];
    values.type = operands[i]->type;
    values.codes = ReadCodes(*operands[i]);
    values.values.reserve(values.codes.size());
    const Decoder decode(FormatOf(values.type));
    for (const uint64_t code : values.codes) values.values.push_back(decode(code));
  }
  return Ok();
}

uint64_t FloatEvaluator::CodeOf(const WiredElement& element) const {
  if (element.operand == WiredElement::kZero) return 0;
  return values_[static_cast<size_t>(element.operand)]
      .codes[static_cast<size_t>(element.index)];
}

const ExactValue& FloatEvaluator::ValueOf(const WiredElement& element) const {
  static constexpr ExactValue kZeroValue{};
  if (element.operand == WiredElement::kZero) return kZeroValue;
  return values_[static_cast<size_t>(element.operand)]
      .values[static_cast<size_t>(element.index)];
}

DataType FloatEvaluator::TypeOf(const WiredElement& element) const {
  if (element.operand == WiredElement::kZero) return DataType::kUndefined;
  return values_[static_cast<size_t>(element.operand)].type;
}

void FloatEvaluator::SetCode(const WiredElement& element, uint64_t code) {
  if (element.operand == WiredElement::kZero) return;
  Values& values = values_[static_cast<size_t>(element.operand)];
  values.codes[static_cast<size_t>(element.index)] = code;
  values.values[static_cast<size_t>(element.index)] = Decode(FormatOf(values.type), code);
}

}  // namespace qconform
