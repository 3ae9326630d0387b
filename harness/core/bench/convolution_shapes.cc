#include "harness/core/bench/convolution_shapes.h"

#include <array>
#include <string>

namespace qconform {
namespace {

constexpr ConvolutionShape Plain(int64_t in, int64_t size, int64_t out, int64_t kernel,
                                 int64_t stride, int times) {
  return {in, size, out, kernel, stride, kernel / 2, 1, times};
}

constexpr ConvolutionShape Depthwise(int64_t channels, int64_t size, int64_t stride,
                                     int times) {
  return {channels, size, channels, 3, stride, 1, channels, times};
}

constexpr std::array kResNet50 = {
    Plain(3, 224, 64, 7, 2, 1),     Plain(64, 56, 64, 1, 1, 1),
    Plain(64, 56, 64, 3, 1, 3),     Plain(64, 56, 256, 1, 1, 4),
    Plain(256, 56, 64, 1, 1, 2),    Plain(256, 56, 128, 1, 1, 1),
    Plain(128, 56, 128, 3, 2, 1),   Plain(128, 28, 512, 1, 1, 4),
    Plain(256, 56, 512, 1, 2, 1),   Plain(512, 28, 128, 1, 1, 3),
    Plain(128, 28, 128, 3, 1, 3),   Plain(512, 28, 256, 1, 1, 1),
    Plain(256, 28, 256, 3, 2, 1),   Plain(256, 14, 1024, 1, 1, 6),
    Plain(512, 28, 1024, 1, 2, 1),  Plain(1024, 14, 256, 1, 1, 5),
    Plain(256, 14, 256, 3, 1, 5),   Plain(1024, 14, 512, 1, 1, 1),
    Plain(512, 14, 512, 3, 2, 1),   Plain(512, 7, 2048, 1, 1, 3),
    Plain(1024, 14, 2048, 1, 2, 1), Plain(2048, 7, 512, 1, 1, 2),
    Plain(512, 7, 512, 3, 1, 2)};

constexpr std::array kMobileNetV2 = {
    Plain(3, 224, 32, 3, 2, 1),  Depthwise(32, 112, 1, 1),
    Plain(32, 112, 16, 1, 1, 1), Plain(16, 112, 96, 1, 1, 1),
    Depthwise(96, 112, 2, 1),    Plain(96, 56, 24, 1, 1, 1),
    Plain(24, 56, 144, 1, 1, 2), Depthwise(144, 56, 1, 1),
    Plain(144, 56, 24, 1, 1, 1), Depthwise(144, 56, 2, 1),
    Plain(144, 28, 32, 1, 1, 1), Plain(32, 28, 192, 1, 1, 3),
    Depthwise(192, 28, 1, 2),    Plain(192, 28, 32, 1, 1, 2),
    Depthwise(192, 28, 2, 1),    Plain(192, 14, 64, 1, 1, 1),
    Plain(64, 14, 384, 1, 1, 4), Depthwise(384, 14, 1, 4),
    Plain(384, 14, 64, 1, 1, 3), Plain(384, 14, 96, 1, 1, 1),
    Plain(96, 14, 576, 1, 1, 3), Depthwise(576, 14, 1, 2),
    Plain(576, 14, 96, 1, 1, 2), Depthwise(576, 14, 2, 1),
    Plain(576, 7, 160, 1, 1, 1), Plain(160, 7, 960, 1, 1, 3),
    Depthwise(960, 7, 1, 3),     Plain(960, 7, 160, 1, 1, 2),
    Plain(960, 7, 320, 1, 1, 1), Plain(320, 7, 1280, 1, 1, 1)};

constexpr std::array<ConvolutionCorpus, 2> kCorpora = {
    ConvolutionCorpus{"resnet50", kResNet50}, {"mobilenet_v2", kMobileNetV2}};

}  // namespace

std::string NameOf(const ConvolutionShape& s) {
  const auto square = [](int64_t side) {
    return std::to_string(side) + "x" + std::to_string(side);
  };
  return std::to_string(s.in_channels) + "x" + square(s.size) + " " +
         std::to_string(s.out_channels) + " " + square(s.kernel) +
         (s.stride == 1 ? "" : "/" + std::to_string(s.stride)) +
         (s.group == 1 ? "" : " depthwise");
}

std::span<const ConvolutionCorpus> ConvolutionCorpora() { return kCorpora; }

}  // namespace qconform
