// Rows about activations and bounds in front of QuantizeLinear.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "harness/graphs/proofs/both_sides.h"
#include "harness/graphs/proofs/parameters.h"
#include "harness/graphs/proofs/questions.h"
#include "harness/graphs/proofs/rows.h"

namespace qconform::graphs {
namespace {

using Integers = std::vector<int64_t>;
using Claim = Comparison::Claim;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The same x for each zero point of a type, in rows.
struct Question {
  DataType type;
  float scale;
  std::vector<float> inputs;
  Integers zero_points;

  size_t rows() const { return zero_points.size(); }
  Side Quantized(const std::vector<float>& x, std::vector<Node> before = {},
                 std::vector<std::string> more_inputs = {},
                 std::vector<Tensor> more_operands = {}) const {
    const auto count = static_cast<int64_t>(rows());
    std::vector<std::string> inputs_of{"x"};
    inputs_of.insert(inputs_of.end(), more_inputs.begin(), more_inputs.end());
    inputs_of.insert(inputs_of.end(), {"s", "z"});
    std::vector<Tensor> operands{
        MakeFloats({count, static_cast<int64_t>(x.size())}, Repeated(x, rows()))};
    operands.insert(operands.end(), more_operands.begin(), more_operands.end());
    operands.push_back(MakeFloats({count}, std::vector<float>(rows(), scale)));
    operands.push_back(MakeIntegers(type, {count}, zero_points));
    const std::string from = before.empty() ? "x" : "m";
    before.push_back(MakeOp("QuantizeLinear", {from, "s", "z"}, "y", kByRow));
    return {MakeGraph(std::move(inputs_of), std::move(before)), std::move(operands)};
  }

  template <typename Holds>
  std::vector<Claim> Claims(Holds holds, const std::string& more = "") const {
    std::vector<Claim> claims;
    for (size_t row = 0; row < rows(); ++row) {
      claims.push_back({row * inputs.size(), inputs.size(), holds(row),
                        ParametersText(type, scale, zero_points[row]) + more});
    }
    return claims;
  }

  Comparison::Describe DescribeBy(const Codes& before, const Codes& after) const {
    return [this, &before, &after](size_t i) {
      return "x = " + DecimalOf(inputs[i % inputs.size()]) + ": gives " +
             std::to_string(IntegerOf(type, before[i])) + " and " +
             std::to_string(IntegerOf(type, after[i]));
    };
  }
};

// Every zero point of types of at most 8 bits, with few scales; a few with all scales.
std::vector<Question> Questions(ProofSize size) {
  std::vector<Question> questions;
  for (const DataType type : IntegerTypes()) {
    for (const float scale : Scales(size)) {
      if (std::abs(scale) < 1e-30f || std::abs(scale) > 1e30f) {
        // Thresholds there are too few or overflow: these are asked with fewer x.
        questions.push_back(
            {type,
             scale,
             {0.0f, scale, -scale, 2 * scale, -2 * scale,
              std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
              kInfinity, -kInfinity},
             ZeroPoints(type, ProofSize::kSmall)});
        continue;
      }
      const bool asks_all = scale == 1.0f || scale == -1.0f || scale == 0.1f;
      questions.push_back({type, scale, ThresholdInputs(scale, type),
                           ZeroPoints(type, asks_all ? size : ProofSize::kSmall)});
    }
  }
  return questions;
}

}  // namespace

Result<RewriteProof> ProveReluIntoQuantize(ProofSize size) {
  Comparison comparison;
  for (const Question& question : Questions(size)) {
    const auto before =
        Evaluate(question.Quantized(question.inputs, {MakeOp("Relu", {"x"}, "m")}));
    if (!before) return before.error();
    const auto after = Evaluate(question.Quantized(question.inputs));
    if (!after) return after.error();
    const Status added = comparison.Add(*before, *after, question.Claims([&](size_t row) {
      const int64_t zero_point = question.zero_points[row];
      return question.scale > 0 ? zero_point == Least(question.type)
                                : zero_point == Greatest(question.type);
    }),
                                        question.DescribeBy(*before, *after));
    if (!added) return added.error();
  }
  return comparison.Take();
}

Result<RewriteProof> ProveReluAsBound(ProofSize size) {
  Comparison comparison;
  for (const Question& question : Questions(size)) {
    const auto before =
        Evaluate(question.Quantized(question.inputs, {MakeOp("Relu", {"x"}, "m")}));
    if (!before) return before.error();
    const auto plain = Evaluate(question.Quantized(question.inputs));
    if (!plain) return plain.error();
    Integers bounded;
    for (size_t i = 0; i < plain->size(); ++i) {
      bounded.push_back(std::max(IntegerOf(question.type, (*plain)[i]),
                                 question.zero_points[i / question.inputs.size()]));
    }
    Codes after = CodesOf(question.type, bounded);
    for (size_t i = 0; i < after.size(); ++i) {
      if (!(*plain)[i]) after[i].reset();
    }
    const Status added = comparison.Add(
        *before, after, question.Claims([&](size_t) { return question.scale > 0; }),
        question.DescribeBy(*before, after));
    if (!added) return added.error();
  }
  return comparison.Take();
}

namespace {

// Bounds of Clip: at and beside the ends of the range, inside it, and none.
std::vector<std::pair<float, float>> BoundsOf(const Question& question, ProofSize size) {
  const float s = question.scale;
  const auto range = static_cast<float>(Greatest(question.type) - Least(question.type));
  std::vector<float> values{-kInfinity, -1.0f, 0.0f, 1.0f, kInfinity};
  for (const float k : {-range - 1, -range, -range / 2, range / 2, range, range + 1}) {
    if (size == ProofSize::kSmall && std::abs(k) != range) continue;
    values.insert(values.end(), {k * s, (k - 0.5f) * s});
  }
  std::vector<std::pair<float, float>> bounds;
  for (const float low : values) {
    for (const float high : values) {
      if (low <= high) bounds.emplace_back(low, high);
    }
  }
  return bounds;
}

// The codes of a bound and of an infinity, for each zero point.
struct CodesOfBounds {
  Codes codes;  // of low, high, -Inf, +Inf in each row

