#include "cases/profiles/profile.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <span>
#include <utility>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
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
  fields.Check(!profile.passes.empty(), "passes",
               "expected conformant, admissible or both, got none");
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

bool IsBuiltIn(const Profile& profile) {
  return std::ranges::any_of(
      Profiles(), [&](const Profile& one) { return one.text == profile.text; });
}

std::string SelectionName(const Profile& profile) {
  return (IsBuiltIn(profile) ? "" : "own:") + profile.name;
}

namespace {

bool IsPlainName(std::string_view name) {
  constexpr size_t kLongest = 64;
  const auto is_word_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  bool after_word = false;
  for (const char c : name) {
    if (!is_word_character(c) && !(c == '-' && after_word)) return false;
    after_word = c != '-';
  }
  return after_word && name.size() <= kLongest;
}

bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// For an error message.
std::string Shown(const std::string& text) {
  return IsPrintable(text) ? "'" + text + "'" : "other characters";
}

// The title stands in quotation marks in what a verifier prints: it must not end them.
bool IsPlainTitle(std::string_view title) {
  constexpr size_t kLongest = 80;
  return !title.empty() && title.size() <= kLongest &&
         title.find_first_not_of(' ') != std::string_view::npos &&
         title.find('"') == std::string_view::npos && IsPrintable(title);
}

}  // namespace

Result<Profile> ParseOwnProfile(std::string_view text, std::string_view name) {
  auto profile = ParseProfile(text, name);
  if (!profile || IsBuiltIn(*profile)) return profile;
  const std::string file(name);
  if (!IsPlainName(profile->name)) {
    return Expected(
        file + ": name",
        "words of lower-case letters and digits joined by hyphens, at most 64 "
        "characters",
        Shown(profile->name));
  }
  if (!IsPlainTitle(profile->title)) {
    return Expected(file + ": title",
                    "one line of at most 80 printable ASCII characters without quotation "
                    "marks",
                    Shown(profile->title));
  }
  for (const Profile& built_in : Profiles()) {
    if (built_in.name == profile->name) {
      return Expected(file + ": name", "another name than those of the built-in profiles",
                      "'" + profile->name + "'");
    }
    if (built_in.title == profile->title) {
      return Expected(file + ": title",
                      "another title than those of the built-in profiles",
                      "'" + profile->title + "'");
    }
  }
  return profile;
}

Result<Profile> FindOrReadProfile(const std::string& name_or_file,
                                  const std::string& flag) {
  if (auto built_in = FindProfile(name_or_file)) return built_in;
  std::error_code ignored;
  const bool is_path = name_or_file.find_first_of("./") != std::string::npos;
  if (!is_path && !std::filesystem::exists(name_or_file, ignored)) {
    return Expected(flag, "a FILE, or one of " + Joined(Profiles(), ", ", &Profile::name),
                    "'" + name_or_file + "'");
  }
  const auto text = ReadFile(name_or_file, kMostSettingBytes);
  if (!text) return text.error();
  return ParseOwnProfile(*text, name_or_file);
}

Profile PartOfProfile(const Profile& whole, const std::vector<std::string>& cells) {
  // A name stays within the length that ParseOwnProfile allows.
  constexpr size_t kLongestStem = 59;
  std::string stem = whole.name.substr(0, kLongestStem);
  while (stem.ends_with('-')) stem.pop_back();
  Profile part = whole;
  part.name = stem + "-part";
  part.title = "Part of the profile " + stem;
  part.means = "Some cells of the profile " + whole.name + ", listed here.";
  part.cells = cells;
  Json json;
  Fields fields{JsonPlace(json)};
  fields.Written("profile_version", part.refuse.empty() ? "1.0.0" : "1.1.0", "name",
                 part.name, "title", part.title, "means", part.means, "cells", part.cells,
                 "passes", part.passes, "declinable", part.declinable);
  if (!part.refuse.empty()) fields.Written("refuse", part.refuse);
  part.text = Dump(json, 2) + "\n";
  part.digest = Sha256Hex(part.text);
  return part;
}

}  // namespace qconform
