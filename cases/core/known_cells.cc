#include "cases/core/known_cells.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace qconform::generators {
namespace {

// The lattice does not change while the program runs, and asking the schema
// registry for it takes longer than making a case.
struct Lattice {
  using CellKey = std::tuple<int, std::vector<DataType>, std::string>;
  struct Operator {
    std::vector<SinceVersion> versions;
    std::vector<CellKey> cells;  // sorted
  };
  std::map<std::string, Operator, std::less<>> operators;
  std::vector<int> ir_versions;  // by opset_version

  Lattice() {
    for (const std::string& op_type : JudgedOperators()) {
      Operator& entry = operators[op_type];
      entry.versions = SinceVersions(op_type);
      for (const Cell& cell : CellsOf(op_type)) entry.cells.push_back(KeyOf(cell));
      std::sort(entry.cells.begin(), entry.cells.end());
    }
    for (int opset = 0; opset <= NewestOpsetVersion(); ++opset) {
      ir_versions.push_back(IrVersionFor(opset));
    }
  }
  static CellKey KeyOf(const Cell& cell) {
    return {cell.since_version, cell.types, cell.granularity};
  }
  static const Lattice& Get() {
    static const Lattice lattice;
    return lattice;
  }
};

}  // namespace

bool IsInLattice(const Cell& cell) {
  const auto& operators = Lattice::Get().operators;
  const auto entry = operators.find(cell.op_type);
  return entry != operators.end() &&
         std::ranges::binary_search(entry->second.cells, Lattice::KeyOf(cell));
}

const std::vector<int>& OpsetVersionsOf(const Cell& cell) {
  const auto& versions = Lattice::Get().operators.find(cell.op_type)->second.versions;
  return std::ranges::find(versions, cell.since_version, &SinceVersion::since_version)
      ->opset_versions;
}

size_t CellCountOf(const Cell& cell) {
  const auto& operators = Lattice::Get().operators;
  const auto& cells = operators.find(cell.op_type)->second.cells;
  const auto of_definition =
      std::ranges::count(cells, cell.since_version,
                         [](const Lattice::CellKey& key) { return std::get<0>(key); });
  return static_cast<size_t>(of_definition);
}

int KnownIrVersion(int opset_version) {
  return Lattice::Get().ir_versions[static_cast<size_t>(opset_version)];
}

}  // namespace qconform::generators
