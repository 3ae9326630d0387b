// A question under construction: one content of a QuantizeLinear case. The
// generators choose a layout, a scale and a zero point for each channel (element
// of y_scale), and codes for x that are directed at them.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_QUESTION_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_QUESTION_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "cases/core/rounding_boundaries.h"
#include "cases/lattice/cell.h"
#include "cases/operators/quantize_linear/variant.h"
#include "cases/quantization/channel_layout.h"
#include "cases/quantization/values.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// One element of y_scale, and one of y_zero_point.
struct QuantizeLinearChannel {
  uint64_t scale_code = 0;
  ExactValue scale;    // y_scale as given
  ExactValue divisor;  // y_scale as divided by: rounded to P
  Divisor prepared_divisor;
  uint64_t zero_point_code = 0;
  ExactValue zero_point;
  // The boundaries of y whose quotient P can hold exactly. Never empty.
  BoundaryWindow holdable;
  // An x of few bits whose quotient, and that of its multiples, lies next to a boundary:
  // how near ties are reached if y_scale is finer than x. 0: none.
  uint64_t anchor = 0;
};

enum class ScaleFamily : uint8_t {
  kPowerOfTwo,
  kFewBits,         // a small odd significand: exact ties on full ranges of codes
  kFull,            // all bits of the significand in use
  kReciprocal,      // fl(2^e / boundary): near ties for x of few bits
  kNearPowerOfTwo,  // one unit in the last place from 2^e
};

class QuantizeLinearQuestion {
 public:
  QuantizeLinearQuestion(const Cell& cell, const QuantizeLinearVariant& variant,
                         int index, CounterRng rng);

  const Cell& cell;
  const ScaleGranularity granularity;
  const QuantizeLinearVariant& variant;
  const int index;
  const NumberFormat& x;
  const NumberFormat& y_scale;
  const NumberFormat& y;
  const NumberFormat* const p;  // null: no rounding before the target (QL-06)
  const RoundingBoundaries& boundaries;
  CounterRng rng;

  bool is_per_tensor() const { return granularity == ScaleGranularity::kPerTensor; }

  // --- what is chosen -------------------------------------------------------
  ChannelLayout layout;
  std::vector<QuantizeLinearChannel> channels;  // row-major as y_scale
  std::vector<uint32_t> x_codes;                // row-major as x

  // Attributes are written where they have their default value, or no meaning.
  bool spells_defaults = false;
  // Attributes have no order: 0 alphabetical, 1 backwards, 2 the first one at the end.
  int attribute_order = 0;

  // The remainder of the lengths of DirectedLayout.
  int tail = 0;

  // Takes the layout; all scales, zero points and x are still to be set.
  void SetLayout(ChannelLayout chosen);
  void SetDirectedLayout(int kind, int64_t elements);

  // Without y_zero_point its code is 0, whatever is asked for.
  void SetChannel(int64_t channel, uint64_t scale_code, uint64_t zero_point_code,
                  uint64_t anchor = 0);

  // Sets its scale, and keeps its zero point.
  void SetScale(int64_t channel, uint64_t scale_code);
  // Sets every channel: families in turn, from a start that the index gives.
  void SetChannels(std::initializer_list<ScaleFamily> scales,
                   std::initializer_list<ZeroPointFamily> zero_points);

  QuantizeLinearChannel Channel(uint64_t scale_code, uint64_t zero_point_code) const;

  const QuantizeLinearChannel& ChannelOf(int64_t element) const {
    return channels[static_cast<size_t>(layout.ChannelOf(element))];
  }

  // Sets every x to the code that `choose` returns for its index and channel.
  template <typename Choose>
  void FillX(const Choose& choose) {
    for (int64_t i = 0; i < layout.element_count; ++i) {
      x_codes[static_cast<size_t>(i)] = static_cast<uint32_t>(choose(i, ChannelOf(i)));
    }
  }

  // --- choosing -------------------------------------------------------------
  // An exponent of two for a scale: see ScaleCode.
  int ScaleExponent();
  // A positive, normal scale with which the codes of y spread over x.
  uint64_t ScaleCode(ScaleFamily family) { return ScaleAt(family, ScaleExponent()); }
  // The same, of about 2^exponent.
  uint64_t ScaleAt(ScaleFamily family, int exponent);
  // The same of the family kReciprocal, with its anchor: made for a boundary that
  // is chosen, or for the quotient that is given.
  uint64_t ReciprocalScale(int exponent, uint64_t& anchor);
  uint64_t ReciprocalScale(int exponent, const ExactValue& quotient, uint64_t& anchor);
  // The same of the family kFull, where converting it to P rounds up if any
  // scale of that size does: truncation would show.
  uint64_t RoundedUpScale(int exponent);
  // A zero point of an integer y. 0 for a float y, whose other zero points are open
  // (QL-24) and have a generator of their own.
  uint64_t ZeroPointCode(ZeroPointFamily family) {
    return generators::ZeroPointCode(y, family, rng);
  }

  // The formats whose range decides the tier (G-02): P, and what an admissible
  // reading divides in where the scale names no P (QL-06, QL-07). May be empty.
  std::span<const NumberFormat* const> tier_formats() const { return tier_formats_; }

  // Whether P is finer than x: then no x of a given scale lies next to a boundary by
  // chance.
  bool x_is_coarse() const { return x_is_coarse_; }

  // Returns the x nearest to quotient * divisor, towards zero past x's range.
  uint64_t XNear(const QuantizeLinearChannel& channel, const ExactValue& quotient) const {
    return RoundNearest(x, Multiply(channel.divisor, quotient));
  }

 private:
  BoundaryWindow HoldableBoundaries(const QuantizeLinearChannel& channel) const;

  std::vector<const NumberFormat*> tier_formats_;
  bool x_is_coarse_ = false;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_QUESTION_H_
