// Models that give the same bits for every input of a cell: proved here, by bringing
// both to one normal form, and not because no case told them apart.
//
//   exact_quotient   A type R with p digits holds the side of every threshold: rounding
//                    the exact quotient to R changes no answer (HoldsEveryThreshold).
//   same_type        Converting to a type that holds every value of the operand changes
//                    nothing, so that two models divide the same numbers.
//   integer_quotient Of two integers, dividing as integers do and rounding toward zero
//                    are the same.
//   int16            For INT16, saturating at INT16 and clamping to y's range are one.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_INDISTINGUISHABLE_H_
#define QCONFORM_HARNESS_DIAGNOSIS_INDISTINGUISHABLE_H_

#include <string>

#include "cases/lattice/cell.h"
#include "harness/core/fault.h"

namespace qconform {

// Returns the names of the rules that prove it, joined by "+" ("same_type" where the
// two are one function from the start); empty where nothing is proved.
std::string WhyIndistinguishable(const Cell& cell, const Fault& a, const Fault& b);

// Returns whether rounding the exact quotient of an x and a y_scale of these types to
// `r` never changes the code of y that the nearest rounding gives, whatever the operands
// and the zero point of y's type.
//
// Let x have d_x significant digits, y_scale d_s, and let every threshold m of y (a
// midpoint of its grid, moved by a zero point) have at most c: m is a multiple of 2^u
// with |m| < 2^(u + c). Where x / s is not m itself, x - m s is a multiple of the
// smaller of x's last digit and that of m s, so that x / s differs from m by more than
// half a digit of r next to m, as soon as r has p >= max(d_x, d_s + c) digits; where it
// is m, r holds it. No threshold but 0 lies below 2^u, and 0 is none for the nearest
// rounding, so that r must be normal from 2^u on and reach beyond the last threshold.
bool HoldsEveryThreshold(DataType r, DataType x, DataType y_scale, DataType y);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_INDISTINGUISHABLE_H_
