#include "reports/report/journal.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/format_version.h"
#include "oracle/base/sha256.h"
#include "reports/record/record_json.h"
#include "reports/report/journal_file.h"
#include "reports/report/row_rules.h"

namespace qconform {

// The digest and the counts are of the lines above.
struct JournalFooter {
  int64_t cells = 0;
  int64_t node_tests = 0;
  int64_t negative = 0;
  double duration_s = 0;
  std::string digest{};
};

static void Describe(Fields& fields, JournalFooter& footer) {
  fields.Required("cells", footer.cells, "node_tests", footer.node_tests);
  // Early journals did not count negative models.
  if (!fields.reads() || fields.Has("negative")) {
    fields.Required("negative", footer.negative);
  }
  fields.Required("duration_s", footer.duration_s, "digest", footer.digest);
}

namespace {

constexpr std::string_view kJournalVersion = "1.1.0";
// That of a journal without "check", such as the one of an evidence package, whose
// manifest has the digest of the whole file.
constexpr std::string_view kVersionWithoutChecks = "1.0.0";
constexpr std::string_view kExpectedHeader =
    "a journal, whose first line has \"journal_version\"";
constexpr JournalKind kKind = {"{\"journal_version\"", "{\"footer\""};

// What the first line says of the run; its duration is in the footer.
struct JournalHeader {
  RunInfo& run;
};

void Describe(Fields& fields, JournalHeader& header) {
  RunInfo& run = header.run;
  fields.Required("tool", run.tool, "suite", run.suite, "selection", run.selection,
                  "backend", run.backend, "backend_details", BackendDetails{run.backend},
                  "machine", run.machine);
  fields.Optional("operators", run.operators);
  fields.Required("command_line", run.command_line, "start_time", run.start_time, "jobs",
                  run.jobs);
}

struct CellLine {
  CellRecord& cell;
};

void Describe(Fields& fields, CellLine& line) {
  fields.Required("cell", line.cell, "time_ms", line.cell.time_ms);
  fields.Optional("explain_ms", line.cell.explain_ms);
}

std::string HeaderText(RunInfo run, std::string_view version) {
  return Dump(Json{{"journal_version", version}, {"run", ToJson(JournalHeader{run})}}) +
         "\n";
}

std::string LineText(CellRecord cell) {
  CleanTexts(&cell);
  return Dump(ToJson(CellLine{cell})) + "\n";
}

template <typename Record>
std::string LineText(const char* kind, Record record) {
  CleanTexts(&record);
  return Dump(Json{{kind, ToJson(record)}}) + "\n";
}

std::string FooterText(const JournalFooter& footer) {
  return Dump(Json{{"footer", ToJson(footer)}}) + "\n";
}

std::string NameOf(const CellRecord& cell) { return "the cell " + cell.cell; }
std::string NameOf(const NodeTestRecord& test) {
  return "the node test " + test.name + " of " + test.release;
}
std::string NameOf(const NegativeRecord& record) {
  return "the negative model " + record.id;
}

// Reads line by line; what it has so far is the journal.
class Reader {
 public:
  Reader(std::string_view name, RowReading rows) : name_(name), rows_(rows) {}

  Status Header(std::string_view line) {
    const Result<Json> parsed = ParseJson(line, name_ + ", line 1");
    if (!parsed || !parsed->is_object() || !parsed->contains("journal_version") ||
        !(*parsed)["journal_version"].is_string()) {
      return Expected(name_, kExpectedHeader, "another first line");
    }
    const std::string version = (*parsed)["journal_version"].get<std::string>();
    if (!IsFormatVersion1(version)) {
      return Expected(name_, "a journal of version 1.x.y", "version \"" + version + "\"",
                      "a later qconform may read it");
    }
    if (!version.starts_with("1.0.")) checks_.emplace(Sha256Hex(line));
    ReadState state(name_ + ", line 1");
    Fields(JsonPlace(*parsed, state)).Required("run", JournalHeader{journal_.run});
    return Outcome(state);
  }

