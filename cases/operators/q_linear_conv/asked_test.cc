// The contents of QLinearConv's cells: which convolutions they are, what B is, and that
// the answers of wrong ones differ by more than what QC-04 leaves open.
#include "cases/core/testing/asked.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "cases/convolution/testing/kinds.h"
#include "cases/convolution/testing/wrong_sums.h"
#include "cases/requantization/requantize.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

constexpr size_t kXScale = 1;
constexpr size_t kXZeroPoint = 2;
constexpr size_t kW = 3;
constexpr size_t kWScale = 4;
constexpr size_t kWZeroPoint = 5;
constexpr size_t kYScale = 6;
constexpr size_t kYZeroPoint = 7;
constexpr size_t kBias = 8;

std::vector<OpCase> CasesMade(const Cell& cell, Level level) {
  std::vector<OpCase> cases;
  for (const CaseKey& key : ContentsOf(cell, level)) {
    Result<OpCase> made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (made) cases.push_back(*std::move(made));
  }
  return cases;
}

std::vector<int64_t> BiasOf(const OpCase& made) {
  const auto m = static_cast<size_t>(made.operands[kW].shape[0]);
  std::vector<int64_t> bias(m, 0);
  if (made.operands[kBias].type == DataType::kUndefined) return bias;
  for (size_t i = 0; i < m; ++i) {
    bias[i] = static_cast<int32_t>(
        ReadCode(made.operands[kBias].view(), static_cast<int64_t>(i)));
  }
  return bias;
}

TEST(QLinearConvAsked, Standard_HasEachKindOfConvolutionAndBiasInEachCell) {
  int cells = 0;
  for (const Cell& cell : CellsOf("QLinearConv")) {
    Kinds kinds;
    for (const OpCase& made : CasesMade(cell, Level::kStandard)) {
      kinds.merge(KindsOf(made, kW));
      kinds.insert(made.key.variant);
      for (const int64_t bias : BiasOf(made)) {
        if (bias == std::numeric_limits<int32_t>::max()) kinds.insert("largest B");
        if (bias == std::numeric_limits<int32_t>::min()) kinds.insert("lowest B");
      }
    }
    std::vector<std::string> wanted = WantedKinds();
    for (const char* kind : {"bias=present", "bias=absent", "bias=empty"}) {
      wanted.emplace_back(kind);
    }
    if (cell.granularity != "per_tensor") {
      wanted.insert(wanted.end(), {"largest B", "lowest B"});
    }
    for (const std::string& kind : wanted) {
      EXPECT_TRUE(kinds.contains(kind)) << kind << ": " << CellId(cell);
    }
    ++cells;
  }
  EXPECT_EQ(cells, 16);
}

TEST(QLinearConvAsked, VectorsOfScalesAndZeroPoints_Differ) {
  int64_t vectors = 0;
  for (const Cell& cell : CellsOf("QLinearConv")) {
    for (const OpCase& made : CasesMade(cell, Level::kStandard)) {
      if (made.operands[kWScale].shape.empty()) continue;
      const auto distinct = [&](size_t operand) {
        const auto codes = ReadCodes(made.operands[operand].view());
        return std::set<uint64_t>(codes.begin(), codes.end()).size();
      };
      const auto m = static_cast<size_t>(made.operands[kW].shape[0]);
      const bool are_extreme = made.key.generator == "bias";  // the two ends
      if (!are_extreme) {
        // There are 256 codes; small products take zero points within a part of them.
        const size_t least = m <= 256 ? m : 200;
        EXPECT_GE(distinct(kWZeroPoint), least) << CaseId(made.key);
      }
      vectors += m > 2 && distinct(kWScale) == m ? 1 : 0;
    }
  }
  EXPECT_GT(vectors, 500);
}

// What is wrong besides the sum.
enum class ParameterMistake : uint8_t {
  kNone,
  kFirstWScale,
  kWScaleByChannelOfGroup,
  kWScaleByInputChannel,
  kWScaleByPosition,
  kWScaleByBatch,
  kBiasIgnored,
  kFirstBias,
  kBiasByChannelOfGroup,
  kBiasByPosition,
  kBiasScaledTwice,  // by x_scale * w_scale, before it is added
  kBiasAfterRequantization,
  kBiasOfInt16,
  kYZeroPointIgnored,
  kXScaleIgnored,
  kYScaleIgnored,
  kSaturatedBeforeZeroPoint,
  kWrapped,           // to 8 bits, at the ends of y's range
  kClampedFromBelow,  // at the zero point, as by a fused activation
};
constexpr int kParameterMistakes =
    static_cast<int>(ParameterMistake::kClampedFromBelow) + 1;

