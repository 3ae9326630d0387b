#include "harness/backends/simd/convolution/testing/questions.h"

#include <algorithm>
#include <sstream>

namespace qconform::simd {
namespace {

using Sizes = std::vector<int64_t>;

int64_t ValueAt(const Tensor& tensor, int64_t index) {
  const auto code = std::to_integer<uint8_t>(tensor.data[static_cast<size_t>(index)]);
  return tensor.type == DataType::kInt8 ? static_cast<int8_t>(code) : code;
}

Tensor RandomBytes(DataType type, Shape shape, Random& random) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  const bool ends = random.Below(4) == 0;
  for (std::byte& byte : tensor.data) {
    const auto code = static_cast<uint8_t>(random.Next());
    byte =
        static_cast<std::byte>(!ends                     ? code
                               : type == DataType::kInt8 ? (code % 2 == 0 ? 0x80 : 0x7F)
                                                         : (code % 2 == 0 ? 0 : 255));
  }
  return tensor;
}

struct Axes {
  Sizes strides, dilations, begin_pads, out;
};

Axes AxesOf(const ConvolutionQuestion& q) {
  const size_t rank = q.x.shape.size() - 2;
  Axes axes;
  axes.strides = q.attributes.strides.value_or(Sizes(rank, 1));
  axes.dilations = q.attributes.dilations.value_or(Sizes(rank, 1));
  const Sizes pads = q.attributes.pads.value_or(Sizes(2 * rank, 0));
  for (size_t i = 0; i < rank; ++i) {
    const int64_t in = q.x.shape[i + 2];
    const int64_t window = (q.w.shape[i + 2] - 1) * axes.dilations[i] + 1;
    int64_t begin = pads[i];
    int64_t end = pads[rank + i];
    int64_t out = 0;
    if (q.attributes.auto_pad.starts_with("SAME")) {
      out = (in + axes.strides[i] - 1) / axes.strides[i];
      const int64_t total =
          std::max<int64_t>((out - 1) * axes.strides[i] + window - in, 0);
      begin = total / 2;
      if (q.attributes.auto_pad == "SAME_LOWER") begin = total - begin;
    } else {
      const int64_t most = in + begin + end - window;
      out = most < 0 ? 0 : most / axes.strides[i] + 1;
    }
    axes.begin_pads.push_back(begin);
    axes.out.push_back(out);
  }
  return axes;
}

// Goes to the next index of a shape; false after the last.
bool Next(const Sizes& shape, Sizes* index) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++(*index)[i] < shape[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

}  // namespace

std::string ConvolutionQuestion::Name() const {
  std::ostringstream name;
  const auto list = [&](const char* what, const std::optional<Sizes>& numbers) {
    if (numbers) name << ' ' << what << ShapeToString(*numbers);
  };
  name << DataTypeName(x.type) << ShapeToString(x.shape) << ' ' << DataTypeName(w.type)
       << ShapeToString(w.shape) << " group " << attributes.group << ' '
       << attributes.auto_pad;
  list("strides", attributes.strides);
  list("dilations", attributes.dilations);
  list("pads", attributes.pads);
  return name.str();
}

ConvolutionQuestion RandomConvolution(Random& random) {
  const std::vector<DataType> types = {DataType::kUint8, DataType::kInt8};
  ConvolutionQuestion q;
  const auto rank = static_cast<size_t>(1 + random.Below(3));
  const bool depthwise = random.Below(3) == 0;
  const int64_t group =
      depthwise ? random.Pick(Sizes{1, 2, 5, 16, 17}) : random.Pick(Sizes{1, 1, 1, 2, 3});
  const int64_t in_channels =
      depthwise ? 1 : random.Pick(Sizes{1, 2, 3, 4, 7, 16, 33, 70});
  const int64_t out_channels =
      depthwise ? random.Pick(Sizes{1, 1, 2}) : random.Pick(Sizes{1, 2, 5, 6, 7, 13, 31});
  const Sizes sizes = rank == 1   ? Sizes{1, 5, 31, 64, 65, 200}
                      : rank == 2 ? Sizes{1, 2, 4, 7, 8, 14, 17}
                                  : Sizes{1, 2, 3, 5, 6};
  const Sizes kernels = {1, 2, 3, 3, 4, 5};
  Shape x = {random.Pick(Sizes{1, 1, 2}), group * in_channels};
  Shape w = {group * out_channels, in_channels};
  Sizes strides, dilations, pads(2 * rank);
  const int64_t way = random.Below(5);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t kernel = way == 0 ? 1 : way == 1 ? 3 : random.Pick(kernels);
    w.push_back(kernel);
    x.push_back(random.Pick(sizes) + (random.Below(2) == 0 ? kernel : 0));
    strides.push_back(way < 2 ? 1 : 1 + random.Below(3));
    dilations.push_back(random.Below(3) == 0 ? 1 + random.Below(3) : 1);
    pads[i] = way == 0 ? 0 : way == 1 ? 1 : random.Below(4);
    pads[rank + i] = way == 0 ? 0 : way == 1 ? 1 : random.Below(4);
  }
  q.x = RandomBytes(random.Pick(types), x, random);
  q.w = RandomBytes(random.Pick(types), w, random);
  if (random.Below(4) != 0) {
    q.x_zero_point =
        RandomBytes(q.x.type, random.Below(2) == 0 ? Shape{} : Shape{1}, random);
  }
  const int64_t form = random.Below(4);
  if (form != 0) {
    q.w_zero_point =
        RandomBytes(q.w.type, form == 1 ? Shape{} : Shape{group * out_channels}, random);
  }
  q.attributes.group = group;
  const std::vector<std::string> auto_pads = {"NOTSET",     "NOTSET",     "NOTSET",
                                              "SAME_UPPER", "SAME_LOWER", "VALID"};
  q.attributes.auto_pad = random.Pick(auto_pads);
  if (random.Below(4) != 0) q.attributes.strides = strides;
  if (random.Below(2) != 0) q.attributes.dilations = dilations;
  if (q.attributes.auto_pad == "NOTSET" && random.Below(5) != 0) q.attributes.pads = pads;
  if (random.Below(2) != 0) q.attributes.kernel_shape = Sizes(w.begin() + 2, w.end());
  return q;
}

