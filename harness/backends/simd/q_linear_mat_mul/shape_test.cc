// What QLinearMatMul refuses, accepts, and takes which shape for (MM-04 to MM-07).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::simd {
namespace {

using enum DataType;
using testing::HasSubstr;

// Arguments without data, and the shapes that they point to.
struct Forms {
  Shape a = {4, 5}, a_scale, a_zero_point;
  Shape b = {5, 3}, b_scale, b_zero_point;
  Shape y_scale, y_zero_point;
  DataType a_type = kUint8, b_type = kInt8, y_type = kUint8;
  DataType scale_type = kFloat;

  QLinearMatMulArgs Args() const {
    return {
        {a_type, a, {}},           {scale_type, a_scale, {}}, {a_type, a_zero_point, {}},
        {b_type, b, {}},           {scale_type, b_scale, {}}, {b_type, b_zero_point, {}},
        {scale_type, y_scale, {}}, {y_type, y_zero_point, {}}};
  }
  std::optional<Refusal> Check(int since_version = 21) const {
    return CheckQLinearMatMul(since_version, Args());
  }
};

void ExpectRefused(const std::optional<Refusal>& refusal, const std::string& clause,
                   const std::string& reason,
                   Refusal::Kind kind = Refusal::Kind::kInvalid) {
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind, kind);
  EXPECT_EQ(refusal->clause, clause);
  EXPECT_THAT(refusal->reason, HasSubstr(reason));
}

TEST(CheckQLinearMatMul, LegalGranularities_AreAccepted) {
  const Shape none;
  for (const Shape& a : {none, Shape{1}, Shape{4}, Shape{4, 1}}) {
    for (const Shape& b : {none, Shape{1}, Shape{3}, Shape{1, 3}}) {
      Forms f;
      f.a_scale = f.a_zero_point = a;
      f.b_scale = f.b_zero_point = b;
      EXPECT_FALSE(f.Check(10));
      EXPECT_FALSE(f.Check(21));
    }
  }
}

TEST(CheckQLinearMatMul, OpenForms_AreAcceptedWithTheirPlainMeaning) {
  Forms f;
  f.a = {2, 3, 4, 5};
  f.b = {2, 3, 5, 7};
  for (const Shape& a : {Shape{4}, Shape{4, 1}, Shape{3, 4, 1}, Shape{1, 3, 4, 1},
                         Shape{2, 3, 4, 1}, Shape{2, 3, 1, 1}, Shape{1, 1}}) {
    f.a_scale = a;
    EXPECT_FALSE(f.Check()) << ShapeToString(a);
  }
  for (const Shape& b :
       {Shape{7}, Shape{1, 7}, Shape{1, 1, 1, 7}, Shape{2, 3, 1, 7}, Shape{2, 1, 1, 1}}) {
    f.b_scale = f.b_zero_point = b;
    EXPECT_FALSE(f.Check()) << ShapeToString(b);
  }
}

TEST(CheckQLinearMatMul, ZeroPointsOfOtherShapes_AreRefused) {
  Forms f;
  f.a_zero_point = {4};  // against a scalar scale
  ExpectRefused(f.Check(), "MM-07", "differs from a_scale");
  f.a_scale = {4, 1};
  ExpectRefused(f.Check(), "MM-07", "differs from a_scale");
  f.a_zero_point = {1};  // MM-06
  EXPECT_FALSE(f.Check());
}

TEST(CheckQLinearMatMul, WrongParameters_AreRefused) {
  Forms f;
  f.a_scale = {5};  // K, not M
  ExpectRefused(f.Check(), "MM-07", "4 elements");
  f.a_scale = {1, 4};
  ExpectRefused(f.Check(), "MM-07", "[...,M,1]");
  f.a_scale = {1, 4, 1};
  ExpectRefused(f.Check(), "MM-07", "a_scale");
  f.a_scale = {};
  f.b_zero_point = {3, 1};
  ExpectRefused(f.Check(), "MM-07", "b_zero_point");
  f.b_zero_point = {};
  f.y_scale = {4};
  ExpectRefused(f.Check(), "MM-05", "per tensor", Refusal::Kind::kUnsupported);
  f.y_scale = {};
  f.a = {5};
  f.a_scale = {5};
  ExpectRefused(f.Check(), "MM-04", "per tensor only");
}

TEST(CheckQLinearMatMul, WrongShapes_AreRefused) {
  Forms f;
  f.b = {4, 3};
  ExpectRefused(f.Check(), "MM-07", "differ in K");
  f.b = {};
  ExpectRefused(f.Check(), "MM-07", "b is a scalar");
  f.a = {2, 4, 5};
  f.b = {3, 5, 3};
  ExpectRefused(f.Check(), "MM-07", "do not broadcast");
}

