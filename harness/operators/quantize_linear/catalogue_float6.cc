// Faults of FLOAT6 targets: their two grids, and elements that cross bytes.
#include "harness/operators/quantize_linear/catalogue.h"

namespace qconform::quantize_linear {
namespace {

using S = QuantizeLinearSwitches;
using F = QuantizeLinearFacts;
using Storage = S::Storage;

Declaration Float6Only(const F& f) {
  if (f.float6) return Deviates();
  return Equivalent("the step belongs to FLOAT6 targets");
}

Declaration CrossingOnly(const F& f) {
  if (f.float6) return Deviates();
  return Equivalent("no element crosses a byte");
}

void AddGrids(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, S switches) {
    faults.push_back({text, switches, Float6Only});
  };
  add({"float6_exponent_width",
       "FLOAT6E2M3 and FLOAT6E3M2 results have the exponent field and the bias of the "
       "other type.",
       "one conversion for both types"},
      S{.grid = S::Grid::kOtherFormat});
  add({"float6_exponent_bias",
       "FLOAT6E2M3 and FLOAT6E3M2 results have the bias of the other type.",
       "one constant for both types"},
      S{.grid = S::Grid::kOtherBias});
  add({"float6_through_float8e4m3fn",
       "FLOAT6 results are rounded to FLOAT8E4M3FN on the way.",
       "6-bit floats made of 8-bit ones"},
      S{.through = DataType::kFloat8E4M3FN});
  add({"float6_through_float8e5m2",
       "FLOAT6 results are rounded to FLOAT8E5M2 on the way.",
       "6-bit floats made of 8-bit ones"},
      S{.through = DataType::kFloat8E5M2});
  add({"float6_largest_kept_free",
       "The largest FLOAT6 code is left out, as if it were NaN.",
       "code for FLOAT8E4M3FN with other widths"},
      S{.largest_is_free = true});
  add({"float6_overflow_to_infinity_code",
       "What overflows FLOAT6 gets the code that would be infinity in an IEEE format.",
       "code for FLOAT8E5M2 with other widths"},
      S{.overflow_to_infinity_code = true});
  add({"float6_subnormal_sign_lost",
       "Negative subnormal FLOAT6 results lose their sign."},
      S{.subnormal_sign_lost = true});
  add({"float6_integer_zero_point",
       "The code of a FLOAT6 zero point is added as an integer.",
       "code that is shared with integer types"},
      S{.order = S::Order::kAsInteger});
}

void AddPackings(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, Storage storage,
                       Declaration (*declare)(const F&) = CrossingOnly) {
    faults.push_back({text, S{.storage = storage}, declare});
  };
  add({"float6_one_in_a_byte",
       "Each FLOAT6 element takes a byte; those that find no room are lost.",
       "code for 8-bit types"},
      Storage::kOneInByte);
  add({"float6_two_in_a_byte", "FLOAT6 elements are packed as if they had 4 bits.",
       "code for 4-bit types"},
      Storage::kTwoInByte);
  add({"float6_two_in_a_byte_cut",
       "FLOAT6 elements are packed as if they had 4 bits, and lose the others.",
       "code for 4-bit types that masks nibbles"},
      Storage::kTwoInByteCut);
  add({"float6_in_bytes_sign_at_7",
       "Each FLOAT6 element takes a byte, with its sign in bit 7.",
       "conversions through FLOAT8"},
      Storage::kByteSignAtBit7);
  add({"float6_in_bytes_as_int8",
       "Each FLOAT6 element takes a byte, to which its sign bit is extended.",
       "codes that are kept as INT8"},
      Storage::kByteSignExtended);
  add({"float6_highest_bit_first",
       "The stream of FLOAT6 bits begins at the highest bit of each byte.",
       "bit writers of video formats"},
      Storage::kHighestBitFirst);
  add({"float6_in_words", "Five FLOAT6 elements take 32 bits, two of which are unused.",
       "packing that never crosses a word"},
      Storage::kInWords);
  add({"float6_in_long_words",
       "Ten FLOAT6 elements take 64 bits, four of which are unused.",
       "packing that never crosses a word"},
      Storage::kInLongWords);
  add({"float6_reversed_in_group",
       "The first of four FLOAT6 elements has the highest bits of their three bytes, "
       "also where fewer than four are left.",
       "bit fields that are filled from the top"},
      Storage::kReversedInGroup);
  add({"float6_big_endian_group",
       "The three bytes of four FLOAT6 elements are in reverse order.",
       "groups that are stored as big-endian integers"},
      Storage::kBigEndianGroup);
  add({"float6_second_element_cut",
       "The second of four FLOAT6 elements loses the bits in its second byte."},
      Storage::kSecondCut);
  add({"float6_third_element_cut",
       "The third of four FLOAT6 elements loses the bits in its second byte."},
      Storage::kThirdCut);
  add({"float6_last_group_lost",
       "The last one to three FLOAT6 elements, which do not fill three bytes, are left "
       "zero.",
       "loops over groups of four"},
      Storage::kLastGroupLost);
  add({"float6_last_one_lost",
       "One FLOAT6 element that is left after groups of four is left zero."},
      Storage::kLastOneLost);
  add({"float6_last_two_lost",
       "Two FLOAT6 elements that are left after groups of four are left zero."},
      Storage::kLastTwoLost);
  add({"float6_last_three_lost",
       "Three FLOAT6 elements that are left after groups of four are left zero."},
      Storage::kLastThreeLost);
  add({"float6_last_group_at_top",
       "FLOAT6 elements that are left after groups of four end at the highest bit of the "
       "last byte.",
       "bit writers that align the rest to the right"},
      Storage::kLastGroupAtTop);
  add({"float6_sign_at_bit_7",
       "The sign of a FLOAT6 element is bit 7 of its byte when four are packed.",
       "packing of bytes that hold signed values"},
      Storage::kSignAtBit7);
  add({"float6_rows_at_bytes",
       "Each row of FLOAT6 elements begins at the byte in which its first bit lies.",
       "threads that take rows"},
      Storage::kRowsAtBytes);
  add({"float6_rows_padded", "Each row of FLOAT6 elements begins at a byte of its own.",
       "rows that are packed one by one"},
      Storage::kRowsPadded);
  add({"float6_rows_clear_byte",
       "Each row of FLOAT6 elements clears the byte that it shares with the row before.",
       "rows whose first byte is written whole"},
      Storage::kRowsClearByte);
  add({"float6_scales_at_bytes",
       "The FLOAT6 elements of each channel, or of each slab of block_size along the "
       "axis, begin at the byte in which their first bit lies.",
       "loops over the scales"},
      Storage::kScalesAtBytes, [](const F& f) {
        if (f.per_tensor) return Equivalent("there is one scale");
        return CrossingOnly(f);
      });
}

