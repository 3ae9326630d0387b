// The wrong models of MatMulInteger.
#include "harness/core/common_faults.h"
#include "harness/core/operator_faults.h"

namespace qconform::mat_mul_integer {
namespace {

enum class Mistake : uint8_t { kLastElementUnwritten };

class Case : public DecodedCaseOf<DataType> {
 public:
  using DecodedCaseOf::DecodedCaseOf;

  Codes CodesOf(const FaultSet& set, FaultState&) const override {
    Codes codes = canonical();
    if (set.As<Mistake>() == Mistake::kLastElementUnwritten && !codes.empty()) {
      codes.back() ^= 1;
    }
    return codes;
  }
};

class Faults : public OperatorFaults {
 public:
  std::string_view op_type() const override { return "MatMulInteger"; }

  std::span<const OperatorFault> catalogue() const override {
    static const OperatorFault kCatalogue[] = {
        {.text = common_faults::kLastElementUnwritten,
         .set = Mistake::kLastElementUnwritten}};
    return kCatalogue;
  }

  Result<std::shared_ptr<const DecodedCase>> Decode(const Node&, int,
                                                    const Operands& operands,
                                                    Codes canonical,
                                                    const ReadingSet&) const override {
    return std::shared_ptr<const DecodedCase>(std::make_shared<const Case>(
        op_type(), operands.front()->type, std::move(canonical)));
  }
};

}  // namespace

const OperatorFaults& GetFaults();
const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

}  // namespace qconform::mat_mul_integer
