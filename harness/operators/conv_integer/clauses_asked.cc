#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "harness/core/clause_decides.h"
#include "harness/operators/conv_integer/faults.h"

namespace qconform::conv_integer {
namespace {

const Attribute* Find(const AskedElement& a, std::string_view name) {
  const std::vector<Attribute>& all = a.op_case.model.node.attributes;
  const auto found = std::ranges::find(all, name, &Attribute::name);
  return found == all.end() ? nullptr : &*found;
}

bool PadsSame(const AskedElement& a) {
  const Attribute* auto_pad = Find(a, "auto_pad");
  if (auto_pad == nullptr) return false;
  const auto* word = std::get_if<std::string>(&auto_pad->value);
  return word != nullptr && word->starts_with("SAME");
}

bool HasPads(const AskedElement& a) {
  const Attribute* pads = Find(a, "pads");
  if (pads == nullptr) return false;
  const auto* list = std::get_if<std::vector<int64_t>>(&pads->value);
  return list != nullptr && std::ranges::any_of(*list, [](int64_t p) { return p > 0; });
}

bool HasGroups(const AskedElement& a) {
  const Attribute* group = Find(a, "group");
  return group != nullptr && group->value != AttributeValue(int64_t{1});
}

ClauseDecides Decides() {
  return {
      {"CI-01", [](const AskedElement&) { return true; }},
      {"CI-01b",
       [](const AskedElement& a) {
         return a.element.tier == Tier::kAccumulatorOverflow;
       }},
      {"CI-02", [](const AskedElement& a) { return PadsSame(a) || HasPads(a); }},
      {"CI-03",
       [](const AskedElement& a) {
         return a.op_case.key.cell.granularity == "per_channel";
       }},
      {"CI-04",
       [](const AskedElement& a) {
         return HasPads(a) || Find(a, "strides") != nullptr ||
                Find(a, "dilations") != nullptr;
       }},
      {"CI-05", PadsSame},
      {"CI-08", HasGroups},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::conv_integer
