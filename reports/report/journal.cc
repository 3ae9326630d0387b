#include "reports/report/journal.h"

#include <mutex>
#include <set>
#include <utility>

#include "oracle/base/format_version.h"
#include "oracle/base/sha256.h"
#include "reports/record/record_json.h"
#include "reports/report/file.h"
#include "reports/report/journal_file.h"
#include "reports/report/row_rules.h"

namespace qconform {
namespace {

constexpr std::string_view kJournalVersion = "1.0.0";
constexpr JournalKind kKind = {"{\"journal_version\"", "{\"footer\""};

Json HeaderToJson(const RunInfo& info) {
  Json run = Json::object();
  run["tool"] = ToolToJson(info.tool);
  run["suite"] = SuiteToJson(info.suite);
  run["selection"] = SelectionToJson(info.selection);
  run["backend"] = BackendToJson(info.backend);
  run["backend_details"] = BackendDetailsToJson(info.backend);
  run["machine"] = MachineToJson(info.machine);
  run["command_line"] = info.command_line;
  run["start_time"] = info.start_time;
  run["jobs"] = info.jobs;
  Json header = Json::object();
  header["journal_version"] = kJournalVersion;
  header["run"] = std::move(run);
  return header;
}

Json LineToJson(const CellRecord& cell) {
  CellRecord clean = cell;
  CleanTexts(&clean);
  Json line = Json::object();
  line["cell"] = CellToJson(clean);
  line["time_ms"] = cell.time_ms;
  if (cell.explain_ms > 0) line["explain_ms"] = cell.explain_ms;
  return line;
}

// `digest` and the counts are of the lines above.
Json FooterToJson(int64_t cells, int64_t node_tests, int64_t negative, double duration_s,
                  const std::string& digest) {
  Json footer = Json::object();
  footer["cells"] = cells;
  footer["node_tests"] = node_tests;
  footer["negative"] = negative;
  footer["duration_s"] = duration_s;
  footer["digest"] = digest;
  Json line = Json::object();
  line["footer"] = std::move(footer);
  return line;
}

RunInfo HeaderFromJson(const Fields& run) {
  RunInfo info;
  info.tool = ToolFromJson(run.Object("tool"));
  info.suite = SuiteFromJson(run.Object("suite"));
  info.selection = SelectionFromJson(run.Object("selection"));
  info.backend = BackendFromJson(run.Object("backend"), run.Object("backend_details"));
  info.machine = MachineFromJson(run.Object("machine"));
  info.command_line = run.Strings("command_line");
  info.start_time = run.String("start_time");
  info.jobs = run.Int("jobs");
  return info;
}

// Reads line by line; what it has so far is the journal.
class Reader {
 public:
  Reader(std::string_view name, RowReading rows) : name_(name), rows_(rows) {}

  Status Header(std::string_view line) {
    const Result<Json> parsed = ParseJson(line, name_ + ", line 1");
    if (!parsed || !parsed->is_object() || !parsed->contains("journal_version") ||
        !(*parsed)["journal_version"].is_string()) {
      return Error{name_ +
                   ": is no journal: a first line with \"journal_version\" is right"};
    }
    const std::string version = (*parsed)["journal_version"].get<std::string>();
    if (!IsFormatVersion1(version)) {
      return Error{name_ + ": is a journal of version \"" + version +
                   "\"; this program reads the versions 1.x.y"};
    }
    ReadState state{name_ + ", line 1", std::nullopt};
    journal_.run = HeaderFromJson(Fields(*parsed, state).Object("run"));
    return Outcome(state);
  }

  // `before` is all that stands before this line.
  Status Line(std::string_view line, int64_t number, std::string_view before) {
    const std::string place = name_ + ", line " + std::to_string(number);
    if (journal_.complete) {
      return Error{place + ": stands after the footer, which must be the last line"};
    }
    const Result<Json> parsed = ParseJson(line, place);
    if (!parsed) return parsed.error();
    ReadState state{place, std::nullopt};
    const Fields fields(*parsed, state);
    if (fields.Has("cell")) {
      CellRecord cell = CellFromJson(fields.Object("cell"));
      cell.time_ms = fields.Duration("time_ms");
      if (fields.Has("explain_ms")) cell.explain_ms = fields.Duration("explain_ms");
      if (!state.error && !cells_.insert(cell.cell).second) {
        return Error{place + ": the cell " + cell.cell +
                     " comes twice; one line is right"};
      }
      if (Status checked = Checked(state, cell); !checked) return checked;
      journal_.cells.push_back(std::move(cell));
    } else if (fields.Has("node_test")) {
      NodeTestRecord test = NodeTestFromJson(fields.Object("node_test"));
      if (!state.error && !node_tests_.insert(test.release + "/" + test.name).second) {
        return Error{place + ": the node test " + test.name + " of " + test.release +
                     " comes twice; one line is right"};
      }
      journal_.node_tests.push_back(std::move(test));
    } else if (fields.Has("negative")) {
      NegativeRecord record = NegativeFromJson(fields.Object("negative"));
      if (!state.error && !negative_.insert(record.id).second) {
        return Error{place + ": the negative model " + record.id +
                     " comes twice; one line is right"};
      }
      if (Status checked = Checked(state, record); !checked) return checked;
      journal_.negative.push_back(std::move(record));
    } else if (fields.Has("footer")) {
      const Fields footer = fields.Object("footer");
      CheckFooter(footer, before);
      journal_.run.duration_s = footer.Duration("duration_s");
      journal_.complete = true;
    } else {
      return Error{
          place +
          ": is no record; \"cell\", \"node_test\", \"negative\" or \"footer\" is "
          "right"};
    }
    return Outcome(state);
  }

