#include "harness/graphs/proofs/questions.h"

#include <algorithm>
#include <cmath>

#include "harness/graphs/proofs/parameters.h"

namespace qconform::graphs {

Tensor MakeIntegers(DataType type, Shape shape, const std::vector<int64_t>& values) {
  return MakeTensor(type, std::move(shape),
                    std::vector<uint64_t>(values.begin(), values.end()));
}

Codes CodesOf(DataType type, const std::vector<int64_t>& values) {
  const uint64_t mask = (uint64_t{1} << BitWidth(type)) - 1;
  Codes codes;
  for (const int64_t value : values)
    codes.emplace_back(static_cast<uint64_t>(value) & mask);
  return codes;
}

int64_t IntegerOf(DataType type, const std::optional<uint64_t>& code) {
  return code ? ToInteger(FormatOf(type), *code) : 0;
}

std::string ParametersText(DataType type, float scale, int64_t zero_point) {
  return std::string(DataTypeName(type)) + ", scale " + DecimalOf(scale) +
         ", zero point " + std::to_string(zero_point);
}

bool StaysFinite(DataType type, const std::vector<int64_t>& integers, float scale,
                 int64_t zero_point) {
  return std::ranges::none_of(integers, [&](int64_t c) {
    return c != Least(type) && c != Greatest(type) && Overflows(c - zero_point, scale);
  });
}

std::vector<Chooser> ChoosersOfPairs() {
  return {{MakeOp("MaxPool", {"d"}, "m", {{"kernel_shape", std::vector<int64_t>{2}}})},
          {MakeOp("ReduceMax", {"d", "axes"}, "m"),
           {"axes"},
           {MakeIntegers(DataType::kInt64, {1}, {2})}}};
}

Tensor PairsOf(DataType type, const std::vector<int64_t>& codes) {
  std::vector<int64_t> pairs;
  for (const int64_t a : codes) {
    for (const int64_t b : codes) pairs.insert(pairs.end(), {a, b});
  }
  const auto count = static_cast<int64_t>(codes.size() * codes.size());
  return MakeIntegers(type, {count, 1, 2}, pairs);
}

int64_t RoundedQuotient(Int128 numerator, Int128 denominator) {
  const bool is_negative = (numerator < 0) != (denominator < 0);
  const Int128 n = numerator < 0 ? -numerator : numerator;
  const Int128 d = denominator < 0 ? -denominator : denominator;
  Int128 quotient = n / d;
  const Int128 twice = 2 * (n % d);
  if (twice > d || (twice == d && quotient % 2 != 0)) ++quotient;
  return static_cast<int64_t>(is_negative ? -quotient : quotient);
}

Dyadic DyadicOf(float value) {
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return {static_cast<int64_t>(std::ldexp(fraction, 24)), exponent - 24};
}

}  // namespace qconform::graphs
