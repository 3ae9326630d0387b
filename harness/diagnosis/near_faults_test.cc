// Backends that are in no list: wrong near the catalogue and outside of it, which get
// their pattern and no name; ones that follow a reading throughout, which pass by it; and
// one that mixes two, which shows an element for each side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/faulty/decode.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/operators/quantize_linear/faults.h"
#include "harness/runner/selection.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using testing::Contains;
using testing::HasSubstr;

// What a backend sees of a call, and what the oracle answers to it.
struct Call {
  const Model& model;
  std::span<const TensorView> inputs;
  Tensor& y;

  int64_t size() const { return *ElementCount(y.shape); }
  uint64_t code(int64_t i) const { return ReadCode(y.view(), i); }
  void Set(int64_t i, uint64_t code) {
    const int bits = FormatOf(y.type).bits;
    WriteCode(y.mutable_view(), i, code & ((uint64_t{1} << bits) - 1));
  }
  // Decoded as the catalogue's models see it.
  std::shared_ptr<const DecodedCase> Decode(int since_version) const {
    const auto oracle = OracleModel::Create(model);
    return *DecodeCase(model, since_version, inputs, *oracle->Evaluate(inputs));
  }
};

using Change = std::function<void(Call)>;

// The oracle's answers, changed.
class ChangedBackend : public Backend {
 public:
  explicit ChangedBackend(Change change) : change_(std::move(change)) {}
  const BackendInfo& info() const override { return oracle_->info(); }
  PrepareResult Prepare(const Model& model) override {
    auto prepared = oracle_->Prepare(model);
    auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
    if (ready == nullptr) return prepared;
    return std::make_unique<Changed>(model, std::move(*ready), change_);
  }

 private:
  class Changed : public PreparedModel {
   public:
    Changed(Model model, std::unique_ptr<PreparedModel> inner, const Change& change)
        : model_(std::move(model)), inner_(std::move(inner)), change_(change) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      RunResult result = inner_->Run(inputs);
      auto* outputs = std::get_if<Outputs>(&result);
      if (outputs != nullptr) change_({model_, inputs, outputs->front()});
      return result;
    }

   private:
    Model model_;
    std::unique_ptr<PreparedModel> inner_;
    const Change& change_;
  };

  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  Change change_;
};

CellRecord RunStandard(Backend& backend, const std::string& cell) {
  const std::vector<CellRecord> records = RunOn(backend, {cell}, Level::kStandard);
  EXPECT_EQ(records.size(), 1u) << cell;
  return records.empty() ? CellRecord() : records.front();
}

// A fault that no model names: its cell, what it does, and the words of its pattern.
struct Unknown {
  const char* name;
  const char* cell;
  Change change;
  const char* pattern;
};

void PrintTo(const Unknown& unknown, std::ostream* out) { *out << unknown.name; }

// Whether |x / y_scale| >= 2^31, by the decoded operands.
bool IsBeyondInt32(const DecodedQuantizeLinear& decoded, int64_t i) {
  const Unrounded& q = decoded.quotients[static_cast<size_t>(i)];
  return q.value_class == ValueClass::kFinite && q.significand != 0 &&
         TopBit(q.significand) + q.exponent >= 31;
}

