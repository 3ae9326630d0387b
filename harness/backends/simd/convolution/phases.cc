#include "harness/backends/simd/convolution/phases.h"

#include <algorithm>
#include <map>

#include "harness/backends/simd/core/parallel.h"

namespace qconform::simd {
namespace {

using Sizes = std::vector<int64_t>;

// Output o of an axis reads element (o + shift) * stride + phase with a tap.
struct TapOfAxis {
  int64_t phase = 0;
  int64_t shift = 0;
};

TapOfAxis TapOf(const ConvolutionGeometry& g, size_t axis, int64_t tap) {
  const int64_t first = tap * g.dilations[axis] - g.pads[axis];
  const int64_t stride = g.strides[axis];
  const int64_t phase = (first % stride + stride) % stride;
  return {phase, (first - phase) / stride};
}

// How many elements of an axis a phase has.
int64_t SizeOf(const ConvolutionGeometry& g, size_t axis, int64_t phase) {
  return std::max<int64_t>(0,
                           (g.in[axis] - phase + g.strides[axis] - 1) / g.strides[axis]);
}

bool IsPlain(const ConvolutionGeometry& g) {
  for (size_t i = 0; i < g.in.size(); ++i) {
    if (g.strides[i] != 1 || (i > 0 && g.out[i] != g.in[i])) return false;
  }
  return true;
}

// Copies planes of a channel.
class PlaneCopier {
 public:
  PlaneCopier(const ConvolutionGeometry& geometry, const ConvolutionKernels& kernels)
      : g_(geometry),
        kernels_(kernels),
        first_places_((g_.in[0] + g_.strides[0] - 1) / g_.strides[0]),
        x_steps_(g_.in.size(), 1),
        plane_steps_(g_.in.size(), 1) {
    for (size_t i = g_.in.size() - 1; i > 0; --i) {
      x_steps_[i - 1] = x_steps_[i] * g_.in[i];
      plane_steps_[i - 1] = plane_steps_[i] * g_.out[i];
    }
  }

  // The plane whose phases are given, from an axis on.
  void Copy(const Sizes& phases, const uint8_t* from, uint8_t* to,
            size_t axis = 0) const {
    const size_t last = phases.size() - 1;
    const int64_t stride = g_.strides[axis];
    const int64_t places = axis == 0 ? first_places_ : g_.out[axis];
    const int64_t count = std::min(SizeOf(g_, axis, phases[axis]), places);
    from += phases[axis] * x_steps_[axis];
    if (count < places) {  // padded positions, too, whatever is there
      std::fill_n(to + count * plane_steps_[axis], (places - count) * plane_steps_[axis],
                  uint8_t{0});
    }
    const int64_t of_last = SizeOf(g_, last, phases[last]);
    if (axis + 1 == last && g_.strides[last] == 2 && of_last >= g_.out[last]) {
      kernels_.take_every_second({.from = from + phases[last],
                                  .from_step = stride * x_steps_[axis],
                                  .to = to,
                                  .to_step = plane_steps_[axis],
                                  .rows = static_cast<size_t>(count),
                                  .count = static_cast<size_t>(g_.out[last])});
    } else if (axis < last) {
      for (int64_t i = 0; i < count; ++i) {
        Copy(phases, from + i * stride * x_steps_[axis], to + i * plane_steps_[axis],
             axis + 1);
      }
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
    }
  }

 private:
  const ConvolutionGeometry& g_;
  const ConvolutionKernels& kernels_;
  const int64_t first_places_;   // of a plane, along the first axis
  Sizes x_steps_, plane_steps_;  // elements from one index of an axis to the next
};

}  // namespace

bool HasPhases(const ConvolutionGeometry& g) {
  for (size_t i = 1; i < g.in.size(); ++i) {
    for (int64_t tap = 0; tap < g.kernel[i]; ++tap) {
      const auto [phase, shift] = TapOf(g, i, tap);
      const int64_t last = std::min(g.out[i] - 1 + shift, SizeOf(g, i, phase) - 1);
      if (last >= g.out[i]) return false;
    }
  }
  return true;
}

Phases MakePhases(const ConvolutionGeometry& g, const TensorView& x,
                  const ConvolutionKernels& kernels, int threads) {
  const size_t rank = g.in.size();
  const bool is_plain = IsPlain(g);
  Phases result;
  int64_t row = 1;  // elements of a step along the first axis
  for (size_t i = 1; i < rank; ++i) row *= g.out[i];
  const int64_t plane_size = (g.in[0] + g.strides[0] - 1) / g.strides[0] * row;
  std::map<Sizes, int64_t>
      planes;  // by their phases, in the order in which taps need them
  ForEachTap(g, [&](size_t, const Sizes& at) {
    Sizes phases(rank);
    int64_t shift = 0;
    for (size_t i = 0; i < rank; ++i) {
      const TapOfAxis tap = TapOf(g, i, at[i]);
      phases[i] = tap.phase;
      shift = shift * (i == 0 ? 1 : g.out[i]) + tap.shift;
    }
    const auto plane = planes.emplace(phases, static_cast<int64_t>(planes.size())).first;
    result.tap_offsets.push_back(plane->second * plane_size + shift);
  });
  const auto* from = reinterpret_cast<const uint8_t*>(x.data.data());
  if (is_plain) {
    result.data = {from, x.data.size()};
    result.channel_size = g.in_size();
    return result;
  }
  result.channel_size = static_cast<int64_t>(planes.size()) * plane_size;
  const int64_t channels = g.images * g.groups * g.in_channels;
  const auto size = static_cast<size_t>(channels * result.channel_size);
  result.memory = std::make_unique_for_overwrite<uint8_t[]>(size);
  result.data = {result.memory.get(), size};
  const bool worth_threads = size > 1 << 16;
  const PlaneCopier copier(g, kernels);
  InParallel(channels, worth_threads ? threads : 1, [&](int64_t begin, int64_t end) {
    for (int64_t channel = begin; channel < end; ++channel) {
      for (const auto& [phases, plane] : planes) {
        copier.Copy(
            phases, from + channel * g.in_size(),
            result.memory.get() + channel * result.channel_size + plane * plane_size);
      }
    }
  });
  return result;
}

}  // namespace qconform::simd
