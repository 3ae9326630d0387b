// Cases: one model with one set of inputs, named by a stable text.
//
//   QuantizeLinear/21@22/FLOAT16-FLOAT16-INT4/blocked/initializers/saturate=1/ties/17
//   op_type/since_version@opset_version/types/granularity/form/variant/generator/index
//
// The content is a pure function of (id, seed, generator version), by the
// counter-based generator of cases/core/counter_rng.h. Operand form and
// opset_version do not take part in it: the tensors of two cases that differ
// only in these are the same, and so is their answer.
#ifndef QCONFORM_CASES_CORE_CASE_H_
#define QCONFORM_CASES_CORE_CASE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/level.h"
#include "cases/lattice/cell.h"
#include "cases/lattice/lattice.h"
#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

namespace generators {
struct Content;
}

// Returns the operand forms of an operator, in the order of their values.
std::span<const OperandForm> OperandFormsOf(std::string_view op_type);

struct CaseKey {
  Cell cell;
  int opset_version = 0;
  OperandForm form = OperandForm::kInputs;
  std::string variant;    // "saturate=1", "saturate=0,precision=FLOAT", ...
  std::string generator;  // "specials", "ties", ...
  int index = 0;

  friend bool operator==(const CaseKey&, const CaseKey&) = default;
};

std::string CaseId(const CaseKey& key);

// An Error names the part of the id that is wrong, what is expected there and what is
// there.
Result<CaseKey> ParseCaseId(std::string_view id);

// The same for a key that was made in another way.
Status CheckKey(const CaseKey& key);

// The key without operand form and opset_version: equal contents, equal text.
std::string ContentId(const CaseKey& key);

struct OpCase : FedModel {
  CaseKey key;
  // All operands in the order of the schema, whichever form they have; an
  // operand that is left out is a Tensor of type kUndefined.
  std::vector<Tensor> operands;
};

// Makes cases of one seed. It keeps the content of the last one: keys of equal content,
// which stand next to each other in CasesOf, make it once.
class CaseMaker {
 public:
  explicit CaseMaker(uint64_t seed) : seed_(seed) {}

  // An Error where CheckKey has one.
  Result<OpCase> Make(const CaseKey& key);

  // Whether the last case has another content than the one before.
  bool content_is_new() const { return content_is_new_; }

 private:
  uint64_t seed_;
  std::string content_id_;
  std::shared_ptr<const generators::Content> content_;
  bool content_is_new_ = true;
};

// Returns one case.
Result<OpCase> MakeCase(const CaseKey& key, uint64_t seed);

// Returns the frozen list of a cell at a level: the full list at the opset_version
// `whole_list_at`, probes at the others. Beyond smoke some cells are asked the full list
// at one of the others too, and rows of a covering array (ContentName::levels) go through
// all opset_versions and operand forms. Cases of equal content stand next to each other.
// The full list is asked at the newest opset_version of the since_version if
// `whole_list_at` is 0, or none of them.
std::vector<CaseKey> CasesOf(const Cell& cell, const SinceVersion& versions, Level level,
                             int whole_list_at = 0);

// Returns the first of the cases of each content of a level.
std::vector<CaseKey> ContentsOf(const Cell& cell, const SinceVersion& versions,
                                Level level);

}  // namespace qconform

#endif  // QCONFORM_CASES_CORE_CASE_H_
