#include "harness/certificate/envelope.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <memory>

#include "harness/certificate/base64.h"
#include "oracle/base/json.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

constexpr std::string_view kPayloadType = "application/vnd.in-toto+json";

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* thing) const {
    Free(thing);
  }
};
using Bio = std::unique_ptr<BIO, Deleter<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Deleter<EVP_MD_CTX_free>>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Bio Reader(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Rejects a locked key, because nobody is there to type its passphrase.
int NoPassphrase(char*, int, int, void*) { return 0; }

// Ed25519 signs the message itself, ECDSA its SHA-256.
Result<const EVP_MD*> DigestFor(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "ED25519") == 1) return static_cast<const EVP_MD*>(nullptr);
  char group[64] = "";
  if (EVP_PKEY_is_a(key, "EC") == 1 &&
      EVP_PKEY_get_utf8_string_param(key, "group", group, sizeof group, nullptr) == 1 &&
      std::string_view(group) == "prime256v1") {
    return EVP_sha256();
  }
  return Error{"expected an Ed25519 or ECDSA P-256 key, got another kind"};
}

// Whether the point of an Ed25519 key has an order of 1, 2, 4 or 8: one signature is then
// good for many texts. These are the y coordinates of such points, in both encodings of 0
// and 1 (RFC 8032, 5.1); the sign of x makes no difference.
bool IsOfSmallOrder(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "ED25519") != 1) return false;
  unsigned char y[32];
  size_t size = sizeof y;
  if (EVP_PKEY_get_raw_public_key(key, y, &size) != 1 || size != sizeof y) return true;
  y[31] &= 0x7F;
  constexpr const char* kSmall[] = {
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"};
  std::string hex;
  for (const unsigned char byte : y) {
    constexpr char kHex[] = "0123456789abcdef";
    hex += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return std::ranges::any_of(kSmall, [&](const char* small) { return hex == small; });
}

Result<Key> PrivateKey(std::string_view pem) {
  Key key(PEM_read_bio_PrivateKey(Reader(pem).get(), nullptr, NoPassphrase, nullptr));
  if (!key) {
    return Error{
        "expected a private key in PEM without a passphrase, got something else; "
        "'openssl genpkey -algorithm ed25519' makes one"};
  }
  if (const auto digest = DigestFor(key.get()); !digest) return digest.error();
  return key;
}

Result<Key> PublicKey(std::string_view pem) {
  Key key(PEM_read_bio_PUBKEY(Reader(pem).get(), nullptr, NoPassphrase, nullptr));
  if (!key) {
    return Error{
        "expected a public key in PEM, got something else; 'openssl pkey -in KEY "
        "-pubout' extracts it from a private key"};
  }
  if (const auto digest = DigestFor(key.get()); !digest) return digest.error();
  if (IsOfSmallOrder(key.get())) {
    return Error{
        "expected a key of full order, got one of small order, under which "
        "anybody can sign"};
  }
  return key;
}

std::string PemOf(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PUBKEY(bio.get(), key);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<size_t>(size));
}

std::string IdOf(EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  const std::string bytes(reinterpret_cast<const char*>(der),
                          size > 0 ? static_cast<size_t>(size) : 0);
  OPENSSL_free(der);
  return Sha256Hex(bytes);
}

std::string EnvelopeText(std::string_view payload, const std::string& id,
                         std::string_view sig) {
  Json envelope = Json::object();
  envelope["payload"] = Base64(payload);
  envelope["payloadType"] = kPayloadType;
  envelope["signatures"] = Json::array({{{"keyid", id}, {"sig", Base64(sig)}}});
  return Dump(envelope, 2) + "\n";
}

}  // namespace

bool HasSignatures() { return true; }

std::string PreAuthenticationEncoding(std::string_view type, std::string_view payload) {
  std::string text = "DSSEv1 " + std::to_string(type.size()) + " ";
  text.append(type).append(" " + std::to_string(payload.size()) + " ").append(payload);
  return text;
}

Result<std::string> PublicKeyOf(std::string_view private_key) {
  const auto key = PrivateKey(private_key);
  if (!key) return key.error();
  return PemOf(key->get());
}

Result<std::string> KeyId(std::string_view public_key) {
  const auto key = PublicKey(public_key);
  if (!key) return key.error();
  return IdOf(key->get());
}

Result<std::string> CanonicalPublicKey(std::string_view public_key) {
  const auto key = PublicKey(public_key);
  if (!key) return key.error();
  return PemOf(key->get());
}

Result<std::string> SignEnvelope(std::string_view payload, std::string_view private_key) {
  const auto key = PrivateKey(private_key);
  if (!key) return key.error();
  const std::string message = PreAuthenticationEncoding(kPayloadType, payload);
  const Context context(EVP_MD_CTX_new());
  size_t size = 0;
  const bool begun =
      EVP_DigestSignInit(context.get(), nullptr, *DigestFor(key->get()), nullptr,
                         key->get()) == 1 &&
      EVP_DigestSign(context.get(), nullptr, &size, Bytes(message), message.size()) == 1;
  std::string signature(size, '\0');
  if (!begun ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()),
                     &size, Bytes(message), message.size()) != 1) {
    return Error{"OpenSSL could not sign with this key"};
  }
  signature.resize(size);
  return EnvelopeText(payload, IdOf(key->get()), signature);
}

Result<std::string> OpenEnvelope(std::string_view envelope, std::string_view public_key) {
  const auto key = PublicKey(public_key);
  if (!key) return Error{"the public key: " + key.error().message};
  const Json json = ParseJsonOrNull(envelope);
  const bool right =
      json.is_object() && json["payloadType"] == kPayloadType &&
      json.contains("payload") && json["payload"].is_string() &&
      json.contains("signatures") && json["signatures"].is_array() &&
      json["signatures"].size() == 1 && json["signatures"][0].is_object() &&
      json["signatures"][0].contains("sig") && json["signatures"][0]["sig"].is_string();
  if (!right)
    return Error{
        "expected a DSSE envelope of an in-toto statement with one signature, got "
        "something else"};
  const auto payload = FromBase64(json["payload"].get<std::string>());
  const auto signature = FromBase64(json["signatures"][0]["sig"].get<std::string>());
  if (!payload || !signature)
    return Error{"expected payload and signature in base64, got something else"};
  const std::string message = PreAuthenticationEncoding(kPayloadType, *payload);
  const Context context(EVP_MD_CTX_new());
  const bool good = EVP_DigestVerifyInit(context.get(), nullptr, *DigestFor(key->get()),
                                         nullptr, key->get()) == 1 &&
                    EVP_DigestVerify(context.get(), Bytes(*signature), signature->size(),
                                     Bytes(message), message.size()) == 1;
  if (!good) return Error{"the signature is not that of the key " + IdOf(key->get())};
  if (EnvelopeText(*payload, IdOf(key->get()), *signature) != envelope) {
    return Error{"expected the form in which qconform writes envelopes, got another"};
  }
  return *payload;
}

}  // namespace qconform
