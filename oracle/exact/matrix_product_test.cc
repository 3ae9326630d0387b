#include "oracle/exact/matrix_product.h"

#include <gtest/gtest.h>

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;
using Places = std::vector<size_t>;

Dims ShapeOf(const Dims& a, const Dims& b) { return MatrixProduct(a, b).shape(); }

TEST(ExactMatrixProduct, Shapes_FollowNumpyMatmul) {
  EXPECT_EQ(ShapeOf({3}, {3}), Dims{});
  EXPECT_EQ(ShapeOf({3}, {3, 4}), (Dims{4}));
  EXPECT_EQ(ShapeOf({2, 3}, {3}), (Dims{2}));
  EXPECT_EQ(ShapeOf({5, 1, 2, 3}, {7, 3, 4}), (Dims{5, 7, 2, 4}));
  EXPECT_EQ(ShapeOf({0, 2, 3}, {1, 3, 4}), (Dims{0, 2, 4}));
  EXPECT_EQ(ShapeOf({3}, {6, 3, 4}), (Dims{6, 4}));
}

// The places of the first factors of each element.
struct FirstFactors {
  Places a;
  Places b;
};

FirstFactors FactorsOf(const Dims& a, const Dims& b, int64_t k) {
  FirstFactors factors;
  MatrixProduct(a, b).ForEach([&](const ProductElement& at) {
    factors.a.push_back(at.PlaceInA(k));
    factors.b.push_back(at.PlaceInB(k));
  });
  return factors;
}

TEST(ExactMatrixProduct, Factors_AreOfTheRowAndTheColumn) {
  // a is 2x3, b is 3x2: their elements k = 2 stand at 2, 5 and at 4, 5.
  FirstFactors factors = FactorsOf({2, 3}, {3, 2}, 2);
  EXPECT_EQ(factors.a, (Places{2, 2, 5, 5}));
  EXPECT_EQ(factors.b, (Places{4, 5, 4, 5}));
  factors = FactorsOf({3}, {3, 2}, 1);  // one row
  EXPECT_EQ(factors.a, (Places{1, 1}));
  EXPECT_EQ(factors.b, (Places{2, 3}));
  factors = FactorsOf({2, 3}, {3}, 1);  // one column
  EXPECT_EQ(factors.a, (Places{1, 4}));
  EXPECT_EQ(factors.b, (Places{1, 1}));
}

TEST(ExactMatrixProduct, Batches_Broadcast) {
  // [2, 1] and [3] give [2, 3] matrices of 1x1.
  const FirstFactors factors = FactorsOf({2, 1, 1, 1}, {3, 1, 1}, 0);
  EXPECT_EQ(factors.a, (Places{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(factors.b, (Places{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(FactorsOf({0, 1, 1}, {1, 1}, 0).a, Places{});
}

Places RowPlaces(const Dims& a, const Dims& b, const Dims& scale) {
  Places places;
  MatrixProduct(a, b).ForEach(
      [&](const ProductElement& at) { places.push_back(at.RowPlace(scale)); });
  return places;
}

Places ColumnPlaces(const Dims& a, const Dims& b, const Dims& scale) {
  Places places;
  MatrixProduct(a, b).ForEach(
      [&](const ProductElement& at) { places.push_back(at.ColumnPlace(scale)); });
  return places;
}

TEST(ExactMatrixProduct, Scales_OfRowsAndColumns) {
  const Dims square = {2, 2};  // M = K = N: rows stay rows, columns stay columns
  for (const Dims& single : {Dims{}, Dims{1}, Dims{1, 1}}) {
    EXPECT_EQ(RowPlaces(square, square, single), (Places{0, 0, 0, 0}));
    EXPECT_EQ(ColumnPlaces(square, square, single), (Places{0, 0, 0, 0}));
  }
  EXPECT_EQ(RowPlaces(square, square, {2}), (Places{0, 0, 1, 1}));
  EXPECT_EQ(RowPlaces(square, square, {2, 1}), (Places{0, 0, 1, 1}));
  EXPECT_EQ(ColumnPlaces(square, square, {2}), (Places{0, 1, 0, 1}));
  EXPECT_EQ(ColumnPlaces(square, square, {1, 2}), (Places{0, 1, 0, 1}));
}

TEST(ExactMatrixProduct, Scales_HaveTheirOperandsBatches) {
  // a is [2,1] batches of 2x1, b is [3] batches of 1x1.
  EXPECT_EQ(RowPlaces({2, 1, 2, 1}, {3, 1, 1}, {2, 1, 2, 1}),
            (Places{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
  EXPECT_EQ(RowPlaces({2, 1, 2, 1}, {3, 1, 1}, {2}),  // the same in all batches
            (Places{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(ColumnPlaces({2, 1, 1, 1}, {3, 1, 2}, {3, 1, 2}),
            (Places{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(ColumnPlaces({2, 1, 1, 1}, {3, 1, 2}, {1, 1, 2}),
            (Places{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

}  // namespace
}  // namespace qconform::exact
