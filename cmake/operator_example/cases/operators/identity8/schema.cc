// The schema of Identity8, which ONNX does not have. An operator of ONNX needs no such
// file.
#include "onnx/defs/schema.h"

namespace qconform::identity8 {

bool RegisterSchema();
bool RegisterSchema() {
  static const onnx::OpSchemaRegistry::OpSchemaRegisterOnce once(
      onnx::OpSchema("Identity8", __FILE__, __LINE__)
          .SinceVersion(13)
          .Input(0, "x", "The input.", "T")
          .Output(0, "y", "The input again.", "T")
          .TypeConstraint("T", {"tensor(int8)", "tensor(uint8)"}, "8-bit integers.")
          .TypeAndShapeInferenceFunction(onnx::propagateShapeAndTypeFromFirstInput));
  return true;
}

}  // namespace qconform::identity8
