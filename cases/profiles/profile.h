// Profiles: named selections of cells, and what a pass means in them. They are
// data (JSON files by profile-1.schema.json): the built-in ones are those of this folder,
// which the program carries in itself; others are files of a user's own.
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

// Returns whether the program carries this very profile, byte by byte.
bool IsBuiltIn(const Profile& profile);

// Returns the name by which reports call the profile: that of a built-in one, or
// "own:NAME". No built-in profile has a colon in its name.
std::string SelectionName(const Profile& profile);

// Returns the profile that the JSON text describes, for a user's own profile. It must not
// be taken for a built-in one: an Error says so if name or title are those of a built-in
// profile, or if they are not plain (lower-case words joined by hyphens; one line of
// printable ASCII without quotation marks). The text of a built-in profile gives that
// one.
Result<Profile> ParseOwnProfile(std::string_view text, std::string_view name);

// Returns the built-in profile of this name or, if there is none, the profile in the file
// of this path. `flag` begins an Error about something that is neither.
Result<Profile> FindOrReadProfile(const std::string& name_or_file,
                                  const std::string& flag);

// Returns the profile of one's own that selects just these patterns and is otherwise like
// `whole`: its name is that of `whole` and "-part".
Profile PartOfProfile(const Profile& whole, const std::vector<std::string>& cells);

// Returns the JSON Schema (draft 7) of a profile.
std::string_view ProfileSchema();

}  // namespace qconform

#endif  // QCONFORM_CASES_PROFILES_PROFILE_H_
