// Backends that follow an admissible reading and have a fault besides: the reading
// accuses nobody, and the fault shows as it does over the canonical readings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/backends/faulty/decode.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/operators/quantize_linear/faults.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPerAxis = "QuantizeLinear/21/FLOAT16-FLOAT16-INT8/per_axis";
constexpr const char* kF32Quotient = "QL-04:f32_quotient";
constexpr const char* kPerColumn =
    "QLinearMatMul/10/FLOAT-UINT8-INT8-UINT8/per_tensor-per_column";
constexpr const char* kPerTensor =
    "QLinearMatMul/10/FLOAT-UINT8-INT8-UINT8/per_tensor-per_tensor";
constexpr const char* kAbFirst = "MM-02:f32_multiplier_ab_first";

CellRecord RunStandard(Backend& backend, const std::string& cell) {
  const std::vector<CellRecord> records = RunOn(backend, {cell}, Level::kStandard);
  EXPECT_EQ(records.size(), 1u) << cell;
  return records.empty() ? CellRecord() : records.front();
}

const Deviation& DeviationOf(const CellRecord& record) {
  static const Deviation kNone;
  EXPECT_TRUE(record.deviation.has_value()) << record.cell;
  return record.deviation ? *record.deviation : kNone;
}

// A kernel that skips an x of 0 follows the readings of a zero's sign in part: sums over
// readings, which have no set of their own, are compared as well.
TEST(Followed, ZeroXIsSkipped_EndsWithADeviation) {
  ChangedBackend backend([](const Model&, auto inputs, RunResult result) -> RunResult {
    if (!std::holds_alternative<Outputs>(result)) return result;
    Tensor& y = FirstOutput(result);
    for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
      if (ReadCode(inputs[0], i) == 0) WriteCode(y.mutable_view(), i, 0);
    }
    return result;
  });
  const CellRecord record =
      RunStandard(backend, "DequantizeLinear/21/INT8-FLOAT-FLOAT/per_tensor");
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(DeviationOf(record).pattern, Contains("only where x is 0"));
}

// Changes the answers of a backend that follows a reading; "canonical" among them.
using Spoil = std::function<void(const Model&, std::span<const TensorView>, Tensor& y)>;

ChangedBackend Following(const std::string& reading, Spoil spoil) {
  return ChangedBackend(
      [reading, spoil](const Model& model, auto inputs, RunResult result) -> RunResult {
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Readings(inputs);
        for (const ReadingSet& choice : *choices) {
          if (Spell(choice) != reading) continue;
          Outputs outputs = PackAnswer(*oracle->Evaluate(inputs, choice));
          spoil(model, inputs, outputs.front());
          return outputs;
        }
        return result;
      });
}

void FlipLastBit(Tensor& y, int64_t i) {
  WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 1);
}

// Of scale 3, where there is one.
void SpoilOneChannel(const Model& model, std::span<const TensorView> inputs, Tensor& y) {
  const auto oracle = OracleModel::Create(model);
  const auto decoded =
      DecodeCase(model, oracle->since_version(), inputs, *oracle->Evaluate(inputs));
  const QuantizeLinearLayout& layout = quantize_linear::Case::Of(**decoded).layout;
  for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
    const int64_t line = i / layout.inner;
    const int64_t at =
        layout.ScaleIndex(line / layout.axis, line % layout.axis, i % layout.inner);
    if (at == 3) FlipLastBit(y, i);
  }
}

TEST(Followed, FaultInOneChannel_IsAllThatIsLeft) {
  ChangedBackend canonical = Following("canonical", SpoilOneChannel);
  const CellRecord plain = RunStandard(canonical, kPerAxis);
  EXPECT_EQ(DeviationOf(plain).follows, "");
  EXPECT_THAT(DeviationOf(plain).pattern, Contains("only elements of scale 3"));

  ChangedBackend backend = Following(kF32Quotient, SpoilOneChannel);
  const CellRecord record = RunStandard(backend, kPerAxis);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(DeviationOf(record).follows, kF32Quotient);
  EXPECT_THAT(DeviationOf(record).pattern, Contains("only elements of scale 3"));
  EXPECT_EQ(record.mismatches(), plain.mismatches());
  EXPECT_EQ(DeviationOf(record).elements_deviating, record.mismatches());
  for (const Counterexample& example : record.counterexamples) {
    EXPECT_NE(example.expected.bits, example.actual.bits);
    EXPECT_EQ(example.reading, "");
  }
  EXPECT_THAT(DiagnosisText(record),
              HasSubstr(std::string("All others follow ") + kF32Quotient));
}

