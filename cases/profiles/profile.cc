#include "cases/profiles/profile.h"

#include <cassert>
#include <span>
#include <utility>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/format_version.h"
#include "oracle/base/sha256.h"
#include "oracle/base/text.h"

namespace qconform {

std::span<const std::string_view> ProfileTexts();  // generated

static void Describe(Fields& fields, Profile& profile) {
  std::string version;
  fields.RefuseOthers();
  fields.Required("profile_version", version);
  fields.Check(IsFormatVersion1(version), "profile_version",
               "expected 1.x.y, got \"" + version + "\"");
  fields.Required("name", profile.name, "title", profile.title, "means", profile.means,
                  "cells", profile.cells, "passes", profile.passes, "declinable",
                  profile.declinable);
  fields.Check(!profile.cells.empty(), "cells",
               "expected patterns of ids of cells, got none");
  for (const std::string& verdict : profile.passes) {
    fields.Check(verdict == "conformant" || verdict == "admissible", "passes",
                 "expected conformant and admissible, got '" + verdict + "'");
  }
  fields.Optional("refuse", profile.refuse);  // since 1.1
  for (const std::string& what : profile.refuse) {
    fields.Check(
        what == "mixed_by_operand_form" || what == "mixed_by_M" || what == "bound_only",
        "refuse",
        "expected mixed_by_operand_form, mixed_by_M or bound_only, got '" + what + "'");
  }
}

Result<Profile> ParseProfile(std::string_view text, std::string_view name) {
  auto profile = ParseRecord<Profile>(text, name);
  if (!profile) return profile;
  profile->text = text;
  profile->digest = Sha256Hex(text);
  return profile;
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
  for (const Profile& profile : Profiles()) {
    if (profile.name == name) return profile;
  }
  return Expected("profile", "one of " + Joined(Profiles(), ", ", &Profile::name),
                  "'" + std::string(name) + "'");
}

}  // namespace qconform
