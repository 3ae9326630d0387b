// Geometries whose sizes and windows are worked out by hand, with the formulas of ONNX's
// Conv written next to them.
#include "oracle/convolution/geometry.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

using List = std::vector<int64_t>;

struct Resolved {
  ModelValidity validity;
  std::optional<ConvolutionGeometry> geometry;
};

Resolved Resolve(const ConvolutionAttributes& attributes, const Shape& x,
                 const Shape& w) {
  Validation validation("INVALID", 10, /*has_data=*/false);
  const ConvolutionClauses clauses{.auto_pad = "AUTO_PAD", .empty = "EMPTY"};
  auto geometry = ResolveConvolution(attributes, x, w, clauses, validation);
  return {validation.validity(), std::move(geometry)};
}

ConvolutionGeometry Valid(const ConvolutionAttributes& attributes, const Shape& x,
                          const Shape& w) {
  Resolved resolved = Resolve(attributes, x, w);
  EXPECT_EQ(resolved.validity.kind, ModelValidity::Kind::kValid)
      << resolved.validity.reason;
  return resolved.geometry.value_or(ConvolutionGeometry{});
}

// One spatial axis: "begin end out".
struct AxisRow {
  int64_t in, kernel, stride, dilation;
  const char* auto_pad;
  List pads;
  List expected;
};

TEST(ConvolutionGeometry, SizesAndPadsOfOneAxis) {
  const AxisRow rows[] = {
      {7, 3, 1, 1, "NOTSET", {}, {0, 0, 5}},
      {7, 3, 2, 1, "NOTSET", {}, {0, 0, 3}},
      {8, 3, 2, 1, "NOTSET", {}, {0, 0, 3}},      // (8 - 3) / 2 + 1, rounded down
      {7, 3, 2, 1, "NOTSET", {1, 2}, {1, 2, 4}},  // (7 + 3 - 3) / 2 + 1
      {7, 3, 1, 2, "NOTSET", {0, 1}, {0, 1, 4}},  // 7 + 1 - 5 + 1
      {2, 5, 1, 1, "NOTSET", {2, 2}, {2, 2, 2}},  // a kernel larger than x
      {1, 1, 1, 1, "NOTSET", {}, {0, 0, 1}},
      {1, 3, 3, 4, "NOTSET", {8, 8}, {8, 8, 3}},  // (1 + 16 - 9) / 3 + 1
      {7, 3, 2, 1, "VALID", {}, {0, 0, 3}},
      {5, 3, 1, 1, "SAME_UPPER", {}, {1, 1, 5}},
      {5, 4, 1, 1, "SAME_UPPER", {}, {1, 2, 5}},  // 3 in total: the odd one at the end
      {5, 4, 1, 1, "SAME_LOWER", {}, {2, 1, 5}},  // or at the beginning
      {6, 3, 2, 1, "SAME_UPPER", {}, {0, 1, 3}},  // 2 * 2 + 3 - 6
      {6, 3, 2, 1, "SAME_LOWER", {}, {1, 0, 3}},
      {6, 3, 2, 2, "SAME_UPPER", {}, {1, 2, 3}},  // 2 * 2 + 5 - 6: the dilation counts
      {6, 3, 2, 2, "SAME_LOWER", {}, {2, 1, 3}},
      {5, 1, 3, 1, "SAME_UPPER", {}, {0, 0, 2}},  // 1 * 3 + 1 - 5 is below 0
      {2, 5, 1, 1, "SAME_LOWER", {}, {2, 2, 2}},
      {1, 4, 2, 3, "SAME_UPPER", {}, {4, 5, 1}},  // 10 - 1
  };
  for (const AxisRow& row : rows) {
    ConvolutionAttributes attributes{.auto_pad = row.auto_pad,
                                     .dilations = List{row.dilation},
                                     .strides = List{row.stride}};
    if (!row.pads.empty()) attributes.pads = row.pads;
    const ConvolutionGeometry geometry =
        Valid(attributes, {2, 3, row.in}, {4, 3, row.kernel});
    ASSERT_EQ(geometry.axes.size(), 1u);
    const ConvolutionAxis& axis = geometry.axes[0];
    EXPECT_EQ((List{axis.begin, axis.end, axis.out}), row.expected)
        << row.in << " " << row.kernel << " " << row.stride << " " << row.dilation << " "
        << row.auto_pad;
    EXPECT_EQ(geometry.y_shape, (Shape{2, 4, row.expected[2]}));
  }
}

