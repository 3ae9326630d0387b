#include "harness/cli/model/judge_parts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "cases/corpus/stored_case.h"
#include "harness/backends/file_sha256.h"
#include "harness/backends/registry/portable_words.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/judge_cells.h"
#include "harness/cli/commands/screen.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/model/answers.h"
#include "harness/cli/paths.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "harness/cli/vary/vary.h"
#include "harness/cli/version.h"
#include "harness/reference_path/first_deviation.h"
#include "harness/runner/selection.h"
#include "harness/runner/suite.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/stopwatch.h"
#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/show/summary/parts_text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// A backend at one setting of its options, and where its report goes.
struct Column {
  std::string name;  // "onnxruntime opt_level=all"
  BackendFlags flags;
  JudgedBackend backend;
  std::string report;
  std::string store;  // empty: none
};

// What became of a column.
struct Judged {
  Report report;
  ExitCode code = ExitCode::kPass;
  // Lines that replay the smallest deviating cases, to copy.
  std::vector<std::string> smallest;
};

// Returns "report.2.json" of "report.json".
std::string Numbered(const std::string& path, size_t number) {
  std::filesystem::path numbered(path);
  const std::string extension = numbered.extension().string();
  numbered.replace_extension();
  numbered += "." + std::to_string(number) + extension;
  return numbered.string();
}

Result<std::vector<Column>> MakeColumns(const JudgeFlags& flags) {
  std::vector<Column> columns;
  for (const std::string& spec : flags.backends) {
    BackendFlags one = flags.backend;
    one.spec = spec;
    auto settings = BackendSettings(one, flags.vary);
    if (!settings) return settings.error();
    for (BackendSetting& setting : *settings) {
      auto backend = MakeJudgedBackend(setting.flags, &g_interrupted);
      if (!backend) return backend.error();
      columns.push_back({spec + (setting.name.empty() ? "" : " " + setting.name),
                         std::move(setting.flags),
                         *std::move(backend),
                         {},
                         flags.store});
    }
  }
  const bool is_several = columns.size() > 1;
  if (is_several && !flags.name.empty()) {
    return Expected("--name", "one backend, which it names",
                    std::to_string(columns.size()));
  }
  if (flags.fail_fast && !flags.known.empty()) {
    return Expected("--fail-fast", "either --known or --fail-fast", "both");
  }
  if (is_several && IsStandardStream(flags.report)) {
    return Expected("--report", "a file if there are several backends",
                    "a standard stream");
  }
  std::vector<NamedPath> paths;
  for (size_t i = 0; i < columns.size(); ++i) {
    Column& column = columns[i];
    column.report = is_several ? Numbered(flags.report, i + 1) : flags.report;
    if (is_several && !column.store.empty()) {
      column.store += "/" + std::to_string(i + 1);
    }
    paths.push_back({"--report", column.report});
    paths.push_back({"the journal of --report", JournalBeside(column.report)});
  }
  const Status writable = CheckPaths(paths);
  if (!writable) return writable.error();
  return columns;
}

// Constants of a part that are more than this are read again when it is asked.
constexpr size_t kMostKeptBytes = size_t{1} << 18;

std::vector<std::string> SubjectsOfParts(const ModelToJudge& model) {
  std::set<std::string> used;
  for (const PartQuestion& question : model.parts) used.insert(question.cell.op_type);
  std::vector<std::string> subjects = OperatorsAndFamilies();
  std::erase_if(subjects,
                [&](const std::string& subject) { return !used.contains(subject); });
  return subjects;
}

RunInfo InfoOf(const ModelToJudge& model, const JudgeFlags& flags,
               const BackendInfo& backend, const std::vector<std::string>& command_line) {
  RunInfo info =
      DescribeRun(backend, {}, Level::kStandard, flags.seed, flags.jobs, command_line);
  const std::vector<std::string> subjects = SubjectsOfParts(model);
  info.suite.digest = SuiteDigest(subjects);
  info.suite.level = "model, " + Plural(flags.cases, "case");
  info.operators = OperatorRecords(subjects);
  info.selection.operators = subjects;
  info.selection.cell_patterns = flags.names;
  info.selection.cells = static_cast<int64_t>(model.parts.size());
  info.selection.model = model.record;
  if (model.shard) {
    info.selection.shard =
        ShardRecord{model.shard->index, model.shard->count, std::ssize(model.ToJudge())};
  }
  if (!flags.name.empty()) info.backend.name = flags.name;
  return info;
}