constexpr std::array<std::string_view, kParameterMistakes> kParameterMistakeNames{
    "none",
    "first_w_scale",
    "w_scale_by_channel_of_group",
    "w_scale_by_input_channel",
    "w_scale_by_position",
    "w_scale_by_batch",
    "bias_ignored",
    "first_bias",
    "bias_by_channel_of_group",
    "bias_by_position",
    "bias_scaled_twice",
    "bias_after_requantization",
    "bias_of_int16",
    "y_zero_point_ignored",
    "x_scale_ignored",
    "y_scale_ignored",
    "saturated_before_zero_point",
    "wrapped",
    "clamped_from_below",
};

std::string NameOf(ParameterMistake mistake) {
  return std::string(kParameterMistakeNames[static_cast<size_t>(mistake)]);
}

class Requantized {
 public:
  explicit Requantized(const OpCase& made)
      : made_(made),
        y_(FormatOf(made.operands[kYZeroPoint].type)),
        geometry_(SizesOf(made, kW)),
        bias_(BiasOf(made)) {}

  // The code of element `i`, of that sum.
  uint64_t Code(int64_t i, int64_t sum, ParameterMistake mistake) const {
    using enum ParameterMistake;
    const ConvolutionSizes& sizes = geometry_.sizes();
    const int64_t p = i % geometry_.positions();
    const int64_t m = i / geometry_.positions() % geometry_.m();
    const int64_t n = i / geometry_.positions() / geometry_.m();
    const int64_t column = p % geometry_.YShape().back();
    int64_t channel = m;
    if (mistake == kFirstWScale) channel = 0;
    if (mistake == kWScaleByChannelOfGroup) channel = m % sizes.outputs;
    if (mistake == kWScaleByInputChannel) channel = m % sizes.channels;
    if (mistake == kWScaleByPosition) channel = column % geometry_.m();
    if (mistake == kWScaleByBatch) channel = n % geometry_.m();
    int64_t of_bias = m;
    if (mistake == kFirstBias) of_bias = 0;
    if (mistake == kBiasByChannelOfGroup) of_bias = m % sizes.outputs;
    if (mistake == kBiasByPosition) of_bias = column % geometry_.m();
    int64_t bias = bias_[static_cast<size_t>(of_bias)];
    if (mistake == kBiasIgnored) bias = 0;
    if (mistake == kBiasOfInt16) bias = static_cast<int16_t>(bias);
    RequantizationScales scales{ScaleOf(kXScale, 0), ScaleOf(kWScale, channel),
                                ScaleOf(kYScale, 0)};
    const ExactValue one = Dyadic(1, 0);
    if (mistake == kXScaleIgnored) scales.a = one;
    if (mistake == kYScaleIgnored) scales.y = one;
    const auto zero_point = mistake == kYZeroPointIgnored
                                ? uint64_t{0}
                                : ReadCode(made_.operands[kYZeroPoint].view(), 0);
    const Requantization requantization{FormatOf(DataType::kFloat), y_, zero_point};
    const double scale = Double(scales.a) * Double(scales.b);
    if (mistake == kBiasScaledTwice) {
      bias = static_cast<int64_t>(std::nearbyint(static_cast<double>(bias) * scale));
    }
    if (mistake == kSaturatedBeforeZeroPoint || mistake == kWrapped ||
        mistake == kClampedFromBelow) {
      const double v = static_cast<double>(sum + bias) * scale / Double(scales.y);
      const auto wide = static_cast<int64_t>(std::nearbyint(std::clamp(v, -1e9, 1e9)));
      const int64_t zero = Value(zero_point);
      if (mistake == kWrapped) return static_cast<uint8_t>(wide + zero);
      if (mistake == kClampedFromBelow) {
        return IntegerCode(y_, std::max<int64_t>(wide, 0) + zero);
      }
      return IntegerCode(y_, Value(IntegerCode(y_, wide)) + zero);
    }
    if (mistake == kBiasAfterRequantization) {
      const int64_t code = Value(ExactCode(requantization, scales, sum));
      return IntegerCode(y_, code + bias);
    }
    return ExactCode(requantization, scales, sum + bias);
  }

  int64_t Value(uint64_t code) const {
    return y_.is_signed ? static_cast<int8_t>(code) : static_cast<int64_t>(code);
  }

