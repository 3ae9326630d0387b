// Kernels have a path for shapes as models have them, and what is special is seen to on
// another: each of these is wrong on the first alone.
#include "harness/faults/testing/strangers.h"

namespace qconform {
namespace {

// The contiguous elements that share a scale.
int64_t RunOf(const Element& e) {
  const auto& l = e.d.layout;
  if (l.granularity == QuantizeLinearLayout::Granularity::kPerTensor) return e.count;
  if (l.granularity == QuantizeLinearLayout::Granularity::kPerAxis) return l.inner;
  return l.inner == 1 ? l.block : 1;
}

bool IsSubnormalIn(const NumberFormat& format, double value) {
  return value != 0 && std::abs(value) < std::ldexp(1, SmallestNormalExponent(format));
}

void AddShapes(std::vector<Stranger>& all) {
  const auto add = [&](std::string name, std::string_view granularity, auto where) {
    all.push_back(
        {std::move(name),
         [granularity](const Cell& cell) { return cell.granularity == granularity; },
         where,
         {}});
  };
  add("axis in the middle, 64 elements behind it", "per_axis", [](const Element& e) {
    const auto& l = e.d.layout;
    return l.outer > 1 && l.inner >= 64 && e.o > 0;
  });
  add("last axis of 64 and more, 16 rows", "per_axis", [](const Element& e) {
    const auto& l = e.d.layout;
    return l.inner == 1 && l.axis >= 64 && l.outer >= 16;
  });
  for (const int64_t block : {16, 32}) {
    add("blocks of " + std::to_string(block) + " along rows of 16 and more", "blocked",
        [=](const Element& e) {
          const auto& l = e.d.layout;
          return l.block == block && l.inner >= 16 && l.outer == 1;
        });
  }
  for (const int64_t block : {64, 128}) {
    add("four rows of blocks of " + std::to_string(block), "blocked",
        [=](const Element& e) {
          const auto& l = e.d.layout;
          return l.block == block && l.inner == 1 && l.outer >= 4;
        });
  }
  add("blocks of 1", "blocked",
      [](const Element& e) { return e.d.layout.block == 1 && e.i > 0; });
  for (const std::string_view granularity : {"per_tensor", "per_axis", "blocked"}) {
    const std::string where(granularity);
    add(where + " rank 4, 512 elements", granularity,
        [](const Element& e) { return e.rank() == 4 && e.count >= 512; });
    add(where + " 1024 elements without a zero point", granularity,
        [](const Element& e) { return !e.zero_point_present() && e.count >= 1024; });
  }
  add("equal scales, other zero points", "blocked", [](const Element& e) {
    if (e.d.zero_points.size() < 2 || e.zero_point == e.zero_point_at(0)) return false;
    for (size_t i = 1; i < e.d.scales.size(); ++i) {
      if (e.scale_at(i) != e.scale_at(0)) return false;
    }
    return true;
  });
}

void AddValues(std::vector<Stranger>& all) {
  const auto add = [&](std::string name, Applies applies, auto where) {
    for (const int64_t run : {64, 256}) {
      all.push_back({name + " in a run of " + std::to_string(run),
                     applies,
                     [=](const Element& e) { return RunOf(e) >= run && where(e); },
                     {}});
    }
  };
  const Applies integer = [](const Cell& c) { return IsInteger(OutputType(c)); };
  const Applies float_x = [](const Cell& c) {
    return FormatOf(c.types[0]).kind == NumberKind::kFloat;
  };
  const Applies float8 = [](const Cell& c) { return IsFloat8(OutputType(c)); };
  add(
      "beyond INT32",
      [](const Cell& c) {
        return IsInteger(OutputType(c)) && c.types[0] == DataType::kFloat;
      },
      [](const Element& e) { return std::abs(e.q) > 0x1p31 && std::isfinite(e.q); });
  add("infinite x", float_x, [](const Element& e) { return std::isinf(e.x); });
  add(
      "subnormal x",
      [](const Cell& c) {
        return c.types[0] == DataType::kFloat && c.types[1] == DataType::kFloat;
      },
      [](const Element& e) { return IsSubnormalIn(*e.d.x, e.x); });
  add(
      "subnormal scale",
      [](const Cell& c) { return FormatOf(c.types[1]).kind == NumberKind::kFloat; },
      [](const Element& e) {
        return IsSubnormalIn(FormatOf(e.asked.operands[1].type), e.scale) &&
               (e.answer.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) == 0;
      });
  add("a tie", integer, [](const Element& e) { return e.tie(); });
  add("NaN", float8, [](const Element& e) { return std::isnan(e.x); });
  add(
      "saturate=0, overflow",
      [](const Cell& c) { return IsFloat8(OutputType(c)) && c.since_version >= 19; },
      [](const Element& e) {
        const int64_t* s = e.Find("saturate");
        return s != nullptr && *s == 0 && std::isfinite(e.q) &&
               (e.answer.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
      });
  for (const int threads : {2, 4}) {
    all.push_back({"the byte that " + std::to_string(threads) + " threads share",
                   [](const Cell& c) { return BitWidth(OutputType(c)) < 8; },
                   [=](const Element& e) {
                     const int64_t part = (e.count + threads - 1) / threads;
                     return e.count >= 512 && part % 2 == 1 && e.index == part;
                   },
                   {}});
  }
}

void AddProducts(std::vector<Stranger>& all) {
  const Applies any = [](const Cell&) { return true; };
  const Applies exact = [](const Cell& c) {
    return IsInteger(c.types[1]) && IsInteger(c.types[2]) && IsInteger(c.types[3]);
  };
  const auto add = [&](const std::string& name, auto where) {
    const auto of = [&](const char* what, const Applies& applies, auto which) {
      all.push_back({"matmul " + name + what, applies, {}, [=](const MatElement& e) {
                       return where(e) && which(e);
                     }});
    };
    of("", any, [](const MatElement&) { return true; });
    of(", a tie", exact,
       [](const MatElement& e) { return (e.answer.features & kFeatureTie) != 0; });
    of(", beyond the range", exact, [](const MatElement& e) {
      return (e.answer.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
    });
  };
  add("K and N from 64", [](const MatElement& e) {
    return e.k() >= 64 && e.columns() >= 64 && e.rows() > 1;
  });
  add("M from 8, K from 64",
      [](const MatElement& e) { return e.k() >= 64 && e.rows() >= 8; });
  add("M and N from 32, K from 16", [](const MatElement& e) {
    return e.k() >= 16 && e.columns() >= 32 && e.rows() >= 32;
  });
  add("one row, K and N from 64", [](const MatElement& e) {
    return e.k() >= 64 && e.columns() >= 64 && e.rows() == 1;
  });
  add("another matrix, M from 8",
      [](const MatElement& e) { return e.matrix > 0 && e.rows() >= 8; });
  add("another matrix, K from 64",
      [](const MatElement& e) { return e.matrix > 0 && e.k() >= 64; });
}

}  // namespace

std::vector<Stranger> LargeStrangers() {
  std::vector<Stranger> all;
  AddShapes(all);
  AddValues(all);
  AddProducts(all);
  return all;
}

}  // namespace qconform