// Returns a file name that is like the part's name.
std::string FileNameOf(const std::string& part) {
  std::string name;
  for (const char c : part) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                       (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    name += plain ? c : '_';
  }
  while (name.starts_with('_') || name.starts_with('.')) name.erase(0, 1);
  if (name.empty()) name = "part";
  constexpr size_t kMost = 100;
  return Shortened(name, kMost);
}

// Writes the smallest deviating case of each part into a folder.
class Store {
 public:
  Store(std::string folder, const ReplayContext& context)
      : folder_(std::move(folder)), context_(context) {}

  void Keep(const PartQuestion& question, const StoredCase& stored) {
    std::string path = folder_ + "/" + FileNameOf(question.part.name);
    // Different names may give one file name.
    if (!taken_.insert(path).second) {
      path += "-" + std::to_string(question.part.position);
    }
    path += ".json";
    const Status written = WriteFileAtomically(path, StoredCaseText(stored));
    if (!written && !fault_) fault_ = written.error();
    if (written) {
      lines_.push_back("qconform replay " + ShellWord(path) + " " + FlagsOf(context_));
    }
  }

  const std::vector<std::string>& lines() const { return lines_; }
  const std::optional<Error>& fault() const { return fault_; }

 private:
  std::string folder_;
  ReplayContext context_;
  std::set<std::string> taken_;
  std::vector<std::string> lines_;
  std::optional<Error> fault_;
};

PartQuestions NotAsked(const ModelToJudge& model,
                       const std::vector<CellRecord>& records) {
  std::set<std::string> done;
  for (const CellRecord& record : records) done.insert(record.cell);
  PartQuestions left;
  for (const PartQuestion* question : model.ToJudge()) {
    if (!done.contains(PartId(*question))) left.push_back(question);
  }
  return left;
}

void PrintHead(const Column& column, const RunInfo& info, const ModelToJudge& model) {
  Print("backend %s, model %s, %s, seed %llu\n",
        NameAndDevice(info.backend.name + (column.flags.options.empty() ? "" : " ") +
                          Joined(column.flags.options, " "),
                      info.backend.device)
            .c_str(),
        model.record.name.c_str(), Plural(std::ssize(model.ToJudge()), "part").c_str(),
        static_cast<unsigned long long>(info.suite.seed));
  std::fflush(stdout);
}

// Returns what the report comes to under the known differences.
ExitCode CodeUnder(const KnownDifferences& known, const JudgeFlags& flags,
                   const Report& report) {
  // If only some parts are asked, entries may name the others.
  std::vector<std::string> ids;
  for (const CellRecord& record : report.cells) {
    if (flags.names.empty()) ids.push_back(record.cell);
  }
  return JudgeUnderKnown(known, flags.known, report, ids, flags.allow_unsupported);
}

using Answered = decltype(PartRequest::answered);

