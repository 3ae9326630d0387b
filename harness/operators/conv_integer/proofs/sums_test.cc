#include "harness/operators/conv_integer/proofs/sums.h"

#include <gtest/gtest.h>

#include "harness/backends/registry/registry.h"
#include "harness/integer_sums/testing/check_proofs.h"

namespace qconform::conv_integer {
namespace {

using integer_sums::Kind;

TEST(ConvIntegerSums, Proofs_AskEachLineWithEachLineOnce) {
  for (const Kind kind : {Kind::kProducts, Kind::kPairs}) {
    integer_sums::CheckLines(SumsOfConvolution(), kind);
  }
}

TEST(ConvIntegerSums, Proofs_FindSumsOf16Bits) {
  const auto backend = MakeBackend("simd", {});
  ASSERT_TRUE(backend) << backend.error().message;
  for (const Kind kind : {Kind::kProducts, Kind::kPairs}) {
    integer_sums::CheckProof(SumsOfConvolution(), kind, **backend);
  }
}

}  // namespace
}  // namespace qconform::conv_integer
