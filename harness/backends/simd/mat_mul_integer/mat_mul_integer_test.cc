// MatMulInteger of every target against plain loops.
#include "harness/backends/simd/mat_mul_integer/mat_mul_integer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/testing/random.h"

namespace qconform::simd {
namespace {

using enum DataType;

Tensor RandomBytes(DataType type, Shape shape, Random& random) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  // Now and then the ends of the range only, where narrow sums would overflow.
  const bool ends = random.Below(4) == 0;
  for (std::byte& byte : tensor.data) {
    const auto code = static_cast<uint8_t>(random.Next());
    byte = static_cast<std::byte>(!ends           ? code
                                  : type == kInt8 ? (code % 2 == 0 ? 0x80 : 0x7F)
                                                  : (code % 2 == 0 ? 0 : 255));
  }
  return tensor;
}

int64_t ValueAt(const Tensor& tensor, int64_t index) {
  const auto code = std::to_integer<uint8_t>(tensor.data[static_cast<size_t>(index)]);
  return tensor.type == kInt8 ? static_cast<int8_t>(code) : code;
}

// Batches of matrices, where an operand of one matrix is the same for all products.
struct Question {
  int64_t batch = 1, m = 1, k = 1, n = 1;
  Tensor a, b, a_zero_point, b_zero_point;  // zero points of kUndefined are absent

  MatMulIntegerArgs Args() const {
    MatMulIntegerArgs args = {a.view(), b.view(), {}, {}};
    if (a_zero_point.type != kUndefined) args.a_zero_point = a_zero_point.view();
    if (b_zero_point.type != kUndefined) args.b_zero_point = b_zero_point.view();
    return args;
  }

  std::vector<int32_t> Expected() const {
    const auto zero = [&](const Tensor& zero_point, int64_t lines, int64_t matrix,
                          int64_t line) -> int64_t {
      if (zero_point.type == kUndefined) return 0;
      const auto count = static_cast<int64_t>(zero_point.data.size());
      if (count == 1) return ValueAt(zero_point, 0);
      return ValueAt(zero_point, count == lines ? line : matrix * lines + line);
    };
    std::vector<int32_t> y;
    for (int64_t p = 0; p < batch; ++p) {
      const int64_t of_a = a.shape.size() > 2 ? p : 0;
      const int64_t of_b = b.shape.size() > 2 ? p : 0;
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          int64_t sum = 0;
          for (int64_t l = 0; l < k; ++l) {
            sum += (ValueAt(a, (of_a * m + i) * k + l) - zero(a_zero_point, m, of_a, i)) *
                   (ValueAt(b, (of_b * k + l) * n + j) - zero(b_zero_point, n, of_b, j));
          }
          y.push_back(static_cast<int32_t>(static_cast<uint32_t>(sum)));
        }
      }
    }
    return y;
  }
};

void ExpectRight(const Question& question) {
  const Shape shape = MatMulIntegerOutputShape(question.Args());
  const std::vector<int32_t> expected = question.Expected();
  for (const Target& target : SupportedTargets()) {
    for (const bool dot_product : {false, true}) {
      for (const int threads : {1, 2}) {
        const ProductOptions options = {
            .target = target.bit, .threads = threads, .dot_product = dot_product};
        const auto packed = PackedB::Pack(question.b.view(), options);
        ASSERT_TRUE(packed) << packed.error().message;
        for (const PackedB* b : {static_cast<const PackedB*>(nullptr), &*packed}) {
          Tensor y = Tensor::Zeros(kInt32, shape);
          const Status done =
              MatMulInteger(question.Args(), b, y.mutable_view(), options);
          ASSERT_TRUE(done) << done.error().message;
          ASSERT_EQ(y.data.size(), expected.size() * sizeof(int32_t));
          ASSERT_TRUE(expected.empty() ||
                      std::memcmp(y.data.data(), expected.data(), y.data.size()) == 0)
              << target.name << " " << dot_product << " " << question.m << " "
              << question.k << " " << question.n;
        }
      }
    }
  }
}

