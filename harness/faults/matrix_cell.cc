#include "harness/faults/matrix_cell.h"

#include <algorithm>
#include <utility>

#include "harness/backends/faulty/decode.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

constexpr TierFlags kAllTiers = [] {
  TierFlags all{};
  all.fill(true);
  return all;
}();

// One fault on its way through the cases of a cell.
struct Walk {
  const Fault* fault = nullptr;
  Declaration declared;
  bool asked = false;  // it runs at all
  bool caught = false;
  bool differs = false;
  FaultState state;
  ReadingElimination left{kAllTiers, /*with_bounds=*/true};
  std::array<bool, kTierCount> tiers{};  // that had differences
  std::vector<bool> eliminated;          // by case
  FaultOutcome outcome;
};

// A fault of the comparison beside its witness.
struct Pair {
  const ComparisonFault* comparison = nullptr;
  size_t witness = 0;  // among the walks
  bool asked = false;
  bool noticed = false;  // the faulty comparison noticed the witness
  std::optional<CaseKey> key{};
  int64_t elements = 0;
};

bool IsSampled(const Cell& cell) {
  const std::string id = CellId(cell);
  const std::string digest = Sha256Hex(std::as_bytes(std::span(id)));
  return digest[0] == '0';  // one of 16
}

class CellMatrix {
 public:
  CellMatrix(const MatrixRequest& request, const SelectedCell& cell)
      : request_(request), cell_(cell) {}

  Result<MatrixRow> Run() {
    Prepare();
    for (const CaseKey& key : Contents()) {
      if (!AnyActive()) break;
      auto shared = SharedCase::Create(key, request_.seed, answers_);
      if (!shared) return shared.error();
      cases_.push_back(*std::move(shared));
      if (const Status asked = Ask(*cases_.back()); !asked) return asked.error();
      elements_ += static_cast<int64_t>(cases_.back()->answer().elements.size());
    }
    MatrixRow row{.cell = &cell_, .faults = {}, .comparison_faults = {}};
    for (Walk& walk : walks_) {
      auto outcome = Conclude(walk);
      if (!outcome) return outcome.error();
      row.faults.push_back(*std::move(outcome));
    }
    for (const Pair& pair : pairs_) row.comparison_faults.push_back(Conclude(pair));
    row.faults.resize(request_.faults.size());
    return row;
  }

 private:
  void Prepare() {
    const bool attack = request_.level == Level::kExhaustive || IsSampled(cell_.cell);
    const auto add = [&](const Fault* fault) {
      Walk walk;
      walk.fault = fault;
      walk.declared = Declare(*fault, cell_.cell);
      const bool touches = fault->SetFor(cell_.cell.op_type) != nullptr;
      using Kind = Declaration::Kind;
      const bool claims = walk.declared.kind != Kind::kUnclaimed;
      walk.asked =
          touches && claims && (attack || walk.declared.kind != Kind::kEquivalent);
      walks_.push_back(std::move(walk));
    };
    for (const Fault* fault : request_.faults) add(fault);
    for (const ComparisonFault* comparison : request_.comparison_faults) {
      Pair pair;
      pair.comparison = comparison;
      pair.asked = Declare(*comparison, cell_.cell).kind == Declaration::Kind::kDeviates;
      const Fault* witness = FindFault(comparison->witness);
      while (pair.witness < walks_.size() && walks_[pair.witness].fault != witness) {
        ++pair.witness;
      }
      if (pair.witness == walks_.size()) add(witness);
      pairs_.push_back(std::move(pair));
    }
  }

  // Faults are wrong about values: what `exhaustive` adds are sizes.
  std::vector<CaseKey> Contents() const {
    return ContentsOf(cell_.cell, cell_.versions,
                      std::min(request_.level, Level::kStandard));
  }

