// The ledger: every clause of the operators' semantics, as data. Reports cite the
// ids; `qconform list clauses` and docs/semantics.md are made from this table.
#ifndef QCONFORM_ORACLE_CORE_CLAUSES_H_
#define QCONFORM_ORACLE_CORE_CLAUSES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/core/answer.h"

namespace qconform {

// Normative: one answer. All others are open: the text does not decide.
enum class ClauseKind : uint8_t {
  kNormative,
  kParametric,  // finitely many named readings, one of them followed throughout
  kFree,        // any output of a stated set is recorded, never judged
  kBounded,     // a derived interval
};

struct ClauseReading {
  std::string_view name;      // Reading::name
  std::string_view sentence;  // the formula, or the behaviour
  bool canonical = false;     // the oracle's answer
};

struct Clause {
  std::string_view id;         // as reports cite it
  std::string_view op_type{};  // set by Clauses(); empty: every operator
  ClauseKind kind = ClauseKind::kNormative;
  std::string_view text;    // one or two sentences
  std::string_view source;  // the place in ONNX's text, or its silence
  std::vector<int> since_versions{};
  std::vector<ClauseReading> readings{};
  std::vector<std::string_view> tests{};  // "Suite.Name" of GoogleTest, under oracle/
  // The tier of the elements that the clause is about; nothing: any tier.
  std::optional<Tier> tier{};
  // Only elements with this Feature show which reading was followed; 0: not known.
  uint16_t feature = 0;

  bool is_open() const { return kind != ClauseKind::kNormative; }
};

// Returns "normative", "open, parametric" and so on.
std::string_view ClauseKindText(ClauseKind kind);

// All clauses: those of every operator first, then operator by operator, by id.
std::span<const Clause> Clauses();

// Returns null if there is no clause with that id.
const Clause* FindClause(std::string_view id);

// What stands in place of an operator's name for clauses of small graphs.
inline constexpr std::string_view kGraphs = "graphs";

// Returns the clauses of small graphs, GR-01 to GR-20 (oracle/graphs/clauses.cc).
std::vector<Clause> GraphClauses();

// Returns the clauses that hold for every operator. `others`: the clauses of the
// operators, for the ids that the text lists.
std::vector<Clause> GeneralClauses(std::span<const Clause> others);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_CLAUSES_H_
