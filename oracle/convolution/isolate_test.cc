// An isolated element has the window, the kernel and the padded positions that it had.
#include "oracle/convolution/isolate.h"

#include <gtest/gtest.h>

#include "oracle/convolution/dimensions.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using List = std::vector<int64_t>;

// Element i has the code i.
Tensor Numbered(const Shape& shape) {
  Tensor tensor = Tensor::Zeros(DataType::kUint8, shape);
  for (int64_t i = 0; i < *ElementCount(shape); ++i) {
    WriteCode(tensor.mutable_view(), i, static_cast<uint64_t>(i));
  }
  return tensor;
}

ConvolutionGeometry GeometryOf(const ConvolutionAttributes& attributes, const Shape& x,
                               const Shape& w) {
  Validation validation("INVALID", 10, /*has_data=*/false);
  auto geometry = ResolveConvolution(attributes, x, w, {"OPEN", "OPEN"}, validation);
  EXPECT_TRUE(geometry) << validation.validity().reason;
  return geometry.value_or(ConvolutionGeometry{});
}

// The codes under the window of an element and in its kernel; 1000 where it is padded.
List Products(const ConvolutionGeometry& geometry, const Tensor& x, const Tensor& w,
              int64_t index) {
  List products;
  for (const ConvolutionPair& pair : PairsOf(geometry, ElementOf(geometry, index))) {
    products.push_back(pair.x < 0 ? 1000
                                  : static_cast<int64_t>(ReadCode(x.view(), pair.x)));
    products.push_back(static_cast<int64_t>(ReadCode(w.view(), pair.w)));
  }
  return products;
}

TEST(IsolatedConvolution, HasTheSameProducts) {
  struct Row {
    ConvolutionAttributes attributes;
    Shape x, w;
  };
  const Row rows[] = {
      {{}, {1, 2, 5}, {3, 2, 3}},
      {{.dilations = List{3}, .pads = List{4, 5}, .strides = List{2}},
       {2, 2, 5},
       {3, 2, 3}},
      {{.dilations = List{2, 1}, .group = 2, .pads = List{1, 0, 2, 3}},
       {2, 4, 4, 3},
       {4, 2, 2, 3}},
      // Windows that are padded altogether.
      {{.pads = List{6, 6, 6, 6}, .strides = List{1, 3}}, {1, 1, 2, 3}, {2, 1, 2, 2}},
      {{.auto_pad = "SAME_LOWER", .strides = List{2, 1, 3}},
       {1, 1, 3, 3, 4},
       {1, 1, 2, 2, 3}},
  };
  int64_t visited = 0;
  for (const Row& row : rows) {
    const ConvolutionGeometry geometry = GeometryOf(row.attributes, row.x, row.w);
    const Tensor x = Numbered(row.x);
    const Tensor w = Numbered(row.w);
    for (int64_t i = 0; i < *ElementCount(geometry.y_shape); ++i, ++visited) {
      const ConvolutionElement element = ElementOf(geometry, i);
      const Tensor window = IsolateWindow(geometry, x.view(), element);
      const Tensor kernel = IsolateKernel(geometry, w.view(), element);
      auto alone =
          ReadConvolutionAttributes(IsolatedConvolutionAttributes(geometry, element));
      ASSERT_TRUE(alone.ok());
      alone->dilations = row.attributes.dilations;
      const ConvolutionGeometry isolated = GeometryOf(*alone, window.shape, kernel.shape);
      EXPECT_EQ(*ElementCount(isolated.y_shape), 1);
      EXPECT_EQ(Products(isolated, window, kernel, 0), Products(geometry, x, w, i));
    }
  }
  EXPECT_GT(visited, 300);
}

// x [2, 2, 5], one padded position on either side: products 1 to 5 of the first window.
TEST(IsolatedConvolution, ShownPairs_LeavePaddedOnesOut) {
  const ConvolutionGeometry geometry =
      GeometryOf({.pads = List{1, 1}}, {2, 2, 5}, {3, 2, 3});
  const Tensor x = Numbered({2, 2, 5});
  const Tensor w = Numbered({3, 2, 3});
  const auto shown = ShownPairs(geometry, x.view(), w.view(), ElementOf(geometry, 5));
  ASSERT_EQ(shown.size(), 8u);
  EXPECT_EQ(shown[0].name, "x[1 of 6]");
  EXPECT_EQ(shown[0].code, 0u);
  EXPECT_EQ(shown[1].name, "w[1 of 6]");
  EXPECT_EQ(shown[1].code, 7u);
  EXPECT_EQ(shown[4].name, "x[4 of 6]");
  EXPECT_EQ(shown[4].code, 5u);
}

// Each axis has its size, and all axes of all tensors belong to a dimension.
TEST(ConvolutionDimensions, HaveTheSizesOfTheAxes) {
  for (const int64_t group : {1, 2}) {
    const Shape x{2, 4, 5, 6};
    const Shape w{6, 4 / group, 2, 3};
    const ConvolutionGeometry geometry =
        GeometryOf({.group = group, .strides = List{2, 2}}, x, w);
    const Shape channels{6}, one{1}, scalar{};
    const ChannelParameterPlace parameters[] = {{2, channels}, {3, one}, {4, scalar}};
    const Dimensions dimensions = ConvolutionDimensions(geometry, 0, 1, parameters);
    std::vector<Shape> operands{Shape(4), Shape(4), Shape(1), {}, {}};
    Shape y(4);
    for (const Dimension& dimension : dimensions) {
      for (const AxisPlace& place : dimension.operands) {
        EXPECT_EQ(operands[place.tensor][place.axis], 0) << dimension.name;
        operands[place.tensor][place.axis] = dimension.size;
      }
      for (const AxisPlace& place : dimension.outputs) y[place.axis] = dimension.size;
      const bool is_channel = dimension.name == "m" || dimension.name == "c";
      EXPECT_EQ(dimension.is_whole, dimension.name != "n" && !(is_channel && group == 1))
          << dimension.name;
    }
    EXPECT_EQ(operands, (std::vector<Shape>{x, w, channels, {}, {}}));
    EXPECT_EQ(y, geometry.y_shape);
  }
}

}  // namespace
}  // namespace qconform
