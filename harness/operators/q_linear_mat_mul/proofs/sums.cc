#include "harness/operators/q_linear_mat_mul/proofs/sums.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cases/lattice/lattice.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"

namespace qconform::q_linear_mat_mul {
namespace {

// |sum| = 127 * (a_0 + a_1 + ...) + a_last, with 0 <= a <= 255.
constexpr uint32_t kWeight = 127;
constexpr uint32_t kMostPerStep = 255 * kWeight;

uint32_t Magnitude(int32_t sum) {
  const auto bits = static_cast<uint32_t>(sum);
  return sum < 0 ? 0u - bits : bits;
}

size_t DepthOf(uint32_t magnitude) {
  return (magnitude + kMostPerStep - 1) / kMostPerStep + 1;
}

// A product whose row i has the sum sums[i]: in column 0 if it is not negative,
// else in column 1.
StoredCase ModelOf(const RequantizedSums& question, std::span<const int32_t> sums) {
  size_t k = 1;
  for (const int32_t sum : sums) k = std::max(k, DepthOf(Magnitude(sum)));
  const auto m = static_cast<int64_t>(sums.size());
  const auto depth = static_cast<int64_t>(k);
  Tensor a = Tensor::Zeros(DataType::kUint8, {m, depth});
  Tensor b = Tensor::Zeros(DataType::kInt8, {depth, 2});
  for (size_t i = 0; i < sums.size(); ++i) {
    const uint32_t magnitude = Magnitude(sums[i]);
    uint32_t steps = magnitude / kWeight;
    for (size_t at = 0; steps > 0; ++at) {
      const uint32_t step = std::min(steps, 255u);
      a.data[i * k + at] = static_cast<std::byte>(step);
      steps -= step;
    }
    a.data[i * k + k - 1] = static_cast<std::byte>(magnitude % kWeight);
  }
  for (size_t at = 0; at < k; ++at) {
    const int weight = at + 1 < k ? static_cast<int>(kWeight) : 1;
    b.data[2 * at] = static_cast<std::byte>(weight);
    b.data[2 * at + 1] = static_cast<std::byte>(-weight);
  }
  StoredCase made;
  Model& model = made.model;
  model.opset_version = 21;
  model.ir_version = IrVersionFor(21);
  model.node.op_type = "QLinearMatMul";
  model.node.outputs = {"y"};
  const auto add = [&](const char* name, Tensor tensor) {
    model.node.inputs.push_back(name);
    model.inputs.push_back({name, tensor.type, tensor.shape});
    made.inputs.push_back(std::move(tensor));
  };
  const auto scalar = [](DataType type, uint64_t code) {
    Tensor tensor = Tensor::Zeros(type, {});
    WriteCode(tensor.mutable_view(), 0, code);
    return tensor;
  };
  add("a", std::move(a));
  add("a_scale", scalar(question.scale, question.a_scale));
  add("a_zero_point", scalar(DataType::kUint8, 0));
  add("b", std::move(b));
  add("b_scale", scalar(question.scale, question.b_scale));
  add("b_zero_point", scalar(DataType::kInt8, 0));
  add("y_scale", scalar(question.scale, question.y_scale));
  add("y_zero_point", scalar(question.y, question.y_zero_point));
  model.outputs.push_back({"y", question.y, {m, 2}});
  return made;
}

size_t PlaceOf(size_t i, int32_t sum) { return 2 * i + (sum < 0 ? 1 : 0); }

bool AllowsY(DataType y) {
  return y == DataType::kUint8 || y == DataType::kInt8 || IsFloat8(y);
}

std::vector<requantization::NamedReading> AllReadings(DataType scale, DataType y) {
  std::vector<requantization::NamedReading> named;
  for (const QLinearMatMulReadings& readings : ReadingCombinations(scale, y)) {
    const QLinearMatMulParameters parameters = ParametersOf(readings, scale);
    const bool is_canonical = readings == QLinearMatMulReadings();
    named.push_back({.name = is_canonical ? "" : ReadingsName(readings),
                     .requantization = parameters.requantization,
                     .target = parameters.target});
  }
  return named;
}

}  // namespace

requantization::AccumulatorsOperator SumsOfProducts() {
  return {.op_type = "QLinearMatMul",
          .kind = "accumulators",
          .help = "All 2^32 sums through QLinearMatMul's requantization",
          .a_scale = "a_scale",
          .b_scale = "b_scale",
          .y_scale = "y_scale",
          .y_types = "UINT8, INT8 or a float8 type",
          .allows_y = AllowsY,
          .readings = AllReadings,
          .example_reading = "MM-02:f32_multiplier_ab_first",
          .advice =
              "qconform run and replay tell whether they lie within the bound of "
              "MM-02",
          .model = ModelOf,
          .place = PlaceOf,
          .depth = DepthOf};
}

}  // namespace qconform::q_linear_mat_mul
