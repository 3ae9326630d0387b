// Kernels with several faults, and cells that show a fault only where elements are moved,
// as releases of ONNX Runtime have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/backends/faulty/decode.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/core/operator_faults.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using testing::HasSubstr;

// Makes these faults of QuantizeLinear together.
Change AllOf(const std::vector<std::string_view>& names, int since_version) {
  const OperatorFaults& faults = *FindOperatorFaults("QuantizeLinear");
  FaultSet set = *FindFault(names.front())->SetFor("QuantizeLinear");
  for (const std::string_view name : std::span(names).subspan(1)) {
    set = *faults.Merge(set, *FindFault(name)->SetFor("QuantizeLinear"));
  }
  return [set, since_version](const Model& model, auto inputs, RunResult result) {
    const auto answer = OracleModel::Create(model)->Evaluate(inputs);
    const auto decoded = DecodeCase(model, since_version, inputs, *answer);
    FaultState state;
    const Codes codes = (*decoded)->CodesOf(set, state);
    Tensor& y = FirstOutput(result);
    for (size_t i = 0; i < codes.size(); ++i) {
      WriteCode(y.mutable_view(), static_cast<int64_t>(i), codes[i]);
    }
    return result;
  };
}

CellRecord RunSmoke(Backend& backend, const std::string& cell) {
  return RunOn(backend, {cell}, Level::kSmoke).front();
}

// Two of the three give every deviating element, and change others that are right.
TEST(CombinedFaults, SetThatChangesRightElements_IsExtended) {
  ChangedBackend backend(
      AllOf({"float_division", "int32_minimum_wraps", "truncates"}, 23));
  const CellRecord record =
      RunSmoke(backend, "QuantizeLinear/23/FLOAT16-FLOAT16-INT8/per_tensor");
  EXPECT_THAT(record.diagnosis,
              HasSubstr("float_division+int32_minimum_wraps+truncates"));
}

// Many models give the two elements that deviate; the first four of the catalogue change
// others, too.
TEST(CombinedFaults, ModelThatChangesNoOthers_IsExtendedFirst) {
  ChangedBackend backend(
      AllOf({"int32_minimum_in_partial_bytes", "precision_ignored"}, 24));
  const CellRecord record =
      RunSmoke(backend, "QuantizeLinear/24/FLOAT-FLOAT-UINT4/per_axis");
  EXPECT_EQ(record.diagnosis, "float_division+int32_minimum_in_partial_bytes");
}

// All bits of the cell are right; an element that is alone in its byte is wrong only
// where all are turned by one place.
TEST(CombinedFaults, WrongOnlyWhereElementsAreMoved_IsNamed) {
  const auto backend = MakeFaultyBackend(*FindFault("int32_minimum_in_partial_bytes"));
  const CellRecord record =
      RunSmoke(*backend, "QuantizeLinear/21/FLOAT-FLOAT-UINT4/per_axis");
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.reason, HasSubstr("not the same bits in another place"));
  EXPECT_EQ(record.diagnosis, "int32_minimum_in_partial_bytes");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_EQ(record.deviation->elements_deviating, 1);
  ASSERT_FALSE(record.counterexamples.empty());
  EXPECT_EQ(record.counterexamples.front().clause, "QL-11");
}

}  // namespace
}  // namespace qconform