Result<Judged> JudgeColumn(const ModelToJudge& model, const JudgeFlags& flags,
                           Column& column, const std::vector<std::string>& command_line,
                           const Answered& answered) {
  Backend& backend = *column.backend.backend;
  const Stopwatch watch;
  RunInfo info = InfoOf(model, flags, backend.info(), command_line);
  const Status digested = AddCodeDigest(backend, &info);
  Journal found;
  const std::string journal_path = JournalBeside(column.report);
  auto journal = flags.resume ? JournalWriter::Resume(journal_path, info, &found)
                              : JournalWriter::Create(journal_path, info);
  if (!journal) return journal.error();
  PrintHead(column, info, model);
  if (!digested) {  // a run can do without the digest
    Print("note: the report has no digest of the backend's code: %s\n",
          digested.error().message.c_str());
  }
  PrintKept(journal->kept());

  PartRequest request;
  request.parts = NotAsked(model, found.cells);
  request.file = PortablePath(model.path);
  request.directed = request.random = flags.cases;
  request.seed = flags.seed;
  request.replay = ReplayContextOf(column.flags, flags.seed);
  request.more_flags = model.more_flags;
  request.other_threads = column.backend.other_threads.get();
  request.jobs = JobsWithinLimitsOf(backend, flags.jobs, "parts");
  request.fewer = NoteOfFewer("parts");
  ExplainBudget budget(ExplainSeconds(flags.explain, !flags.known.empty()));
  AddCosts(found.cells, budget);
  request.explain = &budget;
  Store store(column.store, request.replay);
  if (!column.store.empty()) {
    request.keep_smallest = [&](const PartQuestion& question, const StoredCase& stored) {
      store.Keep(question, stored);
    };
  }
  request.answered = answered;
  const RowsToJudge rows{.noun = "parts",
                         .total = std::ssize(model.ToJudge()),
                         .no_progress = flags.no_progress || flags.summary.quiet,
                         .fail_fast = flags.fail_fast,
                         .run = [&](const std::function<void(CellRecord)>& keep) {
                           return RunParts(backend, request, keep, g_interrupted);
                         }};
  JudgedCells judged = JudgeRows(rows, std::move(found.cells), *journal);
  const bool runs_whole = !model.shard || model.shard->index == 0;
  if (judged.finished && !judged.fault && runs_whole && model.real &&
      !model.real->inputs.empty()) {
    PartRequest all = request;
    all.answered = nullptr;
    all.parts = All(model.parts);
    auto whole = CompareWhole(backend, *model.real, all, column.flags, g_interrupted);
    info.selection.model->whole_run =
        whole ? whole->words
              : "The whole model was not compared: " + whole.error().message + ".";
    if (whole && whole->joined) {
      judged.records.push_back(*std::move(whole->joined));
      ++info.selection.cells;
      if (info.selection.shard) ++info.selection.shard->cells;
    }
  }
  info.duration_s = watch.seconds();
  if (!judged.finished) {
    for (const PartQuestion* question : NotAsked(model, judged.records)) {
      judged.records.push_back(PartWithoutAnswers(
          *question, Verdict::kUntested,
          judged.stopped ? "the run stopped at the first deviating part, before this one"
                         : "the run was interrupted before this part"));
    }
  } else if (!judged.fault) {
    const Status ended = journal->Finish(info.duration_s);
    if (!ended) judged.fault = ended.error();
  }
  auto report = BuildReport(std::move(info), std::move(judged.records), {},
                            judged.finished && !judged.fault);
  if (!report) return report.error();
  const Status written = WriteReport(column.report, *report);
  if (!written) return written.error();
  if (judged.fault) return *judged.fault;
  if (store.fault()) return *store.fault();
  const bool interrupted = g_interrupted && !judged.stopped;
  const ExitCode code = interrupted ? ExitCode::kInterrupted
                                    : ExitCodeFor(*report, flags.allow_unsupported);
  return Judged{*std::move(report), code, store.lines()};
}

Status MakeFolder(const std::string& folder) {
  if (folder.empty()) return Ok();
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (!code) return Ok();
  return Expected("--store", "a folder that can be made",
                  "'" + folder + "': " + code.message());
}

// A deviation of one backend counts more than anything of the others.
ExitCode WorstOf(const std::vector<Judged>& all) {
  for (const ExitCode code : {ExitCode::kInterrupted, ExitCode::kDeviation}) {
    if (std::ranges::count(all, code, &Judged::code) > 0) return code;
  }
  for (const Judged& one : all) {
    if (one.code != ExitCode::kPass) return one.code;
  }
  return ExitCode::kPass;
}

}  // namespace

