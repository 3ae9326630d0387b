#include "cases/corpus/stored_case.h"

#include <charconv>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>

#include "cases/lattice/lattice.h"
#include "oracle/base/expected.h"
#include "oracle/base/json.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// A minimal case is smaller; this keeps a wrong file from filling the memory.
constexpr int64_t kMostElements = 1 << 20;

struct Malformed {
  Error error;
};

[[noreturn]] void Fail(std::string_view field, std::string_view expected,
                       std::string_view got) {
  throw Malformed{Expected(field, expected, got)};
}

std::string Quote(std::string_view text) { return "'" + std::string(text) + "'"; }

const Json& Field(const Json& object, const char* key, bool (Json::*is_kind)() const,
                  const char* kind) {
  const Json* found = object.Find(key);
  if (!found) Fail(key, kind, "nothing");
  if (!(found->*is_kind)()) Fail(key, kind, Dump(*found));
  return *found;
}

std::string Text(const Json& object, const char* key) {
  return Field(object, key, &Json::is_string, "a string").get<std::string>();
}

// An integer that does not fit would be taken for another one.
int64_t Integer(const Json& value, const std::string& what,
                int64_t least = std::numeric_limits<int64_t>::min(),
                int64_t most = std::numeric_limits<int64_t>::max()) {
  const bool too_large =
      value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(most);
  if (!value.is_number_integer() || too_large || value.get<int64_t>() < least ||
      value.get<int64_t>() > most) {
    Fail(what, "an integer from " + std::to_string(least) + " to " + std::to_string(most),
         Dump(value));
  }
  return value.get<int64_t>();
}

ValueInfo ReadInfo(const Json& object, std::string name) {
  const std::string type_name = Text(object, "type");
  const auto type = ParseDataType(type_name);
  if (!type) {
    Fail("type of " + Quote(name), "a name of TensorProto.DataType that qconform knows",
         Quote(type_name));
  }
  Shape shape;
  for (const Json& dimension : Field(object, "shape", &Json::is_array, "an array")) {
    shape.push_back(Integer(dimension, "shape of " + Quote(name)));
  }
  const auto count = ElementCount(shape);
  if (!count || *count > kMostElements) {
    Fail("shape of " + Quote(name),
         "dimensions of at least 0, and at most " + std::to_string(kMostElements) +
             " elements",
         ShapeToString(shape));
  }
  return {std::move(name), *type, std::move(shape)};
}

uint64_t ReadHexCode(const Json& code, const std::string& name, int bits) {
  const std::string text = code.is_string() ? code.get<std::string>() : std::string();
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const bool prefixed = text.size() > 2 && text[0] == '0' && text[1] == 'x';
  const auto parsed = prefixed ? std::from_chars(text.data() + 2, end, value, 16)
                               : std::from_chars_result{end, std::errc::invalid_argument};
  if (parsed.ec != std::errc() || parsed.ptr != end ||
      (bits < 64 && value >> bits != 0)) {
    Fail("codes of " + Quote(name),
         "strings like \"0x3f\" of " + std::to_string(bits) + " bits", Dump(code));
  }
  return value;
}

Tensor ReadTensor(const Json& object, const ValueInfo& info) {
  const Json& codes = Field(object, "codes", &Json::is_array, "an array");
  Tensor tensor = Tensor::Zeros(info.type, info.shape);
  const int64_t count = *ElementCount(info.shape);
  if (static_cast<int64_t>(codes.size()) != count) {
    Fail("codes of " + Quote(info.name),
         std::to_string(count) + " entries, as its shape asks for",
         std::to_string(codes.size()) + " entries");
  }
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(tensor.mutable_view(), i,
              ReadHexCode(codes[static_cast<size_t>(i)], info.name, BitWidth(info.type)));
  }
  return tensor;
}

std::string ReadName(const Json& object) {
  std::string name = Text(object, "name");
  if (name.empty()) Fail("name", "a text", "''");
  return name;
}

void ReadOperand(const Json& object, StoredCase& stored) {
  if (object.is_null()) {
    stored.model.node.inputs.emplace_back();
    return;
  }
  if (!object.is_object()) Fail("operands", "objects and null", Dump(object));
  ValueInfo info = ReadInfo(object, ReadName(object));
  Tensor tensor = ReadTensor(object, info);
  stored.model.node.inputs.push_back(info.name);
  const std::string form = Text(object, "form");
  if (form == "input") {
    stored.model.inputs.push_back(std::move(info));
    stored.inputs.push_back(std::move(tensor));
  } else if (form == "initializer") {
    stored.model.initializers.push_back({std::move(info.name), std::move(tensor)});
  } else {
    Fail("form of " + Quote(info.name), "input or initializer", Quote(form));
  }
}

