#include "reports/record/sweep_record.h"

#include <mutex>
#include <set>
#include <utility>

#include "reports/record/json.h"
#include "reports/report/file.h"
#include "reports/report/journal_file.h"

namespace qconform {
namespace {

constexpr JournalKind kKind = {"{\"qconform_sweep\"", "{\"ended\""};

Json MismatchJson(const SweepMismatch& m) {
  return {{"x", m.x},
          {"scale", m.scale},
          {"zero_point", m.zero_point},
          {"expected", m.expected},
          {"actual", m.actual}};
}

Json ChunkJson(const ChunkRecord& record) {
  Json json = {{"chunk", record.chunk},
               {"inputs", record.inputs},
               {"evaluations", record.evaluations},
               {"free", record.free},
               {"oracle_evaluations", record.oracle_evaluations},
               {"mismatches", record.mismatches},
               {"first", Json::array()}};
  for (const SweepMismatch& m : record.first) json["first"].push_back(MismatchJson(m));
  return json;
}

ChunkRecord ReadChunk(const Fields& fields) {
  ChunkRecord record;
  record.chunk = fields.Count("chunk");
  record.inputs = fields.Unsigned("inputs");
  record.evaluations = fields.Unsigned("evaluations");
  record.free = fields.Unsigned("free");
  record.oracle_evaluations = fields.Unsigned("oracle_evaluations");
  record.mismatches = fields.Unsigned("mismatches");
  for (const Fields& m : fields.Objects("first")) {
    record.first.push_back({.x = m.Unsigned("x"),
                            .scale = m.Unsigned("scale"),
                            .zero_point = m.Unsigned("zero_point"),
                            .expected = m.Unsigned("expected"),
                            .actual = m.Unsigned("actual")});
  }
  return record;
}

}  // namespace

void AddChunk(const ChunkRecord& chunk, ChunkRecord& totals) {
  totals.inputs += chunk.inputs;
  totals.evaluations += chunk.evaluations;
  totals.free += chunk.free;
  totals.oracle_evaluations += chunk.oracle_evaluations;
  totals.mismatches += chunk.mismatches;
  for (const SweepMismatch& m : chunk.first) {
    if (totals.first.size() < kMismatchesKept) totals.first.push_back(m);
  }
}

Result<SweepJournal> ParseSweepJournal(std::string_view text, std::string_view name) {
  SweepJournal journal;
  std::set<int64_t> seen;
  for (int64_t line = 1;; ++line) {
    const size_t end = text.find('\n', static_cast<size_t>(journal.valid_bytes));
    if (end == std::string_view::npos) break;
    const auto begin = static_cast<size_t>(journal.valid_bytes);
    const std::string where = std::string(name) + ":" + std::to_string(line);
    const auto json = ParseJson(text.substr(begin, end - begin), where);
    if (!json) return json.error();
    ReadState state{where, std::nullopt};
    const Fields fields(*json, state);
    if (line == 1) {
      if (fields.Count("qconform_sweep") != 1 && !state.error) {
        return Error{where + ": is no journal of a sweep that this version reads"};
      }
      journal.identity = fields.String("identity");
    } else if (fields.Has("ended")) {
      journal.ended = fields.Bool("ended");
    } else {
      journal.ended = false;
      journal.chunks.push_back(ReadChunk(fields));
      if (!state.error && !seen.insert(journal.chunks.back().chunk).second) {
        return Error{where + ": chunk " + std::to_string(journal.chunks.back().chunk) +
                     " comes twice"};
      }
    }
    if (state.error) return *state.error;
    journal.valid_bytes = static_cast<int64_t>(end) + 1;
  }
  if (journal.valid_bytes == 0) {
    return Error{std::string(name) + ": is no journal of a sweep: it has no header"};
  }
  return journal;
}

struct SweepJournalWriter::State {
  explicit State(JournalFile the_file) : file(std::move(the_file)) {}

  JournalFile file;
  std::mutex mutex;
};

SweepJournalWriter::SweepJournalWriter(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
SweepJournalWriter::SweepJournalWriter(SweepJournalWriter&&) noexcept = default;
SweepJournalWriter& SweepJournalWriter::operator=(SweepJournalWriter&&) noexcept =
    default;
SweepJournalWriter::~SweepJournalWriter() = default;

Result<SweepJournalWriter> SweepJournalWriter::Create(const std::filesystem::path& path,
                                                      std::string_view identity) {
  auto file = BeginJournalFile(path, kKind);
  if (!file) return file.error();
  auto state = std::make_unique<State>(*std::move(file));
  const Json header = {{"qconform_sweep", 1}, {"identity", std::string(identity)}};
  const Status written = state->file.Append(Dump(header) + "\n");
  if (!written) return written.error();
  return SweepJournalWriter(std::move(state));
}

Result<SweepJournalWriter> SweepJournalWriter::Resume(const std::filesystem::path& path,
                                                      std::string_view identity,
                                                      std::vector<ChunkRecord>* found) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return Error{path.string() +
                 ": there is no such journal; leave out --resume to begin "
                 "anew"};
  }
  auto file = ReopenJournalFile(path);
  if (!file) return file.error();
  auto state = std::make_unique<State>(*std::move(file));
  const auto text = ReadFile(path);
  if (!text) return text.error();
  auto journal = ParseSweepJournal(*text, path.string());
  if (!journal) return journal.error();
  if (journal->identity != identity) {
    return Error{path.string() + ": is the journal of another sweep, '" +
                 journal->identity + "', not of '" + std::string(identity) +
                 "'; leave out --resume to begin anew, or name another file"};
  }
  const Status cut = state->file.Truncate(journal->valid_bytes);
  if (!cut) return cut.error();
  *found = std::move(journal->chunks);
  return SweepJournalWriter(std::move(state));
}

Status SweepJournalWriter::Append(const ChunkRecord& chunk) {
  const std::string line = Dump(ChunkJson(chunk)) + "\n";
  const std::lock_guard lock(state_->mutex);
  return state_->file.Append(line);
}

Status SweepJournalWriter::End() {
  const std::lock_guard lock(state_->mutex);
  return state_->file.Append(Dump(Json{{"ended", true}}) + "\n");
}

const std::string& SweepJournalWriter::kept() const { return state_->file.kept(); }

}  // namespace qconform
