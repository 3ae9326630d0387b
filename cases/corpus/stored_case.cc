#include "cases/corpus/stored_case.h"

#include <charconv>
#include <limits>
#include <optional>

#include "cases/lattice/lattice.h"
#include "oracle/base/json.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Larger ones are no minimal cases, and would only fill memory.
constexpr int64_t kMostElements = 1 << 20;

struct Malformed {
  std::string message;
};

const Json& Field(const Json& object, const char* key, bool (Json::*is_kind)() const,
                  const char* kind) {
  const Json* found = object.Find(key);
  if (!found) throw Malformed{"has no field '" + std::string(key) + "'"};
  if (!(found->*is_kind)()) {
    throw Malformed{"field '" + std::string(key) + "' is not " + kind};
  }
  return *found;
}

std::string Text(const Json& object, const char* key) {
  return Field(object, key, &Json::is_string, "a string").get<std::string>();
}

// An integer, which has to fit: what does not would be taken for another one.
int64_t Integer(const Json& value, const std::string& what, int64_t least,
                int64_t most = std::numeric_limits<int64_t>::max()) {
  if (!value.is_number_integer()) throw Malformed{what + " is no integer"};
  const bool too_large =
      value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(most);
  if (too_large || value.get<int64_t>() < least || value.get<int64_t>() > most) {
    throw Malformed{what + " is " + Dump(value) + "; it must be in [" +
                    std::to_string(least) + ", " + std::to_string(most) + "]"};
  }
  return value.get<int64_t>();
}

ValueInfo ReadInfo(const Json& object, std::string name) {
  const std::string type_name = Text(object, "type");
  const auto type = ParseDataType(type_name);
  if (!type) {
    throw Malformed{"field 'type' of '" + name + "' is '" + type_name +
                    "', which is no name of TensorProto.DataType that qconform knows"};
  }
  Shape shape;
  for (const Json& dimension : Field(object, "shape", &Json::is_array, "an array")) {
    // What is negative is told of with the whole shape.
    shape.push_back(Integer(dimension, "a dimension in field 'shape' of '" + name + "'",
                            std::numeric_limits<int64_t>::min()));
  }
  const auto count = ElementCount(shape);
  if (!count || *count > kMostElements) {
    throw Malformed{"field 'shape' of '" + name + "' is " + ShapeToString(shape) +
                    "; dimensions are at least 0 and elements at most " +
                    std::to_string(kMostElements)};
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
    throw Malformed{"field 'codes' of '" + name + "' holds " + Dump(code) +
                    ", which is no string like \"0x3f\" of " + std::to_string(bits) +
                    " bits"};
  }
  return value;
}

Tensor ReadTensor(const Json& object, const ValueInfo& info) {
  const Json& codes = Field(object, "codes", &Json::is_array, "an array");
  Tensor tensor = Tensor::Zeros(info.type, info.shape);
  const int64_t count = *ElementCount(info.shape);
  if (static_cast<int64_t>(codes.size()) != count) {
    throw Malformed{"field 'codes' of '" + info.name + "' has " +
                    std::to_string(codes.size()) + " entries, its shape asks for " +
                    std::to_string(count)};
  }
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(tensor.mutable_view(), i,
              ReadHexCode(codes[static_cast<size_t>(i)], info.name, BitWidth(info.type)));
  }
  return tensor;
}

void ReadOperand(const Json& object, StoredCase& stored) {
  if (object.is_null()) {
    stored.model.node.inputs.emplace_back();
    return;
  }
  if (!object.is_object()) throw Malformed{"field 'operands' holds " + Dump(object)};
  ValueInfo info = ReadInfo(object, Text(object, "name"));
  if (info.name.empty()) throw Malformed{"an operand's field 'name' is empty"};
  Tensor tensor = ReadTensor(object, info);
  stored.model.node.inputs.push_back(info.name);
  const std::string form = Text(object, "form");
  if (form == "input") {
    stored.model.inputs.push_back(std::move(info));
    stored.inputs.push_back(std::move(tensor));
  } else if (form == "initializer") {
    stored.model.initializers.push_back({std::move(info.name), std::move(tensor)});
  } else {
    throw Malformed{"field 'form' of '" + info.name + "' is '" + form +
                    "'; input and initializer are the two there are"};
  }
}

StoredCase Read(const Json& json) {
  if (!json.is_object() || !json.contains("qconform_case")) {
    throw Malformed{"is no stored case: it has no field 'qconform_case'"};
  }
  if (json["qconform_case"] != 1) {
    throw Malformed{"has version " + Dump(json["qconform_case"]) +
                    " of stored cases; this "
                    "program reads version 1"};
  }
  StoredCase stored;
  if (json.contains("why")) stored.why = Text(json, "why");
  Model& model = stored.model;
  model.node.op_type = Text(json, "op_type");
  model.opset_version = static_cast<int>(
      Integer(Field(json, "opset_version", &Json::is_number_integer, "an integer"),
              "field 'opset_version'", 1, std::numeric_limits<int>::max()));
  model.ir_version = IrVersionFor(model.opset_version);
  if (json.contains("attributes")) {
    for (const auto& [name, value] :
         Field(json, "attributes", &Json::is_object, "an object").items()) {
      model.node.attributes.push_back(
          {name, Integer(value, "attribute '" + name + "'",
                         std::numeric_limits<int64_t>::min())});
    }
  }
  for (const Json& operand : Field(json, "operands", &Json::is_array, "an array")) {
    ReadOperand(operand, stored);
  }
  const Json& output = Field(json, "output", &Json::is_object, "an object");
  model.outputs.push_back(ReadInfo(output, "y"));
  model.node.outputs = {"y"};
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
    if (const auto* value = std::get_if<int64_t>(&attribute.value)) {
      attributes[attribute.name] = *value;
    }
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
  SetInfo(model.outputs.front().type, model.outputs.front().shape, &json["output"]);
  return Dump(json, 1) + "\n";
}

Result<StoredCase> ParseStoredCase(std::string_view text, std::string_view name) {
  const auto json = ParseJson(text, name);
  if (!json) return json.error();
  try {
    return Read(*json);
  } catch (const Malformed& malformed) {
    return Error{std::string(name) + " " + malformed.message};
  }
}

}  // namespace qconform
