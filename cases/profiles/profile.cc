#include "cases/profiles/profile.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <span>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/format_version.h"
#include "oracle/base/json.h"
#include "oracle/base/sha256.h"

namespace qconform {

std::span<const std::string_view> ProfileTexts();  // generated

namespace {

Result<std::vector<std::string>> Strings(const Json& document, const char* key,
                                         const std::string& name) {
  const Json& found = document[key];
  const bool right =
      found.is_array() && std::all_of(found.begin(), found.end(),
                                      [](const Json& item) { return item.is_string(); });
  if (!right) return Expected(name + ": " + key, "an array of strings", Dump(found));
  return found.get<std::vector<std::string>>();
}

}  // namespace

Result<Profile> ParseProfile(std::string_view text, std::string_view file) {
  const std::string name(file);
  const Json document = ParseJsonOrNull(text);
  if (!document.is_object()) return Expected(name, "a JSON object", "another text");
  static const std::set<std::string> kKeys = {"profile_version", "name",  "title",
                                              "means",           "cells", "passes",
                                              "declinable",      "refuse"};
  for (const auto& [key, value] : document.items()) {
    if (!kKeys.contains(key))
      return Expected(name, "fields of a profile", "'" + key + "'");
  }
  for (const char* key : {"profile_version", "name", "title", "means"}) {
    if (!document.contains(key) || !document[key].is_string()) {
      return Expected(name + ": " + key, "a string", Dump(document[key]));
    }
  }
  if (!IsFormatVersion1(document["profile_version"].get<std::string>())) {
    return Expected(name + ": profile_version", "1.x.y",
                    Dump(document["profile_version"]));
  }
  auto cells = Strings(document, "cells", name);
  if (!cells) return cells.error();
  if (cells->empty())
    return Expected(name + ": cells", "patterns of ids of cells", "none");
  auto passes = Strings(document, "passes", name);
  if (!passes) return passes.error();
  for (const std::string& verdict : *passes) {
    if (verdict != "conformant" && verdict != "admissible") {
      return Expected(name + ": passes", "conformant and admissible",
                      "'" + verdict + "'");
    }
  }
  auto declinable = Strings(document, "declinable", name);
  if (!declinable) return declinable.error();
  std::vector<std::string> refuse;
  if (document.contains("refuse")) {  // since 1.1
    auto given = Strings(document, "refuse", name);
    if (!given) return given.error();
    refuse = *std::move(given);
  }
  for (const std::string& what : refuse) {
    if (what != "mixed_by_operand_form" && what != "mixed_by_M" && what != "bound_only") {
      return Expected(name + ": refuse",
                      "mixed_by_operand_form, mixed_by_M or bound_only",
                      "'" + what + "'");
    }
  }
  return Profile{
      document["name"].text(), document["title"].text(), document["means"].text(),
      *std::move(cells),       *std::move(passes),       *std::move(declinable),
      std::move(refuse),       std::string(text),        Sha256Hex(text)};
}

const std::vector<Profile>& Profiles() {
  static const std::vector<Profile> profiles = [] {
    std::vector<Profile> all;
    for (const std::string_view text : ProfileTexts()) {
      auto profile = ParseProfile(text, "a built-in profile");
      assert(profile.ok());
      all.push_back(*std::move(profile));
    }
    return all;
  }();
  return profiles;
}

Result<Profile> FindProfile(std::string_view name) {
  std::string names;
  for (const Profile& profile : Profiles()) {
    if (profile.name == name) return profile;
    names += (names.empty() ? "" : ", ") + profile.name;
  }
  return Expected("profile", "one of " + names, "'" + std::string(name) + "'");
}

}  // namespace qconform
