// What deviating elements of DynamicQuantizeLinear may have in common.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/operators/dynamic_quantize_linear/faults.h"

namespace qconform::dynamic_quantize_linear {
namespace {

const std::vector<float>& XOf(const EvidenceCase& one) {
  return Case::Of(*one.decoded).x;
}

size_t OutputAt(const EvidenceCase& one, int64_t i) {
  return one.answer->PlaceOf(static_cast<size_t>(i)).output;
}

// Calls a function of x once for each case, as that looks at all of x, and is asked for
// each element.
template <typename T>
std::function<T(const EvidenceCase&)> OfCase(
    std::function<T(const std::vector<float>&)> of) {
  const auto known = std::make_shared<std::map<const EvidenceCase*, T>>();
  return [of = std::move(of), known](const EvidenceCase& one) {
    const auto found = known->find(&one);
    if (found != known->end()) return found->second;
    return known->emplace(&one, of(XOf(one))).first->second;
  };
}

}  // namespace

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns;
  const auto first = std::ranges::find_if(
      cases, [](const EvidenceCase& one) { return !one.deviating.empty(); });
  if (first != cases.end()) {
    for (const OutputForm& output : first->answer->outputs) {
      const auto place = static_cast<size_t>(&output - first->answer->outputs.data());
      patterns.push_back(
          {"only " + output.name, [place](const EvidenceCase& one, int64_t i) {
             return OutputAt(one, i) == place;
           }});
    }
  }
  const auto add = [&](std::string words,
                       const std::function<bool(const std::vector<float>&)>& holds) {
    patterns.push_back({"only x " + std::move(words),
                        [of = OfCase<bool>(holds)](const EvidenceCase& one, int64_t) {
                          return of(one);
                        }});
  };
  add("that is 0 everywhere", [](const auto& x) {
    return std::ranges::all_of(x, [](float value) { return value == 0; });
  });
  add("of positive values only", [](const auto& x) {
    return std::ranges::all_of(x, [](float value) { return value > 0; });
  });
  add("of negative values only", [](const auto& x) {
    return std::ranges::all_of(x, [](float value) { return value < 0; });
  });
  add("with an infinity", [](const auto& x) {
    return std::ranges::any_of(x, [](float value) { return std::isinf(value); });
  });
  add("of one element", [](const auto& x) { return x.size() == 1; });
  for (const size_t of : {4, 8, 16, 32, 64}) {
    add("of a length that is no multiple of " + std::to_string(of),
        [of](const auto& x) { return x.size() % of != 0; });
  }
  patterns.push_back({"only negative elements", [](const EvidenceCase& one, int64_t i) {
                        const auto place = one.answer->PlaceOf(static_cast<size_t>(i));
                        return place.output == 0 &&
                               XOf(one)[static_cast<size_t>(place.index)] < 0;
                      }});
  Append(patterns, OperatorFaults::PatternsOf(cases));
  const auto add_quantity = [&](std::string name, bool has_remainders,
                                std::optional<double> (*of)(const std::vector<float>&)) {
    Append(patterns, qconform::PatternsOf(
                         {.name = std::move(name),
                          .of = [of = OfCase<std::optional<double>>(of)](
                                    const EvidenceCase& one, int64_t) { return of(one); },
                          .has_remainders = has_remainders},
                         cases));
  };
  add_quantity("the number of elements of x", true,
               [](const auto& x) -> std::optional<double> {
                 return static_cast<double>(x.size());
               });
  add_quantity("the least x", false, [](const auto& x) -> std::optional<double> {
    if (x.empty()) return std::nullopt;
    return *std::ranges::min_element(x);
  });
  add_quantity("the largest x", false, [](const auto& x) -> std::optional<double> {
    if (x.empty()) return std::nullopt;
    return *std::ranges::max_element(x);
  });
  return patterns;
}

}  // namespace qconform::dynamic_quantize_linear
