// The registry's getters: each family of graphs with its wrong graphs.
#include "harness/core/operator_faults.h"
#include "harness/graphs/faults.h"

namespace qconform {

#define QCONFORM_FAMILY(name)                              \
  namespace graphs_##name {                                \
    const OperatorFaults& GetFaults() {                    \
      static const graphs::Faults faults("graphs." #name); \
      return faults;                                       \
    }                                                      \
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