// pads are all beginnings, then all ends.
TEST(ConvolutionGeometry, EachAxisHasItsOwnNumbers) {
  const ConvolutionGeometry geometry = Valid({.dilations = List{1, 2, 1},
                                              .kernel_shape = List{2, 3, 4},
                                              .pads = List{1, 0, 2, 0, 3, 1},
                                              .strides = List{1, 2, 3}},
                                             {1, 2, 5, 6, 7}, {3, 2, 2, 3, 4});
  // 5 + 1 - 2 + 1; (6 + 3 - 5) / 2 + 1; (7 + 3 - 4) / 3 + 1
  EXPECT_EQ(geometry.y_shape, (Shape{1, 3, 5, 3, 3}));
  EXPECT_EQ(geometry.terms(), 2 * 24);
}

TEST(ConvolutionGeometry, Models) {
  using enum ModelValidity::Kind;
  struct Row {
    ModelValidity::Kind kind;
    const char* clause;
    ConvolutionAttributes attributes;
    Shape x, w;
  };
  const Row rows[] = {
      {kValid, "", {}, {1, 2, 5}, {4, 2, 3}},
      {kValid, "", {.group = 2}, {1, 4, 5}, {6, 2, 3}},
      {kValid, "", {.group = 4}, {1, 4, 5}, {4, 1, 3}},
      {kValid, "", {.kernel_shape = List{3}}, {1, 2, 5}, {4, 2, 3}},
      {kValid, "", {.auto_pad = "NOTSET", .pads = List{1, 0}}, {1, 2, 5}, {4, 2, 3}},
      {kOpen,
       "AUTO_PAD",
       {.auto_pad = "VALID", .pads = List{0, 0}},
       {1, 2, 5},
       {4, 2, 3}},
      {kOpen,
       "AUTO_PAD",
       {.auto_pad = "SAME_UPPER", .pads = List{1, 1}},
       {1, 2, 5},
       {4, 2, 3}},
      {kOpen, "EMPTY", {}, {1, 2, 2}, {4, 2, 3}},
      {kOpen, "EMPTY", {}, {0, 2, 5}, {4, 2, 3}},
      {kOpen, "EMPTY", {}, {1, 0, 5}, {4, 0, 3}},
      {kOpen, "EMPTY", {}, {1, 2, 5}, {0, 2, 3}},
      {kOpen, "EMPTY", {.pads = List{2, 2}}, {1, 2, 0}, {4, 2, 3}},
      {kInvalid, "INVALID", {}, {1, 2}, {4, 2}},
      {kInvalid, "INVALID", {}, {1, 2, 5, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {}, {1, 2, 5}, {4, 2, 3, 3}},
      {kInvalid, "INVALID", {}, {1, 2, 5}, {4, 1, 3}},
      {kInvalid, "INVALID", {.group = 2}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.group = 2}, {1, 3, 5}, {4, 1, 3}},
      {kInvalid, "INVALID", {.group = 2}, {1, 4, 5}, {5, 2, 3}},
      {kInvalid, "INVALID", {.group = 0}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.group = -1}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {}, {1, 2, 5}, {4, 2, 0}},
      {kInvalid, "INVALID", {.kernel_shape = List{2}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.kernel_shape = List{3, 3}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.strides = List{0}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.strides = List{1, 1}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.dilations = List{0}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.dilations = List{}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.pads = List{1}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.pads = List{1, -1}}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.auto_pad = "SAME"}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.auto_pad = ""}, {1, 2, 5}, {4, 2, 3}},
      {kInvalid, "INVALID", {.unknown = "ceil_mode"}, {1, 2, 5}, {4, 2, 3}},
  };
  for (size_t i = 0; i < std::size(rows); ++i) {
    const Resolved resolved = Resolve(rows[i].attributes, rows[i].x, rows[i].w);
    EXPECT_EQ(resolved.validity.kind, rows[i].kind) << i << resolved.validity.reason;
    EXPECT_EQ(resolved.validity.clause, rows[i].clause) << i;
    EXPECT_EQ(resolved.geometry.has_value(), rows[i].kind != kInvalid) << i;
  }
}

// A size below 0 is none: with a stride of 2, -1 / 2 + 1 must not become 1.
TEST(ConvolutionGeometry, AKernelThatDoesNotFit_GivesNothing) {
  for (const int64_t in : {1, 2}) {
    const Resolved resolved = Resolve({.strides = List{2}}, {1, 1, in}, {1, 1, 3});
    ASSERT_TRUE(resolved.geometry);
    EXPECT_EQ(resolved.geometry->y_shape, (Shape{1, 1, 0}));
  }
}

