#include "harness/cli/commands/emit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <span>
#include <utility>

#include "cases/corpus/stored_case.h"
#include "cases/node_tests/node_tests.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/emit_cpp.h"
#include "harness/cli/print/print.h"
#include "harness/core/value_text.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "reports/record/record.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// After the tensors, nodes and types of the case.
constexpr std::string_view kPythonTail = R"(
def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def by_reference():
    from onnx.reference import ReferenceEvaluator
    return ReferenceEvaluator(model).run(None, feeds)


def by_onnxruntime():
    import onnxruntime
    # onnxruntime cannot return types that numpy does not have, or returns their codes: a
    # Cast after the node turns them into values.
    asked = onnx.ModelProto()
    asked.CopyFrom(model)
    for output in asked.graph.output:
        if output.name in cast_to:
            to = cast_to[output.name]
            asked.graph.node.append(
                helper.make_node("Cast", [output.name], [output.name + "_cast"], to=to))
            output.name += "_cast"
            output.type.tensor_type.elem_type = to
    return onnxruntime.InferenceSession(asked.SerializeToString()).run(None, feeds)


print("specification", *expected)
for name, run in ("onnx.reference", by_reference), ("onnxruntime", by_onnxruntime):
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
)";

std::string Hex(std::span<const std::byte> data) {
  std::string text;
  char buffer[4];
  for (const std::byte byte : data) {
    std::snprintf(buffer, sizeof buffer, "%02x", static_cast<unsigned>(byte));
    text += buffer;
  }
  return text;
}

std::string PythonText(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const auto character = FirstCharacter(text);
    const size_t size = character ? character->size : 1;
    if (character && IsPrintable(character->point)) {
      if (text[0] == '"' || text[0] == '\\') quoted += '\\';
      quoted += text.substr(0, size);
    } else {
      char escaped[16];
      std::snprintf(escaped, sizeof escaped, "\\U%08x",
                    character ? character->point : 0xFFFD);
      quoted += escaped;
    }
    text.remove_prefix(size);
  }
  return quoted + "\"";
}

template <typename Values, typename Text>
std::string PythonList(const Values& values, Text text_of) {
  return "[" + Joined(values, ", ", text_of) + "]";
}

std::string PythonValue(const AttributeValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return PythonText(*text);
  if (const auto* number = std::get_if<float>(&value)) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(*number));
    return "float(\"" + std::string(buffer) + "\")";  // "1" would be an integer
  }
  return PythonList(std::get<std::vector<int64_t>>(value),
                    [](int64_t each) { return std::to_string(each); });
}

bool IsIdentifier(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return c == '_' || (c < 0x80 && std::isalnum(c) != 0);
         });
}

std::string PythonNode(const Node& node) {
  std::string text = "    helper.make_node(" + PythonText(node.op_type) + ", " +
                     PythonList(node.inputs, PythonText) + ", " +
                     PythonList(node.outputs, PythonText);
  for (const Attribute& attribute : node.attributes) {
    const std::string value = PythonValue(attribute.value);
    text += IsIdentifier(attribute.name)
                ? ", " + attribute.name + "=" + value
                : ", **{" + PythonText(attribute.name) + ": " + value + "}";
  }
  return text + "),\n";
}

std::string PythonTensor(const std::string& name, const Tensor& tensor) {
  return "    helper.make_tensor(" + PythonText(name) + ", TensorProto." +
         std::string(DataTypeName(tensor.type)) + ", " +
         PythonList(tensor.shape, [](int64_t n) { return std::to_string(n); }) +
         ",\n                       bytes.fromhex(\"" + Hex(tensor.data) +
         "\"), raw=True),\n";
}

// Returns what else than its code an element may have: "", " (any code is right)" or the
// like.
std::string FreedomText(const CaseAnswer& answer, const ElementAnswer& element) {
  if (element.freedom == Freedom::kSameCode) {
    return " (that of " + answer.NameOf(*answer.same_code_as) + " is right)";
  }
  if (element.freedom == Freedom::kAnyCode) return " (any code is right)";
  if (element.freedom == Freedom::kAnyNan) return " (any NaN is right)";
  if (element.freedom == Freedom::kOneOf) return " (some other codes are right too)";
  return element.zero_sign_is_free ? " (a zero of either sign is right)" : "";
}

// Returns "y: UINT8[2], codes 0x03 (3) 0x80 (128) (any code is right)".
std::string ExpectedText(const OutputForm& form, const CaseAnswer& answer) {
  constexpr size_t kMost = 16;
  const auto count = static_cast<size_t>(ElementCount(form.shape).value_or(0));
  std::string text = form.name + ": " + std::string(DataTypeName(form.type)) +
                     ShapeToString(form.shape) + ", codes";
  for (size_t i = 0; i < std::min(count, kMost); ++i) {
    const ElementAnswer& element = answer.elements[form.first + i];
    text += " " + CodeText(form.type, element.code);
    text += FreedomText(answer, element);
  }
  return count > kMost ? text + " ..." : text;
}

