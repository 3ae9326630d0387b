// What a kernel of its own may do for attributes and operands of QuantizeLinear that come
// together.
#include "harness/faults/testing/strangers.h"

namespace qconform {
namespace {

using Where = std::function<bool(const Element&)>;

void Add(std::vector<Stranger>& all, std::string name, Applies applies, Where where) {
  all.push_back({std::move(name), std::move(applies), std::move(where), {}});
}

Applies Since(int version) {
  return [=](const Cell& cell) { return cell.since_version >= version; };
}
Applies Float8Since(int version) {
  return [=](const Cell& cell) {
    return cell.since_version >= version && IsFloat8(OutputType(cell));
  };
}

bool Is(const Element& e, const char* attribute, int64_t value) {
  const int64_t* given = e.Find(attribute);
  return given != nullptr && *given == value;
}
bool HasPrecision(const Element& e) {
  const int64_t* given = e.Find("precision");
  return given != nullptr && *given != 0;
}
bool Overflows(const Element& e) {
  return std::isfinite(e.q) &&
         (e.answer.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
}
// A zero point other than 0, and a number.
bool Shifts(const Element& e) { return e.zero_point != 0 && !std::isnan(e.zero_point); }

// Attributes and operands that a kernel of its own may be for.
struct Kind {
  std::string name;
  int since;
  Where is;
};

std::vector<Kind> Kinds() {
  return {
      {"precision", 23, HasPrecision},
      {"no y_zero_point", 21, [](const Element& e) { return !e.zero_point_present(); }},
      {"output_dtype beside y_zero_point", 21,
       [](const Element& e) { return e.zero_point_present() && e.Has("output_dtype"); }}};
}

// What such a kernel may forget: it is seen where the kind is.
void AddOfKind(std::vector<Stranger>& all, const Kind& kind) {
  const auto add = [&](const std::string& what, Applies applies, Where where) {
    Add(
        all, kind.name + ", " + what,
        [applies, since = kind.since](const Cell& c) {
          return c.since_version >= since && applies(c);
        },
        [is = kind.is, where](const Element& e) { return is(e) && where(e); });
  };
  add("saturate=0, overflow", Float8Since(0),
      [](const Element& e) { return Is(e, "saturate", 0) && Overflows(e); });
  add("scale negative", FloatScales(), [](const Element& e) { return e.scale < 0; });
  add("scale 0", FloatScales(), [](const Element& e) { return e.scale == 0; });
  add("scale infinite", FloatScales(),
      [](const Element& e) { return std::isinf(e.scale); });
  add("scale NaN", Float8Since(0), [](const Element& e) { return std::isnan(e.scale); });
  add("1024 elements", Any(), [](const Element& e) { return e.count >= 1024; });
  add("x infinite", FloatX(), [](const Element& e) { return std::isinf(e.x); });
  add("x NaN", Float8Since(0), [](const Element& e) { return std::isnan(e.x); });
  add("the default axis", Many(),
      [](const Element& e) { return !e.Has("axis") && e.o > 0; });
  add("rank 0", Of("per_tensor"), [](const Element& e) { return e.rank() == 0; });
}

// One attribute beside another, or in place of the zero point.
void AddAttributes(std::vector<Stranger>& all) {
  Add(all, "precision without y_zero_point", Since(23), [](const Element& e) {
    return HasPrecision(e) && !e.zero_point_present() && e.last();
  });
  Add(all, "precision beside output_dtype", Since(23), [](const Element& e) {
    return HasPrecision(e) && e.Has("output_dtype") && e.last();
  });
  Add(
      all, "UINT8 by output_dtype alone",
      [](const Cell& c) {
        return c.since_version >= 21 && OutputType(c) == DataType::kUint8;
      },
      [](const Element& e) {
        return e.Has("output_dtype") && !e.zero_point_present() && e.last();
      });
  Add(all, "attributes backwards", Since(19), [](const Element& e) {
    const auto& given = e.asked.model.node.attributes;
    return given.size() > 1 && given.front().name > given.back().name;
  });
}

void AddFloatZeroPoints(std::vector<Stranger>& all) {
  for (const int64_t p : {1, 10, 11, 16}) {
    Add(all, "precision=" + std::to_string(p) + ", float8 with a zero point",
        Float8Since(23), [p](const Element& e) {
          return Is(e, "precision", p) && e.zero_point != 0 &&
                 std::isfinite(e.zero_point);
        });
  }
  Add(all, "float8 with a zero point, x NaN", Float8Since(19),
      [](const Element& e) { return Shifts(e) && std::isnan(e.x); });
  Add(all, "float8 with a zero point, x -0", Float8Since(19),
      [](const Element& e) { return Shifts(e) && e.x == 0 && std::signbit(e.x); });
}

void AddAxes(std::vector<Stranger>& all) {
  Add(all, "one image, axis 1", Of("per_axis"), [](const Element& e) {
    return e.rank() == 4 && e.d.places.shape[0] == 1 && e.d.places.axis == 1 && e.i > 0;
  });
  Add(all, "an axis of 1 in blocks", Of("blocked"),
      [](const Element& e) { return e.d.layout.axis == 1; });
  for (const int64_t axis : {0, 1}) {
    Add(all, "one scale, axis=" + std::to_string(axis), Of("per_tensor"),
        [axis](const Element& e) { return Is(e, "axis", axis); });
  }
}

}  // namespace

std::vector<Stranger> TogetherStrangers() {
  std::vector<Stranger> all;
  for (const Kind& kind : Kinds()) AddOfKind(all, kind);
  AddAttributes(all);
  AddFloatZeroPoints(all);
  AddAxes(all);
  return all;
}

}  // namespace qconform
