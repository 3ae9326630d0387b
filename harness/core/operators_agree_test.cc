// The rooms agree on an operator: each has a folder of it, in the same order.
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "harness/core/operator_faults.h"
#include "oracle/core/operator.h"

namespace qconform {
namespace {

TEST(Operators, OfAllRooms_AreTheSame) {
  ASSERT_FALSE(Operators().empty());
  EXPECT_EQ(AllOperatorCases().size(), Operators().size());
  EXPECT_EQ(AllOperatorFaults().size(), Operators().size());
  for (size_t i = 0; i < Operators().size(); ++i) {
    const Operator& op = *Operators()[i];
    EXPECT_EQ(AllOperatorCases()[i]->op_type, op.op_type());
    EXPECT_EQ(AllOperatorFaults()[i]->op_type(), op.op_type());
  }
}

TEST(OperatorCases, NameThingsOnce) {
  for (const OperatorCases* cases : AllOperatorCases()) {
    std::set<std::string_view> names;
    for (const GeneratorInfo& info : cases->generators) {
      EXPECT_FALSE(info.sentence.empty()) << info.name;
      EXPECT_TRUE(names.insert(info.name).second) << info.name;
    }
    for (const GranularityInfo& info : cases->granularities) {
      EXPECT_TRUE(names.insert(info.name).second) << info.name;
    }
    EXPECT_FALSE(cases->formals.empty());
    EXPECT_GT(cases->probed_contents, 0u);
  }
}

}  // namespace
}  // namespace qconform
