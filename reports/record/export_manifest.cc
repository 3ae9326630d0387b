#include "reports/record/export_manifest.h"

#include "reports/record/json.h"

namespace qconform {
namespace {

Json CaseToJson(const ExportedCase& exported) {
  Json json = Json::object();
  json["case"] = exported.case_id;
  json["folder"] = exported.folder;
  json["generator"] = exported.generator;
  json["generator_version"] = exported.generator_version;
  json["clauses"] = exported.clauses;
  json["elements"] = exported.elements;
  json["free_elements"] = exported.free.total();
  if (exported.free.total() > 0) {
    Json& free = json["free"] = Json::object();
    if (exported.free.any_code > 0) free["any_code"] = exported.free.any_code;
    if (exported.free.any_nan > 0) free["any_nan"] = exported.free.any_nan;
    if (exported.free.readings > 0) free["readings"] = exported.free.readings;
  }
  Json& files = json["sha256"] = Json::object();
  for (const auto& [path, sha256] : exported.files) files[path] = sha256;
  return json;
}

}  // namespace

std::string ExportManifestText(const ExportManifest& manifest) {
  Json tool = Json::object();
  tool["name"] = "qconform";
  tool["version"] = manifest.tool_version;
  std::string text = "{\n\"manifest_version\":\"1.1.0\"";
  text += ",\n\"tool\":" + Dump(tool);
  text += ",\n\"onnx_version\":" + Dump(manifest.onnx_version);
  text += ",\n\"suite_digest\":" + Dump(manifest.suite_digest);
  text += ",\n\"cell_patterns\":" + Dump(manifest.cell_patterns);
  text += ",\n\"level\":" + Dump(manifest.level);
  text += ",\n\"seed\":" + Dump(manifest.seed);
  text += ",\n\"strict\":" + Dump(manifest.strict);
  text += ",\n\"left_out\":" + Dump(manifest.left_out);
  text += ",\n\"cases\":[";
  for (size_t i = 0; i < manifest.cases.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + Dump(CaseToJson(manifest.cases[i]));
  }
  return text + "\n]\n}\n";
}

}  // namespace qconform
