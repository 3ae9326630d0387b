#include "reports/record/proof_record.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "reports/record/evidence.h"
#include "reports/record/json.h"

namespace qconform {
namespace {

std::string Hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

uint64_t ReadHex(const Fields& fields, std::string_view key) {
  const std::string text = fields.String(key);
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const bool is_hex = text.starts_with("0x");
  if (!is_hex || std::from_chars(text.data() + 2, end, value, 16).ptr != end) {
    fields.Fail(key, "is \"" + text + "\"; 0x and a code is right");
  }
  return value;
}

Json ChunksJson(const ProofRecord& proof) {
  Json json = {{"of", proof.chunks},
               {"selected", proof.chunks_selected},
               {"done", proof.chunks_done()},
               {"from_journal", proof.chunks_from_journal},
               {"ranges", Json::array()}};
  for (const ChunkSpan& span : proof.done) {
    json["ranges"].push_back({{"first", span.first}, {"last", span.last}});
  }
  return json;
}

void ReadChunks(const Fields& fields, ProofRecord& proof) {
  proof.chunks = fields.Count("of");
  proof.chunks_selected = fields.Count("selected");
  proof.chunks_from_journal = fields.Count("from_journal");
  int64_t next = 0;
  for (const Fields& span : fields.Objects("ranges")) {
    proof.done.push_back({span.Count("first"), span.Count("last")});
    const ChunkSpan& read = proof.done.back();
    if (read.first < next || read.last < read.first || read.last >= proof.chunks) {
      span.Fail("first", "begins no range behind the one before, within the chunks");
    }
    next = read.last + 1;
  }
  if (fields.Count("done") != proof.chunks_done()) {
    fields.Fail("done", "is not what the ranges have");
  }
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
    return Error{other.name + ": is no part of the proof of " + first.name + ": its " +
                 what + " is '" + its + "', not '" + mine + "'"};
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

// The ranges of all parts as few as possible, or what is missing or there twice.
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
      return Error{*one.owner + ": has chunk " + std::to_string(one.span.first) +
                   ", as has " + *before + "; each chunk may come once"};
    }
    if (one.span.first > next) missing.push_back({next, one.span.first - 1});
    next = one.span.last + 1;
    before = one.owner;
  }
  if (next < chunks) missing.push_back({next, chunks - 1});
  if (!missing.empty()) {
    return Error{"of the " + std::to_string(chunks) +
                 " chunks these are missing: " + SpansText(missing)};
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
  std::string text;
  for (size_t i = 0; i < spans.size() && i < kMost; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(spans[i].first);
    if (spans[i].last != spans[i].first) text += "-" + std::to_string(spans[i].last);
  }
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
        "; " + GroupedDigits(proof.totals.free) + " of them are free: any code is right";
  }
  if (const ProofByReading* reading = proof.reading()) {
    text += "; by the reading " + reading->name + " 0 of " +
            GroupedDigits(reading->inputs) + " differ: admissible";
  }
  return text;
}