  Journal Take(int64_t valid_bytes) {
    journal_.valid_bytes = valid_bytes;
    return std::move(journal_);
  }

 private:
  void CheckFooter(const Fields& footer, std::string_view before) const {
    const auto check = [&](std::string_view key, size_t count) {
      if (footer.Count(key) != static_cast<int64_t>(count)) {
        footer.Fail(key, "does not agree with the lines above, which have " +
                             std::to_string(count));
      }
    };
    check("cells", journal_.cells.size());
    check("node_tests", journal_.node_tests.size());
    if (footer.Has("negative")) check("negative", journal_.negative.size());
    if (footer.String("digest") != Sha256Hex(before)) {
      footer.Fail("digest", "does not agree with the lines above: the file was changed");
    }
  }

  // What could not be read is an error already.
  template <typename Row>
  Status Checked(const ReadState& state, const Row& row) const {
    if (state.error || rows_ == RowReading::kAsTheyStand) return Ok();
    return CheckRow(state.name, row);
  }

  static Status Outcome(const ReadState& state) {
    if (state.error) return *state.error;
    return Ok();
  }

  std::string name_;
  RowReading rows_;
  Journal journal_;
  std::set<std::string> cells_;
  std::set<std::string> node_tests_;
  std::set<std::string> negative_;
};

}  // namespace

Result<Journal> ParseJournal(std::string_view text, std::string_view name,
                             RowReading rows) {
  Reader reader(name, rows);
  size_t begin = 0;
  int64_t number = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    ++number;
    // A line without its end was cut off: a killed run leaves that.
    if (end == std::string_view::npos && number > 1) break;
    const std::string_view line = text.substr(begin, end - begin);
    const Status read = number == 1 ? reader.Header(line)
                                    : reader.Line(line, number, text.substr(0, begin));
    if (!read) return read.error();
    if (end == std::string_view::npos) {
      return Error{std::string(name) +
                   ": ends within its first line; nothing can be read"};
    }
    begin = end + 1;
  }
  if (number == 0) {
    return Error{std::string(name) +
                 ": is empty; a first line with \"journal_version\" is right"};
  }
  Journal journal = reader.Take(static_cast<int64_t>(begin));
  if (rows == RowReading::kChecked) {
    const Status versions = CheckOpsetVersions(std::string(name), journal.cells);
    if (!versions) return versions.error();
  }
  return journal;
}

Result<Journal> ReadJournal(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  return ParseJournal(*text, path.string());
}

std::string JournalText(const RunInfo& run, const std::vector<CellRecord>& cells) {
  std::string text = Dump(HeaderToJson(run)) + "\n";
  for (const CellRecord& cell : cells) text += Dump(LineToJson(cell)) + "\n";
  const Json footer = FooterToJson(static_cast<int64_t>(cells.size()), 0, 0,
                                   run.duration_s, Sha256Hex(text));
  return text + Dump(footer) + "\n";
}

struct JournalWriter::State {
  explicit State(JournalFile the_file) : file(std::move(the_file)) {}

  Status WriteLine(const Json& json) {
    const std::string line = Dump(json) + "\n";
    const Status written = file.Append(line);
    if (written) hash.Update(line);
    return written;
  }

  std::mutex mutex;
  Sha256 hash;  // of all lines so far
  JournalFile file;
  int64_t cells = 0;
  int64_t node_tests = 0;
  int64_t negative = 0;
};

JournalWriter::JournalWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
JournalWriter::JournalWriter(JournalWriter&&) noexcept = default;
JournalWriter& JournalWriter::operator=(JournalWriter&&) noexcept = default;
JournalWriter::~JournalWriter() = default;

const std::string& JournalWriter::kept() const { return state_->file.kept(); }

