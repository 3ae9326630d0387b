// Base64 (RFC 4648, with padding): outputs in samples, and DSSE envelopes.
#ifndef QCONFORM_HARNESS_CERTIFICATE_BASE64_H_
#define QCONFORM_HARNESS_CERTIFICATE_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace qconform {

std::string Base64(std::string_view bytes);

// Returns nothing if the text is not the Base64 encoding of any bytes.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_BASE64_H_
