#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/core/patterns/pattern_quantities.h"

namespace qconform {
namespace {

Pattern HasFeature(std::string words, uint16_t features) {
  return {std::move(words), [features](const EvidenceCase& one, int64_t i) {
            return (one.answer->elements[static_cast<size_t>(i)].features & features) !=
                   0;
          }};
}

// The place of an element in its output.
ElementPlace PlaceOf(const EvidenceCase& one, int64_t i) {
  return one.answer->PlaceOf(static_cast<size_t>(i));
}

int64_t SizeOfOutput(const EvidenceCase& one, const ElementPlace& place) {
  return static_cast<int64_t>(one.answer->SizeOf(place.output));
}

// "3", "0.125", "1e+20".
std::string NumberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// Calls `call` with the value of each deviating element, or nothing; ends when it returns
// false.
template <typename Call>
void ForDeviating(const Quantity& quantity, std::span<const EvidenceCase> cases,
                  Call call) {
  for (const EvidenceCase& one : cases) {
    for (const int64_t i : one.deviating) {
      if (!call(quantity.of(one, i))) return;
    }
  }
}

// Returns the values that the elements have, up to a thousand: a threshold among more of
// them is no more likely to fit by chance than one among these, as the elements are few.
std::set<double> ValuesOf(const Quantity& quantity, std::span<const EvidenceCase> cases) {
  constexpr size_t kMost = 1000;
  constexpr int64_t kLooked = 4096;  // of each case
  std::set<double> values;
  for (const EvidenceCase& one : cases) {
    for (int64_t i = 0; i < std::min(SizeOf(one), kLooked); ++i) {
      if (const auto value = quantity.of(one, i)) values.insert(*value);
      if (values.size() == kMost) return values;
    }
  }
  return values;
}

const Attribute* FindAttribute(const EvidenceCase& one, const std::string& name) {
  if (one.model == nullptr) return nullptr;
  const std::vector<Attribute>& all = one.model->node.attributes;
  const auto found = std::ranges::find(all, name, &Attribute::name);
  return found == all.end() ? nullptr : &*found;
}

// By the values of an attribute that no deviating case has: "only where the attribute
// axis is not 1".
Patterns OtherValuePatterns(
    std::span<const EvidenceCase> cases, const std::string& name,
    const std::function<std::optional<double>(const EvidenceCase&)>& integer) {
  std::set<double> values;
  for (const EvidenceCase& one : cases) {
    if (const auto value = integer(one)) values.insert(*value);
  }
  Patterns patterns;
  const auto alternatives = static_cast<int64_t>(values.size());
  if (alternatives < 3) return patterns;  // "is" says it more simply
  for (const double value : values) {
    patterns.push_back(
        {"only where the attribute " + name + " is not " + NumberText(value),
         [integer, value](const EvidenceCase& one, int64_t) {
           return integer(one) != value;
         },
         alternatives});
    patterns.back().is_derived = true;
  }
  return patterns;
}

// Elements after the last multiple of some lanes in their row, which is a line along the
// last dimension of their output.
Patterns RowTailPatterns() {
  constexpr int64_t kTails = 6;
  Patterns patterns;
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    const auto row_of = [](const EvidenceCase& one, int64_t i) {
      const Shape& shape = one.answer->OutputOf(static_cast<size_t>(i)).shape;
      return shape.empty() ? int64_t{1} : shape.back();
    };
    patterns.push_back({"only elements after the last multiple of " +
                            std::to_string(lanes) + " in their row",
                        [lanes, row_of](const EvidenceCase& one, int64_t i) {
                          const int64_t row = row_of(one, i);
                          return PlaceOf(one, i).index % row >= row / lanes * lanes;
                        },
                        kTails});
    patterns.back().shown_by = [lanes, row_of](const EvidenceCase& one, int64_t i) {
      return row_of(one, i) >= lanes && PlaceOf(one, i).index >= row_of(one, i);
    };
  }
  return patterns;
}

// By the attributes that some of the cases have.
Patterns AttributePatterns(std::span<const EvidenceCase> cases) {
  Patterns patterns;
  std::set<std::string> names;
  for (const EvidenceCase& one : cases) {
    if (one.model == nullptr) continue;
    for (const Attribute& each : one.model->node.attributes) names.insert(each.name);
  }
  for (const std::string& name : names) {
    const auto integer = [name](const EvidenceCase& one) -> std::optional<double> {
      const Attribute* found = FindAttribute(one, name);
      const auto* value =
          found == nullptr ? nullptr : std::get_if<int64_t>(&found->value);
      if (value == nullptr) return std::nullopt;
      return static_cast<double>(*value);
    };
    patterns.push_back({"only where the attribute " + name + " is given",
                        [name](const EvidenceCase& one, int64_t) {
                          return FindAttribute(one, name) != nullptr;
                        }});
    patterns.back().is_derived = true;
    patterns.push_back({"only where the attribute " + name + " is left out",
                        [name](const EvidenceCase& one, int64_t) {
                          return FindAttribute(one, name) == nullptr;
                        }});
    patterns.back().is_derived = true;
    patterns.push_back({"only where the attribute " + name + " is negative",
                        [integer](const EvidenceCase& one, int64_t) {
                          return integer(one).value_or(0) < 0;
                        }});
    patterns.back().is_derived = true;
    Append(patterns, OtherValuePatterns(cases, name, integer));
    Append(patterns, PatternsOf({.name = "the attribute " + name,
                                 .of = [integer](const EvidenceCase& one,
                                                 int64_t) { return integer(one); },
                                 .has_ends = false},
                                cases));
  }
  return patterns;
}

// By the operands that some cases leave out.
Patterns LeftOutPatterns(std::span<const EvidenceCase> cases) {
  std::map<size_t, std::string> names;  // of operands, by their position
  for (const EvidenceCase& one : cases) {
    if (one.model == nullptr || one.model->node.is_graph()) continue;
    const std::vector<std::string>& inputs = one.model->node.inputs;
    for (size_t at = 0; at < inputs.size(); ++at) {
      if (!inputs[at].empty()) names.emplace(at, inputs[at]);
    }
  }
  Patterns patterns;
  for (const auto& [position, name] : names) {
    const auto is_given = [at = position](const EvidenceCase& one) {
      return one.model != nullptr && at < one.model->node.inputs.size() &&
             !one.model->node.inputs[at].empty();
    };
    patterns.push_back(
        {"only with " + name,
         [is_given](const EvidenceCase& one, int64_t) { return is_given(one); }});
    patterns.back().is_derived = true;
    patterns.push_back(
        {"only without " + name,
         [is_given](const EvidenceCase& one, int64_t) { return !is_given(one); }});
    patterns.back().is_derived = true;
  }
  return patterns;
}

// "inputs or initializers", where something deviates.
Patterns FormPatterns(std::span<const EvidenceCase> cases) {
  std::set<OperandForm> all;
  std::set<OperandForm> forms;
  for (const EvidenceCase& one : cases) {
    all.insert(one.form);
    if (!one.deviating.empty()) forms.insert(one.form);
  }
  if (forms.size() == all.size()) return {};
  std::string words = "only in operand form ";
  for (const OperandForm form : forms) {
    words += (form == *forms.begin() ? "" : " or ") + std::string(OperandFormName(form));
  }
  Pattern pattern{
      std::move(words),
      [forms](const EvidenceCase& one, int64_t) { return forms.contains(one.form); },
      int64_t{1} << all.size()};
  pattern.is_of_asking = true;
  pattern.is_derived = true;
  return {std::move(pattern)};
}

}  // namespace

