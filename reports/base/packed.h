// A JSON value in which each text and each part is written once: a third to a fifth of
// the bytes of a report remains. Pages (unpack.js) and packed reports have it.
//
// `values` has each different value once; the last one is the whole. A number from 0 up
// stands for itself; any other value i is written as -1 - i where it occurs. There
//
//   [-1, ITEM...]      is an array
//   [-2, TEXT...]      is a text, put together from these
//   [N, MEMBER...]     is an object whose keys are those of `shapes`[N]
//   any other value    is itself
//
// A value names only values before it. Private to reports.
#ifndef QCONFORM_REPORTS_BASE_PACKED_H_
#define QCONFORM_REPORTS_BASE_PACKED_H_

#include <string>
#include <string_view>

#include "oracle/base/json.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the members "shapes" and "values" of an object, without its braces.
// Precondition: the value is no number from 0 up.
std::string PackedMembers(const Json& value);

// Returns the value of an object that has these members. An Error if it has not, if a
// number names no value before it, or if the whole is larger or deeper than a document
// may be; `name` is what it calls the text.
Result<Json> Unpacked(const Json& packed, std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_BASE_PACKED_H_