// Neither INT64 nor memory overflows.
TEST(ConvolutionGeometry, NumbersThatAreTooLarge_AreRefused) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  const ConvolutionAttributes attributes[] = {
      {.dilations = List{kHuge}}, {.pads = List{kHuge, kHuge}}, {.strides = List{kHuge}}};
  for (const ConvolutionAttributes& each : attributes) {
    EXPECT_EQ(Resolve(each, {1, 1, 5}, {1, 1, 3}).validity.kind,
              ModelValidity::Kind::kInvalid);
  }
  const Shape huge{0, 1, 1 << 29, 1 << 29};
  EXPECT_EQ(Resolve({}, huge, {1, 1, 1, 1}).validity.kind, ModelValidity::Kind::kInvalid);
  EXPECT_EQ(Resolve({.pads = List{1 << 30, 1 << 30, 0, 0}}, {1, 1, 1, 1}, {1, 1, 1, 1})
                .validity.kind,
            ModelValidity::Kind::kInvalid);
}

TEST(ConvolutionGeometry, Windows) {
  // Positions -2, 0, 2; then -1, 1, 3; then 0, 2, 4.
  const ConvolutionGeometry one =
      Valid({.dilations = List{2}, .pads = List{2, 2}}, {1, 1, 3}, {1, 1, 3});
  EXPECT_EQ(WindowOf(one, 0, 0, 0), (List{-1, 0, 2}));
  EXPECT_EQ(WindowOf(one, 0, 0, 1), (List{-1, 1, -1}));
  EXPECT_EQ(WindowOf(one, 0, 0, 2), (List{0, 2, -1}));

  // x [2, 4, 3, 2], two groups of two channels; y [2, 2, 2, 1] with stride 2 downwards,
  // one padded row above and none below: rows -1 and 0, then 1 and 2.
  const ConvolutionGeometry two =
      Valid({.group = 2, .pads = List{1, 0, 0, 0}, .strides = List{2, 1}}, {2, 4, 3, 2},
            {2, 2, 2, 2});
  ASSERT_EQ(two.y_shape, (Shape{2, 2, 2, 1}));
  EXPECT_EQ(WindowOf(two, 0, 0, 0), (List{-1, -1, 0, 1, -1, -1, 6, 7}));
  EXPECT_EQ(WindowOf(two, 0, 0, 1), (List{2, 3, 4, 5, 8, 9, 10, 11}));
  EXPECT_EQ(WindowOf(two, 1, 1, 1), (List{38, 39, 40, 41, 44, 45, 46, 47}));

  // Element [1, 1, 1, 0] of y.
  const ConvolutionElement element = ElementOf(two, 7);
  EXPECT_EQ(element.batch, 1);
  EXPECT_EQ(element.output_channel, 1);
  EXPECT_EQ(element.position, 1);
  const std::vector<ConvolutionPair> pairs = PairsOf(two, element);
  ASSERT_EQ(pairs.size(), 8u);
  EXPECT_EQ(pairs[0].x, 38);
  EXPECT_EQ(pairs[0].w, 8);
  EXPECT_EQ(pairs[7].x, 47);
  EXPECT_EQ(pairs[7].w, 15);
}

TEST(ConvolutionGeometry, Attributes_AreReadByName) {
  const std::vector<Attribute> attributes{{"auto_pad", std::string("VALID")},
                                          {"group", int64_t{2}},
                                          {"kernel_shape", List{3, 4}},
                                          {"pads", List{1, 2, 3, 4}},
                                          {"strides", List{5, 6}},
                                          {"dilations", List{7, 8}}};
  const auto read = ReadConvolutionAttributes(attributes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->auto_pad, "VALID");
  EXPECT_EQ(read->group, 2);
  EXPECT_EQ(read->kernel_shape, (List{3, 4}));
  EXPECT_EQ(read->pads, (List{1, 2, 3, 4}));
  EXPECT_EQ(read->strides, (List{5, 6}));
  EXPECT_EQ(read->dilations, (List{7, 8}));
  EXPECT_EQ(read->unknown, "");
  const std::vector<Attribute> other{{"ceil_mode", int64_t{1}}, {"group", int64_t{1}}};
  EXPECT_EQ(ReadConvolutionAttributes(other)->unknown, "ceil_mode");
  const std::vector<Attribute> wrong{{"pads", int64_t{1}}};
  EXPECT_FALSE(ReadConvolutionAttributes(wrong).ok());
}

}  // namespace
}  // namespace qconform
