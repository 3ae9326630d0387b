#include "harness/certificate/base64.h"

#include <cstdint>

namespace qconform {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < left ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= left ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t bits = 0;
    size_t digits = 0;
    for (size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      const size_t value = kDigits.find(c);
      const bool padding = c == '=' && k >= 2 && i + 4 == text.size();
      if (value == std::string_view::npos && !padding) return std::nullopt;
      if (!padding && digits != k) return std::nullopt;  // a digit after the padding
      digits += padding ? 0 : 1;
      bits = bits << 6 | (padding ? 0u : static_cast<uint32_t>(value));
    }
    for (size_t k = 0; k + 1 < digits; ++k) {
      bytes += static_cast<char>(bits >> (16 - 8 * k) & 255);
    }
  }
  // In the only correct text the bits after the last byte are zero.
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace qconform
