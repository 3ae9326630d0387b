#include "oracle/exact/operators/mat_mul_integer/mat_mul_integer.h"

#include <gmpxx.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact/accumulator.h"
#include "oracle/exact/format.h"
#include "oracle/exact/matrix_product.h"

namespace qconform::exact {
namespace {

std::vector<mpz_class> IntegersOf(const Codes& codes) {
  std::vector<mpz_class> integers;
  integers.reserve(codes.codes.size());
  for (const Value& value : ValuesOf(codes)) {
    assert(value.number.get_den() == 1);
    integers.push_back(value.number.get_num());
  }
  return integers;
}

}  // namespace

Answer MatMulInteger(const MatMulIntegerInput& input) {
  const Codes none = {kInt8, {}, {0}};  // MI-01: an absent zero point is 0
  const Codes& a_zero_point = input.a_zero_point ? *input.a_zero_point : none;
  const Codes& b_zero_point = input.b_zero_point ? *input.b_zero_point : none;
  const MatrixProduct product(input.a.shape, input.b.shape);
  const std::vector<mpz_class> a = IntegersOf(input.a);
  const std::vector<mpz_class> b = IntegersOf(input.b);
  const std::vector<mpz_class> a_zero = IntegersOf(a_zero_point);
  const std::vector<mpz_class> b_zero = IntegersOf(b_zero_point);
  const Format& int32 = GetFormat(kInt32);

  Answer answer;
  answer.type = kInt32;
  answer.shape = product.shape();
  product.ForEach([&](const ProductElement& at) {
    mpz_class sum = 0;
    const int64_t terms = product.terms();
    if (terms > 0) {
      const mpz_class& row_zero = a_zero[at.RowPlace(a_zero_point.shape)];
      const mpz_class& column_zero = b_zero[at.ColumnPlace(b_zero_point.shape)];
      for (int64_t k = 0; k < terms; ++k) {
        sum += (a[at.PlaceInA(k)] - row_zero) * (b[at.PlaceInB(k)] - column_zero);
      }
    }
    const mpq_class exact = sum;
    Element element;
    element.code = CodeOf(int32, Value::Number(WrappedToInt32(exact)));
    if (!IsInt32(exact)) {  // MI-02
      element.freedom = Freedom::kAnyCode;
      element.tier = Tier::kAccumulatorOverflow;
    }
    answer.elements.push_back(element);
  });
  return answer;
}

}  // namespace qconform::exact