// Whether numpy itself has the type, so that ONNX Runtime can be fed with it.
bool IsOfNumpy(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 ||
         type == DataType::kDouble || (IsInteger(type) && BitWidth(type) >= 8);
}

// Returns "test_" and the operator's name in the letters that ONNX's tests have.
std::string NodeTestName(const Model& model) {
  std::string name = "test_";
  for (const char c : model.node.op_type) {
    name +=
        c == '.' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name + "_case";
}

ExitCode EmitOnnx(const std::string& folder, const FedModel& fed,
                  const CaseAnswer& answer) {
  const auto written = WriteNodeTest(folder, NodeTestName(fed.model), fed.model,
                                     fed.inputs, PackAnswer(answer));
  if (!written) return Fail(written.error());
  for (const WrittenFile& file : *written) {
    Print("wrote %s/%s\n", folder.c_str(), file.path.c_str());
  }
  return ExitCode::kPass;
}

// Writes the text to the file, or prints it if there is none.
ExitCode Put(const std::string& file, const std::string& text) {
  if (file.empty()) {
    PrintDocument(text);
    return ExitCode::kPass;
  }
  const Status written = WriteFileAtomically(file, text);
  return written ? ExitCode::kPass : Fail(written.error());
}

}  // namespace

Flag AddEmitFlags(Command& command, EmitFlags& flags) {
  Flag emit = command.Add(
      "--emit", flags.form,
      "Print the case instead of running it: a GoogleTest that needs nothing of qconform "
      "(cpp), a stored case (json), or a script for onnx and onnxruntime (python); or "
      "write a node test's folder with model.onnx and its tensors (onnx)");
  emit.OneOf({"cpp", "json", "onnx", "python"}).Type("FORM");
  command
      .Add(
          "-o,--output", flags.output,
          "Where --emit writes to: a file, by default stdout; for onnx the folder of the "
          "node test's folder, by default this one")
      .Writes("FILE|FOLDER");
  return emit;
}

std::string EmitPython(const std::string& title, const FedModel& fed,
                       const CaseAnswer& answer) {
  const Model& model = fed.model;
  std::string text = "# " + OneLine(title) + "\n# " + OneLine(model.node.op_type) +
                     ", opset_version " + std::to_string(model.opset_version) +
                     ". Written by qconform. By ONNX's specification:\n";
  for (const OutputForm& form : answer.outputs) {
    text += "#   " + OneLine(ExpectedText(form, answer)) + "\n";
  }
  text += "import onnx\nfrom onnx import TensorProto, helper, numpy_helper\n\n";
  text += "opset_version, ir_version = " + std::to_string(model.opset_version) + ", " +
          std::to_string(model.ir_version) + "\n";
  std::string constants;
  std::string inputs;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const std::string tensor = PythonTensor(model.inputs[i].name, fed.inputs[i]);
    (IsOfNumpy(fed.inputs[i].type) ? inputs : constants) += tensor;
  }
  for (const Initializer& initializer : model.initializers) {
    constants += PythonTensor(initializer.name, initializer.tensor);
  }
  text += "fed = [\n" + inputs + "]\nconstants = [\n" + constants + "]\n";
  text += "outputs = [";
  for (const ValueInfo& output : model.outputs) {
    text += "helper.make_tensor_value_info(" + PythonText(output.name) +
            ", TensorProto." + std::string(DataTypeName(output.type)) + ", " +
            PythonList(output.shape, [](int64_t n) { return std::to_string(n); }) + "),";
  }
  text += "]\nexpected = " + PythonList(answer.outputs, [&](const OutputForm& form) {
            return PythonText(ExpectedText(form, answer));
          });
  std::vector<OutputForm> cast = answer.outputs;
  std::erase_if(cast, [](const OutputForm& form) { return IsOfNumpy(form.type); });
  text += "\ncast_to = {" + Joined(cast, ", ", [](const OutputForm& form) {
            return PythonText(form.name) + ": TensorProto." +
                   (IsInteger(form.type) ? "INT32" : "FLOAT");
          });
  text += "}\nnodes = [\n";
  for (const Node& node : NodesOf(model.node)) text += PythonNode(node);
  return text + "]\n\n" + std::string(kPythonTail);
}

ExitCode Emit(const EmitFlags& flags, const std::string& title, const FedModel& fed) {
  if (flags.form == "json") return Put(flags.output, StoredCaseText({fed, title}));
  const auto content = ContentAnswers::Create(fed.model, ViewsOf(fed.inputs));
  if (!content) return Fail(content.error());
  const CaseAnswer& answer = *(*content)->canonical();
  if (flags.form == "onnx") {
    return EmitOnnx(flags.output.empty() ? "." : flags.output, fed, answer);
  }
  const auto text = flags.form == "cpp" ? EmitCpp(title, **content)
                                        : Result(EmitPython(title, fed, answer));
  if (!text) return Fail(text.error());
  return Put(flags.output, *text);
}

}  // namespace qconform