Patterns PatternsOf(const Quantity& quantity, std::span<const EvidenceCase> cases) {
  double least = INFINITY;
  double most = -INFINITY;
  bool all_have_one = true;
  bool shows_in_all = !quantity.is_of_result;
  std::vector<double> values;
  ForDeviating(quantity, cases, [&](std::optional<double> value) {
    all_have_one = value.has_value();
    if (!all_have_one) return false;
    least = std::min(least, *value);
    most = std::max(most, *value);
    values.push_back(*value);
    shows_in_all = shows_in_all || *value == 0 || std::isinf(*value);
    return true;
  });
  if (!all_have_one || values.empty()) return {};
  Patterns patterns;
  const std::set<double> asked = ValuesOf(quantity, cases);
  const auto count = static_cast<int64_t>(asked.size());
  const auto add = [&](const std::string& words, std::function<bool(double)> holds,
                       int64_t alternatives, bool is_derived) {
    patterns.push_back({.words = "only where " + quantity.name + words,
                        .holds =
                            [of = quantity.of, holds = std::move(holds)](
                                const EvidenceCase& one, int64_t i) {
                              const auto value = of(one, i);
                              return value && holds(*value);
                            },
                        .alternatives = alternatives,
                        .is_derived = is_derived,
                        .is_of_asking = quantity.is_of_asking});
    if (shows_in_all) return;
    patterns.back().weighed = [of = quantity.of](const EvidenceCase& one, int64_t i) {
      const auto value = of(one, i);
      return value && *value != 0 && std::isfinite(*value);
    };
  };
  if (least == most) {
    add(
        " is " + NumberText(least), [least](double value) { return value == least; },
        count, true);
  }
  const size_t before_ranges = patterns.size();
  if (quantity.has_ends) {
    add(
        " is at least " + NumberText(least),
        [least](double value) { return value >= least; }, count, true);
    add(
        " is at most " + NumberText(most), [most](double value) { return value <= most; },
        count, true);
  }
  if (quantity.has_ends && least != most) {
    add(
        " is between " + NumberText(least) + " and " + NumberText(most),
        [=](double value) { return value >= least && value <= most; }, count * count,
        true);
  }
  for (size_t i = before_ranges; i < patterns.size(); ++i) {
    patterns[i].is_range = true;
    patterns[i].has_upper_end = i > before_ranges;
  }
  if (!quantity.has_remainders) return patterns;
  constexpr int64_t kRemainders = 64 + 32 + 16 + 8 + 4 + 2;
  constexpr int64_t kMultiples = 12;
  if (asked.contains(0) && std::ranges::find(values, 0.0) == values.end()) {
    add(
        " is not 0", [](double value) { return value != 0; }, kMultiples, false);
  }
  for (const int64_t of : {64, 32, 16, 8, 4, 2}) {
    const auto remainder = [of](double value) {
      const auto whole = static_cast<int64_t>(value) % of;
      return whole < 0 ? whole + of : whole;
    };
    const int64_t first = remainder(values.front());
    const std::string number = std::to_string(of);
    const bool same = least != most && std::ranges::all_of(values, [&](double value) {
                        return remainder(value) == first;
                      });
    const bool none =
        std::ranges::none_of(values, [&](double value) { return remainder(value) == 0; });
    const size_t before = patterns.size();
    // Extreme operands are laid out by even and odd places: these need more to be told.
    const bool is_weak = of == 2;
    if (same && first == 0) {
      add(
          " is a multiple of " + number,
          [remainder](double value) { return remainder(value) == 0; }, kMultiples,
          is_weak);
    } else if (same) {
      add(
          " modulo " + number + " is " + std::to_string(first),
          [remainder, first](double value) { return remainder(value) == first; },
          kRemainders, is_weak);
    } else if (none) {
      add(
          " is no multiple of " + number,
          [remainder](double value) { return remainder(value) != 0; }, kMultiples,
          is_weak);
    }
    // 0 is a multiple of all: what it shows is "is 0" or "is not 0".
    if (patterns.size() == before) continue;
    patterns.back().weighed = [of_value = quantity.of](const EvidenceCase& one,
                                                       int64_t i) {
      const auto value = of_value(one, i);
      return value && *value != 0;
    };
  }
  return patterns;
}

