#include "oracle/exact/testing/convolution_questions.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/testing/random_layout.h"

namespace qconform::agreement {
namespace {

using exact::AutoPad;
using exact::Codes;
using exact::Format;
using exact::Value;
using Dims = std::vector<int64_t>;

const char* NameOf(AutoPad auto_pad) {
  switch (auto_pad) {
    case AutoPad::kSameUpper:
      return "SAME_UPPER";
    case AutoPad::kSameLower:
      return "SAME_LOWER";
    case AutoPad::kValid:
      return "VALID";
    case AutoPad::kNotSet:
      break;
  }
  return "NOTSET";
}

struct Axis {
  int64_t size = 1, taps = 1, stride = 1, dilation = 1, begin = 0, end = 0;
};

Axis RandomAxis(int64_t most, AutoPad auto_pad, Random& random) {
  Axis axis;
  axis.size = random.Between(1, most);
  axis.taps = random.OneIn(4) ? 1 : random.Between(1, std::min<int64_t>(most, 4));
  axis.stride = random.OneIn(2) ? 1 : random.Between(1, 4);
  axis.dilation = random.OneIn(2) ? 1 : random.Between(1, 4);
  const int64_t span = (axis.taps - 1) * axis.dilation + 1;
  if (auto_pad == AutoPad::kNotSet && random.OneIn(2)) {
    axis.begin = random.Between(0, 3);
    axis.end = random.Between(0, 3);
  }
  // At least one window has to fit, where padding does not follow from the output.
  if (auto_pad == AutoPad::kNotSet && random.OneIn(2)) {
    while (axis.begin + axis.size + axis.end < span) {
      ++(random.OneIn(2) ? axis.begin : axis.end);
    }
  }
  if (auto_pad == AutoPad::kNotSet || auto_pad == AutoPad::kValid) {
    axis.size = std::max(axis.size, span - axis.begin - axis.end);
  }
  return axis;
}

bool IsAll(const Dims& dims, int64_t value) {
  return std::count(dims.begin(), dims.end(), value) == static_cast<int64_t>(dims.size());
}

}  // namespace

RandomConvolution MakeConvolution(Random& random) {
  RandomConvolution one;
  exact::ConvolutionAttributes& attributes = one.attributes;
  attributes.auto_pad =
      random.Pick<AutoPad>({AutoPad::kNotSet, AutoPad::kNotSet, AutoPad::kSameUpper,
                            AutoPad::kSameLower, AutoPad::kValid});
  const int64_t rank = random.Between(1, 3);
  attributes.group = random.OneIn(2) ? 1 : random.Between(2, 4);
  int64_t inputs = random.Between(1, 3);  // of a group
  int64_t outputs = random.Between(1, 3);
  if (attributes.group > 1 && random.OneIn(3)) inputs = 1;  // depthwise
  if (random.OneIn(24)) inputs = random.Between(1, 40);
  one.x_shape = {random.Between(1, 2), attributes.group * inputs};
  one.w_shape = {attributes.group * outputs, inputs};
  const int64_t most = inputs > 4 ? 2 : rank == 1 ? 9 : rank == 2 ? 5 : 3;
  Dims ends;
  for (int64_t i = 0; i < rank; ++i) {
    const Axis axis = RandomAxis(most, attributes.auto_pad, random);
    one.x_shape.push_back(axis.size);
    one.w_shape.push_back(axis.taps);
    attributes.strides.push_back(axis.stride);
    attributes.dilations.push_back(axis.dilation);
    attributes.pads.push_back(axis.begin);
    ends.push_back(axis.end);
  }
  attributes.pads.insert(attributes.pads.end(), ends.begin(), ends.end());
  if (attributes.auto_pad != AutoPad::kNotSet) attributes.pads.clear();
  return one;
}

Codes RandomOperand(int type, const Dims& shape, Random& random) {
  Codes codes{type, shape, {}};
  const Format& format = exact::GetFormat(type);
  const uint64_t mask = (uint64_t{1} << format.bits) - 1;
  const uint64_t kind = random.Below(6);
  const uint64_t middle = random.Next() & mask;
  for (size_t i = 0; i < CountOf(shape); ++i) {
    uint64_t code = random.Next() & mask;
    if (kind == 0) {
      code = exact::CodeOf(
          format, Value::Number(random.OneIn(2) ? format.lowest : format.highest));
    } else if (kind == 1) {
      code = (middle + static_cast<uint64_t>(random.Between(-3, 3))) & mask;
    }
    codes.codes.push_back(code);
  }
  return codes;
}

std::vector<Attribute> NodeAttributes(const RandomConvolution& convolution,
                                      Random& random) {
  const exact::ConvolutionAttributes& all = convolution.attributes;
  std::vector<Attribute> attributes;
  const auto add_unless = [&](const char* name, const Dims& values, int64_t usual) {
    if (values.empty() || (IsAll(values, usual) && random.OneIn(2))) return;
    attributes.push_back({name, values});
  };
  if (all.auto_pad != AutoPad::kNotSet || random.OneIn(2)) {
    attributes.push_back({"auto_pad", std::string(NameOf(all.auto_pad))});
  }
  add_unless("dilations", all.dilations, 1);
  if (all.group != 1 || random.OneIn(2)) attributes.push_back({"group", all.group});
  if (random.OneIn(2)) {
    attributes.push_back({"kernel_shape", Dims(convolution.w_shape.begin() + 2,
                                               convolution.w_shape.end())});
  }
  add_unless("pads", all.pads, 0);
  add_unless("strides", all.strides, 1);
  return attributes;
}

std::string ToString(const exact::ConvolutionAttributes& attributes) {
  std::ostringstream out;
  const auto add = [&](const char* name, const Dims& values) {
    out << ", " << name << " [";
    for (const int64_t value : values) out << value << " ";
    out << "]";
  };
  out << NameOf(attributes.auto_pad) << ", group " << attributes.group;
  add("strides", attributes.strides);
  add("dilations", attributes.dilations);
  add("pads", attributes.pads);
  return out.str();
}

std::string OperandText(const char* name, const std::optional<Codes>& operand) {
  const std::string text = std::string("\n  ") + name;
  if (!operand) return text + " absent";
  Codes shown = *operand;
  if (shown.codes.size() > 400) shown.codes.resize(8);
  return text + " " + ToString(shown);
}

OracleQuestion::OracleQuestion(std::string_view op_type, int since_version,
                               const std::vector<Attribute>& attributes,
                               const std::vector<std::optional<Codes>>& operands) {
  for (const std::optional<Codes>& operand : operands) {
    tensors_.push_back(operand ? Pack(*operand) : Tensor{});
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    operands_.push_back(operands[i] ? std::optional(tensors_[i].view()) : std::nullopt);
  }
  auto bound = FindOperator(op_type)->Bind(attributes, since_version);
  if (bound.ok()) {
    bound_ = std::move(*bound);
  } else {
    error_ = bound.error().message;
  }
}

std::vector<ReadingSet> OracleQuestion::Readings() const {
  if (bound_ == nullptr) return {};
  auto readings = bound_->Readings(operands_);
  return readings.ok() ? *std::move(readings) : std::vector<ReadingSet>();
}

Result<Answer> OracleQuestion::Evaluate(const ReadingSet& readings) const {
  if (bound_ == nullptr) return Error{error_};
  auto answers = bound_->Evaluate(operands_, readings);
  if (!answers.ok()) return answers.error();
  return answers->front();
}

std::string OracleQuestion::Refusal() const {
  if (bound_ == nullptr) return error_;
  const auto validity = bound_->Validate(operands_);
  if (!validity.ok()) return validity.error().message;
  return validity->kind == ModelValidity::Kind::kValid
             ? ""
             : validity->clause + ": " + validity->reason;
}

}  // namespace qconform::agreement