TEST(Followed, RareFault_IsCountedAlone) {
  std::atomic<int64_t> planted{0};
  const auto spoil = [&](const Model&, auto, Tensor& y) {
    if (*ElementCount(y.shape) < 1000) return;
    FlipLastBit(y, 517);
    ++planted;
  };
  ChangedBackend backend = Following(kF32Quotient, spoil);
  const CellRecord record = RunStandard(backend, kPerAxis);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(DeviationOf(record).follows, kF32Quotient);
  EXPECT_GT(record.mismatches(), 0);
  EXPECT_LE(record.mismatches(), planted);
  EXPECT_THAT(record.reading, HasSubstr(kF32Quotient));
}

TEST(Followed, TiesAwayOverAReadingOfTheQuotient_IsNamed) {
  ChangedBackend backend(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        Tensor& y = FirstOutput(result);
        const auto oracle = OracleModel::Create(model);
        const auto operands = [&](int64_t i) {
          return *oracle->OperandsOfElement(inputs, {0, i});
        };
        for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
          const std::vector<ElementOperand> of = operands(i);
          const auto value = [&](size_t at) {
            return std::strtod(ValueToString(of[at].type, of[at].code).c_str(), nullptr);
          };
          const float q = static_cast<float>(value(0)) / static_cast<float>(value(1));
          if (std::isnan(q)) continue;
          const double zero = of.size() > 2 ? static_cast<int8_t>(of[2].code) : 0;
          const double sum = std::clamp(std::round(double{q}) + zero, -128.0, 127.0);
          WriteCode(y.mutable_view(), i, static_cast<uint8_t>(static_cast<int>(sum)));
        }
        return result;
      });
  const CellRecord record = RunStandard(backend, kPerAxis);
  EXPECT_EQ(record.diagnosis, "ties_away") << DiagnosisText(record);
  EXPECT_EQ(DeviationOf(record).follows, kF32Quotient);
  EXPECT_GT(DeviationOf(record).elements_confirmed, 0);
  EXPECT_THAT(DiagnosisText(record),
              HasSubstr(std::string("Explained by ties_away, over ") + kF32Quotient));
}

// A kernel of deployed backends, in the machine's own floats. Elements that it does not
// have as the reading does (sums beyond INT32) keep the reading's answer.
class FloatKernel {
 public:
  bool saturates_pairs = false;
  bool ties_away = false;
  bool forgets_empty_sums = false;
  bool clamps_first = false;  // before the zero point is added, and the sum again
  bool forgets_zero_point = false;

  void operator()(const Model& model, std::span<const TensorView> inputs,
                  Tensor& y) const {
    const auto oracle = OracleModel::Create(model);
    for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
      const auto alone = *oracle->IsolateElement(inputs, {0, i});
      if (FloatKernel().CodeOf(alone) != ReadCode(y.view(), i)) continue;
      const uint64_t code = CodeOf(alone);
      const bool unwritten = forgets_empty_sums && *ElementCount(alone[0].shape) == 0;
      WriteCode(y.mutable_view(), i, unwritten ? 0x5A : code == kNan ? 0 : code);
    }
  }

 private:
  static constexpr uint64_t kNan = 256;

  static float Scale(const Tensor& tensor) {
    const auto code = static_cast<uint32_t>(ReadCode(tensor.view(), 0));
    float value;
    std::memcpy(&value, &code, sizeof value);
    return value;
  }

  uint64_t CodeOf(const std::vector<Tensor>& of) const {
    const int a_zero = static_cast<int>(ReadCode(of[2].view(), 0));
    const int b_zero = static_cast<int8_t>(ReadCode(of[5].view(), 0));
    const int64_t terms = *ElementCount(of[0].shape);
    int sum = 0;
    int pair = 0;
    for (int64_t k = 0; k < terms; ++k) {
      const int a = static_cast<int>(ReadCode(of[0].view(), k));
      const int b = static_cast<int8_t>(ReadCode(of[3].view(), k));
      sum += (a - a_zero) * (b - b_zero) - a * b;
      pair += a * b;
      if (k % 2 == 0 && k + 1 < terms) continue;
      sum += saturates_pairs ? std::clamp(pair, -32768, 32767) : pair;
      pair = 0;
    }
    const float m = Scale(of[1]) * Scale(of[4]) / Scale(of[6]);
    const float v = static_cast<float>(sum) * m;
    double rounded = ties_away ? std::round(double{v}) : std::nearbyint(double{v});
    const double zero =
        forgets_zero_point ? 0 : static_cast<double>(ReadCode(of[7].view(), 0));
    if (std::isnan(rounded)) return kNan;
    if (clamps_first) rounded = std::clamp(rounded, 0.0, 255.0);
    return static_cast<uint64_t>(std::clamp(rounded + zero, 0.0, 255.0));
  }
};

