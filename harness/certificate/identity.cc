#include "harness/certificate/identity.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "oracle/base/text.h"

namespace qconform {
namespace {

using Details = std::map<std::string, std::string>;

std::string Quoted(const std::string& text) {
  return text.empty() ? "none" : "'" + text + "'";
}

std::string Sentence(const std::string& what, const std::string& certified,
                     const std::string& asked) {
  return what + ": expected " + Quoted(certified) + " as in the package, got " +
         Quoted(asked);
}

std::string Detail(const Details& details, const std::string& key) {
  const auto found = details.find(key);
  return found == details.end() ? std::string() : found->second;
}

// Details that are compared separately: the name of the backend, and digests of files.
bool IsToldElsewhere(const std::string& key) {
  return key == "plugin" || key == "worker" || key.ends_with("sha256");
}

bool HasName(const std::vector<LoadedFile>& files, const std::string& name) {
  return std::ranges::find(files, name, &LoadedFile::name) != files.end();
}

// The names among `names` that are not in `others`.
std::string OnlyIn(const std::vector<std::string>& names,
                   const std::vector<std::string>& others) {
  std::vector<std::string> only = names;
  std::erase_if(only, [&](const std::string& name) {
    return std::ranges::find(others, name) != others.end();
  });
  return Joined(only, ", ");
}

std::vector<std::string> NamesOf(const std::vector<LoadedFile>& files) {
  std::vector<std::string> names;
  for (const LoadedFile& file : files) names.push_back(file.name);
  return names;
}

// The names of files that both have, with different bytes.
std::string OtherBuilds(const std::vector<LoadedFile>& files,
                        const std::vector<LoadedFile>& others) {
  std::set<std::string> names;
  for (const LoadedFile& file : others) {
    const bool is_same = std::ranges::find(files, file) != files.end();
    if (HasName(files, file.name) && !is_same) names.insert(file.name);
  }
  return Joined(names, ", ");
}

}  // namespace

Identity CompareIdentity(const BackendRecord& certified,
                         const std::vector<LoadedFile>& certified_files,
                         const BackendInfo& asked,
                         const std::vector<LoadedFile>& asked_files) {
  Identity identity;
  if (certified.kind != asked.kind) {
    identity.others.push_back(
        Sentence("the kind of backend", certified.kind, asked.kind));
    return identity;
  }
  for (const std::string key : {"plugin", "worker"}) {
    const std::string there = Detail(certified.details, key);
    const std::string here = Detail(asked.details, key);
    if (there != here) identity.others.push_back(Sentence("the " + key, there, here));
  }
  const auto note = [&](const std::string& what, const std::string& there,
                        const std::string& here) {
    if (there != here) identity.notes.push_back(Sentence(what, there, here));
  };
  note("the version", certified.version, asked.version);
  note("the vendor", certified.vendor, asked.vendor);
  note("the device", certified.device, asked.device);
  Details all = certified.details;
  all.insert(asked.details.begin(), asked.details.end());
  for (const auto& [key, value] : all) {
    if (IsToldElsewhere(key)) continue;
    note(key, Detail(certified.details, key), Detail(asked.details, key));
  }
  for (const auto& [what, names] :
       {std::pair("files of another build than in the package: ",
                  OtherBuilds(certified_files, asked_files)),
        {"files that only the package has: ",
         OnlyIn(NamesOf(certified_files), NamesOf(asked_files))},
        {"files that the package does not have: ",
         OnlyIn(NamesOf(asked_files), NamesOf(certified_files))}}) {
    if (!names.empty()) identity.notes.push_back(what + names);
  }
  return identity;
}

std::string CompareCpus(const std::vector<std::string>& certified,
                        const std::vector<std::string>& here) {
  if (certified.empty() || here.empty()) return "";
  const std::string missing = OnlyIn(certified, here);
  const std::string added = OnlyIn(here, certified);
  if (missing.empty() && added.empty()) return "";
  return "this is another kind of CPU, for which a backend may have other kernels: it "
         "is " +
         (missing.empty() ? "" : "without " + missing) +
         (missing.empty() || added.empty() ? "" : ", and ") +
         (added.empty() ? "" : "with " + added);
}

}  // namespace qconform