Result<JournalWriter> JournalWriter::Create(const std::filesystem::path& path,
                                            const RunInfo& run) {
  auto file = BeginJournalFile(path, kKind);
  if (!file) return file.error();
  auto state = std::make_unique<State>(*std::move(file));
  if (Status written = state->WriteLine(HeaderToJson(run)); !written)
    return written.error();
  return JournalWriter(std::move(state));
}

Result<JournalWriter> JournalWriter::Resume(const std::filesystem::path& path,
                                            const RunInfo& run, Journal* found) {
  auto file = ReopenJournalFile(path);
  if (!file) return file.error();
  auto state = std::make_unique<State>(*std::move(file));
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  // The run was stopped before it wrote its first line, or while it did.
  if (text->find('\n') == std::string::npos &&
      (kKind.first.starts_with(*text) || text->starts_with(kKind.first))) {
    return Error{path.string() +
                 ": holds nothing to go on from: the run was cut off before its first "
                 "record; starting it without --resume is right"};
  }
  Result<Journal> journal = ParseJournal(*text, path.string());
  if (!journal) return journal.error();
  if (journal->complete) {
    return Error{path.string() +
                 ": is the journal of a run that came to its end; "
                 "an interrupted one is right"};
  }
  if (Status same = CheckSameRun(journal->run, run, ShardRule::kSameShard); !same) {
    return Error{path.string() + ": was left by another run: " + same.error().message};
  }
  // Rows of a CPU with other features may be of other kernels.
  if (journal->run.machine.cpu_features != run.machine.cpu_features) {
    AddMachine(journal->run.machine, run.machine);
  }
  const Status cut = state->file.Truncate(journal->valid_bytes);
  if (!cut) return cut.error();
  state->hash.Update(
      std::string_view(*text).substr(0, static_cast<size_t>(journal->valid_bytes)));
  state->cells = static_cast<int64_t>(journal->cells.size());
  state->node_tests = static_cast<int64_t>(journal->node_tests.size());
  state->negative = static_cast<int64_t>(journal->negative.size());
  *found = *std::move(journal);
  return JournalWriter(std::move(state));
}

Status JournalWriter::Append(const CellRecord& cell) {
  const Json line = LineToJson(cell);
  const std::lock_guard lock(state_->mutex);
  ++state_->cells;
  return state_->WriteLine(line);
}

Status JournalWriter::Append(const NodeTestRecord& node_test) {
  NodeTestRecord clean = node_test;
  CleanTexts(&clean);
  Json line = Json::object();
  line["node_test"] = NodeTestToJson(clean);
  const std::lock_guard lock(state_->mutex);
  ++state_->node_tests;
  return state_->WriteLine(line);
}

Status JournalWriter::Append(const NegativeRecord& negative) {
  NegativeRecord clean = negative;
  CleanTexts(&clean);
  Json line = Json::object();
  line["negative"] = NegativeToJson(clean);
  const std::lock_guard lock(state_->mutex);
  ++state_->negative;
  return state_->WriteLine(line);
}

Status JournalWriter::Finish(double duration_s) {
  const std::lock_guard lock(state_->mutex);
  const Json line = FooterToJson(state_->cells, state_->node_tests, state_->negative,
                                 duration_s, state_->hash.FinishHex());
  if (Status written = state_->WriteLine(line); !written) return written;
  return state_->file.Close();
}

Status CheckSameRun(const RunInfo& there, const RunInfo& here, ShardRule rule) {
  std::optional<Error> error;
  const auto check = [&](std::string_view what, const Json& a, const Json& b) {
    if (a != b && !error) {
      error =
          Error{std::string(what) + " is " + Dump(a) + " there, " + Dump(b) + " here"};
    }
  };
  const auto members = [&](const std::string& what, const Json& a, const Json& b) {
    for (const auto& [key, value] : a.items()) {
      check(what + "." + key, value, b.contains(key) ? b[key] : Json());
    }
    for (const auto& [key, value] : b.items()) {
      if (!a.contains(key)) check(what + "." + key, Json(), value);
    }
  };
  Json selection_a = SelectionToJson(there.selection);
  Json selection_b = SelectionToJson(here.selection);
  if (rule == ShardRule::kAnyShard) {
    selection_a.erase("shard");
    selection_b.erase("shard");
  }
  members("tool", ToolToJson(there.tool), ToolToJson(here.tool));
  members("suite", SuiteToJson(there.suite), SuiteToJson(here.suite));
  members("selection", selection_a, selection_b);
  members("backend", BackendToJson(there.backend), BackendToJson(here.backend));
  if (!there.backend.digest.empty() && !here.backend.digest.empty()) {
    check("backend.digest", there.backend.digest, here.backend.digest);
  }
  members("backend.details", Json(there.backend.details), Json(here.backend.details));
  if (error) return *error;
  return Ok();
}

}  // namespace qconform
