#include "reports/testing/schema_check.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace qconform {

std::string SchemaViolations(std::string_view schema, std::string_view document) {
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const nlohmann::json schema_json = nlohmann::json::parse(schema);
  const nlohmann::json document_json = nlohmann::json::parse(document);
  valijson::Schema parsed;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(Adapter(schema_json), parsed);
  valijson::ValidationResults results;
  valijson::Validator().validate(parsed, Adapter(document_json), &results);
  std::string all;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& place : error.context) all += place;
    all += ": " + error.description + "\n";
  }
  return all;
}

}  // namespace qconform
