// Faults of reading x and x_zero_point.
#include "harness/core/common_faults.h"
#include "harness/operators/dequantize_linear/catalogue.h"
#include "harness/operators/dequantize_linear/fault_facts.h"
#include "harness/operators/dequantize_linear/fault_read.h"
#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {
namespace {

namespace common = common_faults;

using S = DequantizeLinearSwitches;
using F = DequantizeLinearFacts;
using Packing = S::Packing;
using Decoding = S::Decoding;

template <Packing kPacking>
Declaration OfPacking(const F& f) {
  if (PackingActs(kPacking, f.x_bits)) return Deviates();
  return Equivalent(f.x_bits < 8 ? "elements of this width do not cross bytes"
                                 : "elements share no byte");
}

template <Packing kPacking>
Declaration OfZeroPoints(const F& f) {
  if (f.per_tensor) return Equivalent("there is one zero point");
  return OfPacking<kPacking>(f);
}

template <Decoding kDecoding>
Declaration OfDecoding(const F& f) {
  if (!DecodingActs(kDecoding, FormatOf(f.x))) {
    return Equivalent("type of x has no such codes");
  }
  return Deviates();
}

void AddPackings(std::vector<OperatorFault>& faults) {
  faults.push_back(
      {common::kPackingSwapped,
       S{.packing = Packing::kSwapped, .zero_point_packing = Packing::kSwapped},
       OfPacking<Packing::kSwapped>});
  const auto add = [&](FaultText text, Packing packing,
                       Declaration (*declare)(const F&)) {
    faults.push_back({text, S{.packing = packing}, declare});
  };
  add({"x_last_byte_not_read", "Elements of a last byte that is not full are read as 0.",
       "loops over whole bytes"},
      Packing::kLastByteNotRead, OfPacking<Packing::kLastByteNotRead>);
  add({"x_one_in_a_byte", "Packed elements of x are read as if each had a byte.",
       "code for 8-bit types"},
      Packing::kOneInByte, OfPacking<Packing::kOneInByte>);
  add({"x_rows_padded", "Each row of packed elements is read from a byte of its own on.",
       "rows that are unpacked one by one"},
      Packing::kRowsPadded, OfPacking<Packing::kRowsPadded>);
  add({"x_float6_two_in_a_byte", "FLOAT6 elements of x are read as if they had 4 bits.",
       "code for 4-bit types"},
      Packing::kTwoInByte, OfPacking<Packing::kTwoInByte>);
  add({"x_float6_highest_bit_first",
       "The stream of FLOAT6 bits is read from the highest bit of each byte on.",
       "bit readers of video formats"},
      Packing::kHighestBitFirst, OfPacking<Packing::kHighestBitFirst>);
  add({"x_float6_in_words",
       "Five FLOAT6 elements are read from 32 bits, two of which are skipped.",
       "packing that never crosses a word"},
      Packing::kInWords, OfPacking<Packing::kInWords>);
  add({"x_float6_big_endian_group",
       "The three bytes of four FLOAT6 elements are read in reverse order.",
       "groups that are read as big-endian integers"},
      Packing::kBigEndianGroup, OfPacking<Packing::kBigEndianGroup>);
  add({"x_float6_second_element_cut",
       "The second of four FLOAT6 elements is read without the bits in its second byte."},
      Packing::kSecondCut, OfPacking<Packing::kSecondCut>);
  add({"x_float6_third_element_cut",
       "The third of four FLOAT6 elements is read without the bits in its second byte."},
      Packing::kThirdCut, OfPacking<Packing::kThirdCut>);
  add({"x_float6_low_bits_of_byte",
       "FLOAT6 elements are the low bits of the byte in which they begin.",
       "code for types that do not cross bytes"},
      Packing::kFirstByteOnly, OfPacking<Packing::kFirstByteOnly>);
  add({"x_float6_last_group_not_read",
       "The last one to three FLOAT6 elements, which do not fill three bytes, are read "
       "as 0.",
       "loops over groups of four"},
      Packing::kLastGroupNotRead, OfPacking<Packing::kLastGroupNotRead>);
  faults.push_back({{"x_zero_points_swapped",
                     "Zero points of a byte, or the four of three bytes, are read from "
                     "the highest bits down; x is not."},
                    S{.zero_point_packing = Packing::kSwapped},
                    OfZeroPoints<Packing::kSwapped>});
  faults.push_back(
      {{"x_zero_points_in_bytes", "Packed zero points are read as if each had a byte.",
        "code for 8-bit types"},
       S{.zero_point_packing = Packing::kOneInByte},
       OfZeroPoints<Packing::kOneInByte>});
}

void AddIntegers(std::vector<OperatorFault>& faults) {
  faults.push_back({{"x_as_unsigned", "Signed integers are read as unsigned ones.",
                     "4- and 2-bit elements that are not sign-extended"},
                    S{.decoding = Decoding::kUnsigned},
                    OfDecoding<Decoding::kUnsigned>});
  faults.push_back({{"x_as_signed", "Unsigned integers are read as signed ones.",
                     "one sign extension for both"},
                    S{.decoding = Decoding::kSigned},
                    OfDecoding<Decoding::kSigned>});
  const auto of_zero_point = [](const F& f, bool acts) {
    if (f.int32) return Equivalent("a zero point other than 0 is free (DQ-06)");
    return acts ? Deviates() : Equivalent("type of x has no such codes");
  };
  faults.push_back({{"x_zero_point_as_unsigned",
                     "Zero points of signed integers are read as unsigned; x is not.",
                     "zero points that are passed on as UINT8"},
                    S{.zero_point_decoding = Decoding::kUnsigned},
                    [of_zero_point](const F& f) {
                      return of_zero_point(
                          f, DecodingActs(Decoding::kUnsigned, FormatOf(f.x)));
                    }});
  faults.push_back({{"x_zero_point_as_signed",
                     "Zero points of unsigned integers are read as signed; x is not.",
                     "zero points that are passed on as INT8"},
                    S{.zero_point_decoding = Decoding::kSigned},
                    [of_zero_point](const F& f) {
                      return of_zero_point(
                          f, DecodingActs(Decoding::kSigned, FormatOf(f.x)));
                    }});
}

void AddFloats(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, Decoding decoding,
                       Declaration (*declare)(const F&)) {
    faults.push_back({text, S{.decoding = decoding}, declare});
  };
  add({"fnuz_confused",
       "FLOAT8E4M3FNUZ and FLOAT8E5M2FNUZ are read as FLOAT8E4M3FN and FLOAT8E5M2, and "
       "the reverse.",
       "one table of values for both"},
      Decoding::kOtherNegativeZero, OfDecoding<Decoding::kOtherNegativeZero>);
  add({"exponent_width_confused", "E4M3 is read as E5M2, E2M3 as E3M2, and the reverse.",
       "type numbers that are mixed up"},
      Decoding::kOtherFields, OfDecoding<Decoding::kOtherFields>);
  add({"float_bias_one_more", "The bias of float elements of x is one too large.",
       "biases that are derived from the width of the exponent"},
      Decoding::kBiasOneMore, OfDecoding<Decoding::kBiasOneMore>);
  add({"x_infinity_is_finite", "An infinite x is read as the number after the largest.",
       "decoding by shifts without special cases"},
      Decoding::kInfinityIsFinite, OfDecoding<Decoding::kInfinityIsFinite>);
  add({"x_nan_is_number", "NaN codes of x are read as numbers.",
       "decoding by shifts without special cases"},
      Decoding::kNanIsNumber, OfDecoding<Decoding::kNanIsNumber>);
  add({"x_subnormal_is_zero", "Subnormal elements of x are read as zero.", "DAZ"},
      Decoding::kSubnormalIsZero, OfDecoding<Decoding::kSubnormalIsZero>);
  add({"x_subnormal_is_normal", "Subnormal elements of x are read with a hidden bit.",
       "decoding by shifts without special cases"},
      Decoding::kSubnormalIsNormal, OfDecoding<Decoding::kSubnormalIsNormal>);
  add({"x_float_as_integer", "The codes of float elements are read as signed integers.",
       "missing support that falls through to the integer kernel"},
      Decoding::kAsInteger, OfDecoding<Decoding::kAsInteger>);
  add({"x_top_exponent_special",
       "The largest exponent of formats without infinities means Inf or NaN.",
       "one decoding for all formats, as IEEE 754 has them"},
      Decoding::kTopExponentSpecial, OfDecoding<Decoding::kTopExponentSpecial>);
}

}  // namespace

void AddReadingFaults(std::vector<OperatorFault>& faults) {
  AddIntegers(faults);
  AddFloats(faults);
  AddPackings(faults);
}

}  // namespace qconform::dequantize_linear