  // `before` is all that stands before this line.
  Status Line(std::string_view line, int64_t number, std::string_view before) {
    const std::string place = name_ + ", line " + std::to_string(number);
    if (journal_.complete) {
      return Expected(place, "nothing after the footer", "another line");
    }
    const Result<Json> parsed = ParseJson(line, place);
    if (!parsed) return parsed.error();
    ReadState state(place);
    Fields fields(JsonPlace(*parsed, state));
    const bool is_record =
        fields.Has("cell") || fields.Has("node_test") || fields.Has("negative");
    if (checks_ && is_record) {
      if (const Status checked = checks_->Check(line, place); !checked) return checked;
    }
    if (fields.Has("cell")) {
      CellRecord cell;
      CellLine parts{cell};
      Describe(fields, parts);
      return Add(state, std::move(cell), journal_.cells);
    }
    if (fields.Has("node_test")) {
      NodeTestRecord test;
      fields.Required("node_test", test);
      return Add(state, std::move(test), journal_.node_tests);
    }
    if (fields.Has("negative")) {
      NegativeRecord record;
      fields.Required("negative", record);
      return Add(state, std::move(record), journal_.negative);
    }
    if (!fields.Has("footer")) {
      return Error{place +
                   ": expected \"cell\", \"node_test\", \"negative\" or "
                   "\"footer\", got none of them"};
    }
    JournalFooter footer;
    fields.Required("footer", footer);
    if (state.error) return *state.error;
    journal_.run.duration_s = footer.duration_s;
    journal_.complete = true;
    const bool counts_negative = (*parsed)["footer"].contains("negative");
    return CheckFooter(place, footer, counts_negative, before);
  }

  Journal Take(int64_t valid_bytes) {
    if (checks_) journal_.check_digest = checks_->digest();
    journal_.valid_bytes = valid_bytes;
    return std::move(journal_);
  }

 private:
  Status CheckFooter(const std::string& place, const JournalFooter& footer,
                     bool counts_negative, std::string_view before) const {
    const auto count = [&](const char* key, int64_t stated, size_t found) -> Status {
      if (stated == static_cast<int64_t>(found)) return Ok();
      return Error{place + ": footer." + key +
                   ": does not agree with the lines above: " + "expected " +
                   std::to_string(found) + ", got " + std::to_string(stated)};
    };
    Status checked = count("cells", footer.cells, journal_.cells.size());
    if (checked) {
      checked = count("node_tests", footer.node_tests, journal_.node_tests.size());
    }
    if (checked && counts_negative) {
      checked = count("negative", footer.negative, journal_.negative.size());
    }
    if (checked && footer.digest != Sha256Hex(before)) {
      return Error{place +
                   ": footer.digest: does not agree with the lines above: the "
                   "file was changed"};
    }
    return checked;
  }

  Status Check(const std::string& place, const CellRecord& cell) const {
    return CheckRow(place, cell, OperatorRecordOf(journal_.run.operators, cell.op_type));
  }
  Status Check(const std::string& place, const NegativeRecord& record) const {
    return CheckRow(place, record);
  }
  Status Check(const std::string&, const NodeTestRecord&) const { return Ok(); }

  // What could not be read is an error already.
  template <typename Row>
  Status Add(const ReadState& state, Row row, std::vector<Row>& rows) {
    if (state.error) return *state.error;
    const std::string name = NameOf(row);
    if (!names_.insert(name).second) {
      return Expected(state.name + ": " + name, "one line", "a second one");
    }
    const Status checked = rows_ == RowReading::kChecked ? Check(state.name, row) : Ok();
    if (!checked) return checked;
    rows.push_back(std::move(row));
    return Ok();
  }

  static Status Outcome(const ReadState& state) {
    if (state.error) return *state.error;
    return Ok();
  }

  std::string name_;
  RowReading rows_;
  Journal journal_;
  std::optional<LineChecks> checks_;
  std::set<std::string> names_;  // of all rows
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
    if (line.size() > kMostDocumentBytes) {
      return Expected(std::string(name) + ", line " + std::to_string(number),
                      "a line of at most 64 MiB", "a longer one");
    }
    const Status read = number == 1 ? reader.Header(line)
                                    : reader.Line(line, number, text.substr(0, begin));
    if (!read) return read.error();
    if (end == std::string_view::npos) {
      return Expected(name, kExpectedHeader, "a part of a line");
    }
    begin = end + 1;
  }
  if (number == 0) {
    return Expected(name, kExpectedHeader, "an empty file");
  }
  Journal journal = reader.Take(static_cast<int64_t>(begin));
  if (rows == RowReading::kChecked) {
    const Status versions = CheckOpsetVersions(std::string(name), journal.cells);
    if (!versions) return versions.error();
  }
  return journal;
}

Result<Journal> ReadJournal(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path, kMostJournalBytes);
  if (!text) return text.error();
  return ParseJournal(*text, path.string());
}

std::string JournalText(const RunInfo& run, const std::vector<CellRecord>& cells) {
  std::string text = HeaderText(run, kVersionWithoutChecks);
  for (const CellRecord& cell : cells) text += LineText(cell);
  return text + FooterText({.cells = static_cast<int64_t>(cells.size()),
                            .duration_s = run.duration_s,
                            .digest = Sha256Hex(text)});
}

