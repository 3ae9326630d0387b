// The proof that comes out of a sweep, as `qconform prove` writes it, and parts of one
// that several sweeps went through, joined.
#ifndef QCONFORM_REPORTS_RECORD_PROOF_RECORD_H_
#define QCONFORM_REPORTS_RECORD_PROOF_RECORD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/sweep_record.h"

namespace qconform {

// A sweep of the same chunks by a reading of the open clauses (G-01). One that meets a
// mismatch ends there.
struct ProofByReading {
  std::string name;  // "CLAUSE:READING"
  uint64_t inputs = 0;
  uint64_t mismatches = 0;

  friend bool operator==(const ProofByReading&, const ProofByReading&) = default;
};

struct ProofRecord {
  std::string tool_version;
  std::string kind;      // "line", "plane", "all-scales", "accumulators"
  std::string identity;  // of the sweep; parts of one proof have the same
  std::string backend;
  std::string device;
  std::string ran;  // which code was run
  // What was asked, as names and values, in order.
  std::vector<std::pair<std::string, std::string>> question;
  std::vector<std::string> assumed;
  std::string asked;             // what all chunks visit: "all 2^32 codes of x"
  uint64_t expected_inputs = 0;  // of all chunks
  int64_t chunks = 0;            // of the whole
  int64_t chunks_selected = 0;
  int64_t chunks_from_journal = 0;
  std::vector<ChunkSpan> done;  // ascending, with gaps between them
  ChunkRecord totals;           // of all chunks done
  // Tried where something differs; the last one has every answer if it has no mismatch.
  std::vector<ProofByReading> readings;
  std::string counterexample;  // a stored case; empty where there is none
  double duration_s = 0;
  // Of the same evaluations without comparison; 0 where that was not measured.
  double kernel_alone_s = 0;

  int64_t chunks_done() const;
  bool complete() const { return chunks_done() == chunks; }
  // The reading that has every answer of the chunks done; null where none has.
  const ProofByReading* reading() const;
  // No answer differs from the canonical ones, or from those of one reading.
  bool passes() const { return totals.mismatches == 0 || reading() != nullptr; }
};

// "0 of 65 536 inputs differ from the oracle (all 2^16 codes of x ...)", and what else
// there is to say of the answers.
std::string ProofStatement(const ProofRecord& proof);

// "0-63, 65", of chunks.
std::string SpansText(const std::vector<ChunkSpan>& spans);

// Returns the JSON document.
std::string ProofText(const ProofRecord& proof);

// Whether a text is meant to be such a document.
bool IsProofText(std::string_view text);

// An Error names what is wrong with the document; `name` is what it calls it.
Result<ProofRecord> ParseProof(std::string_view text, std::string_view name);

struct NamedProof {
  std::string name;  // of its file, for errors
  ProofRecord proof;
};

// Joins parts into the proof of the whole. Refuses, by name: parts of another proof,
// backend or program; chunks that are missing or come twice. A reading counts where
// each part has all its answers by it.
Result<ProofRecord> MergeProofs(std::vector<NamedProof> parts);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_PROOF_RECORD_H_
