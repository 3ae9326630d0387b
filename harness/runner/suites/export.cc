#include "harness/runner/suites/export.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "cases/core/operator_cases.h"
#include "cases/model/serialize.h"
#include "cases/node_tests/node_tests.h"
#include "harness/compare/cell_answers.h"
#include "harness/runner/judge/clauses_asked.h"
#include "harness/runner/suite.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";

// The directory without a slash at the end of its path, so that it has a name.
Result<fs::path> Normal(const fs::path& directory) {
  if (directory.empty()) return Expected("directory", "a new or an empty one", "none");
  std::error_code code;
  const fs::path normal = fs::absolute(directory, code).lexically_normal();
  if (code) return Error{directory.string() + ": " + code.message()};
  return normal.has_filename() ? normal : normal.parent_path();
}

// In the same parent directory, so that a rename can put it in place.
fs::path PartialOf(const fs::path& directory) {
  return directory.parent_path() / ("." + directory.filename().string() + ".partial");
}

// A directory of the tests of a manifest, which is removed again unless it is kept.
class Partial {
 public:
  // `manifest` must outlive it.
  static Result<Partial> Make(fs::path path, const ExportManifest& manifest) {
    std::error_code code;
    fs::remove_all(path, code);  // of a run that was killed
    if (code) return Error{path.string() + ": cannot be removed: " + code.message()};
    if (!fs::create_directory(path, code)) {
      return Error{path.string() + ": cannot be made: " + code.message()};
    }
    return Partial(std::move(path), manifest);
  }
  Partial(Partial&& other) noexcept
      : path_(std::exchange(other.path_, {})), manifest_(other.manifest_) {}
  Partial& operator=(Partial&&) = delete;
  ~Partial() {
    std::error_code ignored;
    if (path_.empty()) return;
    // What is known is removed by its name: to list a directory takes a descriptor, and
    // the want of one may be why this ends.
    for (const ExportedCase& each : manifest_.cases) {
      for (const auto& [file, sha256] : each.files) {
        fs::path place = path_ / each.folder / file;
        for (; place != path_; place = place.parent_path()) fs::remove(place, ignored);
      }
    }
    fs::remove(path_ / kManifest, ignored);
    if (!fs::remove(path_, ignored)) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

  Status MoveTo(const fs::path& directory) {
    std::error_code code;
    fs::rename(path_, directory, code);  // over an empty directory too
    if (code) return Error{directory.string() + ": cannot be made: " + code.message()};
    path_.clear();
    return Ok();
  }

 private:
  Partial(fs::path path, const ExportManifest& manifest)
      : path_(std::move(path)), manifest_(manifest) {}
  fs::path path_;
  const ExportManifest& manifest_;
};

// Data that the cases of one content share.
struct SharedAnswer {
  std::vector<Tensor> outputs;
  FreeElements free;
  std::set<std::string> clauses;  // that decide some element
};

std::set<std::string> ClausesOf(const ReadingSet& set) {
  std::set<std::string> clauses;
  for (const Reading& reading : set.readings) clauses.insert(reading.clause);
  return clauses;
}

// Adds the clauses of the combinations that contain no other of the combinations.
void AddLeast(const std::set<std::set<std::string>>& combinations,
              std::set<std::string>& clauses) {
  for (const auto& one : combinations) {
    const bool least = std::none_of(
        combinations.begin(), combinations.end(), [&](const std::set<std::string>& part) {
          return part != one &&
                 std::includes(one.begin(), one.end(), part.begin(), part.end());
        });
    if (least) clauses.insert(one.begin(), one.end());
  }
}

// Each element counts once, for the widest freedom that it has. `clauses` gets the open
// clauses that have readings with another code.
Result<FreeElements> CountFree(ContentAnswers& content, std::set<std::string>& clauses) {
  const CaseAnswer& canonical = *content.canonical();
  ElementBits fixed(canonical.elements.size());  // not free by themselves
  for (size_t i = 0; i < canonical.elements.size(); ++i) {
    fixed.Set(i, canonical.elements[i].freedom == Freedom::kNone);
  }
  ElementBits differs(canonical.elements.size());
  std::set<std::set<std::string>> showing;
  const auto sets = content.Readings();
  if (!sets) return sets.error();
  for (const ReadingSet& set : sets->subspan(1)) {
    const auto answer = content.AnswerBy(set);
    if (!answer) return answer.error();
    const ElementBits others = (*answer)->HavingOtherCodes();
    differs |= others;
    if ((others & fixed).any()) showing.insert(ClausesOf(set));
  }
  for (size_t i = 0; i < canonical.elements.size(); ++i) {
    if (canonical.elements[i].zero_sign_is_free) differs.Set(i, true);
  }
  AddLeast(showing, clauses);
  FreeElements free;
  for (size_t i = 0; i < canonical.elements.size(); ++i) {
    switch (canonical.elements[i].freedom) {
      case Freedom::kAnyCode:
      case Freedom::kSameCode:
        ++free.any_code;
        break;
      case Freedom::kAnyNan:
        ++free.any_nan;
        break;
      case Freedom::kOneOf:
        ++free.readings;
        break;
      case Freedom::kNone:
        free.readings += differs[i] ? 1 : 0;
        break;
    }
  }
  return free;
}

// `clauses_asked` returns the clauses other than open ones that decide some element.
template <typename ClausesAsked>
Result<SharedAnswer> Answers(const FedModel& fed, const ClausesAsked& clauses_asked) {
  const auto content = ContentAnswers::Create(fed.model, ViewsOf(fed.inputs));
  if (!content) return content.error();
  const CaseAnswer& answer = *(*content)->canonical();
  std::set<std::string> clauses = clauses_asked(answer);
  const auto free = CountFree(**content, clauses);
  if (!free) return free.error();
  return SharedAnswer{PackAnswer(answer), *free, std::move(clauses)};
}

// Writes the node test and adds it to the manifest. `exported` has its name and its
// origin. A case with free elements is left out if the request says so.
Status WriteCase(const ExportRequest& request, const fs::path& directory,
                 const FedModel& fed, const SharedAnswer& expected, ExportedCase exported,
                 ExportManifest& manifest) {
  if (request.strict && expected.free.total() > 0) {
    ++manifest.left_out;
    return Ok();
  }
  if (const Status checked = CheckModel(SerializeModel(fed.model)); !checked) {
    return checked;
  }
  for (const Tensor& output : expected.outputs) {
    exported.elements += *ElementCount(output.shape);
  }
  exported.clauses = {expected.clauses.begin(), expected.clauses.end()};
  exported.free = expected.free;
  const auto written = WriteNodeTest(directory.string(), exported.folder, fed.model,
                                     fed.inputs, expected.outputs, request.field);
  if (!written) return written.error();
  for (const WrittenFile& file : *written) {
    exported.files.emplace_back(file.path.substr(exported.folder.size() + 1),
                                file.sha256);
  }
  manifest.cases.push_back(std::move(exported));
  return Ok();
}

Status ExportCell(const ExportRequest& request, const SelectedCell& selected,
                  const fs::path& directory, ExportManifest& manifest) {
  CaseMaker cases(request.seed);
  SharedAnswer expected;
  for (const CaseKey& key : CasesOf(selected.cell, selected.versions, request.level)) {
    const auto fault = [&](const Error& error) {
      return Error{"case " + CaseId(key) + ": " + error.message};
    };
    const auto op_case = cases.Make(key);
    if (!op_case) return op_case.error();
    // Cases of equal content share one answer.
    if (cases.content_is_new()) {
      auto answers = Answers(*op_case, [&](const CaseAnswer& answer) {
        return ClausesAsked(*op_case, answer);
      });
      if (!answers) return fault(answers.error());
      expected = *std::move(answers);
    }
    ExportedCase exported{
        .case_id = CaseId(key),
        .folder = ExportFolder(key),
        .generator = key.generator,
        .generator_version = FindGenerator(key.cell.op_type, key.generator)->version};
    const Status written =
        WriteCase(request, directory, *op_case, expected, std::move(exported), manifest);
    if (!written) return fault(written.error());
  }
  return Ok();
}

Status ExportStored(const ExportRequest& request, const NamedCase& named,
                    const fs::path& directory, ExportManifest& manifest) {
  const std::vector<std::string>& clauses = named.stored.clauses;
  const auto expected = Answers(named.stored, [&](const CaseAnswer&) {
    return std::set<std::string>(clauses.begin(), clauses.end());
  });
  if (!expected) return Error{named.name + ": " + expected.error().message};
  const Status written = WriteCase(request, directory, named.stored, *expected,
                                   {.case_id = named.name,
                                    .folder = "test_" + named.name,
                                    .why = named.stored.why,
                                    .generator = "stored"},
                                   manifest);
  if (!written) return Error{named.name + ": " + written.error().message};
  return Ok();
}

}  // namespace