TEST(MatMulInteger, EveryTarget_GivesTheExactSums) {
  Random random(1);
  const std::vector<DataType> types = {kUint8, kInt8};
  const std::vector<int64_t> sizes = {1,  2,  3,  4,  5,  6,  7,  8,  12,  15,
                                      16, 17, 31, 32, 33, 63, 64, 65, 100, 130};
  const std::vector<int64_t> depths = {0, 1, 2, 3, 4, 5, 8, 31, 64, 129, 600};
  for (int i = 0; i < 200; ++i) {
    Question q;
    q.batch = random.Below(4) == 0 ? 3 : 1;
    q.m = random.Pick(sizes);
    q.k = random.Pick(depths);
    q.n = random.Pick(sizes);
    const bool many_a = q.batch > 1 && random.Below(3) != 0;
    const bool many_b = q.batch > 1 && (!many_a || random.Below(2) == 0);
    q.a = RandomBytes(random.Pick(types),
                      many_a ? Shape{q.batch, q.m, q.k} : Shape{q.m, q.k}, random);
    q.b = RandomBytes(random.Pick(types),
                      many_b ? Shape{q.batch, q.k, q.n} : Shape{q.k, q.n}, random);
    const auto zero_point = [&](const Tensor& of, const Shape& line, bool many) {
      const int64_t form = random.Below(many ? 5 : 4);
      if (form == 0) return Tensor{};
      if (form == 4) {
        Shape whole = line;
        whole.insert(whole.begin(), q.batch);
        return RandomBytes(of.type, whole, random);
      }
      return RandomBytes(of.type,
                         form == 1   ? Shape{}
                         : form == 2 ? Shape{1}
                                     : line,
                         random);
    };
    q.a_zero_point = zero_point(q.a, {q.m, 1}, many_a);
    q.b_zero_point = zero_point(q.b, {1, q.n}, many_b);
    ExpectRight(q);
  }
}

TEST(MatMulInteger, LongRows_AreTakenInPieces) {
  Random random(2);
  for (const DataType type : {kUint8, kInt8}) {
    Question q;
    q.m = 7, q.k = 9001, q.n = 70;
    q.a = RandomBytes(type, {q.m, q.k}, random);
    q.b = RandomBytes(type, {q.k, q.n}, random);
    q.a_zero_point = RandomBytes(type, {q.m}, random);
    q.b_zero_point = RandomBytes(type, {q.n}, random);
    ExpectRight(q);
  }
}

TEST(MatMulInteger, SumBeyondInt32_IsModulo2To32) {
  Question q;
  q.k = 40000;  // 255 * 255 * 40000 = 2601000000
  q.a = Tensor::Zeros(kUint8, {1, q.k});
  q.b = Tensor::Zeros(kUint8, {q.k, 1});
  for (Tensor* of : {&q.a, &q.b}) {
    for (std::byte& byte : of->data) byte = std::byte{255};
  }
  ASSERT_EQ(q.Expected()[0], static_cast<int32_t>(2601000000u));
  ExpectRight(q);
}

TEST(MatMulInteger, Vectors_HaveNumpysShapes) {
  Random random(3);
  const Tensor a = RandomBytes(kUint8, {5}, random);
  const Tensor b = RandomBytes(kInt8, {5, 3}, random);
  EXPECT_EQ(MatMulIntegerOutputShape({a.view(), b.view(), {}, {}}), (Shape{3}));
  Tensor y = Tensor::Zeros(kInt32, {3});
  ASSERT_TRUE(MatMulInteger({a.view(), b.view(), {}, {}}, nullptr, y.mutable_view()));
  for (int64_t j = 0; j < 3; ++j) {
    int64_t sum = 0;
    for (int64_t l = 0; l < 5; ++l) sum += ValueAt(a, l) * ValueAt(b, l * 3 + j);
    int32_t got = 0;
    std::memcpy(&got, y.data.data() + j * 4, 4);
    EXPECT_EQ(got, sum);
  }
}

