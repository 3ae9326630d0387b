#include "reports/record/sweep_record.h"

#include <mutex>
#include <set>
#include <utility>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/sha256.h"
#include "reports/report/journal_file.h"

namespace qconform {
namespace {

constexpr JournalKind kKind = {"{\"qconform_sweep\"", "{\"ended\""};

struct SweepHeader {
  int64_t version = 2;
  std::string identity;
};

void Describe(Fields& fields, SweepHeader& header) {
  fields.Required("qconform_sweep", header.version, "identity", header.identity);
  fields.Check(header.version == 2, "qconform_sweep",
               "expected the journal of a sweep of version 2, got version " +
                   std::to_string(header.version));
}

}  // namespace

void Describe(Fields& fields, SweepMismatch& mismatch) {
  fields.Required("x", mismatch.x, "scale", mismatch.scale, "zero_point",
                  mismatch.zero_point, "expected", mismatch.expected, "actual",
                  mismatch.actual);
}

void Describe(Fields& fields, ChunkRecord& record) {
  fields.Required("chunk", record.chunk, "inputs", record.inputs, "evaluations",
                  record.evaluations, "free", record.free, "oracle_evaluations",
                  record.oracle_evaluations, "mismatches", record.mismatches, "first",
                  record.first);
}

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
  LineChecks checks{""};
  std::set<int64_t> seen;
  for (int64_t line = 1;; ++line) {
    const size_t end = text.find('\n', static_cast<size_t>(journal.valid_bytes));
    if (end == std::string_view::npos) break;
    const auto begin = static_cast<size_t>(journal.valid_bytes);
    const std::string where = std::string(name) + ":" + std::to_string(line);
    const std::string_view line_text = text.substr(begin, end - begin);
    const auto json = ParseJson(line_text, where);
    if (!json) return json.error();
    ReadState state(where);
    if (line == 1) {
      journal.identity = FromJson<SweepHeader>(*json, state).identity;
      checks = LineChecks(Sha256Hex(line_text));
    } else if (const Status checked = checks.Check(line_text, where); !checked) {
      return checked.error();
    } else if (json->contains("ended")) {
      Fields(JsonPlace(*json, state)).Required("ended", journal.ended);
    } else {
      journal.ended = false;
      journal.chunks.push_back(FromJson<ChunkRecord>(*json, state));
      if (!state.error && !seen.insert(journal.chunks.back().chunk).second) {
        return Expected(
            where, "each chunk once",
            "chunk " + std::to_string(journal.chunks.back().chunk) + " again");
      }
    }
    if (state.error) return *state.error;
    journal.valid_bytes = static_cast<int64_t>(end) + 1;
  }
  if (journal.valid_bytes == 0) {
    return Expected(name, "the journal of a sweep", "a file without its header");
  }
  journal.check_digest = checks.digest();
  return journal;
}

struct SweepJournalWriter::State {
  explicit State(JournalFile the_file) : file(std::move(the_file)) {}

  Status Write(const Json& json) {
    const std::lock_guard lock(mutex);
    return file.Append(checks.WithCheck(Dump(json) + "\n"));
  }

  JournalFile file;
  LineChecks checks{""};
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
  const SweepHeader header{.identity = std::string(identity)};
  const std::string line = Dump(ToJson(header));
  state->checks = LineChecks(Sha256Hex(line));
  const Status written = state->file.Append(line + "\n");
  if (!written) return written.error();
  return SweepJournalWriter(std::move(state));
}

Result<SweepJournalWriter> SweepJournalWriter::Resume(const std::filesystem::path& path,
                                                      std::string_view identity,
                                                      std::vector<ChunkRecord>* found) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return Expected(path.string(), "the journal of an unfinished sweep", "no such file",
                    "leave out --resume to begin anew");
  }
  auto file = ReopenJournalFile(path);
  if (!file) return file.error();
  auto state = std::make_unique<State>(*std::move(file));
  const auto text = ReadFile(path, kMostJournalBytes);
  if (!text) return text.error();
  auto journal = ParseSweepJournal(*text, path.string());
  if (!journal) return journal.error();
  if (journal->identity != identity) {
    return Expected(path.string(),
                    "the journal of the sweep '" + std::string(identity) + "'",
                    "that of '" + journal->identity + "'",
                    "leave out --resume to begin anew, or name another file");
  }
  const Status cut = state->file.Truncate(journal->valid_bytes);
  if (!cut) return cut.error();
  state->checks = LineChecks(journal->check_digest);
  *found = std::move(journal->chunks);
  return SweepJournalWriter(std::move(state));
}

Status SweepJournalWriter::Append(const ChunkRecord& chunk) {
  return state_->Write(ToJson(chunk));
}

Status SweepJournalWriter::End() { return state_->Write(Json{{"ended", true}}); }

const std::string& SweepJournalWriter::kept() const { return state_->file.kept(); }

}  // namespace qconform
