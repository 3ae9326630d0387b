// Signatures: a statement in a DSSE envelope, by OpenSSL with an Ed25519 or an
// ECDSA P-256 key. Programs that were built without OpenSSL say so.
#ifndef QCONFORM_HARNESS_CERTIFICATE_ENVELOPE_H_
#define QCONFORM_HARNESS_CERTIFICATE_ENVELOPE_H_

#include <string>
#include <string_view>

#include "oracle/base/result.h"

namespace qconform {

// Whether this program can sign and check signatures.
bool HasSignatures();

// What is signed: DSSE's encoding of the type and the payload.
std::string PreAuthenticationEncoding(std::string_view type, std::string_view payload);

// Returns the public half of a private key, as PEM. Errors: no key, a key that
// asks for a passphrase, another algorithm.
Result<std::string> PublicKeyOf(std::string_view private_key);

// Returns SHA-256 of the key (its SubjectPublicKeyInfo), lower-case hex: what an
// envelope calls it by.
Result<std::string> KeyId(std::string_view public_key);

// Returns the key as PEM in the one form in which qconform writes it: nothing around it.
Result<std::string> CanonicalPublicKey(std::string_view public_key);

// Returns the envelope, a JSON text. Ed25519 gives the same bytes each time,
// ECDSA does not.
Result<std::string> SignEnvelope(std::string_view payload, std::string_view private_key);

// Returns the payload where the key signed it. An error says what is wrong: the
// form, the key, the signature.
Result<std::string> OpenEnvelope(std::string_view envelope, std::string_view public_key);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_ENVELOPE_H_
