// Kernels that are wrong in one step or at one place only: the contents show each of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/testing/asked.h"
#include "cases/operators/dynamic_quantize_linear/cases.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

using Values = std::vector<float>;

struct Quantized {
  float scale = 0;
  int zero_point = 0;
  std::vector<int> y;

  friend bool operator==(const Quantized&, const Quantized&) = default;
};

int ToByte(float value) { return static_cast<int>(std::clamp(value, 0.0f, 255.0f)); }

// The steps of the function body; wrong kernels replace one of them.
struct Steps {
  std::function<float(const Values&)> least = [](const Values& x) {
    return std::min(0.0f, *std::ranges::min_element(x));
  };
  std::function<float(const Values&)> greatest = [](const Values& x) {
    return std::max(0.0f, *std::ranges::max_element(x));
  };
  std::function<float(float, float)> scale = [](float low, float high) {
    return (high - low) / 255.0f;
  };
  std::function<int(float, float, float)> zero_point = [](float low, float, float s) {
    return ToByte(std::nearbyint(std::clamp(0.0f - low / s, 0.0f, 255.0f)));
  };
  std::function<int(float, float, int)> y = [](float x, float s, int z) {
    const float rounded = std::nearbyint(x / s);
    return ToByte(std::clamp(rounded, -1000.0f, 1000.0f) + static_cast<float>(z));
  };

  Quantized operator()(const Values& x) const {
    const float low = least(x);
    const float high = greatest(x);
    Quantized answer;
    answer.scale = scale(low, high);
    answer.zero_point = zero_point(low, high, answer.scale);
    for (const float each : x)
      answer.y.push_back(y(each, answer.scale, answer.zero_point));
    return answer;
  }
};

float FusedScale(float least, float greatest) {
  const ExactValue scale = ScaleBy(
      WrongScale::kExactRange,
      WithZero(std::bit_cast<uint32_t>(least), std::bit_cast<uint32_t>(greatest)));
  return std::bit_cast<float>(FloatCode(ToUnrounded(scale)));
}

float DoubleScale(float least, float greatest) {
  return static_cast<float>((static_cast<double>(greatest) - least) / 255.0);
}

struct Kernel {
  std::string name;
  Steps steps;
  std::function<bool(const Values&)> applies = [](const Values&) { return true; };
};

template <typename Change>
Kernel Make(std::string name, Change change) {
  Kernel kernel{std::move(name), {}};
  change(kernel.steps);
  return kernel;
}

Values Without(Values x, size_t place) {
  if (x.size() > 1) x.erase(x.begin() + static_cast<std::ptrdiff_t>(place));
  return x;
}

// Kernels that leave elements out of the search for least and greatest.
void AddReductions(std::vector<Kernel>& kernels) {
  const Steps right;
  // A lane of an unrolled loop, in arrays of two of its rounds and more.
  for (const size_t lanes : {16, 64, 128}) {
    for (size_t lane = 0; lane < lanes; ++lane) {
      const auto kept = [lanes, lane](const Values& x) {
        Values others{0};
        const size_t whole = x.size() / lanes * lanes;
        for (size_t i = 0; i < x.size(); ++i) {
          if (i >= whole || i % lanes != lane) others.push_back(x[i]);
        }
        return others;
      };
      const std::string at =
          std::to_string(lane) + " of " + std::to_string(lanes) + " lanes";
      const auto is_long = [](const Values& x) { return x.size() >= 256; };
      Kernel greatest = Make("greatest without " + at, [&](Steps& steps) {
        steps.greatest = [=](const Values& x) { return right.greatest(kept(x)); };
      });
      greatest.applies = is_long;
      kernels.push_back(greatest);
      Kernel least = Make("least without " + at, [&](Steps& steps) {
        steps.least = [=](const Values& x) { return right.least(kept(x)); };
      });
      least.applies = is_long;
      kernels.push_back(least);
    }
  }
  for (size_t length = 2; length <= 64; ++length) {
    const auto applies = [length](const Values& x) { return x.size() == length; };
    for (const bool last : {false, true}) {
      Kernel kernel = Make((last ? "the last of " : "the first of ") +
                               std::to_string(length) + " left out",
                           [&](Steps& steps) {
                             const auto place = [last](const Values& x) {
                               return last ? x.size() - 1 : 0;
                             };
                             steps.greatest = [=](const Values& x) {
                               return right.greatest(Without(x, place(x)));
                             };
                             steps.least = [=](const Values& x) {
                               return right.least(Without(x, place(x)));
                             };
                           });
      kernel.applies = applies;
      kernels.push_back(kernel);
    }
  }
  for (const size_t vector : {4, 8, 16, 32, 64}) {
    Kernel kernel =
        Make("what is left of vectors of " + std::to_string(vector) + " left out",
             [&](Steps& steps) {
               const auto whole = [vector](Values x) {
                 x.resize(x.size() / vector * vector);
                 return x;
               };
               steps.greatest = [=](const Values& x) { return right.greatest(whole(x)); };
               steps.least = [=](const Values& x) { return right.least(whole(x)); };
             });
    kernel.applies = [vector](const Values& x) { return x.size() >= vector; };
    kernels.push_back(kernel);
  }
}

