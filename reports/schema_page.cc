#include "reports/schema_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace qconform {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Json& schema, const char* key) {
  return schema.contains(key) && schema[key].is_string() ? schema[key].get<std::string>() : "";
}

// "#/definitions/cell" as a link to that part of the page.
std::string Link(const std::string& reference) {
  const std::string name = reference.substr(reference.rfind('/') + 1);
  return "[" + name + "](#" + name + ")";
}

std::string TypeOf(const Json& schema) {
  if (schema.contains("$ref")) return Link(TextOf(schema, "$ref"));
  if (schema.contains("allOf")) return TypeOf(schema["allOf"].front());
  if (schema.contains("enum")) {
    std::string words;
    for (const Json& word : schema["enum"]) {
      words += (words.empty() ? "" : ", ") + ("`" + word.get<std::string>() + "`");
    }
    return "one of " + words;
  }
  if (schema.contains("const")) return "`" + schema["const"].dump() + "`";
  const std::string type = TextOf(schema, "type");
  if (type == "array" && schema.contains("items")) {
    return "array of " + TypeOf(schema["items"]);
  }
  if (type == "object" && schema.contains("additionalProperties") &&
      schema["additionalProperties"].is_object()) {
    return "object of " + TypeOf(schema["additionalProperties"]);
  }
  return type;
}

// In a table `|` would end the column.
std::string Cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\|");
  }
  return text;
}

void AppendFields(const Json& schema, const std::string& prefix, std::string& page) {
  if (!schema.contains("properties")) return;
  std::vector<std::string> required;
  if (schema.contains("required")) schema["required"].get_to(required);
  for (const auto& [name, field] : schema["properties"].items()) {
    const bool needed = std::find(required.begin(), required.end(), name) != required.end();
    page += "| `" + prefix + name + "` | " + Cell(TypeOf(field)) + (needed ? "" : ", optional") +
            " | " + Cell(TextOf(field, "description")) + " |\n";
    // Objects without a name of their own are told of here.
    AppendFields(field, prefix + name + ".", page);
    if (field.contains("items")) AppendFields(field["items"], prefix + name + "[].", page);
    if (field.contains("additionalProperties") && field["additionalProperties"].is_object()) {
      AppendFields(field["additionalProperties"], prefix + name + ".*.", page);
    }
  }
}

void AppendPart(const Json& schema, std::string& page) {
  const std::string description = TextOf(schema, "description");
  if (!description.empty()) page += description + "\n\n";
  if (!schema.contains("properties")) {
    page += "Type: " + TypeOf(schema) + "\n\n";
    return;
  }
  page += "| field | type | meaning |\n|---|---|---|\n";
  AppendFields(schema, "", page);
  page += "\n";
}

}  // namespace

std::string SchemaMarkdown(std::string_view text) {
  const Json schema = Json::parse(text);
  std::string page = "# " + TextOf(schema, "title") + "\n\n";
  AppendPart(schema, page);
  if (!schema.contains("definitions")) return page;
  for (const auto& [name, part] : schema["definitions"].items()) {
    page += "## " + name + "\n\n";
    AppendPart(part, page);
  }
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace qconform
