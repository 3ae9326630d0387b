// A sum of products of integers or floats before it is requantized.
#ifndef QCONFORM_ORACLE_EXACT_ACCUMULATOR_H_
#define QCONFORM_ORACLE_EXACT_ACCUMULATOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/value.h"

namespace qconform::exact {

struct Accumulator {
  Value c;                      // modulo 2^32 where integers overflow (MM-01b)
  bool overflows = false;       // an exact sum lies outside INT32, integer operands
  mpq_class magnitude = 0;      // sum of |A_i B_i| over the finite products
  int64_t terms = 0;            // the number of products
  bool has_zero_point = false;  // of a row, column or channel, other than zero
  size_t a_index = 0;           // of a_scale
  size_t b_index = 0;
  std::vector<Value> a;  // A_i, exact
  std::vector<Value> b;  // B_i
};

// Returns the value of each code.
std::vector<Value> ValuesOf(const Codes& codes);

bool IsInt32(const mpq_class& v);

// Returns the integer v modulo 2^32, in two's complement.
mpq_class WrappedToInt32(const mpq_class& v);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_ACCUMULATOR_H_
