#include "cases/lattice/given_definitions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/lattice/definitions.h"
#include "oracle/base/expected.h"
#include "oracle/base/json.h"

namespace qconform {
namespace {

struct GivenVersion {
  SinceVersion version;
  std::vector<std::string> attributes;
  std::vector<std::string> granularities;
};

struct GivenOperator {
  std::vector<std::string> formals;
  std::vector<GivenVersion> versions;
};

using GivenOperators = std::map<std::string, GivenOperator, std::less<>>;

GivenOperators& Given() {
  static GivenOperators given;
  return given;
}

bool IsListOfWords(const Json& json) {
  return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& item) {
           return item.is_string();
         });
}

std::optional<int> SmallNumber(const Json& json) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() > 1'000'000) return std::nullopt;
  return json.get<int>();
}

std::optional<GivenVersion> VersionOf(const Json& json) {
  GivenVersion given;
  const auto since = SmallNumber(json["since_version"]);
  const Json& opsets = json["opset_versions"];
  if (!since || opsets.empty() || !IsListOfWords(json["attributes"]) ||
      !IsListOfWords(json["granularities"])) {
    return std::nullopt;
  }
  given.version.since_version = *since;
  for (const Json& opset : opsets) {
    const auto number = SmallNumber(opset);
    if (!number) return std::nullopt;
    given.version.opset_versions.push_back(*number);
  }
  given.attributes = json["attributes"].get<std::vector<std::string>>();
  given.granularities = json["granularities"].get<std::vector<std::string>>();
  return given;
}

std::optional<GivenOperator> OperatorOf(const Json& json) {
  if (!IsListOfWords(json["formals"])) return std::nullopt;
  GivenOperator given;
  given.formals = json["formals"].get<std::vector<std::string>>();
  for (const Json& version : json["versions"]) {
    auto one = VersionOf(version);
    if (!one) return std::nullopt;
    given.versions.push_back(*std::move(one));
  }
  return given;
}

const GivenOperator* Find(std::string_view op_type) {
  const auto found = Given().find(op_type);
  return found == Given().end() ? nullptr : &found->second;
}

// Returns the definition that models of an opset_version select.
const GivenVersion* FindVersion(std::string_view op_type, int opset_version) {
  const GivenOperator* op = Find(op_type);
  if (op == nullptr) return nullptr;
  const GivenVersion* found = nullptr;
  for (const GivenVersion& one : op->versions) {
    if (one.version.since_version <= opset_version) found = &one;
  }
  return found;
}

}  // namespace

Status GiveDefinitions(std::string_view text) {
  auto json = ParseJson(text, "definitions");
  if (!json) return json.error();
  if (!json->is_object()) return Expected("definitions", "an object", "another value");
  GivenOperators given;
  for (const Json::Member& member : json->items()) {
    auto op = OperatorOf(member.value);
    if (!op) {
      return Expected("definitions: " + member.key, "formals and versions",
                      "another form");
    }
    given.emplace(member.key, *std::move(op));
  }
  Given() = std::move(given);
  return Ok();
}

std::vector<SinceVersion> SinceVersions(std::string_view op_type) {
  std::vector<SinceVersion> versions;
  if (const GivenOperator* op = Find(op_type)) {
    for (const GivenVersion& one : op->versions) versions.push_back(one.version);
  }
  return versions;
}

std::vector<std::string> AttributeNames(std::string_view op_type, int opset_version) {
  const GivenVersion* found = FindVersion(op_type, opset_version);
  return found == nullptr ? std::vector<std::string>{} : found->attributes;
}

std::vector<std::string> CellFormals(std::string_view op_type) {
  const GivenOperator* op = Find(op_type);
  return op == nullptr ? std::vector<std::string>{} : op->formals;
}

std::vector<std::string> CellGranularities(std::string_view op_type, int since_version) {
  const GivenVersion* found = FindVersion(op_type, since_version);
  return found == nullptr ? std::vector<std::string>{} : found->granularities;
}

}  // namespace qconform