AttributeValue ReadAttribute(const Json& value, const std::string& name) {
  const std::string what = "attribute " + Quote(name);
  if (value.is_string()) return value.text();
  if (!value.is_array()) return Integer(value, what);
  std::vector<int64_t> integers;
  for (const Json& item : value) integers.push_back(Integer(item, what));
  return integers;
}

StoredCase Read(const Json& json) {
  if (!json.is_object() || !json.contains("qconform_case")) {
    Fail("qconform_case", "1, the version of stored cases", "nothing");
  }
  if (json["qconform_case"] != 1) {
    Fail("qconform_case", "1, the version that this program reads",
         "version " + Dump(json["qconform_case"]));
  }
  StoredCase stored;
  if (json.contains("why")) stored.why = Text(json, "why");
  Model& model = stored.model;
  model.node.op_type = Text(json, "op_type");
  model.opset_version = static_cast<int>(
      Integer(Field(json, "opset_version", &Json::is_number_integer, "an integer"),
              "opset_version", 1, std::numeric_limits<int>::max()));
  model.ir_version = IrVersionFor(model.opset_version);
  if (json.contains("attributes")) {
    for (const auto& [name, value] :
         Field(json, "attributes", &Json::is_object, "an object").items()) {
      model.node.attributes.push_back({name, ReadAttribute(value, name)});
    }
  }
  for (const Json& operand : Field(json, "operands", &Json::is_array, "an array")) {
    ReadOperand(operand, stored);
  }
  if (json.contains("outputs")) {
    for (const Json& output : Field(json, "outputs", &Json::is_array, "an array")) {
      if (!output.is_object()) Fail("outputs", "objects", Dump(output));
      model.outputs.push_back(ReadInfo(output, ReadName(output)));
    }
    if (model.outputs.empty()) Fail("outputs", "at least one", "none");
  } else {
    const Json& output = Field(json, "output", &Json::is_object, "an object");
    model.outputs.push_back(ReadInfo(output, "y"));
  }
  for (const ValueInfo& info : model.outputs) model.node.outputs.push_back(info.name);
  return stored;
}

void SetInfo(DataType type, const Shape& shape, Json* json) {
  (*json)["type"] = DataTypeName(type);
  (*json)["shape"] = shape;
}

Json WriteOperand(const std::string& name, const char* form, const Tensor& tensor) {
  Json json;
  json["name"] = name;
  json["form"] = form;
  SetInfo(tensor.type, tensor.shape, &json);
  Json codes = Json::array();
  const int64_t count = *ElementCount(tensor.shape);
  for (int64_t i = 0; i < count; ++i) {
    codes.push_back(BitsToString(tensor.type, ReadCode(tensor.view(), i)));
  }
  json["codes"] = std::move(codes);
  return json;
}

}  // namespace

std::string StoredCaseText(const StoredCase& stored) {
  const Model& model = stored.model;
  Json json;
  json["qconform_case"] = 1;
  if (!stored.why.empty()) json["why"] = stored.why;
  json["op_type"] = model.node.op_type;
  json["opset_version"] = model.opset_version;
  Json attributes = Json::object();
  for (const Attribute& attribute : model.node.attributes) {
    std::visit(
        [&]<typename T>(const T& value) {
          if constexpr (!std::is_same_v<T, float>) attributes[attribute.name] = value;
        },
        attribute.value);
  }
  json["attributes"] = std::move(attributes);
  Json operands = Json::array();
  for (const std::string& name : model.node.inputs) {
    Json operand;
    for (size_t i = 0; i < model.inputs.size() && !name.empty(); ++i) {
      if (model.inputs[i].name == name) {
        operand = WriteOperand(name, "input", stored.inputs[i]);
      }
    }
    for (const Initializer& initializer : model.initializers) {
      if (!name.empty() && initializer.name == name) {
        operand = WriteOperand(name, "initializer", initializer.tensor);
      }
    }
    operands.push_back(std::move(operand));
  }
  json["operands"] = std::move(operands);
  if (model.outputs.size() == 1 && model.outputs.front().name == "y") {
    SetInfo(model.outputs.front().type, model.outputs.front().shape, &json["output"]);
  } else {
    for (const ValueInfo& info : model.outputs) {
      Json output;
      output["name"] = info.name;
      SetInfo(info.type, info.shape, &output);
      json["outputs"].push_back(std::move(output));
    }
  }
  return Dump(json, 1) + "\n";
}

Result<StoredCase> ParseStoredCase(std::string_view text, std::string_view name) {
  const auto json = ParseJson(text, name);
  if (!json) return json.error();
  try {
    return Read(*json);
  } catch (const Malformed& malformed) {
    return Error{std::string(name) + ": " + malformed.error.message};
  }
}

}  // namespace qconform