std::vector<Unknown> UnknownFaults() {
  std::vector<Unknown> faults;
  faults.push_back({"every_eighth", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor",
                    [](Call call) {
                      for (int64_t i = 3; i < call.size(); i += 8) {
                        call.Set(i, call.code(i) ^ 1);
                      }
                    },
                    "only elements whose index modulo 8 is 3"});
  faults.push_back({"last_element", "QuantizeLinear/21/FLOAT-FLOAT-INT16/per_tensor",
                    [](Call call) {
                      if (call.size() > 0)
                        call.Set(call.size() - 1, call.code(call.size() - 1) ^ 1);
                    },
                    "only the last element of a tensor"});
  faults.push_back({"tail_of_16", "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_axis",
                    [](Call call) {
                      for (int64_t i = call.size() / 16 * 16; i < call.size(); ++i) {
                        call.Set(i, call.code(i) ^ 1);
                      }
                    },
                    "only elements behind the last multiple of 16"});
  faults.push_back({"last_block", "QuantizeLinear/21/FLOAT-FLOAT-INT8/blocked",
                    [](Call call) {
                      const auto decoded = call.Decode(21);
                      const QuantizeLinearLayout& layout =
                          quantize_linear::Case::Of(*decoded).layout;
                      for (int64_t i = 0; i < call.size(); ++i) {
                        const int64_t block =
                            i / layout.inner % layout.axis / layout.block;
                        if (block == layout.blocks - 1) call.Set(i, call.code(i) ^ 1);
                      }
                    },
                    "only the last block along the axis"});
  faults.push_back({"one_channel", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis",
                    [](Call call) {
                      const auto decoded = call.Decode(21);
                      const QuantizeLinearLayout& layout =
                          quantize_linear::Case::Of(*decoded).layout;
                      for (int64_t i = 0; i < call.size(); ++i) {
                        if (i / layout.inner % layout.axis == 1)
                          call.Set(i, call.code(i) ^ 1);
                      }
                    },
                    "only elements of scale 1"});
  faults.push_back({"negative_x", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor",
                    [](Call call) {
                      const auto decoded = call.Decode(21);
                      for (int64_t i = 0; i < call.size(); ++i) {
                        const auto at = static_cast<size_t>(i);
                        if (quantize_linear::Case::Of(*decoded).x_values[at].negative) {
                          call.Set(i, call.code(i) ^ 2);
                        }
                      }
                    },
                    "only negative x"});
  faults.push_back(
      {"infinity_is_one", "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor",
       [](Call call) {
         const auto decoded = call.Decode(21);
         for (int64_t i = 0; i < call.size(); ++i) {
           const auto at = static_cast<size_t>(i);
           if (quantize_linear::Case::Of(*decoded).quotients[at].value_class ==
               ValueClass::kInfinity) {
             call.Set(i, 1);
           }
         }
       },
       "only infinite quotients"});
  faults.push_back({"beyond_int32_is_77",
                    "QuantizeLinear/21/FLOAT-FLOAT-INT16/per_tensor",
                    [](Call call) {
                      const auto decoded = call.Decode(21);
                      for (int64_t i = 0; i < call.size(); ++i) {
                        if (IsBeyondInt32(quantize_linear::Case::Of(*decoded), i))
                          call.Set(i, 77);
                      }
                    },
                    "only where |q| >= 2^31"});
  // Near ties_away, which moves every tie: this one moves those of large results.
  faults.push_back({"large_ties_away", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor",
                    [](Call call) {
                      const auto decoded = call.Decode(21);
                      FaultState state;
                      const auto away = decoded->CodesOf(*FindFault("ties_away"), state);
                      for (int64_t i = 0; i < call.size(); ++i) {
                        const auto at = static_cast<size_t>(i);
                        const bool large = (call.code(i) & 0x40) != 0;
                        if (large) call.Set(i, away[at]);
                      }
                    },
                    "only ties"});
  // Near truncates: three quarters up is up, below that it truncates.
  faults.push_back(
      {"rounds_up_from_three_quarters", "QuantizeLinear/21/FLOAT-FLOAT-INT16/per_tensor",
       [](Call call) {
         const auto decoded = call.Decode(21);
         FaultState state;
         const auto down = decoded->CodesOf(*FindFault("truncates"), state);
         for (int64_t i = 0; i < call.size(); ++i) {
           const auto at = static_cast<size_t>(i);
           const Unrounded& q = quantize_linear::Case::Of(*decoded).quotients[at];
           if (q.value_class != ValueClass::kFinite) continue;
           const double size = std::ldexp(static_cast<double>(q.significand), q.exponent);
           if (size - std::floor(size) < 0.75) call.Set(i, down[at]);
         }
       },
       ""});
  return faults;
}

class UnknownFault : public testing::TestWithParam<Unknown> {};

TEST_P(UnknownFault, GetsItsPatternAndNoName) {
  const Unknown& unknown = GetParam();
  ChangedBackend backend(unknown.change);
  const CellRecord record = RunStandard(backend, unknown.cell);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(record.diagnosis, "");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_GT(record.deviation->elements_deviating, 0);
  EXPECT_TRUE(record.deviation->mixed_readings.empty());
  if (*unknown.pattern != 0) {
    EXPECT_THAT(record.deviation->pattern, Contains(unknown.pattern));
  }
  ASSERT_FALSE(record.counterexamples.empty());
  EXPECT_FALSE(record.counterexamples.front().steps.empty());
}

INSTANTIATE_TEST_SUITE_P(All, UnknownFault, testing::ValuesIn(UnknownFaults()),
                         [](const auto& tested) {
                           return std::string(tested.param.name);
                         });

// It gives what ties_away gives in all cases of the cell, and stops at that: what a model
// does not foretell it does not explain.
TEST(Diagnosis, ModelThatFailsOnFurtherCases_IsNotNamed) {
  const std::string cell = "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor";
  const auto selected = SelectCells({cell});
  const size_t cases =
      CasesOf((*selected)[0].cell, (*selected)[0].versions, Level::kStandard).size();
  size_t calls = 0;
  ChangedBackend backend([&](Call call) {
    // The cell's cases, the one that is asked again, and the moved one.
    if (++calls > cases + 2) return;
    const auto decoded = call.Decode(21);
    FaultState state;
    const auto away = decoded->CodesOf(*FindFault("ties_away"), state);
    for (int64_t i = 0; i < call.size(); ++i) call.Set(i, away[static_cast<size_t>(i)]);
  });
  const CellRecord record = RunStandard(backend, cell);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(record.diagnosis, "");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_EQ(record.deviation->nearest, "ties_away");
}