namespace {

// A row is a line along the last dimension of an output of two dimensions and more.
// Returns its length, 0 if the output has none.
int64_t RowLengthOf(const EvidenceCase& one, int64_t i) {
  const Shape& shape = one.answer->OutputOf(static_cast<size_t>(i)).shape;
  return shape.size() < 2 ? 0 : shape.back();
}

Patterns RowPatterns(std::span<const EvidenceCase> cases) {
  Patterns patterns = RowTailPatterns();
  const auto add = [&](std::string name, int64_t (*of)(int64_t index, int64_t length)) {
    Append(patterns,
           PatternsOf(
               {.name = std::move(name),
                .of = [of](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                  const int64_t length = RowLengthOf(one, i);
                  if (length == 0) return std::nullopt;
                  return static_cast<double>(of(PlaceOf(one, i).index, length));
                },
                .has_remainders = true},
               cases));
  };
  add("the index in its row",
      [](int64_t index, int64_t length) { return index % length; });
  add("the row", [](int64_t index, int64_t length) { return index / length; });
  add("the length of its row", [](int64_t, int64_t length) { return length; });
  add("the number of elements after it in its row",
      [](int64_t index, int64_t length) { return length - 1 - index % length; });
  return patterns;
}

// The last element of an output, where it is the only one after whole vectors.
Patterns LoneLastPatterns() {
  Patterns patterns;
  constexpr int64_t kLanes = 5;
  for (const int64_t lanes : {4, 8, 16, 32, 64}) {
    patterns.push_back(
        {"only the last element of an output that has one more than a "
         "multiple of " +
             std::to_string(lanes),
         [lanes](const EvidenceCase& one, int64_t i) {
           const ElementPlace place = PlaceOf(one, i);
           const int64_t size = SizeOfOutput(one, place);
           return place.index + 1 == size && size % lanes == 1;
         },
         kLanes});
  }
  return patterns;
}

}  // namespace

