// The judge's layout of a tensor's codes in bytes, as in `raw_data` and in the buffers of
// plugins and workers (QL-50, QL-52).
//
// A tensor of b-bit codes is one natural number, x0 + x1 2^b + x2 2^2b + ..., and its
// bytes are the digits of that number in base 256, lowest first. For 6 bits, this is the
// bit stream of QL-52: four elements in three bytes, and the unused bits of the last are
// 0. For 8 bits and more, it is little-endian order.
#ifndef QCONFORM_ORACLE_EXACT_PACKING_H_
#define QCONFORM_ORACLE_EXACT_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qconform::exact {

// Returns the ceil(codes * bits / 8) bytes. Precondition: each code is below 2^bits.
std::vector<std::byte> PackedBytes(const std::vector<uint64_t>& codes, int bits);

// Returns the first `count` codes of the bytes and ignores the bits after them (QL-51).
// Precondition: there are at least ceil(count * bits / 8) bytes.
std::vector<uint64_t> UnpackedCodes(const std::vector<std::byte>& bytes, int bits,
                                    size_t count);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_PACKING_H_
