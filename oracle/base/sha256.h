// SHA-256 (FIPS 180-4): names files and contents in corpora, reports and tables
// of known test data. Not a security boundary of its own.
#ifndef QCONFORM_ORACLE_BASE_SHA256_H_
#define QCONFORM_ORACLE_BASE_SHA256_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace qconform {

// Hashes a message that comes in pieces.
class Sha256 {
 public:
  void Update(std::span<const std::byte> piece);
  void Update(std::string_view piece) { Update(std::as_bytes(std::span(piece))); }

  // Returns the digest of all pieces as 64 lower-case hexadecimal digits, and
  // starts anew.
  std::string FinishHex();

 private:
  void Compress();

  static constexpr std::array<uint32_t, 8> kInitial{0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                                    0xa54ff53a, 0x510e527f, 0x9b05688c,
                                                    0x1f83d9ab, 0x5be0cd19};
  std::array<uint32_t, 8> state_ = kInitial;
  std::array<uint8_t, 64> block_{};
  size_t filled_ = 0;    // bytes of block_
  uint64_t length_ = 0;  // bytes of the message so far
};

std::string Sha256Hex(std::span<const std::byte> message);
inline std::string Sha256Hex(std::string_view message) {
  return Sha256Hex(std::as_bytes(std::span(message)));
}

// Whether the text is such a digest.
inline bool IsSha256Hex(std::string_view text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_SHA256_H_