Patterns CommonPatterns(std::span<const EvidenceCase> cases) {
  Patterns patterns = FormPatterns(cases);
  Append(patterns,
         PatternsOf({.name = "opset_version",
                     .of = [](const EvidenceCase& one, int64_t) -> std::optional<double> {
                       return one.opset_version;
                     },
                     .is_of_asking = true},
                    cases));
  Append(patterns, AttributePatterns(cases));
  Append(patterns, LeftOutPatterns(cases));
  Append(
      patterns,
      PatternsOf({.name = "the rank of the output",
                  .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                    return static_cast<double>(
                        one.answer->OutputOf(static_cast<size_t>(i)).shape.size());
                  }},
                 cases));
  Append(
      patterns,
      PatternsOf({.name = "the number of elements of the output",
                  .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                    return static_cast<double>(SizeOfOutput(one, PlaceOf(one, i)));
                  },
                  .has_remainders = true},
                 cases));
  Append(
      patterns,
      PatternsOf({.name = "the right answer",
                  .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                    const auto at = static_cast<size_t>(i);
                    return NumberOf(Decode(FormatOf(one.answer->TypeOf(at)),
                                           one.answer->elements[at].code));
                  },
                  .is_of_result = true},
                 cases));
  Append(
      patterns,
      PatternsOf({.name = "the magnitude of the right answer",
                  .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                    const auto at = static_cast<size_t>(i);
                    const auto value = NumberOf(Decode(FormatOf(one.answer->TypeOf(at)),
                                                       one.answer->elements[at].code));
                    return value ? std::optional(std::fabs(*value)) : std::nullopt;
                  },
                  .is_of_result = true},
                 cases));
  Append(patterns, RowPatterns(cases));
  Append(patterns, LoneLastPatterns());
  Append(
      patterns,
      PatternsOf({.name = "the index",
                  .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                    return static_cast<double>(PlaceOf(one, i).index);
                  }},
                 cases));
  return patterns;
}

Patterns SpecialValuePatterns(const std::string& values) {
  return {HasFeature("only NaN " + values, kFeatureNan),
          HasFeature("only infinite " + values, kFeatureInfinity),
          HasFeature("only NaN and infinite " + values, kFeatureNan | kFeatureInfinity)};
}

Patterns ResultPatterns() {
  return {HasFeature("only ties", kFeatureTie),
          HasFeature("only results that saturate",
                     kFeatureSaturatedLow | kFeatureSaturatedHigh),
          HasFeature("only results that are subnormal in y", kFeatureSubnormalResult),
          {"only the last element of a tensor", [](const EvidenceCase& one, int64_t i) {
             const ElementPlace place = PlaceOf(one, i);
             return place.index + 1 == SizeOfOutput(one, place);
           }}};
}

Patterns TailPatterns() {
  Patterns patterns;
  constexpr int64_t kTails = 7;
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64, 128}) {
    patterns.push_back(
        {"only elements behind the last multiple of " + std::to_string(lanes),
         [lanes](const EvidenceCase& one, int64_t i) {
           const ElementPlace place = PlaceOf(one, i);
           return place.index >= SizeOfOutput(one, place) / lanes * lanes;
         },
         kTails});
    // In smaller tensors every element is behind the last multiple.
    patterns.back().shown_by = [lanes](const EvidenceCase& one, int64_t i) {
      return SizeOfOutput(one, PlaceOf(one, i)) >= lanes;
    };
  }
  return patterns;
}

