// Signatures without OpenSSL: every function returns an Error that says so.
#include "harness/certificate/envelope.h"

namespace qconform {
namespace {

Error Missing() {
  return Error{"cannot be used: this program was built without OpenSSL (libssl-dev)"};
}

}  // namespace

bool HasSignatures() { return false; }

std::string PreAuthenticationEncoding(std::string_view type, std::string_view payload) {
  std::string text = "DSSEv1 " + std::to_string(type.size()) + " ";
  text.append(type).append(" " + std::to_string(payload.size()) + " ").append(payload);
  return text;
}

Result<std::string> PublicKeyOf(std::string_view) { return Missing(); }
Result<std::string> KeyId(std::string_view) { return Missing(); }
Result<std::string> CanonicalPublicKey(std::string_view) { return Missing(); }
Result<std::string> SignEnvelope(std::string_view, std::string_view) { return Missing(); }
Result<std::string> OpenEnvelope(std::string_view, std::string_view) { return Missing(); }

}  // namespace qconform
