// The cells and contents of the families of graphs.
#include "cases/core/operator_cases.h"
#include "oracle/base/result.h"

namespace qconform {
namespace {

std::vector<SinceVersion> Versions() { return {}; }
std::vector<Cell> Cells() { return {}; }
std::vector<generators::ContentName> Contents(const Cell&, Level) { return {}; }
Status CheckVariant(const Cell&, std::string_view) { return Ok(); }
Result<generators::Content> MakeContent(const Cell&, const generators::ContentName&,
                                        generators::CounterRng) {
  return Error{"no content"};
}

OperatorCases Describe(std::string_view op_type) {
  OperatorCases cases;
  cases.op_type = op_type;
  cases.formals = {"x"};
  cases.granularities = {{.name = "per_tensor"}};
  cases.versions = Versions;
  cases.cells = Cells;
  cases.contents = Contents;
  cases.check_variant = CheckVariant;
  cases.make_content = MakeContent;
  return cases;
}

}  // namespace

#define QCONFORM_FAMILY(name)                                       \
  namespace graphs_##name {                                         \
    const OperatorCases& GetCases() {                               \
      static const OperatorCases cases = Describe("graphs." #name); \
      return cases;                                                 \
    }                                                               \
  }
QCONFORM_FAMILY(round_trip)
QCONFORM_FAMILY(requantization)
QCONFORM_FAMILY(movers)
QCONFORM_FAMILY(choosers)
QCONFORM_FAMILY(arithmetic)
QCONFORM_FAMILY(sums)
QCONFORM_FAMILY(weights)
QCONFORM_FAMILY(dynamic)
#undef QCONFORM_FAMILY

}  // namespace qconform
