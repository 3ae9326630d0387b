// The proof that a sweep results in, as `qconform prove` writes it, and the proof that is
// joined from the parts of several sweeps.
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

// A sweep of the same chunks by a reading of the open clauses (G-01). It ends with its
// first mismatch.
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
  std::string ran;  // the code that was run
  // The question, as names and values, in order.
  std::vector<std::pair<std::string, std::string>> question;
  std::vector<std::string> assumed;
  std::string asked;             // what all chunks visit: "all 2^32 codes of x"
  uint64_t expected_inputs = 0;  // of all chunks
  int64_t chunks = 0;            // of the whole
  int64_t chunks_selected = 0;
  int64_t chunks_from_journal = 0;
  std::vector<ChunkSpan> done;  // ascending, with gaps between them
  ChunkRecord totals;           // of all chunks done
  // Tried if something differs; the last one explains every answer if it has no mismatch.
  std::vector<ProofByReading> readings;
  std::string counterexample;  // a stored case; empty if there is none
  double duration_s = 0;
  // The time of the same evaluations without comparison; 0 if it was not measured.
  double kernel_alone_s = 0;

  int64_t chunks_done() const;
  bool complete() const { return chunks_done() == chunks; }
  // The reading that explains every answer of the chunks done; null if there is none.
  const ProofByReading* reading() const;
  // Whether no answer differs from the canonical ones, or from those of one reading.
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

// An Error describes the fault of the document; `name` is its name in the message.
Result<ProofRecord> ParseProof(std::string_view text, std::string_view name);

struct NamedProof {
  std::string name;  // of its file, for errors
  ProofRecord proof;
};

// Joins parts into the proof of the whole. Rejects, by name: parts of another proof,
// backend or program; chunks that are missing or come twice. A reading counts only if it
// explains all answers of each part.
Result<ProofRecord> MergeProofs(std::vector<NamedProof> parts);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_PROOF_RECORD_H_
