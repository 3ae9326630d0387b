#include "harness/compare/compare.h"

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

std::string DescribeWrongForm(const Answer& expected, const Outputs& actual) {
  if (actual.size() != 1) {
    return "outputs: expected 1, got " + std::to_string(actual.size());
  }
  const Tensor& y = actual.front();
  if (y.type != expected.type) {
    return "y: expected type " + std::string(DataTypeName(expected.type)) + ", got " +
           AnswerTypeName(y.type);
  }
  if (y.shape != expected.shape) {
    return "y: expected shape " + ShapeToString(expected.shape) + ", got " +
           ShapeToString(y.shape);
  }
  const size_t bytes =
      PackedByteSize(expected.type, static_cast<int64_t>(expected.elements.size()));
  if (y.data.size() != bytes) {
    return "y: expected " + std::to_string(bytes) + " bytes by its type and shape, got " +
           std::to_string(y.data.size());
  }
  return "";
}

}  // namespace

bool MayVary(DataType type, const ElementAnswer& element, uint64_t one, uint64_t other) {
  if (element.freedom == Freedom::kAnyCode) return true;
  const NumberFormat& format = FormatOf(type);
  if (IsNan(format, one) && IsNan(format, other)) return true;  // QL-23
  return element.zero_sign_is_free && IsZero(format, one) && IsZero(format, other);
}

int64_t FirstUnsteady(const Answer& expected, const Tensor& first, const Tensor& second) {
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const uint64_t one = ReadCode(first.view(), at);
    const uint64_t other = ReadCode(second.view(), at);
    if (one != other && !MayVary(expected.type, expected.elements[i], one, other)) {
      return at;
    }
  }
  return -1;
}

RunResult Settled(const Answer& expected, RunResult result) {
  const auto* error = std::get_if<BackendError>(&result);
  if (error == nullptr || error->unsteady == nullptr) return result;
  const UnsteadyAnswer& unsteady = *error->unsteady;
  if (!DescribeWrongForm(expected, unsteady.first).empty()) return result;
  for (const OtherAnswer& other : unsteady.others) {
    if (!DescribeWrongForm(expected, other.outputs).empty() ||
        FirstUnsteady(expected, unsteady.first.front(), other.outputs.front()) >= 0) {
      return result;
    }
  }
  return unsteady.first;
}

std::string AnswerTypeName(DataType type) {
  if (BitWidth(type) > 0) return std::string(DataTypeName(type));
  return "number " + std::to_string(static_cast<int32_t>(type)) +
         " of TensorProto.DataType";
}

bool IsWithinBounds(const Answer& answer, size_t index, uint64_t actual, bool reduced) {
  const CodeBounds& bounds = answer.bounds[index];
  return Allows(answer.type, answer.elements[index], actual) ||
         bounds.arising.Hold(answer.type, actual) ||
         IsWithin(answer.type, actual, reduced ? bounds.wider_low : bounds.low,
                  reduced ? bounds.wider_high : bounds.high);
}

int64_t Comparison::mismatches() const {
  int64_t sum = 0;
  for (const TierCount& tier : tiers) sum += tier.mismatches;
  return sum;
}

Comparison Compare(const Answer& expected, const Outputs& actual, int most) {
  Comparison comparison;
  comparison.invalid_output = DescribeWrongForm(expected, actual);
  if (!comparison.invalid_output.empty()) return comparison;
  const TensorView y = actual.front().view();
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const ElementAnswer& element = expected.elements[i];
    TierCount& tier = comparison.tiers[static_cast<size_t>(element.tier)];
    ++tier.elements;
    if (element.freedom == Freedom::kAnyCode) ++comparison.free_elements;
    const uint64_t code = ReadCode(y, static_cast<int64_t>(i));
    if (Allows(expected.type, element, code)) continue;
    if (tier.mismatches++ < most) {
      comparison.first.push_back({static_cast<int64_t>(i), element, code});
    }
  }
  return comparison;
}

}  // namespace qconform