Shape ShapeOfY(const ConvolutionQuestion& q) {
  Shape shape = {q.x.shape[0], q.w.shape[0]};
  const Sizes out = AxesOf(q).out;
  shape.insert(shape.end(), out.begin(), out.end());
  return shape;
}

std::vector<int32_t> SumsOf(const ConvolutionQuestion& q) {
  const Axes axes = AxesOf(q);
  const Shape shape = ShapeOfY(q);
  std::vector<int32_t> sums;
  if (*ElementCount(shape) == 0) return sums;
  const size_t rank = axes.out.size();
  const int64_t of_group = q.w.shape[1];
  const int64_t outputs = q.w.shape[0] / q.attributes.group;
  const Sizes kernel(q.w.shape.begin() + 2, q.w.shape.end());
  const auto zero = [](const Tensor& zero_point, int64_t channel) -> int64_t {
    if (zero_point.type == DataType::kUndefined) return 0;
    return ValueAt(zero_point, zero_point.data.size() == 1 ? 0 : channel);
  };
  Sizes at(shape.size());
  do {
    int64_t sum = 0;
    if (of_group > 0) {
      for (int64_t c = 0; c < of_group; ++c) {
        Sizes tap(rank);
        int64_t tap_index = 0;
        do {
          bool is_inside = true;
          int64_t place = at[0] * q.x.shape[1] + at[1] / outputs * of_group + c;
          for (size_t i = 0; i < rank; ++i) {
            const int64_t in = at[i + 2] * axes.strides[i] + tap[i] * axes.dilations[i] -
                               axes.begin_pads[i];
            is_inside &= in >= 0 && in < q.x.shape[i + 2];
            place = place * q.x.shape[i + 2] + in;
          }
          const int64_t taps = *ElementCount(kernel);
          const int64_t of_w = (at[1] * of_group + c) * taps + tap_index++;
          if (is_inside) {
            sum += (ValueAt(q.x, place) - zero(q.x_zero_point, 0)) *
                   (ValueAt(q.w, of_w) - zero(q.w_zero_point, at[1]));
          }
        } while (Next(kernel, &tap));
      }
    }
    sums.push_back(static_cast<int32_t>(static_cast<uint32_t>(sum)));
  } while (Next(shape, &at));
  return sums;
}

}  // namespace qconform::simd