  bool NeededByPair(size_t walk) const {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
      return pair.asked && !pair.noticed && pair.witness == walk;
    });
  }
  bool IsActive(size_t walk) const {
    return (walks_[walk].asked && !walks_[walk].caught) || NeededByPair(walk);
  }
  bool AnyActive() const {
    for (size_t i = 0; i < walks_.size(); ++i) {
      if (IsActive(i)) return true;
    }
    return false;
  }

  Status Ask(SharedCase& shared) {
    for (size_t i = 0; i < walks_.size(); ++i) {
      if (!IsActive(i)) continue;
      if (Status asked = Ask(shared, i); !asked) return asked;
    }
    return Ok();
  }

  Status Ask(SharedCase& shared, size_t index) {
    Walk& walk = walks_[index];
    const Codes codes = shared.decoded().CodesOf(*walk.fault, walk.state);
    const CaseAnswer& answer = shared.answer();
    std::array<int64_t, kTierCount> first{};
    first.fill(-1);
    bool differs = false;
    for (size_t i = 0; i < codes.size(); ++i) {
      if (Allows(answer, i, codes)) continue;
      differs = true;
      int64_t& at = first[static_cast<size_t>(answer.elements[i].tier)];
      if (at < 0) at = static_cast<int64_t>(i);
      Notice(shared, index, i, codes[i]);
    }
    walk.eliminated.resize(cases_.size());
    if (walk.caught || !differs) return Ok();
    walk.differs = true;
    if (Status dropped = Drop(walk, shared, codes); !dropped) return dropped;
    walk.eliminated.back() = true;
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (first[tier] < 0) continue;
      walk.tiers[tier] = true;
      if (walk.left.Find({&tier, 1})) continue;
      walk.caught = true;
      walk.outcome = {.kind = FaultOutcome::Kind::kCaught,
                      .key = shared.op_case().key,
                      .elements = elements_ + first[tier] + 1};
      break;
    }
    return Ok();
  }

  static Status Drop(Walk& walk, SharedCase& shared, const Codes& codes) {
    ContentAnswers& content = shared.content();
    return walk.left.Drop(content, codes, content.AllowedByCanonical(codes));
  }

  // Tells the faulty comparisons of a difference.
  void Notice(SharedCase& shared, size_t walk, size_t element, uint32_t code) {
    for (Pair& pair : pairs_) {
      if (!pair.asked || pair.noticed || pair.witness != walk) continue;
      if (!pair.key) {
        pair.key = shared.op_case().key;
        pair.elements = elements_ + static_cast<int64_t>(element) + 1;
      }
      pair.noticed = !pair.comparison->passes(shared.answer(), element, code);
    }
  }

  Result<FaultOutcome> Conclude(Walk& walk) {
    if (!walk.asked) return FaultOutcome();
    if (walk.caught) return walk.outcome;
    if (!walk.differs) return FaultOutcome{.kind = FaultOutcome::Kind::kNoDifference};
    // A reading must explain the cases without a difference as well.
    FaultState state;
    for (size_t i = 0; i < cases_.size(); ++i) {
      const Codes codes = cases_[i]->decoded().CodesOf(*walk.fault, state);
      if (i < walk.eliminated.size() && walk.eliminated[i]) continue;
      const Status dropped = Drop(walk, *cases_[i], codes);
      if (!dropped) return dropped.error();
    }
    std::vector<size_t> open;
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (walk.tiers[tier]) open.push_back(tier);
    }
    FaultOutcome outcome{.kind = FaultOutcome::Kind::kAdmissible};
    if (const auto reading = walk.left.Find(open)) {
      outcome.reading = reading->Name();
      return outcome;
    }
    for (const size_t tier : open) {
      const auto reading = walk.left.Find({&tier, 1});
      if (!reading) {
        walk.caught = true;
        return FaultOutcome{.kind = FaultOutcome::Kind::kCaught,
                            .key = cases_.back()->op_case().key,
                            .elements = elements_};
      }
      outcome.reading += (outcome.reading.empty() ? "" : "; ") + reading->Name();
    }
    return outcome;
  }

  FaultOutcome Conclude(const Pair& pair) const {
    if (!pair.asked) return {};
    if (pair.noticed || !walks_[pair.witness].caught) {
      return {.kind = FaultOutcome::Kind::kNoDifference};
    }
    return {
        .kind = FaultOutcome::Kind::kCaught, .key = pair.key, .elements = pair.elements};
  }

  const MatrixRequest& request_;
  const SelectedCell& cell_;
  std::vector<Walk> walks_;  // the request's faults, then witnesses
  std::vector<Pair> pairs_;
  CellAnswers answers_;
  std::vector<std::unique_ptr<SharedCase>> cases_;
  int64_t elements_ = 0;
};

}  // namespace

Result<std::unique_ptr<SharedCase>> SharedCase::Create(const CaseKey& key, uint64_t seed,
                                                       CellAnswers& answers) {
  const auto fault = [&](const Error& error) {
    return Error{"case " + CaseId(key) + ": " + error.message};
  };
  auto made = MakeCase(key, seed);
  if (!made) return made.error();
  std::unique_ptr<SharedCase> shared(new SharedCase);
  shared->op_case_ = *std::move(made);
  const OpCase& op_case = shared->op_case_;
  auto content = answers.Add(op_case.model, ViewsOf(op_case.inputs));
  if (!content) return fault(content.error());
  shared->content_ = *std::move(content);
  auto decoded = DecodeCase(op_case.model, key.cell.since_version,
                            shared->content_->inputs(), shared->answer());
  if (!decoded) return fault(decoded.error());
  shared->decoded_ = *std::move(decoded);
  return shared;
}

Result<MatrixRow> RunMatrixCell(const MatrixRequest& request, const SelectedCell& cell) {
  return CellMatrix(request, cell).Run();
}

}  // namespace qconform