Flag AddJudgeFlags(Command& command, JudgeFlags& flags) {
  command.Group("Backend");
  Flag backend =
      command
          .Add("--backend", flags.backends,
               "Judge each part on this backend (repeatable: their answers are shown "
               "side by "
               "side), KIND or KIND:TARGET; 'qconform list backends' lists them")
          .Type("KIND[:TARGET]");
  AddBackendOptionFlags(command, flags.backend);
  command.Group("Backend");
  AddVaryFlag(command, flags.vary,
              "Judge each part at each of these values of a backend option, as if each "
              "were a backend of its own");
  command.Group("What is judged");
  command.Add("--part", flags.names, "Only the part of this name (repeatable)")
      .Type("NAME");
  command
      .Add("--cases", flags.cases,
           "Directed cases of each part, at least, and as many random ones; small "
           "tensors are asked more, and parts that take long fewer")
      .Between(1, 100000)
      .ShowDefault();
  command.Add("--seed", flags.seed, "Seed of the random choices").ShowDefault();
  command.Group("How it runs");
  AddJobsFlag(command, flags.jobs, "Parts judged at the same time");
  command
      .Add("--shard", flags.shard,
           "Judge part I of N equal parts of the model's parts, I from 0, for 'qconform "
           "merge'; the first also runs the whole model. Default: from the environment "
           "of Bazel, GoogleTest or a Slurm array")
      .Type("I/N");
  command.AddSwitch("--resume", flags.resume,
                    "Continue an interrupted run from its journal");
  command.AddSwitch("--fail-fast", flags.fail_fast, "Stop at the first deviating part");
  AddExplainBudgetFlags(command, flags.explain, "parts");
  command.Group("Output");
  command
      .Add("--name", flags.name,
           "A short name of the backend for reports; default: the text of --backend")
      .Type("NAME");
  command
      .Add("-o,--report", flags.report,
           "Write the report to FILE, and the run's journal to FILE.journal; of several "
           "backends to FILE with a number in front of its extension")
      .Writes()
      .ShowDefault();
  command
      .Add("--store", flags.store,
           "Write the smallest case that deviates of each part into this folder; "
           "'qconform replay' and 'qconform explain' take it")
      .Type("DIR");
  AddSummaryFlags(command, flags.summary);
  command.AddSwitch("--no-progress", flags.no_progress, "Show no progress on stderr");
  command.Group("Verdict");
  command
      .Add("--known", flags.known,
           "Known differences: deviating parts that are accepted for a stated reason; an "
           "entry names a part as the report does, CELL#NAME, with * for any text")
      .Reads();
  command.AddSwitch(
      "--allow-unsupported", flags.allow_unsupported,
      "Exit with 0 even if something is unsupported or partial; not if a legal model "
      "is refused as invalid");
  command.AddSwitch("--exit-zero", flags.exit_zero,
                    "Exit with 0 whatever the verdicts are");
  return backend;
}

PartQuestions ModelToJudge::ToJudge() const {
  PartQuestions mine;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    if (!shard || place % shard->count == shard->index) mine.push_back(&parts[i]);
  }
  return mine;
}

