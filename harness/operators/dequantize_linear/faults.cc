// The wrong models of DequantizeLinear.
#include "harness/core/operator_faults.h"
#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {
namespace {

enum class Mistake : uint8_t { kSignLost };

// The type of y is all that a mistake needs of the operands.
class Case : public DecodedCaseOf<DataType> {
 public:
  using DecodedCaseOf::DecodedCaseOf;

  Codes CodesOf(const FaultSet& set, FaultState&) const override {
    Codes codes = canonical();
    if (set.As<Mistake>() == Mistake::kSignLost) {
      const uint32_t sign = uint32_t{1} << (BitWidth(decoded()) - 1);
      for (uint32_t& code : codes) code &= ~sign;
    }
    return codes;
  }
};

class Faults : public OperatorFaults {
 public:
  std::string_view op_type() const override { return "DequantizeLinear"; }

  std::span<const OperatorFault> catalogue() const override {
    static const OperatorFault kCatalogue[] = {
        {.text = {"sign_lost", "y is positive."}, .set = Mistake::kSignLost}};
    return kCatalogue;
  }

  Result<std::shared_ptr<const DecodedCase>> Decode(const Node& node, int,
                                                    const Operands& operands,
                                                    Codes canonical,
                                                    const ReadingSet&) const override {
    const auto output_dtype = IntegerAttribute(node.attributes, "output_dtype");
    if (!output_dtype) return output_dtype.error();
    const auto given = DataTypeFromNumber(output_dtype->value_or(0));
    const DataType y =
        given && *given != DataType::kUndefined ? *given : operands[1]->type;
    return std::shared_ptr<const DecodedCase>(
        std::make_shared<const Case>(op_type(), y, std::move(canonical)));
  }

  std::string_view BrokenClause(const Cell&, const Node&,
                                const FaultSet&) const override {
    return "DQ-02";
  }
};

}  // namespace

const OperatorFaults& GetFaults();
const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

}  // namespace qconform::dequantize_linear
