#include "harness/core/bench/convolution_shapes.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(ConvolutionShapes, Corpora_AreTheConvolutionsOfTheirNetworks) {
  const auto corpora = ConvolutionCorpora();
  ASSERT_EQ(corpora.size(), 2u);
  for (const ConvolutionCorpus& corpus : corpora) {
    int count = 0;
    int64_t operations = 0;
    for (const ConvolutionShape& shape : corpus.shapes) {
      count += shape.times;
      operations += shape.times * shape.operations();
    }
    // Twice the multiply-adds that are published, without the last layer.
    const bool is_resnet = corpus.name == "resnet50";
    EXPECT_EQ(count, is_resnet ? 53 : 52) << corpus.name;
    EXPECT_EQ(operations / 1000000, is_resnet ? 8174 : 598) << corpus.name;
  }
}

TEST(ConvolutionShapes, Name_HasWhatTellsShapesApart) {
  EXPECT_EQ(NameOf({64, 56, 64, 3, 1, 1, 1, 3}), "64x56x56 64 3x3");
  EXPECT_EQ(NameOf({144, 56, 144, 3, 2, 1, 144, 1}), "144x56x56 144 3x3/2 depthwise");
}

}  // namespace
}  // namespace qconform
