// What a diagnosis must and must not say of a backend: every model that explains
// everything is named and none is preferred, and what explains little is not named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/faulty/decode.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/operators/quantize_linear/faults.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using S = QuantizeLinearSwitches;

double ToDouble(const ExactValue& value) {
  switch (value.value_class) {
    case ValueClass::kZero:
      return value.negative ? -0.0 : 0.0;
    case ValueClass::kInfinity:
      return value.negative ? -INFINITY : INFINITY;
    case ValueClass::kNan:
      return NAN;
    case ValueClass::kFinite:
      break;
  }
  const double size = std::ldexp(static_cast<double>(value.significand), value.exponent);
  return value.negative ? -size : size;
}

// A kernel as one would write it in C: an element from x, its scale and zero point.
using Kernel = std::function<int64_t(float x, float scale, int64_t zero_point, int64_t i,
                                     int64_t count)>;

// Gives the integers of a kernel where the oracle's answer is not free.
std::unique_ptr<Backend> RunKernel(int since_version, const Kernel& kernel) {
  return std::make_unique<ChangedBackend>(
      [=](const Model& model, std::span<const TensorView> inputs, RunResult result) {
        const auto oracle = OracleModel::Create(model);
        const auto answer = oracle->Evaluate(inputs);
        const auto made = DecodeCase(model, since_version, inputs, *answer);
        const DecodedQuantizeLinear& d = quantize_linear::Case::Of(**made);
        Tensor& y = FirstOutput(result);
        const auto count = static_cast<int64_t>(d.x_values.size());
        const FaultyPlaces places(d.places);
        for (int64_t i = 0; i < count; ++i) {
          const size_t at = places.Of(FaultyPlace::kRight, i);
          const size_t point = d.zero_points.size() == 1 ? 0 : at;
          const auto x = static_cast<float>(ToDouble(d.x_values[static_cast<size_t>(i)]));
          if (std::isnan(x)) continue;
          const int64_t code =
              kernel(x, static_cast<float>(ToDouble(d.scales[at])),
                     static_cast<int64_t>(ToDouble(d.zero_points[point])), i, count);
          WriteCode(
              y.mutable_view(), i,
              static_cast<uint64_t>(code) & ((uint64_t{1} << FormatOf(y.type).bits) - 1));
        }
        return result;
      });
}

// As CVTPS2DQ converts.
int32_t ToInt32(float value) {
  if (!(value < 2147483648.0F && value >= -2147483648.0F)) return INT32_MIN;
  return static_cast<int32_t>(std::nearbyintf(value));
}

int64_t ClampInt8(int64_t value) { return std::clamp<int64_t>(value, -128, 127); }

int32_t WrappingSum(int32_t a, int64_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

std::unique_ptr<Backend> MakeFaulty(const S& switches) {
  static std::vector<std::unique_ptr<Fault>> faults;
  faults.push_back(std::make_unique<Fault>(
      Fault{.name = "several",
            .sentence = "Several mistakes.",
            .shares = {{"QuantizeLinear", FaultShare{switches}}}}));
  return MakeFaultyBackend(*faults.back());
}

struct Said {
  const char* name;
  const char* cell;
  Level level;
  std::function<std::unique_ptr<Backend>()> make;
  std::string explained_by;          // "": no model is named
  std::vector<const char*> never{};  // is in no sentence of it
};

void PrintTo(const Said& said, std::ostream* out) { *out << said.name; }

std::vector<Said> Table() {
  std::vector<Said> table;
  // FLOAT16 by FLOAT16 is divided in FLOAT, converted to INT32, and summed there.
  table.push_back({"divides_in_float",
                   "QuantizeLinear/23/FLOAT16-FLOAT16-INT8/per_axis",
                   Level::kStandard,
                   [] {
                     return RunKernel(23, [](float x, float scale, int64_t zero_point,
                                             int64_t, int64_t) {
                       return ClampInt8(WrappingSum(ToInt32(x / scale), zero_point));
                     });
                   },
                   "float_division+int32_minimum_wraps",
                   {"reciprocal", "on_overflow"}});
  table.push_back({"multiplies_in_float",
                   "QuantizeLinear/23/FLOAT16-FLOAT16-INT8/per_axis",
                   Level::kStandard,
                   [] {
                     return RunKernel(23, [](float x, float scale, int64_t zero_point,
                                             int64_t, int64_t) {
                       const float reciprocal = 1 / scale;
                       return ClampInt8(WrappingSum(ToInt32(x * reciprocal), zero_point));
                     });
                   },
                   "int32_minimum_wraps+reciprocal_in_float",
                   {"float_division"}});
  table.push_back({"odd_element_converts",
                   "QuantizeLinear/21/FLOAT-FLOAT-INT4/per_tensor", Level::kStandard,
                   [] {
                     return RunKernel(
                         21,
                         [](float x, float scale, int64_t zero_point, int64_t i,
                            int64_t count) -> int64_t {
                           if (i == count - 1 && count % 2 == 1) {
                             const int64_t sum =
                                 WrappingSum(ToInt32(x / scale), zero_point);
                             return std::clamp<int64_t>(sum, -8, 7);
                           }
                           const float q = std::clamp(x / scale, -1024.0F, 1024.0F);
                           return std::clamp<int64_t>(std::lrintf(q) + zero_point, -8, 7);
                         });
                   },
                   "int32_minimum_in_partial_bytes"});
  // The order of the names is theirs, not that of the search.
  table.push_back({"pair", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis",
                   Level::kStandard,
                   [] {
                     return MakeFaulty(S{.rounding = S::Rounding::kTowardZero,
                                         .overflow = S::Overflow::kWrap});
                   },
                   "truncates+wraps_at_output"});
  table.push_back({"three", "QuantizeLinear/25/FLOAT-FLOAT-UINT2/per_axis",
                   Level::kStandard,
                   [] {
                     return MakeFaulty(S{.default_precision = true,
                                         .overflow = S::Overflow::kInt32MinimumWraps,
                                         .scale_place = S::Place::kThirdOfByte,
                                         .zero_point_place = S::Place::kThirdOfByte});
                   },
                   "float_division+int32_minimum_on_overflow+scale_of_third_in_byte"});
  // Nothing of the catalogue explains half of it.
  table.push_back({"last_bit",
                   "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor",
                   Level::kStandard,
                   [] {
                     return std::make_unique<ChangedBackend>(
                         [](const Model&, std::span<const TensorView>, RunResult result) {
                           Tensor& y = FirstOutput(result);
                           const auto count =
                               static_cast<int64_t>(ReadCodes(y.view()).size());
                           for (int64_t i = 0; i < count; ++i) {
                             WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 4);
                           }
                           return result;
                         });
                   },
                   "",
                   {"nearest"}});
  return table;
}