Result<ModelToJudge> PlanParts(const ModelFile& file, const PartsOfModel& parts,
                               const Sizes& sizes, const JudgeFlags& flags) {
  ModelToJudge model;
  model.path = file.path().string();
  model.record.name = file.path().filename().string();
  model.record.sha256 = FileSha256(model.path);
  std::set<std::string> wanted(flags.names.begin(), flags.names.end());
  const auto reads_file = std::make_shared<std::mutex>();
  for (size_t i = 0; i < parts.parts.size(); ++i) {
    const Part& part = parts.parts[i];
    if (!flags.names.empty() && wanted.erase(part.name) == 0) continue;
    if (!part.not_judged.empty()) {
      model.record.not_judged.push_back({part.name, part.not_judged});
      continue;
    }
    PartRecord record{.name = part.name,
                      .position = static_cast<int64_t>(i),
                      .graph = part.nodes.size() > 1 ? part.graph : ""};
    const auto make = [&file, &sizes, &part, record]() -> Result<PartQuestion> {
      auto cut = CutOut(file, part, sizes);
      if (!cut) return cut.error();
      return MakePartQuestion(record, part.cell, part.granularity, *std::move(cut));
    };
    auto question = make();
    if (!question) {
      model.record.not_judged.push_back({part.name, question.error().message});
      continue;
    }
    if (const auto own = AddOwnConstants(file, *question); !own) return own.error();
    // The constants of all parts may be more than the memory holds.
    if (BytesOfConstants(*question) > kMostKeptBytes) {
      Unload(*question, [make, reads_file]() -> Result<std::vector<Model>> {
        const std::lock_guard lock(*reads_file);
        auto again = make();
        if (!again) return again.error();
        return std::move(again->models);
      });
    }
    model.parts.push_back(*std::move(question));
  }
  auto shard = ChooseShard(flags.shard, [](const char* name) { return getenv(name); });
  if (!shard) return shard.error();
  model.shard = *shard;
  if (!wanted.empty()) {
    return Expected(
        "--part",
        "the name of a part; 'qconform model " + ShellWord(model.path) + "' lists them",
        "'" + *wanted.begin() + "'");
  }
  return model;
}

ExitCode JudgeParts(const ModelToJudge& model, const JudgeFlags& flags,
                    const std::vector<std::string>& command_line) {
  if (flags.summary.quiet) {
    if (const Status silent = PrintNowhere(); !silent) return Fail(silent.error());
  }
  auto columns = MakeColumns(flags);
  if (!columns) return Fail(columns.error());
  Print("%s\n", VersionText().c_str());
  if (model.parts.empty()) {
    Print("model %s has no part that can be judged\n", model.record.name.c_str());
    for (const NotJudgedPart& part : model.record.not_judged) {
      Print("  %s: %s\n", part.name.c_str(), part.reason.c_str());
    }
    return flags.exit_zero ? ExitCode::kPass : ExitCode::kNothingSupported;
  }
  KnownDifferences known;
  if (!flags.known.empty()) {
    auto read = ReadKnownDifferences(flags.known);
    if (!read) return Fail(read.error());
    known = *std::move(read);
  }
  if (model.shard) {
    if (const Status told = TouchStatusFile(*model.shard); !told) {
      return Fail(told.error());
    }
  }
  CatchInterrupts();
  std::vector<Judged> all;
  std::vector<BackendReport> named;
  all.reserve(columns->size());
  Answers first;
  for (Column& column : *columns) {
    AnswerComparison comparison(first, columns->front().name, column.name);
    Answered answered;
    if (columns->size() > 1) {
      answered = [&](const PartQuestion& part, const OpCase& op_case,
                     const RunResult& result) {
        if (&column == &columns->front()) {
          first.Keep(part, op_case, result);
        } else {
          comparison.Add(part, op_case, result);
        }
      };
    }
    if (const Status made = MakeFolder(column.store); !made) return Fail(made.error());
    auto judged = JudgeColumn(model, flags, column, command_line, answered);
    if (!judged) return Fail(judged.error());
    all.push_back(*std::move(judged));
    Judged& one = all.back();
    named.push_back({column.name, &one.report, comparison.Words()});
    PrintSummary(one.report, flags.summary, column.report);
    for (const std::string& line : one.smallest) {
      Print("smallest  %s\n", line.c_str());
    }
    if (!flags.known.empty() && one.code != ExitCode::kInterrupted) {
      one.code = CodeUnder(known, flags, one.report);
    }
    const Status put = PrintVerdict(one.report, flags.summary, column.report, one.code);
    if (!put) return Fail(put.error());
    if (g_interrupted && one.code == ExitCode::kInterrupted) break;
    if (columns->size() > 1) Print("\n");
  }
  if (named.size() > 1) {
    PrintDocument(
        PartsSideBySide(named, {.width = TerminalColumns(), .color = ShowsColors()}));
  }
  const ExitCode code = WorstOf(all);
  if (code == ExitCode::kInterrupted) return code;
  return flags.exit_zero ? ExitCode::kPass : code;
}

}  // namespace qconform