TEST(Diagnosis, NamedModel_IsConfirmedAndWorkedThrough) {
  ChangedBackend backend([&](Call call) {
    const auto decoded = call.Decode(21);
    FaultState state;
    const auto away = decoded->CodesOf(*FindFault("ties_away"), state);
    for (int64_t i = 0; i < call.size(); ++i) call.Set(i, away[static_cast<size_t>(i)]);
  });
  const CellRecord record =
      RunStandard(backend, "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor");
  EXPECT_EQ(record.diagnosis, "ties_away");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_EQ(record.deviation->elements_explained, record.deviation->elements_deviating);
  EXPECT_GT(record.deviation->elements_confirmed, 100);
  const std::vector<WorkedStep>& steps = record.counterexamples.front().steps;
  ASSERT_GE(steps.size(), 3u);
  EXPECT_THAT(steps[0].step, HasSubstr("q = x / y_scale"));
  EXPECT_THAT(steps[0].expected, HasSubstr(".5"));
  EXPECT_EQ(steps[0].expected, steps[0].actual);
  EXPECT_NE(steps[1].expected, steps[1].actual);
}

// Of the indices that are 16 modulo 64 all are 16 modulo 32.
TEST(Diagnosis, PatternThatFollowsFromAnother_IsLeftOut) {
  ChangedBackend backend([](Call call) {
    for (int64_t i = 16; i < call.size(); i += 64) call.Set(i, call.code(i) ^ 1);
  });
  const CellRecord record =
      RunStandard(backend, "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_THAT(record.deviation->pattern,
              testing::ElementsAre("only elements whose index modulo 64 is 16"));
}

// Of infinite quotients and of those beyond what a trace holds.
TEST(Worked, QuotientBeyondAllIntegers_IsNotGivenANumberOfItsOwn) {
  std::set<std::string> seen;
  for (const bool infinite : {true, false}) {
    ChangedBackend backend([infinite](Call call) {
      const auto decoded = call.Decode(21);
      for (int64_t i = 0; i < call.size(); ++i) {
        const Unrounded& q =
            quantize_linear::Case::Of(*decoded).quotients[static_cast<size_t>(i)];
        const bool wanted = infinite ? q.value_class == ValueClass::kInfinity
                                     : q.value_class == ValueClass::kFinite &&
                                           TopBit(q.significand) + q.exponent >= 47;
        if (wanted) call.Set(i, 1);
      }
    });
    const CellRecord record =
        RunStandard(backend, "QuantizeLinear/21/FLOAT-FLOAT-INT16/per_tensor");
    EXPECT_FALSE(record.counterexamples.empty());
    for (const Counterexample& example : record.counterexamples) {
      if (example.steps.empty()) continue;  // one of a tier is worked through
      for (size_t i = 1; i + 1 < example.steps.size(); ++i) {
        const std::string& value = example.steps[i].expected;
        EXPECT_THAT(example.steps[0].expected, HasSubstr(value)) << example.steps[i].step;
        seen.insert(value);
      }
    }
  }
  EXPECT_TRUE(seen.contains("+Inf") || seen.contains("-Inf"));
  EXPECT_GE(seen.size(), 2u);
}

// Where the zero point is 0 or absent, too.
TEST(Worked, ModelsOfOverflow_DifferBeforeY) {
  int worked = 0;
  for (const char* name :
       {"int32_minimum_on_overflow", "wraps_at_int32", "saturates_at_int16"}) {
    ChangedBackend backend([name](Call call) {
      const auto decoded = call.Decode(21);
      FaultState state;
      const auto codes = decoded->CodesOf(*FindFault(name), state);
      for (int64_t i = 0; i < call.size(); ++i)
        call.Set(i, codes[static_cast<size_t>(i)]);
    });
    const CellRecord record =
        RunStandard(backend, "QuantizeLinear/21/FLOAT-FLOAT-UINT16/per_tensor");
    EXPECT_FALSE(record.counterexamples.empty()) << name;
    for (const Counterexample& example : record.counterexamples) {
      if (example.steps.empty()) continue;
      bool differs = false;
      for (size_t i = 0; i + 1 < example.steps.size(); ++i) {
        differs = differs || example.steps[i].expected != example.steps[i].actual;
      }
      EXPECT_TRUE(differs) << name;
      ++worked;
    }
  }
  EXPECT_GE(worked, 3);
}

