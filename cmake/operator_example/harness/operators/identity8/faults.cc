// The wrong models of Identity8.
#include "harness/core/common_faults.h"
#include "harness/core/operator_faults.h"

namespace qconform::identity8 {
namespace {

enum class Mistake : uint8_t { kSignBitLost, kNarrowRange };

// The type of x is all that a mistake needs of the operands.
class Case : public DecodedCaseOf<DataType> {
 public:
  using DecodedCaseOf::DecodedCaseOf;

  Codes CodesOf(const FaultSet& set, FaultState&) const override {
    Codes codes = canonical();
    for (uint32_t& code : codes) {
      switch (set.As<Mistake>()) {
        case Mistake::kSignBitLost:
          code &= 0x7f;
          break;
        case Mistake::kNarrowRange:
          if (decoded() == DataType::kInt8 && code == 0x80) code = 0x81;
          break;
      }
    }
    return codes;
  }
};

Declaration DeclareNarrowRange(const Cell& cell) {
  if (cell.types.front() == DataType::kInt8) return Admissible("ID-02:symmetric");
  return Equivalent("UINT8 has no sign");
}

class Faults : public OperatorFaults {
 public:
  std::string_view op_type() const override { return "Identity8"; }

  std::span<const OperatorFault> catalogue() const override {
    static const OperatorFault kCatalogue[] = {
        {.text = {"sign_bit_lost", "The highest bit becomes 0."},
         .set = Mistake::kSignBitLost},
        {.text = common_faults::kNarrowRange,
         .set = Mistake::kNarrowRange,
         .declare = DeclareNarrowRange}};
    return kCatalogue;
  }

  Result<std::shared_ptr<const DecodedCase>> Decode(const Node&, int,
                                                    const Operands& operands,
                                                    Codes canonical,
                                                    const ReadingSet&) const override {
    return std::shared_ptr<const DecodedCase>(std::make_shared<const Case>(
        op_type(), operands.front()->type, std::move(canonical)));
  }

  std::string_view BrokenClause(const Cell&, const Node&,
                                const FaultSet&) const override {
    return "ID-01";
  }
};

}  // namespace

const OperatorFaults& GetFaults();
const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

}  // namespace qconform::identity8
