// Stands in for ONNX's inliner in the library qconform_onnx. ONNX's schemas refer
// to it in one function, FunctionBuilder::AddInlinedCall, which only the preview
// operator FlexAttention calls. The inliner itself needs the version converter:
// together they would double the library's time to build, for an operator that is
// not judged. If such a model comes, the call throws, and the caller of ONNX's
// checker reports what it says.
#include <stdexcept>
#include <string>

#include "onnx/inliner/inliner.h"

namespace onnx::inliner {

class Renamer::Impl {};

namespace {

[[noreturn]] void Absent() {
  throw std::runtime_error("ONNX's function inliner: not part of this build");
}

}  // namespace

Renamer::Renamer(const std::string&, const GraphProto&) { Absent(); }
Renamer::Renamer(const std::string&, const FunctionProto&) { Absent(); }
Renamer::~Renamer() = default;
void Renamer::BindName(const std::string&, const std::string&) { Absent(); }
std::string Renamer::BindToUniqueName(const std::string&) { Absent(); }
void Renamer::RenameNode(NodeProto&) { Absent(); }

}  // namespace onnx::inliner