TEST(MatMulInteger, EmptyDimensions_GiveAnEmptyY) {
  for (const Shape& a : {Shape{0, 3}, Shape{0, 2, 3}}) {
    const Tensor left = Tensor::Zeros(kUint8, a);
    const Tensor right = Tensor::Zeros(kUint8, {3, 4});
    Tensor y = Tensor::Zeros(
        kInt32, MatMulIntegerOutputShape({left.view(), right.view(), {}, {}}));
    EXPECT_TRUE(y.data.empty());
    EXPECT_TRUE(
        MatMulInteger({left.view(), right.view(), {}, {}}, nullptr, y.mutable_view()));
  }
}

struct Forms {
  DataType a_type = kUint8, b_type = kInt8, a_zero_type = kUndefined,
           b_zero_type = kUndefined;
  Shape a = {4, 5}, b = {5, 3}, a_zero = {}, b_zero = {};

  std::optional<Refusal> Check() const {
    return CheckMatMulInteger({{a_type, a, {}},
                               {b_type, b, {}},
                               {a_zero_type, a_zero, {}},
                               {b_zero_type, b_zero, {}}});
  }
};

void ExpectRefused(const Forms& forms, const char* clause, const char* reason) {
  const auto refusal = forms.Check();
  ASSERT_TRUE(refusal) << reason;
  EXPECT_EQ(refusal->kind, Refusal::Kind::kInvalid);
  EXPECT_EQ(refusal->clause, clause);
  EXPECT_NE(refusal->reason.find(reason), std::string::npos) << refusal->reason;
}

TEST(CheckMatMulInteger, InvalidOperands_AreRefused) {
  EXPECT_FALSE(Forms{}.Check());
  ExpectRefused({.a_type = kUndefined}, "MI-07", "a is missing");
  ExpectRefused({.b_type = kFloat}, "MI-07", "b: expected UINT8 or INT8");
  ExpectRefused({.a_zero_type = kInt8}, "MI-07", "a_zero_point: expected UINT8");
  ExpectRefused({.b_zero_type = kUint8}, "MI-07", "b_zero_point: expected INT8");
  ExpectRefused({.a = {4, 6}}, "MI-07", "differ in K");
  ExpectRefused({.a = {}}, "MI-07", "a is a scalar");
  ExpectRefused({.a = {2, 4, 5}, .b = {3, 5, 3}}, "MI-07", "do not broadcast");
  ExpectRefused({.a_zero_type = kUint8, .a_zero = {5}}, "MI-04", "must have 4 elements");
  ExpectRefused({.b_zero_type = kInt8, .b_zero = {3, 1}}, "MI-04", "[...,1,N]");
  ExpectRefused({.a_zero_type = kUint8, .a = {5}, .a_zero = {5}}, "MI-05", "per tensor");
}

TEST(CheckMatMulInteger, ZeroPointsWithAPlainMeaning_AreAccepted) {
  Forms f = {.a_zero_type = kUint8, .b_zero_type = kInt8, .a = {2, 3, 4, 5}};
  f.b = {2, 3, 5, 7};
  for (const Shape& a :
       {Shape{}, Shape{1}, Shape{4}, Shape{4, 1}, Shape{2, 3, 4, 1}, Shape{1, 3, 4, 1}}) {
    f.a_zero = a;
    EXPECT_FALSE(f.Check()) << ShapeToString(a);
  }
  for (const Shape& b :
       {Shape{1, 1}, Shape{7}, Shape{1, 7}, Shape{2, 3, 1, 7}, Shape{2, 1, 1, 1}}) {
    f.b_zero = b;
    EXPECT_FALSE(f.Check()) << ShapeToString(b);
  }
}

}  // namespace
}  // namespace qconform::simd
