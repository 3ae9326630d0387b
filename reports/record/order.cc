#include "reports/record/order.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace qconform {
namespace {

// As oracle/core names them, which nothing here may see; a test of harness/runner
// compares.
constexpr std::array<std::string_view, 5> kTiers = {
    "regular", "subnormal", "conversion_range", "degenerate_scale",
    "accumulator_overflow"};

// Of one operand's scales, those with few scales first.
constexpr std::array<std::string_view, 5> kGranularities = {
    "per_tensor", "per_axis", "per_row", "per_column", "blocked"};

template <typename Names, typename Name>
size_t Rank(const Names& names, const Name& name) {
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

size_t OperatorRank(const SelectionRecord& selection, std::string_view op_type) {
  return Rank(selection.operators, op_type);
}

std::span<const std::string_view> KnownTiers() { return kTiers; }

size_t TierRank(std::string_view tier) { return Rank(kTiers, tier); }

bool IsKnownTier(std::string_view tier) { return TierRank(tier) < kTiers.size(); }

std::vector<size_t> GranularityRank(std::string_view granularity) {
  const auto hyphens = std::count(granularity.begin(), granularity.end(), '-');
  std::vector<size_t> ranks{static_cast<size_t>(hyphens)};
  while (true) {
    const size_t hyphen = granularity.find('-');
    ranks.push_back(Rank(kGranularities, granularity.substr(0, hyphen)));
    if (hyphen == std::string_view::npos) return ranks;
    granularity.remove_prefix(hyphen + 1);
  }
}

size_t TypeRank(DataType type) { return Rank(AllDataTypes(), type); }

std::vector<std::string> TiersOf(const CellRecord& cell) {
  std::vector<std::string> tiers;
  for (const FormRecord& form : cell.forms) {
    for (const TierRecord& tier : form.tiers) tiers.push_back(tier.tier);
  }
  std::sort(tiers.begin(), tiers.end(), [](const std::string& a, const std::string& b) {
    return std::tuple(TierRank(a), std::string_view(a)) <
           std::tuple(TierRank(b), std::string_view(b));
  });
  tiers.erase(std::unique(tiers.begin(), tiers.end()), tiers.end());
  return tiers;
}

void SortCells(const SelectionRecord& selection, std::vector<CellRecord>* cells) {
  if (selection.model) {
    std::ranges::sort(*cells, {}, [](const CellRecord& cell) {
      return std::pair(cell.part ? cell.part->position : 0, std::string_view(cell.cell));
    });
    return;
  }
  std::sort(cells->begin(), cells->end(), [&](const CellRecord& a, const CellRecord& b) {
    const auto key = [&](const CellRecord& cell) {
      return std::tuple(OperatorRank(selection, cell.op_type),
                        std::string_view(cell.op_type), cell.since_version);
    };
    if (key(a) != key(b)) return key(a) < key(b);
    if (a.types != b.types) return a.types < b.types;
    return std::tuple(GranularityRank(a.granularity), std::string_view(a.cell)) <
           std::tuple(GranularityRank(b.granularity), std::string_view(b.cell));
  });
}

void SortNodeTests(std::vector<NodeTestRecord>* node_tests) {
  std::sort(node_tests->begin(), node_tests->end(),
            [](const NodeTestRecord& a, const NodeTestRecord& b) {
              return std::tie(a.release, a.name) < std::tie(b.release, b.name);
            });
}

}  // namespace qconform