void AddScales(std::vector<Kernel>& kernels) {
  const auto add = [&](std::string name, auto scale) {
    kernels.push_back(Make(std::move(name), [&](Steps& steps) { steps.scale = scale; }));
  };
  add("range * f32(1 / 255)",
      [](float low, float high) { return (high - low) * (1.0f / 255.0f); });
  add("ends divided before they are subtracted",
      [](float low, float high) { return high / 255.0f - low / 255.0f; });
  add("/ 256", [](float low, float high) { return (high - low) / 256.0f; });
  add("/ 254", [](float low, float high) { return (high - low) / 254.0f; });
  add("symmetric", [](float low, float high) { return std::max(high, -low) / 127.0f; });
  add("rounded toward zero", [](float low, float high) {
    const float range = high - low;
    const float scale = range / 255.0f;
    return static_cast<double>(scale) * 255.0 > static_cast<double>(range)
               ? std::nextafter(scale, 0.0f)
               : scale;
  });
  add("subnormal scales are 0", [](float low, float high) {
    const float scale = (high - low) / 255.0f;
    return scale < 0x1p-126f ? 0.0f : scale;
  });
  add("subnormal ranges are 0", [](float low, float high) {
    const float range = high - low;
    return range < 0x1p-126f ? 0.0f : range / 255.0f;
  });
  add("at least FLT_EPSILON",
      [](float low, float high) { return std::max((high - low) / 255.0f, 0x1p-23f); });
  // 0 is not in the range.
  const auto least = [](const Values& x) { return *std::ranges::min_element(x); };
  const auto greatest = [](const Values& x) { return *std::ranges::max_element(x); };
  kernels.push_back(Make("least above 0", [&](Steps& steps) { steps.least = least; }));
  kernels.push_back(
      Make("greatest below 0", [&](Steps& steps) { steps.greatest = greatest; }));
  kernels.push_back(
      Make("greatest begins with the smallest normal value", [&](Steps& steps) {
        steps.greatest = [=](const Values& x) {
          return std::max(0x1p-126f, greatest(x));
        };
      }));
}

void AddZeroPoints(std::vector<Kernel>& kernels) {
  const auto add = [&](std::string name, auto zero_point) {
    kernels.push_back(
        Make(std::move(name), [&](Steps& steps) { steps.zero_point = zero_point; }));
  };
  const auto of = [](float value) { return ToByte(value); };
  add("zero point away from zero at ties",
      [=](float low, float, float s) { return of(std::round(0.0f - low / s)); });
  add("zero point up at ties",
      [=](float low, float, float s) { return of(std::floor(0.0f - low / s + 0.5f)); });
  add("zero point down at ties",
      [=](float low, float, float s) { return of(std::ceil(0.0f - low / s - 0.5f)); });
  add("zero point toward zero",
      [=](float low, float, float s) { return of(std::trunc(0.0f - low / s)); });
  add("zero point rounded up",
      [=](float low, float, float s) { return of(std::ceil(0.0f - low / s)); });
  add("zero point from greatest",
      [=](float, float high, float s) { return of(std::nearbyint(255.0f - high / s)); });
  add("zero point by a reciprocal", [=](float low, float, float s) {
    return of(std::nearbyint(0.0f - low * (1.0f / s)));
  });
  add("zero point by an exact quotient", [=](float low, float, float s) {
    return of(static_cast<float>(
        std::nearbyint(-(static_cast<double>(low) / static_cast<double>(s)))));
  });
  add("zero point by the unrounded scale", [=](float low, float high, float) {
    const double range = static_cast<double>(high) - low;
    return of(static_cast<float>(std::nearbyint(-255.0 * low / range)));
  });
  add("zero point multiplied first", [=](float low, float high, float) {
    return of(std::nearbyint(-(low * 255.0f) / (high - low)));
  });
  add("zero point 128", [](float, float, float) { return 128; });
  add("zero point 0", [](float, float, float) { return 0; });
}

