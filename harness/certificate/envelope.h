// Signatures: a statement in a DSSE envelope, by OpenSSL with an Ed25519 or an
// ECDSA P-256 key. In programs that were built without OpenSSL all of them return an
// Error.
#ifndef QCONFORM_HARNESS_CERTIFICATE_ENVELOPE_H_
#define QCONFORM_HARNESS_CERTIFICATE_ENVELOPE_H_

#include <string>
#include <string_view>

#include "oracle/base/result.h"

namespace qconform {

// Whether this program can sign and check signatures.
bool HasSignatures();

// Returns the bytes that are signed: DSSE's encoding of the type and the payload.
std::string PreAuthenticationEncoding(std::string_view type, std::string_view payload);

// Returns the public half of a private key, as PEM. Errors: the text is not a key, the
// key asks for a passphrase, or it has another algorithm.
Result<std::string> PublicKeyOf(std::string_view private_key);

// Returns SHA-256 of the key (its SubjectPublicKeyInfo), lower-case hex: its name in an
// envelope.
Result<std::string> KeyId(std::string_view public_key);

// Returns the key as PEM in the only form that qconform writes, with nothing around it.
Result<std::string> CanonicalPublicKey(std::string_view public_key);

// Returns the envelope, a JSON text. Ed25519 gives the same bytes each time,
// ECDSA does not.
Result<std::string> SignEnvelope(std::string_view payload, std::string_view private_key);

// Returns the payload if the key signed it. An Error says what is wrong: the
// form, the key, or the signature.
Result<std::string> OpenEnvelope(std::string_view envelope, std::string_view public_key);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_ENVELOPE_H_
