#include "harness/faults/testing/strangers.h"

namespace qconform {

std::vector<Stranger> QuantizeLinearStrangers() {
  std::vector<Stranger> all;
  const auto add = [&](std::string name, Applies applies, auto where) {
    all.push_back({std::move(name), std::move(applies), where, {}});
  };
  // Tails.
  for (int64_t r = 0; r < 16; ++r) {
    add("n%16==" + std::to_string(r), Any(),
        [r](const Element& e) { return e.last() && e.count % 16 == r; });
  }
  for (const int64_t n : {32, 64, 128, 256}) {
    add("n%" + std::to_string(n) + "==0", Any(),
        [n](const Element& e) { return e.last() && e.count % n == 0; });
  }
  for (const int64_t r : {17, 31, 32, 33, 48, 63}) {
    add("n%64==" + std::to_string(r), Any(),
        [r](const Element& e) { return e.last() && e.count % 64 == r; });
  }
  for (const int64_t n : {128, 256, 512, 1024, 2048}) {
    add("index>=" + std::to_string(n), Any(),
        [n](const Element& e) { return e.index == n; });
  }
  // Axes.
  for (int64_t rank = 2; rank <= 5; ++rank) {
    for (int64_t axis = 0; axis < rank; ++axis) {
      for (const char* form : {"positive", "negative"}) {
        const bool negative = form[0] == 'n';
        add("rank " + std::to_string(rank) + " axis " + std::to_string(axis) + " " + form,
            Many(), [=](const Element& e) {
              const int64_t* given = e.Find("axis");
              return e.rank() == rank && given != nullptr && e.d.places.axis == axis &&
                     (*given < 0) == negative && e.last();
            });
      }
    }
    add("rank " + std::to_string(rank) + " default axis", Many(),
        [=](const Element& e) { return e.rank() == rank && !e.Has("axis") && e.last(); });
  }
  for (int64_t rank = 6; rank <= 8; ++rank) {
    add("rank " + std::to_string(rank), Any(),
        [=](const Element& e) { return e.rank() == rank && e.last(); });
  }
  add("rank 0", Of("per_tensor"), [](const Element& e) { return e.rank() == 0; });
  // Blocks.
  const auto blocked = Of("blocked");
  add("blocks divide D", blocked, [](const Element& e) {
    const auto& l = e.d.layout;
    return l.block > 1 && l.blocks > 1 && l.axis % l.block == 0 && e.last();
  });
  for (const int64_t block : {2, 4, 8, 16, 32, 64}) {
    add("whole blocks of " + std::to_string(block) + " inner 1", blocked,
        [=](const Element& e) {
          const auto& l = e.d.layout;
          return l.block == block && l.inner == 1 && l.axis % block == 0 &&
                 l.blocks > 1 && e.last();
        });
  }
  for (const int64_t block : {256, 512, 1024}) {
    add("a block of " + std::to_string(block), blocked,
        [=](const Element& e) { return e.d.layout.block == block; });
  }
  add("a block longer than the axis", blocked,
      [](const Element& e) { return e.d.layout.block > e.d.layout.axis && e.last(); });
  for (const int64_t block : {16, 32, 64}) {
    add("blocks of " + std::to_string(block) + " inner>1", blocked,
        [=](const Element& e) {
          return e.d.layout.block == block && e.d.layout.inner > 1 && e.last();
        });
  }
  add("last row of the second-last block", blocked, [](const Element& e) {
    const auto& l = e.d.layout;
    return l.blocks > 2 && e.i == (l.blocks - 1) * l.block - 1;
  });
  add("a last block of one", blocked, [](const Element& e) {
    const auto& l = e.d.layout;
    return l.block > 1 && l.axis % l.block == 1 && e.i == l.axis - 1;
  });
  add("one block", blocked, [](const Element& e) { return e.d.layout.blocks == 1; });
  add("inner==2", Many(), [](const Element& e) { return e.d.layout.inner == 2; });
  add("inner>=16", Many(), [](const Element& e) { return e.d.layout.inner >= 16; });
  add("inner>=64", Many(), [](const Element& e) { return e.d.layout.inner >= 64; });
  add("inner%16==0", Many(), [](const Element& e) { return e.d.layout.inner % 16 == 0; });
  add("inner%64==0", Many(), [](const Element& e) { return e.d.layout.inner % 64 == 0; });
  add("outer>=4", Many(), [](const Element& e) { return e.o >= 4; });
  add("D==1", Many(), [](const Element& e) { return e.d.layout.axis == 1; });
  for (const int64_t c : {16, 32, 64, 128, 256, 512, 1024, 4095}) {
    add("channel " + std::to_string(c), Of("per_axis"),
        [c](const Element& e) { return e.i == c; });
  }
  for (const int64_t c : {16, 32, 64, 128, 256}) {
    add("scale " + std::to_string(c), blocked,
        [c](const Element& e) { return e.d.layout.ScaleIndex(e.o, e.i, e.j) == c; });
  }
  // Attributes and operands as they are written.
  add("axis of one scale", Of("per_tensor"),
      [](const Element& e) { return e.Has("axis"); });
  add(
      "block_size=0 written",
      [](const Cell& c) { return c.since_version >= 21 && c.granularity != "blocked"; },
      [](const Element& e) {
        const int64_t* b = e.Find("block_size");
        return b != nullptr && *b == 0;
      });
  add(
      "precision=0 written", [](const Cell& c) { return c.since_version >= 23; },
      [](const Element& e) {
        const int64_t* b = e.Find("precision");
        return b != nullptr && *b == 0;
      });
  add(
      "output_dtype=0 written", [](const Cell& c) { return c.since_version >= 21; },
      [](const Element& e) {
        const int64_t* b = e.Find("output_dtype");
        return b != nullptr && *b == 0;
      });
  add(
      "output_dtype beside y_zero_point",
      [](const Cell& c) { return c.since_version >= 21; },
      [](const Element& e) { return e.Has("output_dtype") && e.zero_point_present(); });
  add(
      "no y_zero_point", [](const Cell& c) { return c.since_version >= 21; },
      [](const Element& e) { return !e.zero_point_present() && e.last(); });
  add(
      "saturate=1 written", [](const Cell& c) { return c.since_version >= 19; },
      [](const Element& e) {
        const int64_t* s = e.Find("saturate");
        return s != nullptr && *s == 1;
      });
  for (const int64_t p : {1, 10, 16}) {
    add(
        "precision=" + std::to_string(p),
        [](const Cell& c) { return c.since_version >= 23; },
        [p](const Element& e) {
          const int64_t* given = e.Find("precision");
          return given != nullptr && *given == p && e.last();
        });
  }
  // Values.
  const auto value = [&](std::string name, Applies applies, auto where) {
    add(std::move(name), std::move(applies), where);
  };
  value("zero point max, x<0", Ints(), [](const Element& e) {
    return e.zero_point == static_cast<double>(IntegerMax(*e.d.y)) && e.x < 0;
  });
  value("zero point min, x>0", Ints(), [](const Element& e) {
    return e.zero_point == static_cast<double>(IntegerMin(*e.d.y)) && e.x > 0;
  });
  value("zero point max, a tie", Ints(), [](const Element& e) {
    return e.zero_point == static_cast<double>(IntegerMax(*e.d.y)) && e.tie();
  });
  value("zero point odd, a tie", Ints(),
        [](const Element& e) { return std::fmod(e.zero_point, 2) != 0 && e.tie(); });
  value("zero point above half, a tie", Ints(), [](const Element& e) {
    return e.tie() && e.zero_point > static_cast<double>(IntegerMax(*e.d.y)) / 2;
  });
  value("scale 1, inexact", FloatScales(),
        [](const Element& e) { return e.scale == 1 && e.x != std::floor(e.x); });
  value("scale 1", FloatScales(), [](const Element& e) { return e.scale == 1; });
  value("scale a power of two, a tie", FloatScales(),
        [](const Element& e) { return IsPowerOfTwo(e.scale) && e.tie(); });
  value("scale a power of two > 1", FloatScales(),
        [](const Element& e) { return IsPowerOfTwo(e.scale) && e.scale > 1; });
  value("scale a power of two < 1", FloatScales(),
        [](const Element& e) { return IsPowerOfTwo(e.scale) && e.scale < 1; });
  value("scale > 1, no power of two", FloatScales(),
        [](const Element& e) { return e.scale > 1 && !IsPowerOfTwo(e.scale); });
  value("scale > 2^20", FloatScales(), [](const Element& e) {
    return e.scale > 0x1p20 && std::isfinite(e.scale) && e.q != 0;
  });
  value("scale > 2^64", FloatScales(), [](const Element& e) {
    return e.scale > 0x1p64 && std::isfinite(e.scale) && e.q != 0;
  });
  value("scale < 2^-20", FloatScales(),
        [](const Element& e) { return e.scale < 0x1p-20 && e.scale >= 0x1p-126; });
  value("scale < 2^-101", FloatScales(),
        [](const Element& e) { return e.scale < 0x1p-101 && e.scale >= 0x1p-126; });
  const Applies ends = [](const Cell& c) {
    const bool wide =
        c.types[1] == DataType::kFloat || c.types[1] == DataType::kFloat8E8M0;
    return wide && (c.types[0] == DataType::kFloat || c.types[0] == DataType::kBfloat16);
  };
  value("scale from 2^127, a code above 0", ends, [](const Element& e) {
    return e.scale >= 0x1p127 && std::isfinite(e.scale) && std::abs(e.q) > 1;
  });
  const Applies one_float_scale = [](const Cell& c) {
    return c.granularity == "per_tensor" && IsFloatingPoint(c.types[1]) &&
           c.types[1] != DataType::kFloat8E8M0;
  };
  value(
      "half a byte of codes, |q| from 2^31",
      [](const Cell& c) {
        return c.granularity == "per_tensor" && BitWidth(OutputType(c)) == 4 &&
               IsInteger(OutputType(c)) && IsFloatingPoint(c.types[1]) &&
               c.types[0] == DataType::kFloat;
      },
      [](const Element& e) {
        return e.last() && e.count % 2 == 1 && std::abs(e.q) >= 0x1p31;
      });
  value("one scale, inf", one_float_scale,
        [](const Element& e) { return e.scale == HUGE_VAL; });
  value("one scale, -inf", one_float_scale,
        [](const Element& e) { return e.scale == -HUGE_VAL; });
  value("one scale, -0", one_float_scale,
        [](const Element& e) { return e.scale == 0 && std::signbit(e.scale); });
  value(
      "one zero point, NaN",
      [](const Cell& c) {
        return c.granularity == "per_tensor" && IsFloat8(OutputType(c));
      },
      [](const Element& e) { return std::isnan(e.zero_point); });
  value("scale negative, a tie", FloatScales(),
        [](const Element& e) { return e.scale < 0 && e.tie(); });
  value("scale subnormal, a tie", FloatScales(),
        [](const Element& e) { return e.scale > 0 && e.scale < 0x1p-126 && e.tie(); });
  value("x +0", FloatX(),
        [](const Element& e) { return e.x == 0 && !std::signbit(e.x); });
  value("x -0", FloatX(), [](const Element& e) { return e.x == 0 && std::signbit(e.x); });
  value("x 1", Any(), [](const Element& e) { return e.x == 1; });
  value("x whole, scale whole", FloatScales(), [](const Element& e) {
    return e.x == std::floor(e.x) && e.scale == std::floor(e.scale) && e.scale > 0 &&
           e.x > 0;
  });
  value("q 0.5", Ints(), [](const Element& e) { return e.q == 0.5; });
  value("q -0.5", Ints(), [](const Element& e) { return e.q == -0.5; });
  value("|q| just below 0.5", FloatX(), [](const Element& e) {
    return std::abs(e.q) < 0.5 && std::abs(e.q) > 0.5 - 0x1p-8;
  });
  value("|q| just above 0.5", FloatX(), [](const Element& e) {
    return std::abs(e.q) > 0.5 && std::abs(e.q) < 0.5 + 0x1p-7;
  });
  for (const bool negative : {false, true}) {
    const std::string sign = negative ? " negative" : " positive";
    value("tie" + sign + " even below", Ints(), [=](const Element& e) {
      return e.tie() && (e.q < 0) == negative && std::fmod(std::floor(e.q), 2) == 0;
    });
    value("tie" + sign + " odd below", Ints(), [=](const Element& e) {
      return e.tie() && (e.q < 0) == negative && std::fmod(std::floor(e.q), 2) != 0;
    });
  }
  value("tie at the top", Ints(), [](const Element& e) {
    return e.q + e.zero_point == static_cast<double>(IntegerMax(*e.d.y)) + 0.5;
  });
  value("tie below the top", Ints(), [](const Element& e) {
    return e.q + e.zero_point == static_cast<double>(IntegerMax(*e.d.y)) - 0.5;
  });
  value("tie at the bottom", Ints(), [](const Element& e) {
    return e.q + e.zero_point == static_cast<double>(IntegerMin(*e.d.y)) - 0.5;
  });
  value("tie above the bottom", Ints(), [](const Element& e) {
    return e.q + e.zero_point == static_cast<double>(IntegerMin(*e.d.y)) + 0.5;
  });
  const int powers[] = {15, 16, 22, 23, 24, 31, 32, 63, 64};
  for (size_t p = 0; p + 1 < std::size(powers); ++p) {
    for (const bool negative : {false, true}) {
      value(
          "|q| from 2^" + std::to_string(powers[p]) + " to 2^" +
              std::to_string(powers[p + 1]) + (negative ? " negative" : ""),
          [](const Cell& c) {
            return Integer(c) && c.types[0] == DataType::kFloat &&
                   c.types[1] == DataType::kFloat;
          },
          [=, low = std::ldexp(1, powers[p]),
           high = std::ldexp(1, powers[p + 1])](const Element& e) {
            return (e.q < 0) == negative && std::abs(e.q) >= low && std::abs(e.q) < high;
          });
    }
  }
  value(
      "|q| from 2^64",
      [](const Cell& c) {
        return Integer(c) && c.types[0] == DataType::kFloat &&
               c.types[1] == DataType::kFloat;
      },
      [](const Element& e) { return std::abs(e.q) >= 0x1p64 && std::isfinite(e.q); });
  value("x inf", FloatX(), [](const Element& e) { return e.x == HUGE_VAL; });
  value("x -inf", FloatX(), [](const Element& e) { return e.x == -HUGE_VAL; });
  value("x largest", FloatX(), [](const Element& e) {
    return ToDouble(Decode(*e.d.x, LargestFinite(*e.d.x))) == std::abs(e.x);
  });
  value(
      "x INT32 lowest", [](const Cell& c) { return c.types[0] == DataType::kInt32; },
      [](const Element& e) { return e.x == -0x1p31; });
  value(
      "x INT32 beyond 2^30, negative",
      [](const Cell& c) { return c.types[0] == DataType::kInt32; },
      [](const Element& e) { return e.x < -0x1p30; });
  value(
      "x odd beyond 2^24", [](const Cell& c) { return c.types[0] == DataType::kInt32; },
      [](const Element& e) { return std::abs(e.x) > 0x1p24 && std::fmod(e.x, 2) != 0; });
  value("first scale is the last's, others differ", Many(), [](const Element& e) {
    const size_t n = e.d.scales.size();
    return n > 2 && e.scale_at(0) == e.scale_at(n - 1) && e.scale != e.scale_at(0) &&
           e.x != 0;
  });
  value("first two scales are equal, others differ", Many(), [](const Element& e) {
    return e.d.scales.size() > 2 && e.scale_at(0) == e.scale_at(1) &&
           e.scale != e.scale_at(0) && e.x != 0;
  });
  value(
      "first zero point 0, others not",
      [](const Cell& c) { return Integer(c) && c.granularity != "per_tensor"; },
      [](const Element& e) {
        return e.d.zero_points.size() > 1 && e.zero_point_at(0) == 0 && e.zero_point != 0;
      });
  value(
      "last zero point 0, others not",
      [](const Cell& c) { return Integer(c) && c.granularity != "per_tensor"; },
      [](const Element& e) {
        const size_t n = e.d.zero_points.size();
        return n > 1 && e.zero_point_at(n - 1) == 0 && e.zero_point != 0;
      });
  value("first scale a power of two, others not", Many(), [](const Element& e) {
    return IsPowerOfTwo(e.scale_at(0)) && !IsPowerOfTwo(e.scale) && e.tie();
  });
  value(
      "float: zero point -0", [](const Cell& c) { return IsFloat8(OutputType(c)); },
      [](const Element& e) { return e.zero_point == 0 && std::signbit(e.zero_point); });
  value(
      "float: zero point nan",
      [](const Cell& c) { return OutputType(c) == DataType::kFloat8E4M3FN; },
      [](const Element& e) { return std::isnan(e.zero_point); });
  value(
      "float: negative overflow, saturate=0",
      [](const Cell& c) { return IsFloat8(OutputType(c)) && c.since_version >= 19; },
      [](const Element& e) {
        const int64_t* s = e.Find("saturate");
        return s != nullptr && *s == 0 && (e.answer.features & kFeatureSaturatedLow) != 0;
      });
  value(
      "float: subnormal result, negative", [](const Cell& c) { return !Integer(c); },
      [](const Element& e) {
        return (e.answer.features & kFeatureSubnormalResult) != 0 && e.q < 0;
      });
  value(
      "float: subnormal result, a tie", [](const Cell& c) { return !Integer(c); },
      [](const Element& e) {
        return (e.answer.features & kFeatureSubnormalResult) != 0 && e.tie();
      });
  value(
      "2 bits: third element of a byte negative",
      [](const Cell& c) { return BitWidth(OutputType(c)) == 2; },
      [](const Element& e) { return e.index % 4 == 2 && e.q < 0; });
  return all;
}

}  // namespace qconform