Declaration ManyZeroPoints(const F& f) {
  if (f.per_tensor) return Equivalent("there is one zero point");
  return CrossingOnly(f);
}

void AddZeroPoints(std::vector<OperatorFault>& faults) {
  using Read = S::ZeroPointRead;
  const auto add = [&](FaultText text, Read read,
                       Declaration (*declare)(const F&) = Float6Only) {
    faults.push_back({text, S{.zero_point_read = read}, declare});
  };
  add({"float6_zero_points_in_bytes",
       "FLOAT6 zero points are read as if each had a byte.", "code for 8-bit types"},
      Read::kOneInByte, ManyZeroPoints);
  add({"float6_last_zero_points_lost",
       "The last one to three FLOAT6 zero points, which do not fill three bytes, are "
       "read as zero.",
       "loops over groups of four"},
      Read::kLastGroupLost, ManyZeroPoints);
  add({"float6_zero_point_of_other_type",
       "FLOAT6E2M3 and FLOAT6E3M2 zero points are read as codes of the other type.",
       "one decoding for both types"},
      Read::kOtherFormat);
  add({"float6_largest_zero_point_nan",
       "A FLOAT6 zero point of the largest code, of either sign, is read as NaN.",
       "code for FLOAT8E4M3FN with other widths"},
      Read::kLargestIsNan);
}

}  // namespace

void AddFloat6Faults(std::vector<OperatorFault>& faults) {
  AddGrids(faults);
  AddPackings(faults);
  AddZeroPoints(faults);
}

}  // namespace qconform::quantize_linear
