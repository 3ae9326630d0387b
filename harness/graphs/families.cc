// Wrong graphs of the families.
#include <string_view>

#include "harness/core/operator_faults.h"

namespace qconform {
namespace {

class FamilyFaults : public OperatorFaults {
 public:
  explicit FamilyFaults(std::string_view op_type) : op_type_(op_type) {}
  std::string_view op_type() const override { return op_type_; }

 private:
  std::string_view op_type_;
};

}  // namespace

#define QCONFORM_FAMILY(name)                            \
  namespace graphs_##name {                              \
    const OperatorFaults& GetFaults() {                  \
      static const FamilyFaults faults("graphs." #name); \
      return faults;                                     \
    }                                                    \
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