Patterns LanePatterns() {
  Patterns patterns;
  constexpr int64_t kLanes = 64 + 32 + 16 + 8 + 4 + 2;
  for (const int64_t lanes : {64, 32, 16, 8, 4, 2}) {
    for (int64_t place = 0; place < lanes; ++place) {
      patterns.push_back({"only elements whose index modulo " + std::to_string(lanes) +
                              " is " + std::to_string(place),
                          [lanes, place](const EvidenceCase& one, int64_t i) {
                            return PlaceOf(one, i).index % lanes == place;
                          },
                          kLanes});
      // In smaller outputs it is the index itself.
      patterns.back().shown_by = [lanes](const EvidenceCase& one, int64_t i) {
        return PlaceOf(one, i).index >= lanes;
      };
    }
  }
  return patterns;
}

Patterns TierPatterns() {
  Patterns patterns;
  for (int tier = 0; tier < kTierCount; ++tier) {
    patterns.push_back(
        {"only elements of tier " + std::string(TierName(static_cast<Tier>(tier))),
         [tier](const EvidenceCase& one, int64_t i) {
           return one.answer->elements[static_cast<size_t>(i)].tier ==
                  static_cast<Tier>(tier);
         },
         kTierCount});
  }
  return patterns;
}

void Append(Patterns& to, Patterns more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()),
            std::make_move_iterator(more.end()));
}

int64_t SizeOf(const EvidenceCase& one) {
  return static_cast<int64_t>(one.answer->elements.size());
}

namespace {

// "only within a relative 2^-22 of a tie": what a value with an error of that size shows.
Patterns NearTiePatterns(std::span<const EvidenceCase> cases, const std::string& name,
                         const RoundedValueOf& value_of) {
  constexpr int kLeast = 10;  // powers of two that are told
  constexpr int kMost = 30;
  const auto distance = [value_of](const EvidenceCase& one, int64_t i) {
    const auto value = value_of(one, i);
    const auto number = value ? NumberOf(*value) : std::nullopt;
    if (!number || *number == 0 || std::isinf(*number)) return double{INFINITY};
    return std::fabs(*number - std::floor(*number) - 0.5) / std::fabs(*number);
  };
  double most = 0;
  for (const EvidenceCase& one : cases) {
    for (const int64_t i : one.deviating) most = std::max(most, distance(one, i));
  }
  int bits = kMost;
  while (bits >= kLeast && std::ldexp(1.0, -bits) < most) --bits;
  // Where all are ties, that is said by itself.
  if (bits < kLeast || most == 0) return {};
  return {{.words = "only where " + name + " is within a relative 2^-" +
                    std::to_string(bits) + " of a tie",
           .holds = [distance, bits](
                        const EvidenceCase& one,
                        int64_t i) { return distance(one, i) <= std::ldexp(1.0, -bits); },
           .alternatives = kMost - kLeast + 1}};
}

}  // namespace

Patterns RoundedValuePatterns(std::span<const EvidenceCase> cases,
                              const std::string& name, const RoundedValueOf& value_of) {
  Patterns patterns;
  const auto add = [&](std::string of, double (*number)(double)) {
    Append(patterns,
           PatternsOf({.name = std::move(of),
                       .of = [value_of, number](const EvidenceCase& one,
                                                int64_t i) -> std::optional<double> {
                         const auto value = value_of(one, i);
                         const auto double_value =
                             value ? NumberOf(*value) : std::nullopt;
                         if (!double_value) return std::nullopt;
                         return number(*double_value);
                       },
                       .is_of_result = true},
                      cases));
  };
  add(name, [](double value) { return value; });
  add("the magnitude of " + name, [](double value) { return std::fabs(value); });
  add("the distance of " + name + " from a tie",
      [](double value) { return std::fabs(value - std::floor(value) - 0.5); });
  add(name + " less the integer below it",
      [](double value) { return value - std::floor(value); });
  Append(patterns, NearTiePatterns(cases, name, value_of));
  return patterns;
}

std::optional<double> NumberOf(const Unrounded& value) {
  if (value.value_class == ValueClass::kZero) return 0.0;
  if (value.value_class == ValueClass::kNan) return std::nullopt;
  if (value.value_class == ValueClass::kInfinity) {
    return value.negative ? -INFINITY : INFINITY;
  }
  const double size = std::ldexp(static_cast<double>(value.significand), value.exponent);
  return value.negative ? -size : size;
}

std::optional<double> NumberOf(const ExactValue& value) {
  return NumberOf(ToUnrounded(value));
}

}  // namespace qconform
