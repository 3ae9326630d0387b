// The wrong models of ConvInteger.
#include "harness/core/operator_faults.h"

namespace qconform::conv_integer {
namespace {

enum class Mistake : uint8_t { kLowestBitLost };

class Case : public DecodedCase {
 public:
  using DecodedCase::DecodedCase;

  Codes CodesOf(const FaultSet& set, FaultState&) const override {
    Codes codes = canonical();
    for (uint32_t& code : codes) {
      if (set.As<Mistake>() == Mistake::kLowestBitLost) code &= ~1u;
    }
    return codes;
  }
};

class Faults : public OperatorFaults {
 public:
  std::string_view op_type() const override { return "ConvInteger"; }

  std::span<const OperatorFault> catalogue() const override {
    static const OperatorFault kCatalogue[] = {
        {.text = {"lowest_bit_lost", "The lowest bit of the result becomes 0."},
         .set = Mistake::kLowestBitLost}};
    return kCatalogue;
  }

  Result<std::shared_ptr<const DecodedCase>> Decode(const Node&, int, const Operands&,
                                                    Codes canonical,
                                                    const ReadingSet&) const override {
    return std::shared_ptr<const DecodedCase>(
        std::make_shared<const Case>(op_type(), std::move(canonical)));
  }

  std::string_view BrokenClause(const Cell&, const Node&,
                                const FaultSet&) const override {
    return "CI-01";
  }
};

}  // namespace

const OperatorFaults& GetFaults();
const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

}  // namespace qconform::conv_integer
