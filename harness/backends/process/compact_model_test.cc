#include "harness/backends/process/compact_model.h"

#include <gtest/gtest.h>

#include "cases/negative/negative_model.h"

namespace qconform {
namespace {

TEST(CompactModel, EveryNegativeModel_ComesBackAsItWas) {
  const auto models = NegativeModels();
  EXPECT_GT(models.size(), 500u);
  for (const NegativeModel& negative : models) {
    const Model& model = negative.question.model;
    const auto back = DecodeCompactModel(EncodeCompactModel(model));
    ASSERT_TRUE(back.ok()) << negative.id;
    EXPECT_EQ(*back, model) << negative.id;
  }
}

TEST(CompactModel, AttributesOfEveryKind_ComeBack) {
  Model model;
  model.node.attributes = {{"i", int64_t{-1}},
                           {"f", 0.5f},
                           {"s", std::string("text")},
                           {"ints", std::vector<int64_t>{1, -2}}};
  const auto back = DecodeCompactModel(EncodeCompactModel(model));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, model);
}

TEST(CompactModel, Graphs_ComeBack) {
  Model model;
  model.node = {"graphs.movers",
                "",
                {"x", "x_scale"},
                {"y"},
                {},
                {{"A", "", {"x", "x_scale"}, {"h"}, {{"axis", int64_t{1}}}},
                 {"B", "", {"h"}, {"y"}, {{"alpha", 0.5f}}}}};
  const std::string bytes = EncodeCompactModel(model);
  const auto back = DecodeCompactModel(bytes);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, model);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeCompactModel(std::string_view(bytes).substr(0, size)).ok())
        << size;
  }
}

TEST(CompactModel, EveryCut_IsAnError) {
  const std::string bytes = EncodeCompactModel(NegativeModels().front().question.model);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeCompactModel(std::string_view(bytes).substr(0, size)).ok())
        << size;
  }
  EXPECT_FALSE(DecodeCompactModel(bytes + "x").ok());
}

}  // namespace
}  // namespace qconform
