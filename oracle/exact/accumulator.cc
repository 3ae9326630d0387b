#include "oracle/exact/accumulator.h"

#include "oracle/exact/format.h"

namespace qconform::exact {

std::vector<Value> ValuesOf(const Codes& codes) {
  const Format& format = GetFormat(codes.type);
  std::vector<Value> values;
  values.reserve(codes.codes.size());
  for (uint64_t code : codes.codes) values.push_back(ValueOf(format, code));
  return values;
}

bool IsInt32(const mpq_class& v) {
  const Format& int32 = GetFormat(kInt32);
  return v >= int32.lowest && v <= int32.highest;
}

mpq_class WrappedToInt32(const mpq_class& v) {
  mpz_class rest;
  mpz_fdiv_r_2exp(rest.get_mpz_t(), v.get_num_mpz_t(), 32);
  if (rest > GetFormat(kInt32).highest.get_num()) rest -= PowerOfTwo(32).get_num();
  return rest;
}

}  // namespace qconform::exact
