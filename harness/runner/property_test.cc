// The oracle and the kernels of every target cross-checked by RapidCheck, over
// all QuantizeLinear cells; and properties that any QuantizeLinear has.
//
// The seed is fixed unless RC_PARAMS says otherwise. A counterexample is shrunk,
// and kept as a file that `qconform replay` takes.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cases/corpus/stored_case.h"
#include "cases/operators/quantize_linear/testing/any_quantize_linear.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/registry/registry.h"
#include "harness/backends/registry/simd_backend.h"
#include "harness/backends/run_model.h"
#include "harness/runner/shrink/shrink.h"
#include "oracle/base/file.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using generators::QuantizeLinearParts;

// Before any test, and without effect where the user has set it.
const int kSeedIsFixed = setenv("RC_PARAMS", "seed=20 max_success=1500 max_size=100", 0);

std::vector<Cell> Cells() { return CellsOf("QuantizeLinear"); }

// Keeps the counterexample of a property; while RapidCheck shrinks, each
// smaller one replaces the one before.
std::string Keep(const OpCase& op_case, const std::string& backend) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("qconform_property_" + backend + ".json"))
                               .string();
  const StoredCase stored{op_case.model, op_case.inputs,
                          "found by a property on " + backend};
  const Status written = WriteFileAtomically(path, StoredCaseText(stored));
  return written ? "qconform replay " + path + " --backend " + backend
                 : written.error().message;
}

// Shows a disagreement as RapidCheck's failure.
void RequireAgreement(Backend& backend, const QuantizeLinearParts& parts) {
  const OpCase op_case = generators::ToCase(parts);
  const RunResult result = RunModel(backend, op_case).value();
  if (std::get_if<Outputs>(&result) == nullptr) {
    RC_FAIL("a legal model was not answered: " + Keep(op_case, backend.info().name));
  }
  if (DeviatesOn(backend)(op_case).value()) RC_FAIL(Keep(op_case, backend.info().name));
  RC_TAG(parts.cell.granularity);
}

class EveryTarget : public testing::TestWithParam<std::string> {};

TEST_P(EveryTarget, AgreesWithTheOracle) {
  auto backend = MakeBackend(GetParam(), {});
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  EXPECT_EQ((*backend)->info().name, GetParam());
  const bool agrees = rc::check(GetParam() + " gives the oracle's bits", [&] {
    RequireAgreement(**backend, *generators::AnyQuantizeLinear(Cells()));
  });
  EXPECT_TRUE(agrees);
}

std::vector<std::string> Targets() {
  std::vector<std::string> specs = {"simd"};
  for (const std::string& target : SupportedSimdTargets()) {
    specs.push_back("simd:" + target);
  }
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Simd, EveryTarget, testing::ValuesIn(Targets()),
                         [](const testing::TestParamInfo<std::string>& spec) {
                           std::string name = spec.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

// The answer of one element depends only on its own operands: whatever its
// neighbours are, shrinking to it keeps it.
RC_GTEST_PROP(QuantizeLinear, Threads_DoNotChangeTheBits, ()) {
  const auto one = MakeBackend("simd", {{"threads", "1"}});
  const auto three = MakeBackend("simd", {{"threads", "3"}});
  const OpCase op_case =
      generators::ToCase(*generators::AnyQuantizeLinear(Cells(), 3000));
  const RunResult a = RunModel(**one, op_case).value();
  const RunResult b = RunModel(**three, op_case).value();
  RC_ASSERT(std::get<Outputs>(a) == std::get<Outputs>(b));
}

// A wrong backend is found and shrunk: the properties can fail.
TEST(Property, PlantedFault_IsFoundAndShrunkToOneElement) {
  class Truncating : public Backend {
   public:
    const BackendInfo& info() const override { return info_; }
    PrepareResult Prepare(const Model& model) override {
      class Prepared : public PreparedModel {
       public:
        explicit Prepared(std::unique_ptr<PreparedModel> inner)
            : inner_(std::move(inner)) {}
        RunResult Run(std::span<const TensorView> inputs) override {
          RunResult result = inner_->Run(inputs);
          Tensor& y = std::get<Outputs>(result).front();
          const int64_t count = *ElementCount(y.shape);
          for (int64_t i = 0; i < count; ++i) {
            const uint64_t code = ReadCode(y.view(), i);
            if (code == 3) WriteCode(y.mutable_view(), i, 2);
          }
          return result;
        }

       private:
        std::unique_ptr<PreparedModel> inner_;
      };
      auto inner = oracle_->Prepare(model);
      return std::make_unique<Prepared>(
          std::get<std::unique_ptr<PreparedModel>>(std::move(inner)));
    }

   private:
    BackendInfo info_{.kind = "planted",
                      .name = "planted",
                      .version = "",
                      .vendor = "",
                      .device = "",
                      .details = {}};
    std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  } backend;
  int64_t smallest = 1 << 20;
  bool found = false;
  for (uint64_t seed = 1; seed <= 200 && !found; ++seed) {
    auto drawn = generators::AnyQuantizeLinear(Cells())(rc::Random(seed), 60);
    const auto deviates = [&](const QuantizeLinearParts& parts) {
      const OpCase op_case = generators::ToCase(parts);
      return DeviatesOn(backend)(op_case).value();
    };
    if (!deviates(drawn.value())) continue;
    found = true;
    for (bool shrunk = true; shrunk;) {
      shrunk = false;
      auto simpler = drawn.shrinks();
      while (auto next = simpler.next()) {
        if (!deviates(next->value())) continue;
        drawn = *next;
        shrunk = true;
        break;
      }
    }
    smallest = static_cast<int64_t>(drawn.value().x.size());
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(smallest, 1);
}

}  // namespace
}  // namespace qconform
