#include "harness/operators/mat_mul_integer/proofs/sums.h"

#include <gtest/gtest.h>

#include "harness/backends/registry/registry.h"
#include "harness/integer_sums/testing/check_proofs.h"

namespace qconform::mat_mul_integer {
namespace {

using integer_sums::Kind;

TEST(MatMulIntegerSums, Proofs_AskEachLineWithEachLineOnce) {
  for (const Kind kind : {Kind::kProducts, Kind::kPairs}) {
    integer_sums::CheckLines(SumsOfProduct(), kind);
  }
}

TEST(MatMulIntegerSums, Proofs_FindSumsOf16Bits) {
  const auto backend = MakeBackend("oracle", {});
  ASSERT_TRUE(backend) << backend.error().message;
  for (const Kind kind : {Kind::kProducts, Kind::kPairs}) {
    integer_sums::CheckProof(SumsOfProduct(), kind, **backend);
  }
}

}  // namespace
}  // namespace qconform::mat_mul_integer
