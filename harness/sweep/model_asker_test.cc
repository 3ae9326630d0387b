// An Error of the harness is not taken for an answer of the backend.
#include "harness/sweep/model_asker.h"

#include <gtest/gtest.h>

#include <memory>

namespace qconform {
namespace {

// Its adapter fails to prepare, or to run.
class FailingAdapter : public Backend {
 public:
  explicit FailingAdapter(bool prepares) : prepares_(prepares) {}
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model&) override {
    if (!prepares_) return HarnessFailed({"planted"});
    return std::make_unique<Prepared>();
  }

 private:
  class Prepared : public PreparedModel {
    RunResult Run(std::span<const TensorView>) override {
      return HarnessFailed({"planted"});
    }
  };
  bool prepares_;
  BackendInfo info_;
};

TEST(ModelAsker, ErrorOfTheHarness_IsNotNotedAsTheBackends) {
  Model model;
  model.outputs = {{"y", DataType::kUint8, {1}}};
  for (const bool prepares : {false, true}) {
    FailingAdapter backend(prepares);
    UnansweredNote note = WhyUnanswered::kAnswered;
    const auto asker = AskersOf(backend, &note)();
    const Status prepared = asker->Prepare(model);
    ASSERT_EQ(prepared.ok(), prepares);
    const std::string words =
        prepares ? asker->Run({}).error().message : prepared.error().message;
    EXPECT_EQ(words, "planted");
    EXPECT_EQ(note, WhyUnanswered::kAnswered);
  }
}

}  // namespace
}  // namespace qconform