void AddValues(std::vector<Kernel>& kernels) {
  const auto add = [&](std::string name, auto y) {
    kernels.push_back(Make(std::move(name), [&](Steps& steps) { steps.y = y; }));
  };
  const auto of = [](float value) { return ToByte(value); };
  const auto plus = [](float rounded, int zero_point) {
    return ToByte(std::clamp(rounded, -1000.0f, 1000.0f) +
                  static_cast<float>(zero_point));
  };
  add("y away from zero at ties",
      [=](float x, float s, int z) { return plus(std::round(x / s), z); });
  add("y up at ties",
      [=](float x, float s, int z) { return plus(std::floor(x / s + 0.5f), z); });
  add("y toward zero",
      [=](float x, float s, int z) { return plus(std::trunc(x / s), z); });
  add("y by a reciprocal",
      [=](float x, float s, int z) { return plus(std::nearbyint(x * (1.0f / s)), z); });
  add("y by an exact quotient", [=](float x, float s, int z) {
    return plus(static_cast<float>(
                    std::nearbyint(static_cast<double>(x) / static_cast<double>(s))),
                z);
  });
  add("y with its zero point added before it is rounded", [=](float x, float s, int z) {
    return of(std::nearbyint(x / s + static_cast<float>(z)));
  });
  add("y by a fused multiply and add", [=](float x, float s, int z) {
    return of(std::nearbyint(std::fma(x, 1.0f / s, static_cast<float>(z))));
  });
  add("y wraps", [](float x, float s, int z) {
    const int sum = static_cast<int>(std::nearbyint(x / s)) + z;
    return static_cast<int>(static_cast<uint8_t>(sum));
  });
  add("y of INT8", [](float x, float s, int z) {
    return std::clamp(static_cast<int>(std::nearbyint(x / s)) + z, 0, 127);
  });
  add("y of at most 254", [](float x, float s, int z) {
    return std::clamp(static_cast<int>(std::nearbyint(x / s)) + z, 0, 254);
  });
  add("subnormal x are 0", [=](float x, float s, int z) {
    return plus(std::nearbyint((std::abs(x) < 0x1p-126f ? 0.0f : x) / s), z);
  });
  add("reciprocal of 12 bits", [=](float x, float s, int z) {
    const float inverse = 1.0f / s;
    const uint32_t bits = std::bit_cast<uint32_t>(inverse) & 0xFFFFF000;
    return plus(std::nearbyint(x * std::bit_cast<float>(bits)), z);
  });
}

// y by the range: y(x) is not a function of the scale alone.
void AddRangeQuotients(std::vector<Kernel>& kernels) {
  // 255 / range in place of 1 / scale, in FLOAT and in DOUBLE.
  for (const bool in_double : {false, true}) {
    Kernel kernel{in_double ? "y by 255 / range in DOUBLE" : "y by 255 / range", {}};
    // The range of this array, which the other steps leave here.
    auto range = std::make_shared<std::pair<float, float>>();
    kernel.steps.scale = [range](float low, float high) {
      *range = {low, high};
      return (high - low) / 255.0f;
    };
    kernel.steps.y = [range, in_double](float x, float, int z) {
      const auto [low, high] = *range;
      const double whole = static_cast<double>(high) - low;
      const float rounded = in_double
                                ? static_cast<float>(std::nearbyint(x * (255.0 / whole)))
                                : std::nearbyint(x * (255.0f / (high - low)));
      return ToByte(rounded + static_cast<float>(z));
    };
    kernels.push_back(kernel);
  }
}

// Tails of y: the last element is that of another path.
void AddTails(std::vector<Kernel>& kernels) {
  for (size_t length = 1; length <= 64; ++length) {
    Kernel kernel{"the last y of " + std::to_string(length) + " is not written", {}};
    auto left = std::make_shared<size_t>(0);
    kernel.applies = [length, left](const Values& x) {
      *left = x.size();
      return x.size() == length;
    };
    kernel.steps.y = [left](float x, float s, int z) {
      return --*left == 0 ? 0 : Steps().y(x, s, z);
    };
    kernels.push_back(kernel);
  }
}

