#include "reports/record/proof_record.h"

#include <algorithm>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

// A code as "0x1f".
struct Code {
  uint64_t& value;
};

void Convert(const JsonPlace& place, Code& code) {
  if (!place.reads()) {
    place.target() = Json(HexText(code.value));
    return;
  }
  const auto read =
      place.source().is_string() ? ParseHex(place.source().text()) : std::nullopt;
  if (place.Expect(read.has_value(), "0x and a code")) code.value = *read;
}

struct CodesOf {
  SweepMismatch mismatch;
};

void Describe(Fields& fields, CodesOf& codes) {
  SweepMismatch& m = codes.mismatch;
  fields.Required("x", Code{m.x}, "scale", Code{m.scale}, "zero_point",
                  Code{m.zero_point}, "expected", Code{m.expected}, "actual",
                  Code{m.actual});
}

struct ProofChunks {
  ProofRecord& proof;
};

void Describe(Fields& fields, ProofChunks& chunks) {
  ProofRecord& proof = chunks.proof;
  int64_t done = proof.chunks_done();
  fields.Required("of", proof.chunks, "selected", proof.chunks_selected, "done", done,
                  "from_journal", proof.chunks_from_journal, "ranges", proof.done);
  int64_t next = 0;
  for (const ChunkSpan& span : proof.done) {
    fields.Check(
        span.first >= next && span.last >= span.first && span.last < proof.chunks,
        "ranges",
        "expected ascending ranges of the chunks that do not overlap, got " +
            SpansText(proof.done));
    next = span.last + 1;
  }
  fields.Check(done == proof.chunks_done(), "done",
               "expected the " + std::to_string(proof.chunks_done()) +
                   " of the ranges, got " + std::to_string(done));
}

struct ProofDevice {
  ProofRecord& proof;
};

void Describe(Fields& fields, ProofDevice& device) {
  fields.Required("name", device.proof.backend, "device", device.proof.device);
}

struct ProofTool {
  ProofRecord& proof;
};

void Describe(Fields& fields, ProofTool& tool) {
  fields.Written("name", "qconform");
  fields.Required("version", tool.proof.tool_version);
}

// Where a part goes that has chunks before another's.
bool IsBefore(const NamedProof& a, const NamedProof& b) {
  if (a.proof.done.empty() || b.proof.done.empty()) return a.proof.done.empty();
  return a.proof.done.front().first < b.proof.done.front().first;
}

Status CheckSameProof(const NamedProof& first, const NamedProof& other) {
  const ProofRecord& a = first.proof;
  const ProofRecord& b = other.proof;
  const auto differ = [&](const std::string& what, const std::string& mine,
                          const std::string& its) -> Status {
    return Expected(
        other.name,
        "a part of the proof of " + first.name + ", with the " + what + " '" + mine + "'",
        "'" + its + "'");
  };
  if (a.identity != b.identity) return differ("question", a.identity, b.identity);
  if (a.tool_version != b.tool_version) {
    return differ("program", a.tool_version, b.tool_version);
  }
  if (a.ran != b.ran) return differ("ran", a.ran, b.ran);
  if (a.chunks != b.chunks || a.expected_inputs != b.expected_inputs) {
    return differ("number of chunks", std::to_string(a.chunks), std::to_string(b.chunks));
  }
  return Ok();
}

struct OwnedSpan {
  ChunkSpan span;
  const std::string* owner = nullptr;
};

// Returns the ranges of all parts, joined; an Error names chunks that are missing or come
// twice.
Result<std::vector<ChunkSpan>> JoinChunks(const std::vector<NamedProof>& parts) {
  std::vector<OwnedSpan> spans;
  for (const NamedProof& part : parts) {
    for (const ChunkSpan& span : part.proof.done) spans.push_back({span, &part.name});
  }
  std::sort(spans.begin(), spans.end(), [](const OwnedSpan& a, const OwnedSpan& b) {
    return a.span.first < b.span.first;
  });
  const int64_t chunks = parts.front().proof.chunks;
  std::vector<ChunkSpan> missing;
  int64_t next = 0;
  const std::string* before = nullptr;
  for (const OwnedSpan& one : spans) {
    if (one.span.first < next) {
      return Expected(
          *one.owner, "each chunk once",
          "chunk " + std::to_string(one.span.first) + ", which " + *before + " has, too");
    }
    if (one.span.first > next) missing.push_back({next, one.span.first - 1});
    next = one.span.last + 1;
    before = one.owner;
  }
  if (next < chunks) missing.push_back({next, chunks - 1});
  if (!missing.empty()) {
    return Expected("proofs to merge", "all " + std::to_string(chunks) + " chunks",
                    "all but " + SpansText(missing));
  }
  return std::vector<ChunkSpan>{{0, chunks - 1}};
}

// The reading by which every part that has any has all its answers.
std::vector<ProofByReading> CommonReadings(const std::vector<NamedProof>& parts) {
  std::vector<ProofByReading> common;
  for (const auto& [name, proof] : parts) {
    if (proof.done.empty()) continue;  // there are more shards than chunks
    const ProofByReading* reading = proof.reading();
    if (reading == nullptr) return {};
    if (common.empty()) common.push_back({reading->name, 0, 0});
    if (reading->name != common.front().name) return {};
    common.front().inputs += reading->inputs;
  }
  return common;
}

}  // namespace