std::string ProofText(const ProofRecord& proof) {
  Json json = {{"qconform_proof", 1},
               {"tool", {{"name", "qconform"}, {"version", proof.tool_version}}},
               {"kind", proof.kind},
               {"statement", ProofStatement(proof)},
               {"complete", proof.complete()},
               {"identity", proof.identity},
               {"backend", {{"name", proof.backend}, {"device", proof.device}}},
               {"ran", proof.ran},
               {"question", Json::object()},
               {"assumed", proof.assumed},
               {"chunks", ChunksJson(proof)},
               {"asked", proof.asked},
               {"expected_inputs", proof.expected_inputs},
               {"inputs", proof.totals.inputs},
               {"evaluations", proof.totals.evaluations},
               {"free_inputs", proof.totals.free},
               {"oracle_evaluations", proof.totals.oracle_evaluations},
               {"mismatches", proof.totals.mismatches},
               {"first_mismatches", Json::array()}};
  for (const auto& [name, value] : proof.question) json["question"][name] = value;
  for (const SweepMismatch& m : proof.totals.first) {
    json["first_mismatches"].push_back({{"x", Hex(m.x)},
                                        {"scale", Hex(m.scale)},
                                        {"zero_point", Hex(m.zero_point)},
                                        {"expected", Hex(m.expected)},
                                        {"actual", Hex(m.actual)}});
  }
  if (proof.totals.mismatches > 0) {
    json["readings"] = Json::array();
    for (const ProofByReading& one : proof.readings) {
      json["readings"].push_back(
          {{"name", one.name}, {"inputs", one.inputs}, {"mismatches", one.mismatches}});
    }
  }
  if (!proof.counterexample.empty()) json["counterexample"] = proof.counterexample;
  json["duration_s"] = proof.duration_s;
  if (proof.kernel_alone_s > 0) json["kernel_alone_s"] = proof.kernel_alone_s;
  return Dump(json, 2) + "\n";
}

bool IsProofText(std::string_view text) {
  const size_t end = text.find(':');
  return text.substr(0, end).find("\"qconform_proof\"") != std::string_view::npos;
}

Result<ProofRecord> ParseProof(std::string_view text, std::string_view name) {
  const auto json = ParseJson(text, name);
  if (!json) return json.error();
  ReadState state{std::string(name), std::nullopt};
  const Fields fields(*json, state);
  if (fields.Count("qconform_proof") != 1) {
    fields.Fail("qconform_proof", "is of another version than 1");
  }
  ProofRecord proof;
  proof.tool_version = fields.Object("tool").String("version");
  proof.kind = fields.String("kind");
  proof.identity = fields.String("identity");
  proof.backend = fields.Object("backend").String("name");
  proof.device = fields.Object("backend").String("device");
  proof.ran = fields.String("ran");
  const Fields question = fields.Object("question");
  for (const auto& [key, value] : question.Members()) {
    proof.question.emplace_back(key, question.String(key));
  }
  proof.assumed = fields.Strings("assumed");
  ReadChunks(fields.Object("chunks"), proof);
  proof.asked = fields.String("asked");
  proof.expected_inputs = fields.Unsigned("expected_inputs");
  proof.totals.inputs = fields.Unsigned("inputs");
  proof.totals.evaluations = fields.Unsigned("evaluations");
  proof.totals.free = fields.Unsigned("free_inputs");
  proof.totals.oracle_evaluations = fields.Unsigned("oracle_evaluations");
  proof.totals.mismatches = fields.Unsigned("mismatches");
  for (const Fields& m : fields.Objects("first_mismatches")) {
    proof.totals.first.push_back({.x = ReadHex(m, "x"),
                                  .scale = ReadHex(m, "scale"),
                                  .zero_point = ReadHex(m, "zero_point"),
                                  .expected = ReadHex(m, "expected"),
                                  .actual = ReadHex(m, "actual")});
  }
  if (proof.totals.first.empty() != (proof.totals.mismatches == 0)) {
    fields.Fail("mismatches", "are not those of first_mismatches");
  }
  if (fields.Has("readings")) {
    for (const Fields& one : fields.Objects("readings")) {
      proof.readings.push_back(
          {one.String("name"), one.Unsigned("inputs"), one.Unsigned("mismatches")});
    }
  }
  if (fields.Has("counterexample")) {
    proof.counterexample = fields.String("counterexample");
  }
  proof.duration_s = fields.Duration("duration_s");
  if (fields.Has("kernel_alone_s")) {
    proof.kernel_alone_s = fields.Duration("kernel_alone_s");
  }
  if (state.error) return *state.error;
  return proof;
}

Result<ProofRecord> MergeProofs(std::vector<NamedProof> parts) {
  if (parts.empty()) return Error{"there are no proofs to merge; its parts are right"};
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
