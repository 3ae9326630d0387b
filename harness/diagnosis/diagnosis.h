// Diagnosis: which named wrong model reproduces what a backend answered in a cell,
// and where none does, what the deviating elements have in common.
//
// The models are the planted faults, alone and in pairs of those that reproduce a
// part. A model is named only where it reproduces every output of the cell.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_
#define QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/lattice/cell.h"
#include "harness/compare/inference.h"
#include "oracle/tensor/result.h"

namespace qconform {

struct Diagnosis {
  // The simplest model that reproduces every output: "ties_away", or a pair,
  // "ties_away+zero_point_ignored". Empty where none does.
  std::string explained_by;
  std::string sentence;           // what that model does
  std::vector<std::string> also;  // other models that reproduce every output
  // Where none does: the model that reproduces most of the deviating elements.
  std::string nearest;
  double share = 0;     // of them, as far as they were looked at
  std::string pattern;  // what the deviating elements have in common; may be empty
  int64_t deviating = 0;

  // One line for people.
  std::string Text() const;
};

// `cases` in the order in which the backend answered them. An Error is a fault of
// the harness itself.
Result<Diagnosis> Diagnose(const Cell& cell, std::span<const AnsweredCase> cases);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_