  const std::optional<uint64_t>& low(size_t row) const { return codes[4 * row]; }
  const std::optional<uint64_t>& high(size_t row) const { return codes[4 * row + 1]; }
  const std::optional<uint64_t>& lowest(size_t row) const { return codes[4 * row + 2]; }
  const std::optional<uint64_t>& highest(size_t row) const { return codes[4 * row + 3]; }
};

template <typename Compare>
Status ForEachClip(ProofSize size, Compare compare) {
  for (const DataType type :
       {DataType::kUint8, DataType::kInt8, DataType::kInt16, DataType::kUint4}) {
    for (const float scale : {1.0f, -1.0f, 0.1f, -0.7f}) {
      const bool is_left_out =
          size == ProofSize::kSmall && (scale != -1.0f || type == DataType::kInt16);
      if (is_left_out) continue;
      const Question question{type, scale, ThresholdInputs(scale, type),
                              ZeroPoints(type, ProofSize::kSmall)};
      const auto plain = Evaluate(question.Quantized(question.inputs));
      if (!plain) return plain.error();
      for (const auto& [low, high] : BoundsOf(question, size)) {
        const auto before = Evaluate(question.Quantized(
            question.inputs, {MakeOp("Clip", {"x", "low", "high"}, "m")}, {"low", "high"},
            {MakeFloats({}, {low}), MakeFloats({}, {high})}));
        if (!before) return before.error();
        const auto bounds =
            Evaluate(question.Quantized({low, high, -kInfinity, kInfinity}));
        if (!bounds) return bounds.error();
        const std::string more =
            ", Clip from " + DecimalOf(low) + " to " + DecimalOf(high);
        const Status compared =
            compare(question, *before, *plain, CodesOfBounds{*bounds}, more);
        if (!compared) return compared;
      }
    }
  }
  return Ok();
}

}  // namespace

Result<RewriteProof> ProveClipIntoQuantize(ProofSize size) {
  Comparison comparison;
  const Status done = ForEachClip(
      size, [&](const Question& question, const Codes& before, const Codes& plain,
                const CodesOfBounds& bounds, const std::string& more) {
        return comparison.Add(before, plain,
                              question.Claims(
                                  [&](size_t row) {
                                    return bounds.low(row) == bounds.lowest(row) &&
                                           bounds.high(row) == bounds.highest(row);
                                  },
                                  more),
                              question.DescribeBy(before, plain));
      });
  if (!done) return done.error();
  return comparison.Take();
}

Result<RewriteProof> ProveClipAsBounds(ProofSize size) {
  Comparison comparison;
  const Status done = ForEachClip(
      size, [&](const Question& question, const Codes& before, const Codes& plain,
                const CodesOfBounds& bounds, const std::string& more) {
        Integers bounded;
        for (size_t i = 0; i < plain.size(); ++i) {
          const size_t row = i / question.inputs.size();
          const int64_t one = IntegerOf(question.type, bounds.low(row));
          const int64_t other = IntegerOf(question.type, bounds.high(row));
          bounded.push_back(std::clamp(IntegerOf(question.type, plain[i]),
                                       std::min(one, other), std::max(one, other)));
        }
        const Codes after = CodesOf(question.type, bounded);
        return comparison.Add(before, after,
                              question.Claims([](size_t) { return true; }, more),
                              question.DescribeBy(before, after));
      });
  if (!done) return done.error();
  return comparison.Take();
}

}  // namespace qconform::graphs
