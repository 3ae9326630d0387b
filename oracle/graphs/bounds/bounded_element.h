// An element of a float section with all that its bound depends on, and the arithmetic of
// such elements (GR-05, GR-13 to GR-18). docs/bounds.md has the proof.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_BOUNDED_ELEMENT_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_BOUNDED_ELEMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "oracle/formats/number_format.h"
#include "oracle/graphs/bounds/real.h"

namespace qconform {

// The ends of what an element may be, by the bounds and by those of reduced precision.
struct BoundedEnds {
  RealInterval within{};
  RealInterval wider{};
};

// An element of a float value in a section.
struct BoundedElement {
  enum class Kind : uint8_t {
    kNumber,
    kGiven,  // NaN or an infinity that the operands have: only the composition is right
    kFree,   // anything: it left the range of its type, or divides by what may be zero
  };
  Kind kind = Kind::kNumber;
  // The exact value. An interval where it comes from several codes, or where not all of
  // its digits are kept.
  RealInterval value{};
  Real magnitude{};        // sum|T_i|, or more
  Real underflow{};        // what results below the least normal number add to the error
  int64_t count = 0;       // operations on the longest way
  bool has_slack = false;  // GR-05 and GR-13: gamma(m + 2)
  int64_t terms = 0;       // of a sum, those that are not 0, and at least 1; else 0
  int digits = 24;         // of the tensors' type: u = 2^-digits
  // GR-16. `is_exact`: all scales and factors are powers of two, and no value is out of
  // the type's normal range. All terms are multiples of 2^lowest.
  bool is_exact = true;
  int lowest = 0;
  int least = 0;  // no value but 0 on the way is below 2^least
  Real step{};    // of an integer sum, which the section multiplies (GR-14); 0: none
  bool is_computed = false;  // by GR-05 or GR-06: only such may have reduced precision
  // GR-18: behind a chooser, the ends with the error of what lies before it, and that of
  // the QuantizeLinear behind it.
  bool is_closed = false;
  BoundedEnds rounded{};    // where what follows is rounded
  BoundedEnds unrounded{};  // where it is not: what is in the exact case has no error
  // GR-17: of a set of codes the element of each, as long as it is only moved; null: it
  // is one element. All else is of their hull.
  std::shared_ptr<const std::vector<BoundedElement>> of_each_code{};
};

// BoundedElement::lowest and least if all terms are 0.
inline constexpr int kNoLowestBit = 1 << 24;

BoundedElement OfKind(BoundedElement::Kind kind);

// A number that is given: data, a constant, a bound. NaN and infinities are kGiven.
BoundedElement PointElement(const Real& value, const NumberFormat& format);
BoundedElement PointElement(const ExactValue& value, const NumberFormat& format);

// (x - zero_point) * scale in a tensor of `format`.
BoundedElement DequantizedElement(const Unrounded& difference, const ExactValue& scale,
                                  const NumberFormat& format);

// Either of two: from the lower end of both to the upper.
BoundedElement United(const BoundedElement& a, const BoundedElement& b);

// What a result has of its operands, whatever the operation is.
BoundedElement Joined(const BoundedElement& a, const BoundedElement& b);

BoundedElement NegativeOf(BoundedElement element);

// Takes the element's own value into `least`.
void KeepLeast(BoundedElement& element);

// Free beyond the range of the type: intermediate values may have become infinite.
BoundedElement Limited(const BoundedElement& element, const NumberFormat& format);

// What is rounded below the least normal number is wrong by half of the smallest one:
// adds that for so many roundings.
void AddUnderflow(BoundedElement& element, const NumberFormat& format, int64_t roundings);

// GR-16: nothing can be rounded in front of a QuantizeLinear.
bool IsExactCase(const BoundedElement& element, const NumberFormat& format);

// Whether a scale is in the normal range.
bool IsNormal(const Real& value, const NumberFormat& format);

// The element as an operand of arithmetic: behind a chooser its ends.
struct OpenedElement {
  RealInterval value;
  Real magnitude;
  int64_t count;
};
OpenedElement Opened(const BoundedElement& element);

// What follows an element up to the end of its section.
struct Behind {
  int64_t operations = 0;  // a QuantizeLinear's division
  bool is_exact = true;    // it rounds nothing: there is none, or by a power of two
};

// The ends with the error of everything so far and behind; nothing: anything (GR-19).
std::optional<RealInterval> WithinOf(const BoundedElement& element,
                                     const NumberFormat& format, const Behind& behind);

// The same by the bounds of reduced precision, in front of a QuantizeLinear or of a float
// output (GR-14). `within` is WithinOf.
RealInterval WiderOf(const BoundedElement& element, const NumberFormat& format,
                     const Behind& behind, const RealInterval& within);

// The operations of float nodes, in tensors of one type.
class BoundArithmetic {
 public:
  // `is_quantized_behind`: only choosers and movers lie between the node and a
  // QuantizeLinear, whose division counts where a chooser acts (GR-18).
  BoundArithmetic(const NumberFormat& format, bool is_quantized_behind)
      : format_(&format), extra_(is_quantized_behind ? 1 : 0) {}

  // A factor or term that an attribute gives, as a code of FLOAT.
  BoundedElement Factor(uint32_t code) const;
  BoundedElement Sum(const BoundedElement& first, const BoundedElement& second) const;
  BoundedElement Product(const BoundedElement& first, const BoundedElement& second) const;
  BoundedElement Quotient(const BoundedElement& first,
                          const BoundedElement& second) const;
  // x, or x * slope where it is negative.
  BoundedElement Sloped(const BoundedElement& x, const BoundedElement& slope) const;
  // x * max(0, min(1, x / 6 + 1/2)).
  BoundedElement HardSwish(const BoundedElement& x) const;
  // GR-18. The greater or the less of two, by their ends.
  BoundedElement Chosen(const BoundedElement& first, const BoundedElement& second,
                        bool greatest) const;

 private:
  std::optional<BoundedEnds> EndsOf(BoundedElement element, bool is_exact) const;

  const NumberFormat* format_;
  int64_t extra_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_BOUNDED_ELEMENT_H_