class Naming : public testing::TestWithParam<Said> {};

TEST_P(Naming, SaysWhatTheTableHas) {
  const Said& said = GetParam();
  const std::unique_ptr<Backend> backend = said.make();
  const std::vector<CellRecord> records = RunOn(*backend, {said.cell}, said.level);
  ASSERT_EQ(records.size(), 1u);
  const CellRecord& record = records.front();
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  const std::string text = DiagnosisText(record);
  EXPECT_EQ(record.diagnosis, said.explained_by) << text;
  for (const char* never : said.never) EXPECT_THAT(text, Not(HasSubstr(never)));
}

INSTANTIATE_TEST_SUITE_P(All, Naming, testing::ValuesIn(Table()), [](const auto& tested) {
  return std::string(tested.param.name);
});

// By INT8 zero points of 0 alone the sum never wraps, and nothing that may be asked of
// this backend distinguishes the models: both are named, and no element is worked through
// by one of them.
TEST(Naming, ModelsThatNoCaseDistinguishes_AreAllNamed) {
  const auto backend = std::make_unique<ChangedBackend>(
      [](const Model& model, std::span<const TensorView> inputs, RunResult result) {
        const auto oracle = OracleModel::Create(model);
        const auto answer = oracle->Evaluate(inputs);
        const auto made = DecodeCase(model, 21, inputs, *answer);
        const DecodedQuantizeLinear& d = quantize_linear::Case::Of(**made);
        FaultState state;
        const Codes one =
            (*made)->CodesOf(*FindFault("int32_minimum_on_overflow"), state);
        const Codes other = (*made)->CodesOf(*FindFault("int32_minimum_wraps"), state);
        Tensor& y = FirstOutput(result);
        // Where they differ, it declines.
        if (one != other) return RunResult(Unsupported{.reason = "not here", .url = ""});
        for (size_t i = 0; i < d.x_values.size(); ++i) {
          WriteCode(y.mutable_view(), static_cast<int64_t>(i), one[i]);
        }
        return result;
      });
  const std::vector<CellRecord> records = RunOn(
      *backend, {"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"}, Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  const CellRecord& record = records.front();
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_EQ(record.diagnosis, "int32_minimum_on_overflow or int32_minimum_wraps");
  EXPECT_THAT(record.deviation->also_explained_by,
              ElementsAre("int32_minimum_on_overflow", "int32_minimum_wraps"));
  const std::string text = DiagnosisText(record);
  EXPECT_THAT(
      text, HasSubstr("Explained by int32_minimum_on_overflow or int32_minimum_wraps."));
  EXPECT_THAT(text, HasSubstr("No case that was asked distinguishes these."));
}

}  // namespace
}  // namespace qconform
