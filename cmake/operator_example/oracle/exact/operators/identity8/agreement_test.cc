// Oracle and judge agree on Identity8: all codes, in every reading.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include "oracle/core/operator.h"
#include "oracle/exact/operators/identity8/identity8.h"

namespace qconform::identity8 {

const Operator& GetOperator();

namespace {

TEST(Identity8Agreement, AllCodes) {
  const auto bound = GetOperator().Bind({}, 13);
  ASSERT_TRUE(bound.ok());
  for (const DataType type : {DataType::kInt8, DataType::kUint8}) {
    exact::Codes x{static_cast<int>(type), {256}, {}};
    for (uint64_t code = 0; code < 256; ++code) x.codes.push_back(code);
    const Tensor packed = agreement::Pack(x);
    const Operands operands{packed.view()};
    const auto readings = (*bound)->Readings(operands);
    ASSERT_TRUE(readings.ok());
    EXPECT_EQ(readings->size(), type == DataType::kInt8 ? 2u : 1u);
    for (const ReadingSet& reading : *readings) {
      const auto answers = (*bound)->Evaluate(operands, reading);
      ASSERT_TRUE(answers.ok());
      EXPECT_EQ(agreement::Difference(exact::Identity8(x, !reading.is_canonical()),
                                      answers->front()),
                "");
    }
  }
}

}  // namespace
}  // namespace qconform::identity8