TEST(Followed, SaturatingProductsOverAFloatMultiplier_AreNamed) {
  FloatKernel kernel;
  kernel.saturates_pairs = true;
  ChangedBackend backend = Following(kAbFirst, kernel);
  const CellRecord record = RunStandard(backend, kPerColumn);
  EXPECT_EQ(record.diagnosis, "int16_saturating_products") << DiagnosisText(record);
  EXPECT_EQ(DeviationOf(record).follows, kAbFirst);
  EXPECT_EQ(DeviationOf(record).elements_explained,
            DeviationOf(record).elements_deviating);
  EXPECT_FALSE(record.counterexamples.empty());
}

// Hardly an element is left that shows what reading it follows.
TEST(Followed, TwoFaultsOverAFloatMultiplier_AreNamed) {
  FloatKernel kernel;
  kernel.saturates_pairs = true;
  kernel.forgets_empty_sums = true;
  ChangedBackend backend = Following(kAbFirst, kernel);
  const CellRecord record = RunStandard(backend, kPerTensor);
  EXPECT_EQ(record.diagnosis, "empty_sum_unwritten+int16_saturating_products")
      << DiagnosisText(record);
  EXPECT_EQ(DeviationOf(record).follows, kAbFirst);
  EXPECT_EQ(DeviationOf(record).elements_explained,
            DeviationOf(record).elements_deviating);
}

TEST(Followed, TiesAwayOverAFloatMultiplier_IsNamed) {
  FloatKernel kernel;
  kernel.ties_away = true;
  ChangedBackend backend = Following(kAbFirst, kernel);
  const CellRecord record = RunStandard(backend, kPerColumn);
  EXPECT_EQ(record.diagnosis, "ties_away") << DiagnosisText(record);
  EXPECT_EQ(DeviationOf(record).follows, kAbFirst);
}

// Infinite scales, and a y_scale of 0, show a fault of the last steps too: no second one
// is named for these.
TEST(Followed, FaultOfTheLastSteps_IsNamedAloneWhereScalesAreInfinite) {
  FloatKernel clamps;
  clamps.clamps_first = true;
  FloatKernel forgets;
  forgets.forgets_zero_point = true;
  for (const auto& [kernel, name] : {std::pair(clamps, "clamp_before_zero_point"),
                                     std::pair(forgets, "zero_point_ignored")}) {
    ChangedBackend backend = Following(kAbFirst, kernel);
    const CellRecord record = RunStandard(backend, kPerTensor);
    EXPECT_EQ(record.diagnosis, name) << DiagnosisText(record);
    EXPECT_EQ(DeviationOf(record).follows, kAbFirst);
  }
}

