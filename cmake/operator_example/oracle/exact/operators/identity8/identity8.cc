#include "oracle/exact/operators/identity8/identity8.h"

namespace qconform::exact {

Answer Identity8(const Codes& x, bool symmetric) {
  constexpr int kInt8 = 3;  // of TensorProto.DataType
  Answer y{x.type, x.shape, {}};
  for (const uint64_t code : x.codes) {
    const int64_t value = x.type == kInt8 && code >= 128
                              ? static_cast<int64_t>(code) - 256
                              : static_cast<int64_t>(code);
    const bool moves = symmetric && value == -128;
    y.elements.push_back({.code = moves ? code + 1 : code});
  }
  return y;
}

}  // namespace qconform::exact