int64_t ProofRecord::chunks_done() const {
  int64_t sum = 0;
  for (const ChunkSpan& span : done) sum += span.last - span.first + 1;
  return sum;
}

const ProofByReading* ProofRecord::reading() const {
  if (readings.empty() || readings.back().mismatches != 0) return nullptr;
  return &readings.back();
}

std::string SpansText(const std::vector<ChunkSpan>& spans) {
  constexpr size_t kMost = 20;
  std::string text =
      Joined(std::span(spans).first(std::min(spans.size(), kMost)), ", ",
             [](const ChunkSpan& span) {
               return std::to_string(span.first) +
                      (span.last == span.first ? "" : "-" + std::to_string(span.last));
             });
  if (spans.size() > kMost) {
    text += " and " + std::to_string(spans.size() - kMost) + " ranges more";
  }
  return text;
}

std::string ProofStatement(const ProofRecord& proof) {
  std::string text = GroupedDigits(proof.totals.mismatches) + " of " +
                     GroupedDigits(proof.totals.inputs) +
                     " inputs differ from the oracle (" +
                     (proof.complete() ? "" : "a part of ") + proof.asked + ")";
  if (proof.totals.free != 0) {
    text +=
        "; any code is right for " + GroupedDigits(proof.totals.free) + " of the inputs";
  }
  if (const ProofByReading* reading = proof.reading()) {
    text += "; by the reading " + reading->name + " 0 of " +
            GroupedDigits(reading->inputs) + " differ: admissible";
  }
  return text;
}

void Describe(Fields& fields, ChunkSpan& span) {
  fields.Required("first", span.first, "last", span.last);
}

void Describe(Fields& fields, ProofByReading& reading) {
  fields.Required("name", reading.name, "inputs", reading.inputs, "mismatches",
                  reading.mismatches);
}

void Describe(Fields& fields, ProofRecord& proof) {
  int64_t version = 1;
  ChunkRecord& totals = proof.totals;
  std::vector<CodesOf> first;
  for (const SweepMismatch& mismatch : totals.first) first.push_back({mismatch});
  fields.Required("qconform_proof", version, "tool", ProofTool{proof}, "kind",
                  proof.kind);
  fields.Check(version == 1, "qconform_proof",
               "expected version 1, got version " + std::to_string(version));
  fields.Written("statement", ProofStatement(proof), "complete", proof.complete());
  fields.Required("identity", proof.identity, "backend", ProofDevice{proof}, "ran",
                  proof.ran, "question", proof.question, "assumed", proof.assumed,
                  "chunks", ProofChunks{proof}, "asked", proof.asked, "expected_inputs",
                  proof.expected_inputs, "inputs", totals.inputs, "evaluations",
                  totals.evaluations, "free_inputs", totals.free, "oracle_evaluations",
                  totals.oracle_evaluations, "mismatches", totals.mismatches,
                  "first_mismatches", first);
  fields.Check(
      first.empty() == (totals.mismatches == 0), "mismatches",
      "expected those of first_mismatches, got " + std::to_string(totals.mismatches));
  if (fields.reads()) {
    for (const CodesOf& codes : first) totals.first.push_back(codes.mismatch);
  }
  if (fields.reads() ? fields.Has("readings") : totals.mismatches > 0) {
    fields.Required("readings", proof.readings);
  }
  fields.Optional("counterexample", proof.counterexample);
  fields.Required("duration_s", proof.duration_s);
  fields.Optional("kernel_alone_s", proof.kernel_alone_s);
}

std::string ProofText(const ProofRecord& proof) { return Dump(ToJson(proof), 2) + "\n"; }

bool IsProofText(std::string_view text) {
  const size_t end = text.find(':');
  return text.substr(0, end).find("\"qconform_proof\"") != std::string_view::npos;
}

Result<ProofRecord> ParseProof(std::string_view text, std::string_view name) {
  return ParseRecord<ProofRecord>(text, name);
}

Result<ProofRecord> MergeProofs(std::vector<NamedProof> parts) {
  if (parts.empty()) return Expected("proofs to merge", "the parts of a proof", "none");
  for (const NamedProof& part : parts) {
    const Status same = CheckSameProof(parts.front(), part);
    if (!same) return same.error();
  }
  auto done = JoinChunks(parts);
  if (!done) return done.error();
  std::stable_sort(parts.begin(), parts.end(), IsBefore);
  ProofRecord whole = parts.front().proof;
  whole.done = *std::move(done);
  whole.chunks_selected = whole.chunks;
  whole.chunks_from_journal = 0;
  whole.readings = CommonReadings(parts);
  whole.totals = {};
  whole.counterexample.clear();
  whole.duration_s = 0;
  whole.kernel_alone_s = 0;
  for (const NamedProof& part : parts) {
    AddChunk(part.proof.totals, whole.totals);
    whole.duration_s += part.proof.duration_s;
    whole.chunks_from_journal += part.proof.chunks_from_journal;
    if (whole.counterexample.empty()) whole.counterexample = part.proof.counterexample;
  }
  if (whole.totals.inputs != whole.expected_inputs) {
    return Error{"the parts visited " + GroupedDigits(whole.totals.inputs) +
                 " inputs instead of " + GroupedDigits(whole.expected_inputs)};
  }
  return whole;
}

}  // namespace qconform
