// x, zero points and scales of float8 types whose product tells ways to multiply apart
// that nearly all others do not: products in FLOAT and differences in FLOAT, for scales
// and y of few bits. They were found by going through all x, zero points and
// significands; for types that are not here there is none whose product is normal.
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_FLOAT_TRIPLES_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_FLOAT_TRIPLES_H_

#include <cstdint>

#include "oracle/tensor/data_type.h"

namespace qconform::generators {

struct FloatTriple {
  DataType x_type;
  int scale_bits;  // of the significand that is multiplied by
  int precision;   // of y
  uint8_t x;
  uint8_t zero_point;
  uint16_t significand;
};

inline constexpr FloatTriple kFloatTriples[] = {
    {DataType::kFloat8E4M3FN, 11, 11, 0x6D, 0x8B, 1117},
    {DataType::kFloat8E4M3FN, 11, 11, 0xFE, 0xA6, 1463},
    {DataType::kFloat8E4M3FN, 11, 11, 0x72, 0xA5, 1733},
    {DataType::kFloat8E4M3FN, 11, 8, 0x6D, 0x96, 1609},
    {DataType::kFloat8E4M3FN, 11, 8, 0x5D, 0x87, 1609},
    {DataType::kFloat8E4M3FN, 11, 8, 0x96, 0xF9, 1170},
    {DataType::kFloat8E4M3FNUZ, 11, 11, 0x9A, 0x7E, 1638},
    {DataType::kFloat8E4M3FNUZ, 11, 11, 0x7A, 0xAD, 1733},
    {DataType::kFloat8E4M3FNUZ, 11, 11, 0xF3, 0x9F, 1775},
    {DataType::kFloat8E4M3FNUZ, 11, 8, 0x6D, 0x96, 1609},
    {DataType::kFloat8E4M3FNUZ, 11, 8, 0x5D, 0x87, 1609},
    {DataType::kFloat8E4M3FNUZ, 11, 8, 0x96, 0xF9, 1170},
    {DataType::kFloat8E5M2, 8, 8, 0x81, 0x71, 170},
    {DataType::kFloat8E5M2, 8, 8, 0x76, 0x11, 161},
    {DataType::kFloat8E5M2, 8, 8, 0x92, 0xF5, 190},
    {DataType::kFloat8E5M2, 8, 8, 0x7A, 0x17, 149},
    {DataType::kFloat8E5M2, 8, 8, 0x8B, 0xF6, 242},
    {DataType::kFloat8E5M2, 8, 8, 0x09, 0x6B, 180},
    {DataType::kFloat8E5M2, 11, 11, 0xEA, 0x07, 1027},
    {DataType::kFloat8E5M2, 11, 11, 0x7A, 0x13, 1289},
    {DataType::kFloat8E5M2, 11, 11, 0xF6, 0x0A, 1119},
    {DataType::kFloat8E5M2, 11, 11, 0x85, 0x66, 1638},
    {DataType::kFloat8E5M2, 11, 11, 0x6E, 0x0C, 1353},
    {DataType::kFloat8E5M2, 11, 11, 0x94, 0xF5, 1270},
    {DataType::kFloat8E5M2, 11, 11, 0xCD, 0x18, 2047},
    {DataType::kFloat8E5M2, 11, 11, 0xDD, 0x28, 2047},
    {DataType::kFloat8E5M2, 11, 11, 0xB5, 0x67, 1638},
    {DataType::kFloat8E5M2, 11, 8, 0x07, 0x74, 1564},
    {DataType::kFloat8E5M2, 11, 8, 0x06, 0xEA, 1304},
    {DataType::kFloat8E5M2, 11, 8, 0x07, 0xF4, 1796},
    {DataType::kFloat8E5M2, 11, 8, 0x0C, 0x6E, 1160},
    {DataType::kFloat8E5M2, 11, 8, 0x0D, 0xF0, 1988},
    {DataType::kFloat8E5M2, 11, 8, 0x13, 0xF4, 1300},
    {DataType::kFloat8E5M2FNUZ, 8, 8, 0x8D, 0x7E, 222},
    {DataType::kFloat8E5M2FNUZ, 8, 8, 0x83, 0x71, 178},
    {DataType::kFloat8E5M2FNUZ, 8, 8, 0x1B, 0xFF, 172},
    {DataType::kFloat8E5M2FNUZ, 8, 8, 0x9D, 0xFE, 194},
    {DataType::kFloat8E5M2FNUZ, 8, 8, 0x5E, 0x01, 161},
    {DataType::kFloat8E5M2FNUZ, 8, 8, 0x82, 0x61, 130},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0x7E, 0x13, 1137},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0x76, 0x02, 1269},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0x8B, 0x7A, 2022},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0x99, 0xFA, 1578},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0x84, 0xE5, 1470},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0x15, 0xF7, 1372},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0xB9, 0x6B, 1638},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0xFB, 0xCF, 1463},
    {DataType::kFloat8E5M2FNUZ, 11, 11, 0xF1, 0x3D, 1639},
    {DataType::kFloat8E5M2FNUZ, 11, 8, 0x0E, 0xF4, 1284},
    {DataType::kFloat8E5M2FNUZ, 11, 8, 0x13, 0xF4, 1444},
    {DataType::kFloat8E5M2FNUZ, 11, 8, 0x14, 0x7E, 1808},
    {DataType::kFloat8E5M2FNUZ, 11, 8, 0x02, 0xF0, 1332},
    {DataType::kFloat8E5M2FNUZ, 11, 8, 0x0C, 0x6E, 1320},
    {DataType::kFloat8E5M2FNUZ, 11, 8, 0x1A, 0xFC, 1908},
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_FLOAT_TRIPLES_H_