 private:
  static double Double(const ExactValue& value) {
    const double magnitude =
        std::ldexp(static_cast<double>(value.significand), value.exponent);
    return value.negative ? -magnitude : magnitude;
  }
  ExactValue ScaleOf(size_t operand, int64_t channel) const {
    const Tensor& scales = made_.operands[operand];
    const bool is_one = *ElementCount(scales.shape) == 1;
    return Decode(FormatOf(DataType::kFloat),
                  ReadCode(scales.view(), is_one ? 0 : channel));
  }

  const OpCase& made_;
  const NumberFormat& y_;
  ConvolutionGeometry geometry_;
  std::vector<int64_t> bias_;
};

using Shown = std::map<std::string, int>;

// How many contents of a cell show each mistake: a code differs by two, or an exact
// result by one (QC-04).
Shown ShownBy(const Cell& cell, Level level) {
  Shown shown;
  for (const OpCase& made : CasesMade(cell, level)) {
    if (made.key.generator == "degenerate" || made.key.generator == "overflow") continue;
    const auto bound = FindOperator("QLinearConv")->Bind(made.model.node.attributes, 10);
    const auto answers = (*bound)->Evaluate(OperandsOf(made), {});
    EXPECT_TRUE(answers.ok()) << CaseId(made.key);
    if (!answers) continue;
    const auto& elements = (*answers)[0].elements;
    const ConvolutionCase asked = CaseOf(made, kW, kXZeroPoint, kWZeroPoint);
    const Requantized requantized(made);
    const auto shows = [&](const std::vector<int64_t>& sums, ParameterMistake mistake) {
      for (size_t i = 0; i < elements.size(); ++i) {
        if (elements[i].freedom != Freedom::kNone) continue;
        const int64_t right = requantized.Value(elements[i].code);
        const int64_t wrong = requantized.Value(
            requantized.Code(static_cast<int64_t>(i), sums[i], mistake));
        const bool is_exact = (elements[i].features & kFeatureInexact) == 0;
        const int64_t distance = right < wrong ? wrong - right : right - wrong;
        if (distance >= 2 || (distance == 1 && is_exact)) return true;
      }
      return false;
    };
    const auto right = SumsOf(asked, ConvolutionMistake::kNone);
    EXPECT_FALSE(shows(*right, ParameterMistake::kNone)) << CaseId(made.key);
    for (int i = 1; i < kConvolutionMistakes; ++i) {
      const auto mistake = static_cast<ConvolutionMistake>(i);
      const auto wrong = SumsOf(asked, mistake);
      shown[std::string(MistakeName(mistake))] +=
          wrong && shows(*wrong, ParameterMistake::kNone) ? 1 : 0;
    }
    for (int i = 1; i < kParameterMistakes; ++i) {
      const auto mistake = static_cast<ParameterMistake>(i);
      shown[NameOf(mistake)] += shows(*right, mistake) ? 1 : 0;
    }
  }
  return shown;
}

bool IsOfVectors(const std::string& name) {
  using enum ParameterMistake;
  for (const ParameterMistake mistake :
       {kFirstWScale, kWScaleByChannelOfGroup, kWScaleByInputChannel, kWScaleByPosition,
        kWScaleByBatch}) {
    if (name == NameOf(mistake)) return true;
  }
  return name == "first_w_zero" || name.starts_with("w_zero_by_");
}

TEST(QLinearConvAsked, Standard_ShowsEachMistakeMoreThanOnce) {
  for (const Cell& cell : CellsOf("QLinearConv")) {
    for (const auto& [name, count] : ShownBy(cell, Level::kStandard)) {
      if (IsOfVectors(name) && cell.granularity == "per_tensor") continue;
      // Sums that FLOAT does not hold are far beyond the range of codes.
      if (name == "float_accumulator") continue;
      EXPECT_GE(count, 3) << name << ": " << CellId(cell);
    }
  }
}

TEST(QLinearConvAsked, Smoke_ShowsMostMistakes) {
  for (const Cell& cell : CellsOf("QLinearConv")) {
    int missed = 0;
    std::string names;
    for (const auto& [name, count] : ShownBy(cell, Level::kSmoke)) {
      if (count > 0) continue;
      if (IsOfVectors(name) && cell.granularity == "per_tensor") continue;
      ++missed;
      names += " " + name;
    }
    EXPECT_LE(missed, 3) << CellId(cell) << names;
  }
}

}  // namespace
}  // namespace qconform::generators
