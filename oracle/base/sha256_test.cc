#include "oracle/base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace qconform {
namespace {

// The examples of FIPS 180-4 and NIST's CAVP.
TEST(Sha256, KnownMessages_HaveKnownDigests) {
  EXPECT_EQ(Sha256Hex(std::string_view()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                      "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, Pieces_GiveTheDigestOfTheWhole) {
  const std::string message(200, 'x');
  const std::string whole = Sha256Hex(message);
  Sha256 hash;  // starts anew after each digest
  for (size_t cut = 0; cut <= message.size(); ++cut) {
    hash.Update(std::string_view(message).substr(0, cut));
    hash.Update(std::string_view(message).substr(cut));
    EXPECT_EQ(hash.FinishHex(), whole) << cut;
  }
}

}  // namespace
}  // namespace qconform