std::string ExportFolder(const CaseKey& key) {
  std::string folder = "test_" + CaseId(key);
  std::replace(folder.begin(), folder.end(), '/', '.');
  std::replace(folder.begin(), folder.end(), '@', '-');
  return folder;
}

Status CheckExportDirectory(const fs::path& directory) {
  const auto named = Normal(directory);
  if (!named) return named.error();
  const fs::path& normal = *named;
  std::error_code code;
  const fs::file_status status = fs::status(normal, code);
  if (fs::exists(status)) {
    if (!fs::is_directory(status)) {
      return Expected(normal.string(), "a new or an empty directory", "a file");
    }
    const bool empty = fs::is_empty(normal, code);
    if (code) return Error{normal.string() + ": " + code.message()};
    if (!empty) {
      return Expected(normal.string(), "a new or an empty directory",
                      "one that is not empty");
    }
  }
  const fs::path parent = normal.parent_path();
  if (!fs::is_directory(parent, code)) {
    return Expected(parent.string(),
                    "a directory in which to make '" + normal.filename().string() + "'",
                    "none");
  }
  if (::access(parent.c_str(), W_OK | X_OK) != 0) {
    return Error{parent.string() + ": cannot be written: " + std::strerror(errno)};
  }
  return Ok();
}

Result<ExportManifest> ExportCases(const ExportRequest& request,
                                   const std::function<void(int64_t cells)>& progress,
                                   const std::atomic<bool>& stop) {
  if (const Status usable = CheckExportDirectory(request.directory); !usable) {
    return usable.error();
  }
  const auto named = Normal(request.directory);
  if (!named) return named.error();
  const fs::path& directory = *named;
  ExportManifest manifest{.tool_version = request.tool_version,
                          .onnx_version = std::string(OnnxVersion()),
                          .suite_digest = SuiteDigest(SubjectsOf(request.cell_patterns)),
                          .profile = request.profile,
                          .cell_patterns = request.cell_patterns,
                          .level = std::string(LevelName(request.level)),
                          .seed = request.seed,
                          .strict = request.strict,
                          .int32_data = request.field == TensorField::kInt32Data,
                          .left_out = 0,
                          .cases = {}};
  auto partial = Partial::Make(PartialOf(directory), manifest);
  if (!partial) return partial.error();
  int64_t done = 0;
  for (const SelectedCell& selected : request.cells) {
    if (stop) return Error{"interrupted: nothing was written"};
    const Status exported = ExportCell(request, selected, partial->path(), manifest);
    if (!exported) return exported.error();
    progress(++done);
  }
  for (const NamedCase& each : request.stored) {
    const Status exported = ExportStored(request, each, partial->path(), manifest);
    if (!exported) return exported.error();
  }
  if (manifest.cases.empty()) {
    return Error{"every selected case has free elements: --strict leaves none"};
  }
  const Status told =
      WriteFileAtomically(partial->path() / kManifest, ExportManifestText(manifest));
  if (!told) return told.error();
  const Status moved = partial->MoveTo(directory);
  if (!moved) return moved.error();
  return manifest;
}

}  // namespace qconform