// Float8 sums at an end of the wider bound, and one code beyond it in one element.
TEST(Followed, ReducedPrecision_IsAdmissibleByNameAndNoFurther) {  // MM-10
  constexpr const char* kCell =
      "QLinearMatMul/21/FLOAT-FLOAT8E4M3FN-FLOAT8E4M3FN-UINT8/per_tensor-per_tensor";
  std::atomic<int> beyond{0};
  const auto at_the_end = [&](bool goes_beyond) {
    return [&beyond, goes_beyond](const Model& model, std::span<const TensorView> inputs,
                                  Tensor& y) {
      const auto oracle = OracleModel::Create(model);
      const auto choices = oracle->Readings(inputs);
      const ReadingSet& widest = choices->back();
      ASSERT_TRUE(widest.kind == ReadingSet::Kind::kWider);
      const CaseAnswer answer = *oracle->Evaluate(inputs, widest);
      bool went = !goes_beyond;
      for (size_t i = 0; i < answer.elements.size(); ++i) {
        if (answer.elements[i].freedom != Freedom::kNone) continue;
        const CodeBounds& bounds = *answer.bounds[i];
        const bool goes =
            !went && bounds.wider_high != bounds.high && bounds.wider_high < 255;
        WriteCode(y.mutable_view(), static_cast<int64_t>(i),
                  bounds.wider_high + (goes ? 1 : 0));
        went = went || goes;
        beyond += goes ? 1 : 0;
      }
    };
  };
  ChangedBackend within = Following("canonical", at_the_end(false));
  const CellRecord admissible = RunStandard(within, kCell);
  EXPECT_EQ(admissible.verdict, Verdict::kAdmissible);
  EXPECT_THAT(admissible.reading, HasSubstr("MM-10:reduced_precision_accumulation"));
  EXPECT_GT(admissible.by_wider_bound.at("regular"), 0);
  EXPECT_EQ(beyond, 0);
  ChangedBackend outside = Following("canonical", at_the_end(true));
  const CellRecord wrong = RunStandard(outside, kCell);
  EXPECT_EQ(wrong.verdict, Verdict::kNonconformant);
  EXPECT_GT(beyond, 0);
  EXPECT_LE(wrong.mismatches(), beyond);
}

// A bound is followed like a function: float8 sums in FLOAT.
TEST(Followed, BoundedSums_AccuseNobodyEither) {
  constexpr const char* kCell =
      "QLinearMatMul/21/FLOAT-FLOAT8E4M3FN-FLOAT8E4M3FN-UINT8/per_tensor-per_tensor";
  const auto with = [](uint64_t change) {
    return [change](const Model& model, std::span<const TensorView> inputs, Tensor& y) {
      const auto oracle = OracleModel::Create(model);
      const auto choices = oracle->Readings(inputs);
      for (const ReadingSet& choice : *choices) {
        if (Spell(choice) != "MM-10:bounded") continue;
        const CaseAnswer answer = *oracle->Evaluate(inputs, choice);
        for (size_t i = 0; i < answer.elements.size(); ++i) {
          const auto at = static_cast<int64_t>(i);
          if (answer.elements[i].freedom != Freedom::kNone) continue;
          WriteCode(y.mutable_view(), at, answer.bounds[i]->high);
          if (change != 0 && i == 7) WriteCode(y.mutable_view(), at, 0x55);
        }
      }
    };
  };
  ChangedBackend sound = Following("canonical", with(0));
  EXPECT_EQ(RunStandard(sound, kCell).verdict, Verdict::kAdmissible);
  ChangedBackend backend = Following("canonical", with(1));
  const CellRecord record = RunStandard(backend, kCell);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(DeviationOf(record).follows, "MM-10:bounded");
  EXPECT_LE(record.mismatches(), record.cases);
}

// Wrong throughout, but over the canonical readings: not fitted to another by chance.
TEST(Followed, PlainlyWrongBackends_AreNotFittedToAReading) {
  const std::vector<Spoil> wrong{[](const Model&, auto, Tensor& y) {
                                   for (int64_t i = 0; i < *ElementCount(y.shape); ++i)
                                     FlipLastBit(y, i);
                                 },
                                 [](const Model&, auto, Tensor& y) {
                                   for (int64_t i = 3; i < *ElementCount(y.shape); i += 8)
                                     FlipLastBit(y, i);
                                 },
                                 [](const Model&, auto, Tensor& y) {
                                   for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
                                     WriteCode(y.mutable_view(), i,
                                               (ReadCode(y.view(), i) + 1) & 0xFF);
                                   }
                                 }};
  int asked = 0;
  for (const char* cell : {kPerAxis, kPerColumn}) {
    for (const Spoil& spoil : wrong) {
      ChangedBackend backend = Following("canonical", spoil);
      const CellRecord record = RunStandard(backend, cell);
      EXPECT_EQ(record.verdict, Verdict::kNonconformant);
      EXPECT_EQ(DeviationOf(record).follows, "") << cell << " " << asked;
      ++asked;
    }
  }
  EXPECT_EQ(asked, 6);
}

