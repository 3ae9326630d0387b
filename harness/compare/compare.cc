#include "harness/compare/compare.h"

#include "oracle/formats/number_format.h"

namespace qconform {

bool MayVary(DataType type, const ElementAnswer& element, uint64_t one, uint64_t other) {
  if (element.freedom == Freedom::kAnyCode || element.freedom == Freedom::kSameCode ||
      element.freedom == Freedom::kOneOf) {
    return true;
  }
  const NumberFormat& format = FormatOf(type);
  if (IsNan(format, one) && IsNan(format, other)) return true;
  return element.zero_sign_is_free && IsZero(format, one) && IsZero(format, other);
}

int64_t FirstUnsteady(const CaseAnswer& expected, std::span<const uint32_t> first,
                      std::span<const uint32_t> second) {
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    if (first[i] != second[i] &&
        !MayVary(expected.TypeOf(i), expected.elements[i], first[i], second[i])) {
      return static_cast<int64_t>(i);
    }
  }
  return -1;
}

RunResult Settled(const CaseAnswer& expected, RunResult result) {
  const auto* error = std::get_if<BackendError>(&result);
  if (error == nullptr || error->unsteady == nullptr) return result;
  const UnsteadyAnswer& unsteady = *error->unsteady;
  if (!WrongForm(expected, unsteady.first).empty()) return result;
  const std::vector<uint32_t> first = CodesOf(unsteady.first);
  for (const OtherAnswer& other : unsteady.others) {
    if (!WrongForm(expected, other.outputs).empty() ||
        FirstUnsteady(expected, first, CodesOf(other.outputs)) >= 0) {
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

int64_t Comparison::mismatches() const {
  int64_t sum = 0;
  for (const TierCount& tier : tiers) sum += tier.mismatches;
  return sum;
}

std::string WrongForm(const CaseAnswer& expected, const Outputs& actual) {
  if (actual.size() != expected.outputs.size()) {
    return "outputs: expected " + std::to_string(expected.outputs.size()) + ", got " +
           std::to_string(actual.size());
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    const OutputForm& form = expected.outputs[i];
    const Tensor& output = actual[i];
    if (output.type != form.type) {
      return form.name + ": expected type " + std::string(DataTypeName(form.type)) +
             ", got " + AnswerTypeName(output.type);
    }
    if (output.shape != form.shape) {
      return form.name + ": expected shape " + ShapeToString(form.shape) + ", got " +
             ShapeToString(output.shape);
    }
    const size_t bytes = PackedByteSize(form.type, *ElementCount(form.shape));
    if (output.data.size() != bytes) {
      return form.name + ": expected " + std::to_string(bytes) +
             " bytes by its type and shape, got " + std::to_string(output.data.size());
    }
  }
  return "";
}

Comparison Compare(const CaseAnswer& expected, const Outputs& actual, int most) {
  Comparison wrong{.invalid_output = WrongForm(expected, actual), .first = {}};
  if (!wrong.invalid_output.empty()) return wrong;
  return Compare(expected, CodesOf(actual), most);
}

Comparison Compare(const CaseAnswer& expected, std::span<const uint32_t> actual,
                   int most) {
  Comparison comparison;
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const ElementAnswer& element = expected.elements[i];
    TierCount& tier = comparison.tiers[static_cast<size_t>(element.tier)];
    ++tier.elements;
    if (element.freedom == Freedom::kAnyCode) ++comparison.free_elements;
    if (Allows(expected, i, actual)) continue;
    if (tier.mismatches++ < most) {
      comparison.first.push_back({static_cast<int64_t>(i), element, actual[i]});
    }
  }
  return comparison;
}

}  // namespace qconform
