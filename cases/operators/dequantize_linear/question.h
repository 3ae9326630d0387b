// A question under construction: one content of a DequantizeLinear case. The generators
// choose a layout, a scale and a zero point for each channel (element of x_scale), and
// codes for x.
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_QUESTION_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_QUESTION_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "cases/lattice/cell.h"
#include "cases/operators/dequantize_linear/variant.h"
#include "cases/quantization/channel_layout.h"
#include "cases/quantization/values.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// One element of x_scale, and one of x_zero_point.
struct DequantizeLinearChannel {
  uint64_t scale_code = 0;
  ExactValue scale;
  uint64_t zero_point_code = 0;
  ExactValue zero_point;
  // An x that the scale was chosen for, if there is one.
  std::optional<uint32_t> anchor{};
};

// Families of positive, normal scales.
enum class DequantizeScale : uint8_t {
  kPowerOfTwo,
  kFewBits,         // a small odd significand
  kFull,            // all bits of the significand in use
  kNearPowerOfTwo,  // one unit in the last place from 2^e
};

class DequantizeLinearQuestion {
 public:
  DequantizeLinearQuestion(const Cell& cell, const DequantizeLinearVariant& variant,
                           int index, CounterRng rng);

  const Cell& cell;
  const ScaleGranularity granularity;
  const DequantizeLinearVariant& variant;
  const int index;
  const NumberFormat& x;
  const NumberFormat& x_scale;
  const NumberFormat& y;
  CounterRng rng;

  bool is_per_tensor() const { return granularity == ScaleGranularity::kPerTensor; }
  bool has_integer_x() const { return x.kind == NumberKind::kInteger; }
  bool has_zero_point() const { return variant.zero_point == ZeroPointForm::kPresent; }
  // INT32 has no zero point other than 0 (DQ-06).
  bool has_only_zero_as_zero_point() const { return x.type == DataType::kInt32; }

  // --- what is chosen -------------------------------------------------------
  ChannelLayout layout;
  std::vector<DequantizeLinearChannel> channels;  // row-major as x_scale
  std::vector<uint32_t> x_codes;                  // row-major as x

  // Attributes are written where they have their default value, or no meaning.
  bool spells_defaults = false;
  int attribute_order = 0;  // OrderAttributes
  // The bits of x's last byte that belong to no element are ones (DQ-50).
  bool sets_unused_bits = false;
  // The remainder of the lengths of DirectedLayout.
  int tail = 0;

  // Takes the layout; all scales, zero points and x are still to be set.
  void SetLayout(ChannelLayout chosen);
  void SetDirectedLayout(int kind, int64_t elements);

  // Without x_zero_point its code is 0, whatever is asked for.
  void SetChannel(int64_t channel, uint64_t scale_code, uint64_t zero_point_code);
  // Sets its scale, and keeps its zero point.
  void SetScale(int64_t channel, uint64_t scale_code);
  // Sets every channel: families in turn, from a start that the index gives.
  void SetChannels(std::initializer_list<DequantizeScale> scales,
                   std::initializer_list<ZeroPointFamily> zero_points);

  DequantizeLinearChannel Channel(uint64_t scale_code, uint64_t zero_point_code) const;

  const DequantizeLinearChannel& ChannelOf(int64_t element) const {
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
  // An exponent of two with which the scale, the scale in y's type, and most products are
  // normal, as far as all this is possible at once.
  int ScaleExponent();
  // A positive, normal scale of about 2^exponent.
  uint64_t ScaleAt(DequantizeScale family, int exponent);
  uint64_t ScaleCode(DequantizeScale family) { return ScaleAt(family, ScaleExponent()); }
  // The scale nearest to a positive value; the nearest power of two for FLOAT8E8M0.
  uint64_t NearestScale(const Unrounded& value) const;
  // As generators::ZeroPointCode; 0 for INT32.
  uint64_t ZeroPoint(ZeroPointFamily family);

  // Any code of x. INT32 are of all magnitudes: FLOAT16 holds those of 16 bits only.
  uint64_t AnyX();
  // An integer x with this difference to the channel's zero point, or the nearest one;
  // the nearest x that is a number for a float x.
  uint64_t XOfDifference(const DequantizeLinearChannel& channel,
                         const ExactValue& difference) const;
};

// Returns x - x_zero_point, exactly.
Unrounded DifferenceOf(const DequantizeLinearQuestion& question,
                       const DequantizeLinearChannel& channel, uint64_t x_code);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_QUESTION_H_