// Float8 kernels that add a zero point in P (QL-24), and have one more fault.
TEST(Followed, OneMoreFaultOfAZeroPointAddedInP_IsNamed) {
  constexpr const char* kAddedInP = "QL-24:added_in_p";
  struct Step {
    const char* fault;
    std::function<uint64_t(const DecodedQuantizeLinear&, const Unrounded&)> code_of;
  };
  const auto rounded = [](const DecodedQuantizeLinear& d, const Unrounded& sum,
                          RoundingMode mode) {
    return Round(*d.y, sum, mode,
                 d.saturate ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating);
  };
  const std::vector<Step> steps{
      {"ties_away",
       [&](const auto& d, const Unrounded& sum) {
         return rounded(d, sum, RoundingMode::kNearestAway);
       }},
      {"float_subnormals_flushed", [&](const auto& d, const Unrounded& sum) {
         const uint64_t code = rounded(d, sum, RoundingMode::kNearestEven);
         const uint64_t sign = d.y->has_negative_zero ? code & 0x80 : 0;
         return IsSubnormal(*d.y, code) ? sign : code;
       }}};
  int cells = 0;
  for (const Step& step : steps) {
    ChangedBackend backend([&](const Model& model, auto inputs, RunResult result) {
      const auto oracle = OracleModel::Create(model);
      const auto decoded =
          DecodeCase(model, oracle->since_version(), inputs, *oracle->Evaluate(inputs));
      const DecodedQuantizeLinear& d = quantize_linear::Case::Of(**decoded);
      const QuantizeLinearLayout& layout = d.layout;
      Tensor& y = FirstOutput(result);
      for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
        const int64_t line = i / layout.inner;
        const auto at = static_cast<size_t>(
            layout.ScaleIndex(line / layout.axis, line % layout.axis, i % layout.inner));
        const ExactValue& zero = d.zero_points[d.zero_points.size() == 1 ? 0 : at];
        Unrounded sum = d.quotients[static_cast<size_t>(i)];
        if (zero.value_class != ValueClass::kZero) {
          sum = Add(sum, zero);
          if (sum.value_class == ValueClass::kFinite) {
            sum = ToUnrounded(
                Decode(*d.precision, Round(*d.precision, sum, RoundingMode::kNearestEven,
                                           OverflowPolicy::kNonSaturating)));
          }
        }
        if (sum.value_class == ValueClass::kNan) continue;
        if (sum.value_class == ValueClass::kInfinity) continue;
        WriteCode(y.mutable_view(), i, step.code_of(d, sum));
      }
      return result;
    });
    for (const CellRecord& record :
         RunOn(backend,
               {"QuantizeLinear/25/FLOAT-FLOAT-FLOAT8E4M3FN/per_axis",
                "QuantizeLinear/25/FLOAT16-FLOAT16-FLOAT8E5M2/per_tensor",
                "QuantizeLinear/25/FLOAT-FLOAT-FLOAT8E4M3FNUZ/per_tensor"},
               Level::kStandard)) {
      ++cells;
      EXPECT_EQ(record.diagnosis, step.fault)
          << record.cell << ": " << DiagnosisText(record);
      EXPECT_THAT(DeviationOf(record).follows, HasSubstr(kAddedInP)) << record.cell;
    }
  }
  EXPECT_EQ(cells, 6);
}

TEST(Followed, ShareOfElements_IsNotCalledAProof) {
  ChangedBackend backend = Following("canonical", [](const Model&, auto, Tensor& y) {
    for (int64_t i = 0; i < *ElementCount(y.shape); i += 8) FlipLastBit(y, i);
  });
  const std::string text = DiagnosisText(RunStandard(backend, kPerAxis));
  EXPECT_THAT(text, Not(HasSubstr("not the cause")));
}

}  // namespace
}  // namespace qconform
