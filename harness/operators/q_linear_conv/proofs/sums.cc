#include "harness/operators/q_linear_conv/proofs/sums.h"

#include <span>
#include <utility>
#include <vector>

#include "cases/lattice/lattice.h"
#include "oracle/core/reading_set.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {
namespace {

// Output channel i has the sum sums[i]: a product of 255 at most, and a bias for the
// rest. So the sum is formed from both, inside INT32.
StoredCase ModelOf(const RequantizedSums& question, std::span<const int32_t> sums) {
  const auto channels = static_cast<int64_t>(sums.size());
  constexpr int32_t kX = 85;
  Tensor w = Tensor::Zeros(DataType::kInt8, {channels, 1, 1});
  Tensor bias = Tensor::Zeros(DataType::kInt32, {channels});
  for (int64_t m = 0; m < channels; ++m) {
    const int32_t sum = sums[static_cast<size_t>(m)];
    // Of the sum's own sign, so that the bias does not leave INT32.
    const auto digit = static_cast<int32_t>(m % 4);
    const int32_t weight = sum < 0 ? -digit : digit;
    const int32_t rest = sum - kX * weight;
    WriteCode(w.mutable_view(), m, static_cast<uint8_t>(weight));
    WriteCode(bias.mutable_view(), m, static_cast<uint32_t>(rest));
  }
  StoredCase made;
  Model& model = made.model;
  model.opset_version = 10;
  model.ir_version = IrVersionFor(10);
  model.node.op_type = "QLinearConv";
  model.node.outputs = {"y"};
  const auto add = [&](const char* name, Tensor tensor) {
    model.node.inputs.push_back(name);
    model.inputs.push_back({name, tensor.type, tensor.shape});
    made.inputs.push_back(std::move(tensor));
  };
  const auto of_code = [](DataType type, Shape shape, uint64_t code) {
    Tensor tensor = Tensor::Zeros(type, std::move(shape));
    WriteCode(tensor.mutable_view(), 0, code);
    return tensor;
  };
  add("x", of_code(DataType::kUint8, {1, 1, 1}, kX));
  add("x_scale", of_code(question.scale, {}, question.a_scale));
  add("x_zero_point", of_code(DataType::kUint8, {}, 0));
  add("w", std::move(w));
  add("w_scale", of_code(question.scale, {}, question.b_scale));
  add("w_zero_point", of_code(DataType::kInt8, {}, 0));
  add("y_scale", of_code(question.scale, {}, question.y_scale));
  add("y_zero_point", of_code(question.y, {}, question.y_zero_point));
  add("B", std::move(bias));
  model.outputs.push_back({"y", question.y, {1, channels, 1}});
  return made;
}

size_t PlaceOf(size_t i, int32_t /*sum*/) { return i; }
// A bias of four bytes.
size_t DepthOf(uint32_t /*magnitude*/) { return 4; }

bool AllowsY(DataType y) { return y == DataType::kUint8 || y == DataType::kInt8; }

std::vector<requantization::NamedReading> NamedReadings(DataType, DataType) {
  std::vector<requantization::NamedReading> named;
  for (const Readings& readings : AllReadings()) {
    if (readings.bounds != Bounds::kNone) continue;
    const Parameters parameters = ParametersOf(readings);
    const ReadingSet set{.readings = NamesOf(readings)};
    named.push_back({.name = set.is_canonical() ? "" : Spell(set),
                     .requantization = parameters.requantization,
                     .target = parameters.target});
  }
  return named;
}

}  // namespace

requantization::AccumulatorsOperator SumsOfConvolution() {
  return {.op_type = "QLinearConv",
          .kind = "conv_accumulators",
          .help = "All 2^32 sums through QLinearConv's requantization",
          .a_scale = "x_scale",
          .b_scale = "w_scale",
          .y_scale = "y_scale",
          .y_types = "UINT8 or INT8",
          .allows_y = AllowsY,
          .readings = NamedReadings,
          .example_reading = "QC-04:f32_multiplier_ab_first",
          .advice =
              "qconform run and replay tell whether they lie within the bounds of "
              "QC-04",
          .model = ModelOf,
          .place = PlaceOf,
          .depth = DepthOf};
}

}  // namespace qconform::q_linear_conv
