// The search for the wrong models that explain what a backend answered. Private to this
// folder.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_SEARCH_H_
#define QCONFORM_HARNESS_DIAGNOSIS_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "cases/lattice/cell.h"
#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/core/operator_faults.h"
#include "harness/core/patterns/pattern.h"
#include "harness/diagnosis/candidate_model.h"
#include "harness/diagnosis/diagnosis.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// The search for models over one reading, those of fewer faults first.
class Search {
 public:
  // `follows` may be null: the canonical readings.
  Search(const Cell& cell, const OperatorFaults& faults, std::vector<EvidenceCase> cases,
         const FollowedReading* follows);
  Search(const Search&) = delete;  // sorted_ points to in_order_
  Search& operator=(const Search&) = delete;

  // Returns what the sets of `count` faults explain; nothing if none explains everything
  // and foretells further cases. The calls count up from 1. `further` may be null.
  Result<std::optional<Diagnosis>> Explain(size_t count, FurtherCases* further);

  // Returns the models that every answer is near, if there are some. To be asked for
  // after Explain.
  std::optional<Diagnosis> ExplainNearly() const;

  // Explains by a model that acts in some cases only, and there on the whole graph: each
  // answer is either the right one, or that of the model. `explained_by` is empty if
  // there is none.
  struct WhereItActs {
    Diagnosis diagnosis;
    // The cases in which it acts, and those in which it would show and does not.
    std::vector<size_t> acting{};
    std::vector<size_t> idle{};
  };
  Result<WhereItActs> ExplainWhereItActs(FurtherCases* further);

  // Returns the nearest model, if there is one, and how many elements it explains.
  Deviation Nearest() const;

  // Returns what is known if nothing explains the cell: patterns, and the nearest model.
  Diagnosis Unexplained() const;

 private:
  // A model that explains every case that deviates, by its place in in_order_.
  struct ActingModel {
    CandidateModel model;
    std::vector<size_t> acting{};
    std::vector<size_t> idle{};  // it would show there, and does not
    bool is_near = false;        // results differ from its own by rounding
  };

  // How many elements a model reproduces.
  struct Reproduced {
    int64_t deviating = 0;
    int64_t left = 0;     // of these, those that it does not reproduce
    int64_t changed = 0;  // others that it does not reproduce

    double Share() const { return Of(deviating); }
    double Nearness() const { return Of(deviating + changed); }

   private:
    double Of(int64_t all) const {
      return all == 0 ? 0
                      : static_cast<double>(deviating - left) / static_cast<double>(all);
    }
  };

  // A case, and the elements of it that a model does not reproduce.
  struct Left {
    const EvidenceCase* one;
    std::vector<size_t> elements;
  };

  static std::tuple<bool, bool, int64_t> OrderOf(const EvidenceCase& one);
  Status Confirm(FurtherCases* further, std::vector<CandidateModel>& models,
                 int64_t& confirmed);
  Status Test(const EvidenceCase& question, bool always, FurtherCases& further,
              std::vector<CandidateModel>& models, int64_t& confirmed);
  Status ConfirmActing(FurtherCases* further, std::vector<ActingModel>& acting,
                       int64_t& confirmed) const;
  Result<std::optional<EvidenceCase>> NextQuestion(
      Result<std::optional<AnsweredCase>> made) const;
  std::optional<ActingModel> Acting(CandidateModel model) const;
  std::vector<CandidateModel> NearOnes() const;
  void Name(const std::vector<CandidateModel>& models, Diagnosis& diagnosis) const;
  // Returns the mistakes of a model that are not admissible by themselves, together.
  FaultSet BrokenBy(const CandidateModel& model) const;
  // Returns the model that it names; nothing if there is none.
  std::optional<CandidateModel> NameNearest(Deviation& deviation) const;
  std::optional<MissedElement> MissedElementOf(const CandidateModel& model) const;
  std::string SentenceOf(const CandidateModel& model) const;

  std::vector<CandidateModel> SetsOf(size_t count);
  // The model of a fault; nothing if it cannot show in the cell, or changes the step that
  // the readings change.
  std::optional<CandidateModel> CandidateOf(const Fault& fault) const;
  std::vector<CandidateModel> Singles();
  std::vector<CandidateModel> Pairs() const;
  std::vector<CandidateModel> LargerSets(size_t count) const;
  std::vector<CandidateModel> Mergeable() const;
  std::optional<CandidateModel> Together(const CandidateModel& a,
                                         const CandidateModel& b) const;
  bool Explains(const CandidateModel& model) const;
  bool AreProvedEqual(const CandidateModel& a, const CandidateModel& b) const;
  void Add(const CandidateModel& model, std::vector<CandidateModel>& models) const;
  Reproduced ReproducedBy(const CandidateModel& model, size_t cases) const;
  int64_t MissedBy(const CandidateModel& model, int64_t most) const;
  std::vector<Left> LeftBy(const CandidateModel& model) const;
  static bool ReproducesSome(const CandidateModel& model, std::span<const Left> cases);

  const Cell& cell_;
  const OperatorFaults& faults_;
  std::vector<EvidenceCase> in_order_;
  std::vector<const EvidenceCase*> sorted_;  // by OrderOf
  const FollowedReading* follows_;
  int64_t deviating_ = 0;
  std::vector<CandidateModel> partial_;  // single ones, the largest share first
  std::vector<EvidenceCase> refuting_;   // further cases that ruled a model out
  // The first that explained the cell but for these.
  std::vector<CandidateModel> refuted_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_SEARCH_H_
