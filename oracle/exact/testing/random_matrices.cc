#include "oracle/exact/testing/random_matrices.h"

#include <algorithm>
#include <cstddef>

#include "oracle/exact/format.h"
#include "oracle/exact/testing/random_layout.h"

namespace qconform::agreement {
namespace {

using exact::Codes;
using exact::Format;
using exact::Value;
using Dims = std::vector<int64_t>;

bool IsInteger(int type) { return exact::GetFormat(type).set == Format::Set::kIntegers; }

// Sums are long: one special value in them hides all others.
uint64_t RandomOperand(const Format& format, Random& random) {
  if (random.OneIn(60)) return RandomCode(format, random);
  uint64_t code = random.Below(uint64_t{1} << format.bits);
  while (!exact::ValueOf(format, code).IsNumber()) {
    code = random.Below(uint64_t{1} << format.bits);
  }
  return code;
}

// Batch dimensions of the operands, which broadcast.
void ChooseBatches(Random& random, Dims& a, Dims& b) {
  if (!random.OneIn(4)) return;
  Dims batch;
  for (int64_t rank = random.Between(1, 3); rank > 0; --rank) {
    batch.push_back(random.OneIn(24) ? 0 : random.Between(1, 3));
  }
  const auto own = [&] {
    Dims dims;
    const bool is_shorter = random.OneIn(3);
    for (int64_t dim : batch) {
      if (is_shorter && dims.empty() && random.OneIn(2)) continue;  // leading ones go
      dims.push_back(random.OneIn(3) ? 1 : dim);
    }
    return dims;
  };
  a = own();
  b = random.OneIn(3) ? a : own();
}

Dims ScaleShape(const Dims& batch, int64_t lines, bool is_left, Random& random) {
  if (batch.empty() && random.OneIn(2)) return {lines};
  if (!batch.empty() && random.OneIn(16)) return {lines};  // MM-06
  Dims shape = batch;
  if (random.OneIn(16)) std::fill(shape.begin(), shape.end(), 1);  // MM-06
  shape.push_back(is_left ? lines : 1);
  shape.push_back(is_left ? 1 : lines);
  return shape;
}

}  // namespace

MatMulShapes RandomMatMulShapes(bool per_row, bool per_column, Random& random) {
  MatMulShapes shapes;
  ChooseBatches(random, shapes.a, shapes.b);
  const auto dim = [&](int64_t longest) {
    return random.OneIn(40) ? 0 : random.Between(1, longest);
  };
  const int64_t m = dim(4);
  const int64_t k = random.OneIn(12) ? random.Between(9, 40) : dim(8);
  const int64_t n = dim(4);
  shapes.a_scale = per_row ? ScaleShape(shapes.a, m, true, random) : Dims{};
  shapes.b_scale = per_column ? ScaleShape(shapes.b, n, false, random) : Dims{};
  shapes.a.insert(shapes.a.end(), {m, k});
  shapes.b.insert(shapes.b.end(), {k, n});
  if (!per_row && random.OneIn(8)) shapes.a = {k};
  if (!per_column && random.OneIn(8)) shapes.b = {k};
  const auto single = [&](Dims& shape) {
    if (random.OneIn(3)) shape = {1};
  };
  if (!per_row) single(shapes.a_scale);
  if (!per_column) single(shapes.b_scale);
  return shapes;
}

Codes RandomOperands(int type, const Dims& shape, Random& random) {
  Codes codes{type, shape, {}};
  const Format& format = exact::GetFormat(type);
  const bool extremes = random.OneIn(8);  // sums of the largest products
  for (size_t i = 0; i < CountOf(shape); ++i) {
    const uint64_t extreme = exact::CodeOf(
        format, Value::Number(random.OneIn(2) ? format.lowest : format.highest));
    codes.codes.push_back(extremes ? extreme : RandomOperand(format, random));
  }
  return codes;
}

Codes RandomZeroPoints(int type, const Dims& shape, Random& random) {
  Codes codes{type, shape, {}};
  const Format& format = exact::GetFormat(type);
  const bool all_zero = random.OneIn(IsInteger(type) ? 4 : 2);
  for (size_t i = 0; i < CountOf(shape); ++i) {
    uint64_t code = all_zero ? 0 : RandomOperand(format, random);
    if (!all_zero && random.OneIn(4)) {
      code = exact::CodeOf(
          format, Value::Number(random.OneIn(2) ? format.lowest : format.highest));
    }
    codes.codes.push_back(code);
  }
  return codes;
}

LongSum RandomLongSum(int a_type, int b_type, Random& random) {
  // 2^31 / 255^2 is 33025.5.
  const int64_t k = 33026 + random.Between(-3, 3);
  const auto count = static_cast<size_t>(k);
  const Format& a = exact::GetFormat(a_type);
  const Format& b = exact::GetFormat(b_type);
  const auto code = [](const Format& format, const mpq_class& v) {
    return exact::CodeOf(format, Value::Number(v));
  };
  const bool a_is_low = random.OneIn(2);
  const bool b_is_low = random.OneIn(2);
  LongSum sum;
  sum.a = {a_type,
           {1, k},
           std::vector<uint64_t>(count, code(a, a_is_low ? a.lowest : a.highest))};
  sum.b = {b_type,
           {k, 1},
           std::vector<uint64_t>(count, code(b, b_is_low ? b.lowest : b.highest))};
  sum.a_zero_point = {a_type, {}, {code(a, a_is_low ? a.highest : a.lowest)}};
  sum.b_zero_point = {b_type, {}, {code(b, b_is_low ? b.highest : b.lowest)}};
  // A few other terms, to end anywhere near the ends.
  for (int i = 0; i < 3; ++i) {
    sum.a.codes[random.Below(count)] = random.Below(256);
  }
  return sum;
}

}  // namespace qconform::agreement