TEST(CheckQLinearMatMul, WrongTypes_AreRefused) {
  Forms f;
  f.a_type = kFloat8E5M2;
  ExpectRefused(f.Check(10), "MM-07", "since_version 10");
  EXPECT_FALSE(f.Check(21));
  f.a_type = kUint8;
  f.scale_type = kFloat16;
  ExpectRefused(f.Check(10), "MM-07", "a_scale of type FLOAT16");
  EXPECT_FALSE(f.Check(21));
  f.scale_type = kFloat;
  f.y_type = kInt16;
  ExpectRefused(f.Check(), "MM-07", "y_zero_point of type INT16");

  const Forms legal;
  QLinearMatMulArgs args = legal.Args();
  args.b_scale.type = kBfloat16;
  ExpectRefused(CheckQLinearMatMul(21, args), "MM-07", "one type is needed");
  args = legal.Args();
  args.a_zero_point.type = kInt8;
  ExpectRefused(CheckQLinearMatMul(21, args), "MM-07", "a_zero_point is of type INT8");
  args = legal.Args();
  args.y_zero_point.type = kUndefined;
  ExpectRefused(CheckQLinearMatMul(21, args), "MM-07", "y_zero_point is missing");
}

TEST(QLinearMatMulOutputShape, IsThatOfNumpyMatmul) {
  const auto shape = [](Shape a, Shape b) {
    Forms f;
    f.a = std::move(a);
    f.b = std::move(b);
    const auto result = QLinearMatMulOutputShape(f.Args());
    return result ? *result : Shape{-1};
  };
  EXPECT_EQ(shape({5}, {5}), Shape{});
  EXPECT_EQ(shape({5}, {5, 3}), (Shape{3}));
  EXPECT_EQ(shape({4, 5}, {5}), (Shape{4}));
  EXPECT_EQ(shape({2, 4, 5}, {5}), (Shape{2, 4}));
  EXPECT_EQ(shape({5}, {2, 5, 3}), (Shape{2, 3}));
  EXPECT_EQ(shape({7, 1, 4, 5}, {6, 5, 3}), (Shape{7, 6, 4, 3}));
  EXPECT_EQ(shape({0, 4, 5}, {5, 3}), (Shape{0, 4, 3}));
  EXPECT_EQ(shape({4, 0}, {0, 3}), (Shape{4, 3}));
  EXPECT_EQ(shape({4, 5}, {4, 3}), (Shape{-1}));
}

TEST(QLinearMatMul, ArgumentsThatDoNotFit_AreAnErrorAndWriteNothing) {
  Forms f;
  const std::vector<std::byte> zeros(64);
  const auto with_data = [&](const TensorView& t) {
    const auto count = PackedByteSize(t.type, *ElementCount(t.shape));
    return TensorView{t.type, t.shape, std::span(zeros).first(count)};
  };
  QLinearMatMulArgs args = f.Args();
  for (TensorView* t :
       {&args.a, &args.a_scale, &args.a_zero_point, &args.b, &args.b_scale,
        &args.b_zero_point, &args.y_scale, &args.y_zero_point}) {
    *t = with_data(*t);
  }
  std::vector<std::byte> y(12, std::byte{0x77});
  const std::vector<std::byte> untouched = y;
  const Shape shape = {4, 3};
  const Shape wrong = {3, 4};
  EXPECT_FALSE(QLinearMatMul(args, nullptr, {kUint8, wrong, y}));
  EXPECT_FALSE(QLinearMatMul(args, nullptr, {kInt8, shape, y}));
  EXPECT_FALSE(QLinearMatMul(args, nullptr, {kUint8, shape, std::span(y).first(11)}));
  QLinearMatMulArgs cut = args;
  cut.b.data = cut.b.data.first(14);
  EXPECT_FALSE(QLinearMatMul(cut, nullptr, {kUint8, shape, y}));
  EXPECT_FALSE(PackedB::Pack(cut.b));
  const auto other = PackedB::Pack(args.a);
  ASSERT_TRUE(other);
  EXPECT_FALSE(QLinearMatMul(args, &*other, {kUint8, shape, y}));
  EXPECT_EQ(y, untouched);
  EXPECT_TRUE(QLinearMatMul(args, nullptr, {kUint8, shape, y}));
  EXPECT_NE(y, untouched);
}

}  // namespace
}  // namespace qconform::simd