// The last element is rounded in another way, as by a loop over what vectors leave.
void AddRoundedTails(std::vector<Kernel>& kernels) {
  for (size_t length = 3; length <= 64; ++length) {
    for (const bool by_reciprocal : {false, true}) {
      Kernel kernel{"the last y of " + std::to_string(length) +
                        (by_reciprocal ? " by a reciprocal" : " away from zero"),
                    {}};
      auto left = std::make_shared<size_t>(0);
      kernel.applies = [length, left](const Values& x) {
        *left = x.size();
        return x.size() == length;
      };
      kernel.steps.y = [left, by_reciprocal](float x, float s, int z) {
        if (--*left > 0) return Steps().y(x, s, z);
        const float rounded =
            by_reciprocal ? std::nearbyint(x * (1.0f / s)) : std::round(x / s);
        return ToByte(std::clamp(rounded, -1000.0f, 1000.0f) + static_cast<float>(z));
      };
      kernels.push_back(kernel);
    }
  }
}

std::vector<Kernel> AllKernels() {
  std::vector<Kernel> kernels;
  AddReductions(kernels);
  AddScales(kernels);
  AddZeroPoints(kernels);
  AddValues(kernels);
  AddRangeQuotients(kernels);
  AddTails(kernels);
  AddRoundedTails(kernels);
  return kernels;
}

struct Case {
  std::string generator;
  Values x;
  std::vector<Quantized> right;  // by each reading of DYN-01
};

// The contents of a level whose answers the specification fixes.
std::vector<Case> CasesOf(Level level) {
  std::vector<Case> cases;
  const Cell cell = CellsOf("DynamicQuantizeLinear").front();
  for (const CaseKey& key : ContentsOf(cell, level)) {
    const auto made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (!made) continue;
    Values x;
    for (const uint64_t code : ReadCodes(made->operands[0].view())) {
      x.push_back(std::bit_cast<float>(static_cast<uint32_t>(code)));
    }
    const bool is_finite =
        std::ranges::all_of(x, [](float each) { return std::isfinite(each); });
    if (!is_finite || x.empty()) continue;
    Steps body;
    Quantized answer = body(x);
    if (answer.scale == 0 || std::isinf(answer.scale)) continue;
    Case each{key.generator, x, {answer}};
    body.scale = FusedScale;
    each.right.push_back(body(x));
    body.scale = DoubleScale;
    each.right.push_back(body(x));
    cases.push_back(std::move(each));
  }
  return cases;
}

std::vector<std::string> NotSeen(const std::vector<Kernel>& kernels, Level level) {
  const std::vector<Case> cases = CasesOf(level);
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) {
    const bool is_seen = std::ranges::any_of(cases, [&](const Case& each) {
      if (each.x.size() > 9000 || !kernel.applies(each.x)) return false;
      const Quantized wrong = kernel.steps(each.x);
      return std::ranges::find(each.right, wrong) == each.right.end();
    });
    if (!is_seen) names.push_back(kernel.name);
  }
  return names;
}

TEST(DynamicQuantizeKernels, Standard_ShowsEachWrongOne) {
  for (const std::string& name : NotSeen(AllKernels(), Level::kStandard)) {
    ADD_FAILURE() << name;
  }
}

TEST(DynamicQuantizeKernels, Smoke_ShowsEachWrongStep) {
  std::vector<Kernel> kernels;
  AddScales(kernels);
  AddZeroPoints(kernels);
  AddValues(kernels);
  AddRangeQuotients(kernels);
  for (const std::string& name : NotSeen(kernels, Level::kSmoke)) ADD_FAILURE() << name;
}

// A content whose generator looked for a difference has it.
TEST(DynamicQuantizeKernels, Scales_DifferFromTheReadings) {
  std::array<int, 2> differ{};
  int contents = 0;
  for (const Case& each : CasesOf(Level::kStandard)) {
    if (each.generator != "scales") continue;
    ++contents;
    if (each.right[1].scale != each.right[0].scale) ++differ[0];
    if (each.right[2].scale != each.right[1].scale) ++differ[1];
  }
  EXPECT_GE(4 * differ[0], contents);  // one formula of four
  EXPECT_GE(4 * differ[1], contents);
}

}  // namespace
}  // namespace qconform::generators
