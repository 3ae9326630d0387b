// The ledger: every clause of what the operators mean, as data. Reports cite the
// ids, `qconform list clauses` and docs/semantics.md are made from this table.
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
  kFree,        // any output of a stated set: recorded, never judged
  kBounded,     // a derived interval
};

struct ClauseReading {
  std::string_view name;      // Reading::name
  std::string_view sentence;  // the formula, or what is done
  bool canonical = false;     // what the oracle answers
};

struct Clause {
  std::string_view id;         // as reports cite it
  std::string_view op_type{};  // set by Clauses(); empty: every operator
  ClauseKind kind = ClauseKind::kNormative;
  std::string_view text;    // one or two sentences
  std::string_view source;  // where ONNX's text says it, or is silent
  std::vector<int> since_versions{};
  std::vector<ClauseReading> readings{};
  std::vector<std::string_view> tests{};  // "Suite.Name" of GoogleTest, under oracle/
  // The tier of the elements that the clause speaks of; nothing: of any.
  std::optional<Tier> tier{};
  // The Feature without which no element shows which reading was followed; 0: not known.
  uint16_t feature = 0;

  bool is_open() const { return kind != ClauseKind::kNormative; }
};

// Returns "normative", "open, parametric" and so on.
std::string_view ClauseKindText(ClauseKind kind);

// All clauses: those of every operator first, then operator by operator, by id.
std::span<const Clause> Clauses();

// Returns null where there is no clause of that id.
const Clause* FindClause(std::string_view id);

// Returns the clauses of every operator. `others`: those of the operators, for the ids
// that the text lists.
std::vector<Clause> GeneralClauses(std::span<const Clause> others);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_CLAUSES_H_