// --- readings --------------------------------------------------------------------

std::optional<ReadingSet> ChoiceOf(const Model& model, std::span<const TensorView> inputs,
                                   const std::string& name) {
  const auto oracle = OracleModel::Create(model);
  const auto choices = oracle->Readings(inputs);
  for (const ReadingSet& choice : *choices) {
    if (Spell(choice) == name && !choice.is_bounded()) return choice;
  }
  return std::nullopt;
}

// Follows a reading wherever it applies.
ChangedBackend Following(const std::string& reading) {
  return ChangedBackend([reading](Call call) {
    const auto choice = ChoiceOf(call.model, call.inputs, reading);
    if (!choice) return;
    const auto oracle = OracleModel::Create(call.model);
    call.y = PackAnswer(*oracle->Evaluate(call.inputs, *choice)).front();
  });
}

// Cells whose readings, together, are all of the ledger.
constexpr const char* kCellsOfReadings[] = {
    "QuantizeLinear/13/INT32-FLOAT-INT8/per_axis",
    "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor",
    "QuantizeLinear/25/FLOAT-INT32-INT8/per_tensor",
    "QuantizeLinear/25/FLOAT16-FLOAT8E8M0-INT8/per_tensor",
    "QuantizeLinear/25/FLOAT-FLOAT16-FLOAT8E5M2FNUZ/per_tensor",
    "QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/per_tensor",
    "QuantizeLinear/25/FLOAT-FLOAT-FLOAT4E2M1/per_tensor",
    "QLinearMatMul/21/FLOAT16-UINT8-INT8-UINT8/per_tensor-per_tensor",
    "QLinearMatMul/21/FLOAT-FLOAT8E5M2-FLOAT8E5M2-FLOAT8E5M2/per_tensor-per_tensor"};

TEST(Readings, EachFollowedThroughout_IsAdmissibleAndShown) {
  std::set<std::string> followed;
  size_t own = 0;
  for (const char* cell : kCellsOfReadings) {
    const SelectedCell selected = (*SelectCells({cell}))[0];
    std::set<std::string> names;
    for (const CaseKey& key :
         CasesOf(selected.cell, selected.versions, Level::kStandard)) {
      const auto op_case = MakeCase(key, 1);
      const std::vector<TensorView> views = ViewsOf(op_case->inputs);
      const auto choices = OracleModel::Create(op_case->model)->Readings(views);
      for (const ReadingSet& choice : *choices) {
        const bool single = Spell(choice).find('+') == std::string::npos;
        if (single && !choice.is_bounded() && !choice.is_canonical())
          names.insert(Spell(choice));
      }
      if (names.size() > 1 && key.index > 2) break;
    }
    for (const std::string& name : names) {
      if (!followed.insert(name).second) continue;
      ChangedBackend backend = Following(name);
      const CellRecord record = RunStandard(backend, cell);
      if (record.verdict == Verdict::kConformant) {
        followed.erase(name);  // it does not show in this cell
        continue;
      }
      EXPECT_EQ(record.verdict, Verdict::kAdmissible) << name << " in " << cell;
      // Some are one function for what this cell asks; other cells tell them apart.
      own += record.reading.find(name) != std::string::npos ? 1 : 0;
      EXPECT_TRUE(record.counterexamples.empty());
      ASSERT_TRUE(record.example.has_value()) << name;
      EXPECT_NE(record.example->expected.bits, record.example->actual.bits);
    }
  }
  EXPECT_GE(followed.size(), 15u);
  EXPECT_GE(own * 3, followed.size() * 2);
}

TEST(Readings, TwoMixedInACell_ShowAnElementForEachSide) {
  ChangedBackend backend([](Call call) {
    const auto choice = ChoiceOf(call.model, call.inputs, "QL-04:f32_quotient");
    const CaseAnswer other =
        *OracleModel::Create(call.model)->Evaluate(call.inputs, *choice);
    for (int64_t i = 0; i < call.size(); i += 2) {
      call.Set(i, other.elements[static_cast<size_t>(i)].code);
    }
  });
  const CellRecord record =
      RunStandard(backend, "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor");
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(record.diagnosis, "");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_THAT(record.deviation->mixed_readings,
              testing::UnorderedElementsAre("canonical", "QL-04:f32_quotient"));
  ASSERT_GE(record.counterexamples.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const Counterexample& side = record.counterexamples[i];
    EXPECT_EQ(side.clause, "QL-04");
    EXPECT_EQ(side.reading == "canonical", side.expected.bits == side.actual.bits);
    EXPECT_THAT(side.message, HasSubstr("follows " + (side.reading == "canonical"
                                                          ? "the canonical reading"
                                                          : side.reading)));
  }
}

}  // namespace
}  // namespace qconform
