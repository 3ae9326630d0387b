#include "harness/operators/dynamic_quantize_linear/bench/measure.h"

#include <cstring>
#include <utility>

#include "harness/backends/simd/dynamic_quantize_linear/dynamic_quantize_linear.h"
#include "harness/backends/simd/limits/clock.h"

namespace qconform::dynamic_quantize_linear {
namespace {

// Numbers in [-3, 5).
Tensor RandomX(int64_t elements) {
  Tensor x = Tensor::Zeros(DataType::kFloat, {elements});
  uint64_t state = 7;
  for (size_t i = 0; i < x.data.size(); i += sizeof(float)) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const float value = static_cast<float>(state >> 40) * 0x1p-21F - 3;
    std::memcpy(x.data.data() + i, &value, sizeof value);
  }
  return x;
}

}  // namespace

std::vector<int64_t> StandardSizes() {
  return {1 << 10, 1 << 14, 1 << 16, 1 << 20, 1 << 24, 1 << 26};
}

Result<DynamicQuantizeBenchResult> BenchDynamicQuantizeLinear(
    int64_t elements, Peer* peer, const DynamicQuantizeBenchOptions& options) {
  const Tensor x = RandomX(elements);
  Tensor y = Tensor::Zeros(DataType::kUint8, x.shape);
  Tensor peer_y = y;
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  Tensor zero_point = Tensor::Zeros(DataType::kUint8, {});

  // The peer computes all outputs, too; only y is asked back.
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {"DynamicQuantizeLinear", "", {"x"}, {"y", "y_scale", "y_zero_point"}, {}};
  model.inputs = {{"x", x.type, x.shape}};
  model.outputs = {{"y", y.type, y.shape}};

  const auto ours = [&]() -> Status {
    return simd::DynamicQuantizeLinear(
        x.view(), {y.mutable_view(), scale.mutable_view(), zero_point.mutable_view()},
        {.target = options.target, .threads = options.threads});
  };
  const Clock now = options.threads > 1 ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, std::move(model), {x.view()}, peer_y.mutable_view(),
                       options.threads, now);
  const auto turns = TakeTurns(ours, peer_turns, now, options.seconds, [](double) {});
  if (!turns) return turns.error();
  DynamicQuantizeBenchResult result;
  result.turns = *turns;
  if (turns->peer > 0) result.differing = DifferingBytes(y, peer_y);
  return result;
}

}  // namespace qconform::dynamic_quantize_linear
