#include "harness/graphs/proofs/parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/formats/number_format.h"

namespace qconform::graphs {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kGreatest = std::numeric_limits<float>::max();
constexpr float kLeastNormal = std::numeric_limits<float>::min();
constexpr float kLeastPositive = std::numeric_limits<float>::denorm_min();

float Above(float value) { return std::nextafter(value, kInfinity); }
float Below(float value) { return std::nextafter(value, -kInfinity); }

}  // namespace

const std::vector<DataType>& IntegerTypes() {
  using enum DataType;
  static const std::vector<DataType> types{kUint8, kInt8, kUint16, kInt16,
                                           kUint4, kInt4, kUint2,  kInt2};
  return types;
}

int64_t Least(DataType type) { return IntegerMin(FormatOf(type)); }
int64_t Greatest(DataType type) { return IntegerMax(FormatOf(type)); }

std::vector<int64_t> AllIntegers(DataType type, ProofSize size) {
  const bool is_long = BitWidth(type) > 8;
  const int64_t step = is_long ? (size == ProofSize::kWhole ? 7 : 251) : 1;
  std::vector<int64_t> all;
  for (int64_t value = Least(type); value < Greatest(type); value += step) {
    all.push_back(value);
  }
  all.push_back(Greatest(type) - (is_long ? 1 : 0));
  if (is_long) {
    all.push_back(Greatest(type));
    all.push_back(Least(type) + 1);
  }
  return all;
}

std::vector<int64_t> ZeroPoints(DataType type, ProofSize size) {
  const int64_t low = Least(type);
  const int64_t high = Greatest(type);
  if (size == ProofSize::kWhole && BitWidth(type) <= 8) return AllIntegers(type, size);
  return {low, low + 1, (low + high) / 2, high - 1, high};
}

std::vector<float> Scales(ProofSize size) {
  std::vector<float> positive{1.0f, 0.1f, kGreatest, kLeastPositive, kLeastNormal};
  if (size == ProofSize::kWhole) {
    positive.insert(positive.end(),
                    {2.0f, 0.5f, 3.0f, 0.05828065425157547f, 0.002710728207603097f,
                     1.0f / 3.0f, 0.7f, Above(1.0f), Below(1.0f), 3 * kLeastPositive,
                     Below(kLeastNormal), 1e30f, 1e-30f});
  }
  for (const int d : {2, 14, 15, 127, 128, 254, 255, 65534, 65535}) {
    if (size == ProofSize::kSmall && d != 15 && d != 255) continue;
    // The greatest scale by which d does not overflow, and the next one.
    float limit = kGreatest / static_cast<float>(d);
    while (!Overflows(d, limit)) limit = Above(limit);
    while (Overflows(d, limit)) limit = Below(limit);
    positive.push_back(limit);
    positive.push_back(Above(limit));
  }
  std::vector<float> scales;
  for (const float scale : positive) scales.insert(scales.end(), {scale, -scale});
  return scales;
}

std::vector<float> PlainScales(ProofSize size) {
  std::vector<float> scales{1.0f, 2.0f, 0.5f, 3.0f, 0.1f};
  if (size == ProofSize::kSmall) return scales;
  for (int i = 4; i <= 9; ++i) scales.push_back(static_cast<float>(i));
  for (int i = 2; i <= 9; ++i) scales.push_back(static_cast<float>(i) / 10);
  for (int i = 1; i <= 9; ++i) scales.push_back(static_cast<float>(i) / 100);
  for (const int i : {3, 6, 7, 11, 13}) scales.push_back(1.0f / static_cast<float>(i));
  return scales;
}

std::vector<float> ThresholdInputs(float scale, DataType type) {
  const double s = scale;
  const auto range = static_cast<double>(Greatest(type) - Least(type));
  // Of types of 16 bits some of them.
  const double step = std::max(1.0, std::floor(range / 512));
  std::vector<float> inputs{0.0f,      -0.0f,      kLeastPositive, -kLeastPositive,
                            kGreatest, -kGreatest, kInfinity,      -kInfinity};
  const auto add = [&](double at) {
    const auto x = static_cast<float>(at * s);
    inputs.insert(inputs.end(), {x, Above(x), Below(x)});
  };
  add(-0.5);
  add(0.5);
  for (double k = -range - 1; k <= range + 1; k += step) {
    add(k);
    add(k + 0.5);
  }
  return inputs;
}

bool Overflows(int64_t d, float scale) {
  // Exact: 17 and 24 bits.
  const double product = std::abs(static_cast<double>(d) * static_cast<double>(scale));
  return product >= 0x1.ffffffp127;
}

}  // namespace qconform::graphs
