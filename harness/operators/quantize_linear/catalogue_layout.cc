// Faults of granularity, packing, tails and state.
#include "harness/core/catalogue.h"

namespace qconform {
namespace {

using S = QuantizeLinearSwitches;
using F = QuantizeLinearFacts;
using P = S::Place;
using Storage = S::Storage;

Declaration ManyScales(const F& f) {
  if (f.granularity == "per_tensor") return Equivalent("there is one scale");
  return Deviates();
}

Declaration Blocked(const F& f) {
  if (f.granularity == "blocked") return Deviates();
  return Equivalent("there are no blocks");
}

Declaration SubByte(const F& f) {
  if (f.y_bits < 8) return Deviates();
  return Equivalent("a byte holds one element");
}

void AddPlaces(std::vector<Fault>& faults) {
  const auto add = [&](std::string_view name, std::string_view sentence, P scale,
                       P zero_point, Declaration (*declare)(const F&) = ManyScales,
                       std::string_view seen = "") {
    faults.push_back(
        {.name = name,
         .sentence = sentence,
         .seen_in = seen,
         .quantize_linear = S{.scale_place = scale, .zero_point_place = zero_point},
         .declare = declare});
  };
  add("first_scale_for_all", "Every element takes the first scale and zero point.",
      P::kFirst, P::kFirst, ManyScales, "kernels for per-tensor quantization alone");
  add("first_zero_point_for_all", "Every element takes the first zero point.", P::kRight,
      P::kFirst);
  add("next_scale", "Every element takes the scale after its own.", P::kNext, P::kRight);
  add("next_zero_point", "Every element takes the zero point after its own.", P::kRight,
      P::kNext);
  add("scale_shared_in_byte",
      "Elements of one byte (pairs of whole bytes) share the scale of the first.",
      P::kFirstOfByte, P::kFirstOfByte, ManyScales,
      "packed loops that load one scale a byte");
  add("default_axis_is_zero", "Without the attribute, axis is 0.", P::kDefaultAxisZero,
      P::kDefaultAxisZero);
  add("default_axis_is_last", "Without the attribute, axis is the last one.",
      P::kDefaultAxisLast, P::kDefaultAxisLast);
  add("axis_counted_from_end", "The axis is counted from the other end.",
      P::kMirroredAxis, P::kMirroredAxis, ManyScales,
      "frameworks with the opposite order of dimensions");
  add("negative_axis_absolute", "A negative axis loses its sign.",
      P::kNegativeAxisAbsolute, P::kNegativeAxisAbsolute);
  add("scale_index_cyclic", "The scale's index is the element's, modulo their number.",
      P::kCyclic, P::kCyclic, ManyScales, "broadcasting along the last axis");
  add("block_one_longer", "Blocks are one element longer than block_size.",
      P::kBlockOneLonger, P::kBlockOneLonger, Blocked);
  add("ragged_block_takes_previous",
      "A last partial block takes the scale before its own.", P::kRaggedBlockPrevious,
      P::kRaggedBlockPrevious, Blocked);
  add("block_size_divided", "Blocks have floor(D / S) elements, block_size is not read.",
      P::kBlockDivided, P::kBlockDivided, Blocked);
  add("block_column_ignored", "A block takes the scale of its first column.",
      P::kInnerIgnored, P::kInnerIgnored, Blocked);
}

void AddStorage(std::vector<Fault>& faults) {
  faults.push_back(
      {.name = "packing_swapped",
       .sentence = "Elements of a byte are packed from the highest bits down.",
       .seen_in = "formats that put the first element in the high nibble",
       .quantize_linear = S{.storage = Storage::kSwapped},
       .declare = SubByte});
  faults.push_back({.name = "last_byte_lost",
                    .sentence = "A last byte that is not full is left zero.",
                    .quantize_linear = S{.storage = Storage::kLastByteLost},
                    .declare = SubByte});
  faults.push_back(
      {.name = "nan_spoils_neighbour",
       .sentence = "NaN makes the element behind it in its byte or pair zero.",
       .seen_in = "masks of whole bytes",
       .quantize_linear = S{.storage = Storage::kNanSpoilsNeighbour},
       .declare = [](const F& f) {
         if (f.x != DataType::kInt32) return Deviates();
         return Equivalent("x cannot be NaN");
       }});
  faults.push_back({.name = "last_element_unwritten",
                    .sentence = "The last element of y is not written.",
                    .seen_in = "loops that end one too early",
                    .quantize_linear = S{.storage = Storage::kLastUnwritten}});
  faults.push_back(
      {.name = "scale_of_previous_call",
       .sentence = "All elements are divided by the first scale of the call before.",
       .seen_in = "constants that are cached by the wrong key",
       .quantize_linear = S{.scale_place = P::kPreviousCall},
       .has_state = true});
}

void AddTails(std::vector<Fault>& faults) {
  const auto add = [&](std::string_view name, std::string_view sentence, S switches,
                       int lanes) {
    switches.tail_lanes = lanes;
    faults.push_back({.name = name,
                      .sentence = sentence,
                      .seen_in = "a scalar loop behind the vectors",
                      .quantize_linear = switches});
  };
  const S truncates{.rounding = S::Rounding::kTowardZero};
  const S away{.rounding = S::Rounding::kAway};
  const S reciprocal{.quotient = S::Quotient::kReciprocal};
  add("tail_truncates_4", "Elements behind the last multiple of 4 are truncated.",
      truncates, 4);
  add("tail_truncates_16", "Elements behind the last multiple of 16 are truncated.",
      truncates, 16);
  add("tail_truncates_64", "Elements behind the last multiple of 64 are truncated.",
      truncates, 64);
  add("tail_ties_away_8",
      "Ties behind the last multiple of 8 are rounded away from zero.", away, 8);
  add("tail_ties_away_32",
      "Ties behind the last multiple of 32 are rounded away from zero.", away, 32);
  add("tail_reciprocal_64",
      "Elements behind the last multiple of 64 are multiplied by the reciprocal.",
      reciprocal, 64);
  faults.back().declare = [](const F& f) {
    if (IsFloatingPoint(f.y_scale)) return Deviates();
    return Equivalent("it acts on scales that are floats");
  };
}

}  // namespace

void AddLayoutFaults(std::vector<Fault>& faults) {
  AddPlaces(faults);
  AddStorage(faults);
  AddTails(faults);
}

}  // namespace qconform
