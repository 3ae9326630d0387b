// Arrays as numpy.save writes them: NAME.npy.
#ifndef QCONFORM_CASES_ARRAYS_NPY_H_
#define QCONFORM_CASES_ARRAYS_NPY_H_

#include <string>
#include <string_view>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns the array in a file of version 1, 2 or 3. Its type is one of ONNX's, also a
// carried one (cases/model/carried_type.h). Types that NumPy itself does not have, such
// as bfloat16 or int4, are stored by ml_dtypes as bytes without a name ("V1", "V2"): they
// are read as `expected` if that has so many bytes for each element; elements narrower
// than a byte have a byte each in the file. `expected` may be kUndefined.
// An Error says what is expected and what is there: another byte order, Fortran's order
// of the elements, a type that ONNX does not have, too few or too many bytes,
// a byte that is no bool or no code of a narrower type.
Result<Tensor> ParseNpy(std::string_view bytes, DataType expected);

// Returns the bytes of a file of version 1. Precondition: the type has a name in NumPy
// and whole bytes.
std::string SerializeNpy(const Tensor& tensor);

}  // namespace qconform

#endif  // QCONFORM_CASES_ARRAYS_NPY_H_
