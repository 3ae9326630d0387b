// Profiles: named selections of cells, and what a pass means in them. They are
// data (the JSON files of this folder, by profile-1.schema.json) that the
// program carries in itself.
#ifndef QCONFORM_CASES_PROFILES_PROFILE_H_
#define QCONFORM_CASES_PROFILES_PROFILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

struct Profile {
  std::string name;   // "int8-core"
  std::string title;  // a few words
  std::string means;  // what a backend does that conforms to it, in one sentence
  std::vector<std::string> cells;       // patterns of cell ids
  std::vector<std::string> passes;      // names of the verdicts that pass
  std::vector<std::string> declinable;  // patterns of cells that may be declined
  // Admissible behaviours that do not pass: "mixed_by_operand_form", "mixed_by_M",
  // "bound_only".
  std::vector<std::string> refuse;
  std::string text;    // the whole file
  std::string digest;  // its SHA-256, lower-case hex
};

// All of them, narrow ones first.
const std::vector<Profile>& Profiles();

// An error names the profiles that there are.
Result<Profile> FindProfile(std::string_view name);

// Returns the profile that the JSON text describes; an error names the field.
Result<Profile> ParseProfile(std::string_view text, std::string_view name);

// Returns the JSON Schema (draft 7) of a profile.
std::string_view ProfileSchema();

}  // namespace qconform

#endif  // QCONFORM_CASES_PROFILES_PROFILE_H_
