// Readings of a clause that ReadingCombinations does not offer by their names, being no
// functions of their own for these types: whoever follows one gives the bits of another.
#ifndef QCONFORM_ORACLE_CORE_READINGS_LEFT_OUT_H_
#define QCONFORM_ORACLE_CORE_READINGS_LEFT_OUT_H_

#include <string>
#include <vector>

#include "oracle/formats/number_format.h"

namespace qconform {

struct ReadingLeftOut {
  std::string name;     // "QL-06:x_type_division"
  std::string same_as;  // "QL-06:f32_quotient", or "canonical"

  friend bool operator==(const ReadingLeftOut&, const ReadingLeftOut&) = default;
};

// Returns those of the clauses of the quotient, of models without `precision`. A reading
// that comes with another one (QL-09) and is the canonical one then is among them.
// Readings that are for other types of x (QL-06, QL-07) are not.
std::vector<ReadingLeftOut> ReadingsLeftOut(int since_version, DataType x,
                                            DataType y_scale, DataType y);

// Returns those of MM-02, for scales of this type.
std::vector<ReadingLeftOut> ReadingsLeftOut(DataType scale);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_READINGS_LEFT_OUT_H_
