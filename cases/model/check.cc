// Checks a model with ONNX's own checker and shape inference.

#include <exception>
#include <functional>
#include <new>
#include <string>

#include "cases/model/inference.h"
#include "cases/model/serialize.h"
#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "onnx/shape_inference/implementation.h"

namespace qconform {
namespace {

// Runs `step`; any exception of ONNX becomes an Error of that phase. Too little memory is
// none of the model's.
Status Guarded(const std::string& phase, const std::function<void()>& step) {
  constexpr size_t kMostCharacters = 500;
  try {
    step();
    return Ok();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return Error{phase + ": " + Printable(error.what(), kMostCharacters)};
  } catch (...) {
    return Error{phase + ": ONNX threw something that is not a std::exception"};
  }
}

// ONNX's checker prints a warning if it meets one of these.
bool HasExperimentalOperator(const onnx::GraphProto& graph) {
  for (const onnx::NodeProto& node : graph.node()) {
    if (onnx::checker::check_is_experimental_op(node)) return true;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g() && HasExperimentalOperator(attribute.g())) return true;
      for (const onnx::GraphProto& subgraph : attribute.graphs()) {
        if (HasExperimentalOperator(subgraph)) return true;
      }
    }
  }
  return false;
}

}  // namespace

Status CheckModel(std::string_view bytes) {
  onnx::ModelProto model;
  if (!ParseQuietly(bytes, model)) {
    return Error{
        "checker: not an ONNX model: protobuf cannot read it (truncated, or another "
        "kind of file)"};
  }
  if (model.functions_size() != 0) {
    return Error{"checker: models with functions of their own are not checked here"};
  }
  if (HasExperimentalOperator(model.graph())) {
    return Error{"checker: the model has an operator that ONNX withdrew (experimental)"};
  }
  if (Status status = Guarded("checker", [&] { onnx::checker::check_model(model); });
      !status) {
    return status;
  }
  return Guarded("shape inference", [&] {
    constexpr bool kCheckTypes = true;
    constexpr int kStrict = 1;
    constexpr bool kPropagateData = true;
    onnx::shape_inference::DataValueMap values;
    onnx::shape_inference::InferShapes(
        model, onnx::OpSchemaRegistry::Instance(),
        onnx::ShapeInferenceOptions{kCheckTypes, kStrict, kPropagateData}, &values);
  });
}

std::string CheckerMessage(const onnx::ModelProto& model) {
  if (HasExperimentalOperator(model.graph())) {
    return "the model has an operator that ONNX withdrew (experimental)";
  }
  const Status checked = Guarded("checker", [&] { onnx::checker::check_model(model); });
  return checked ? "" : checked.error().message;
}

std::string_view OnnxVersion() { return QCONFORM_ONNX_VERSION; }

}  // namespace qconform