struct JournalWriter::State {
  explicit State(JournalFile the_file) : file(std::move(the_file)) {}

  Status WriteLine(const std::string& line) {
    const Status written = file.Append(line);
    if (written) hash.Update(line);
    return written;
  }

  Status WriteRecord(const std::string& line) {
    return WriteLine(checks.WithCheck(line));
  }

  std::mutex mutex;
  LineChecks checks{""};
  Sha256 hash;  // of all lines so far
  JournalFile file;
  JournalFooter counts;
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
  const std::string header = HeaderText(run, kJournalVersion);
  state->checks =
      LineChecks(Sha256Hex(std::string_view(header).substr(0, header.size() - 1)));
  if (Status written = state->WriteLine(header); !written) return written.error();
  return JournalWriter(std::move(state));
}

Result<JournalWriter> JournalWriter::Resume(const std::filesystem::path& path,
                                            const RunInfo& run, Journal* found) {
  auto file = ReopenJournalFile(path);
  if (!file) return file.error();
  auto state = std::make_unique<State>(*std::move(file));
  const Result<std::string> text = ReadFile(path, kMostJournalBytes);
  if (!text) return text.error();
  // The run was stopped before it wrote its first line, or while it did.
  if (text->find('\n') == std::string::npos &&
      (kKind.first.starts_with(*text) || text->starts_with(kKind.first))) {
    return Expected(path.string(), "a journal to go on from",
                    "one that was cut off before its first record",
                    "start the run without --resume");
  }
  Result<Journal> journal = ParseJournal(*text, path.string());
  if (!journal) return journal.error();
  if (journal->complete) {
    return Expected(path.string(), "the journal of an interrupted run",
                    "that of a run that came to its end");
  }
  if (journal->check_digest.empty()) {
    return Expected(path.string(), "a journal of version " + std::string(kJournalVersion),
                    "one of an earlier version", "start the run without --resume");
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
  state->checks = LineChecks(journal->check_digest);
  state->hash.Update(
      std::string_view(*text).substr(0, static_cast<size_t>(journal->valid_bytes)));
  state->counts = {.cells = static_cast<int64_t>(journal->cells.size()),
                   .node_tests = static_cast<int64_t>(journal->node_tests.size()),
                   .negative = static_cast<int64_t>(journal->negative.size())};
  *found = *std::move(journal);
  return JournalWriter(std::move(state));
}

Status JournalWriter::Append(const CellRecord& cell) {
  const std::string line = LineText(cell);
  const std::lock_guard lock(state_->mutex);
  ++state_->counts.cells;
  return state_->WriteRecord(line);
}

Status JournalWriter::Append(const NodeTestRecord& node_test) {
  const std::string line = LineText("node_test", node_test);
  const std::lock_guard lock(state_->mutex);
  ++state_->counts.node_tests;
  return state_->WriteRecord(line);
}

Status JournalWriter::Append(const NegativeRecord& negative) {
  const std::string line = LineText("negative", negative);
  const std::lock_guard lock(state_->mutex);
  ++state_->counts.negative;
  return state_->WriteRecord(line);
}

Status JournalWriter::Finish(double duration_s) {
  const std::lock_guard lock(state_->mutex);
  JournalFooter& footer = state_->counts;
  footer.duration_s = duration_s;
  footer.digest = state_->hash.FinishHex();
  if (Status written = state_->WriteLine(FooterText(footer)); !written) return written;
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
  Json selection_a = ToJson(there.selection);
  Json selection_b = ToJson(here.selection);
  if (rule == ShardRule::kAnyShard) {
    for (Json* selection : {&selection_a, &selection_b}) {
      selection->erase("shard");
      // The first shard of a model's parts runs the whole model, which may add a part.
      if (!selection->contains("model")) continue;
      (*selection)["model"].erase("whole_run");
      selection->erase("cells");
    }
  }
  members("tool", ToJson(there.tool), ToJson(here.tool));
  members("suite", ToJson(there.suite), ToJson(here.suite));
  members("selection", selection_a, selection_b);
  members("backend", ToJson(there.backend), ToJson(here.backend));
  if (!there.backend.digest.empty() && !here.backend.digest.empty()) {
    check("backend.digest", there.backend.digest, here.backend.digest);
  }
  members("backend.details", Json(there.backend.details), Json(here.backend.details));
  if (error) return *error;
  return Ok();
}

}  // namespace qconform
