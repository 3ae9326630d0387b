#include "reports/record/export_manifest.h"

#include "oracle/base/codec.h"

namespace qconform {

void Describe(Fields& fields, FreeElements& free) {
  fields.Optional("any_code", free.any_code, "any_nan", free.any_nan, "readings",
                  free.readings);
}

void Describe(Fields& fields, ExportedCase& exported) {
  fields.Written("case", exported.case_id, "folder", exported.folder);
  fields.Optional("why", exported.why);
  fields.Written("generator", exported.generator, "generator_version",
                 exported.generator_version, "clauses", exported.clauses, "elements",
                 exported.elements, "free_elements", exported.free.total());
  fields.Optional("free", exported.free);
  fields.Written("sha256", exported.files);
}

void Describe(Fields& fields, ExportManifest& manifest) {
  const Json tool = {{"name", "qconform"}, {"version", manifest.tool_version}};
  fields.Written("manifest_version", "1.3.0", "tool", tool, "onnx_version",
                 manifest.onnx_version, "suite_digest", manifest.suite_digest);
  fields.Optional("profile", manifest.profile);
  fields.Written("cell_patterns", manifest.cell_patterns, "level", manifest.level, "seed",
                 manifest.seed, "strict", manifest.strict);
  fields.Optional("int32_data", manifest.int32_data);
  fields.Written("left_out", manifest.left_out, "cases", manifest.cases);
}

std::string ExportManifestText(const ExportManifest& manifest) {
  return BlockText(ToJson(manifest)) + "\n";
}

}  // namespace qconform
