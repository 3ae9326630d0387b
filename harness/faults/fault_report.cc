#include "harness/faults/fault_report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "cases/corpus/stored_case.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "harness/core/value_text.h"
#include "harness/runner/shrink/shrink.h"

namespace qconform {
namespace {

constexpr size_t kMostContradictions = 10000;
constexpr int kShrinkSteps = 1500;

// The first element of a small case that a backend gets wrong; nothing if it gives no
// outputs, or none that is wrong.
Result<std::optional<Counterexample>> Describe(Backend& backend,
                                               const StoredCase& stored) {
  const auto oracle = OracleModel::Create(stored.model);
  if (!oracle) return oracle.error();
  const std::vector<TensorView> views = ViewsOf(stored.inputs);
  const auto answer = oracle->Evaluate(views);
  if (!answer) return answer.error();
  const auto result = RunModel(backend, stored);
  if (!result) return result.error();
  const auto* outputs = std::get_if<Outputs>(&*result);
  if (outputs == nullptr) return std::optional<Counterexample>();
  const Comparison comparison = Compare(*answer, *outputs, 1);
  if (comparison.first.empty()) return std::optional<Counterexample>();
  const Mismatch& mismatch = comparison.first.front();
  const auto at = static_cast<size_t>(mismatch.index);
  const DataType type = answer->TypeOf(at);
  const auto operands = oracle->OperandsOfElement(views, answer->PlaceOf(at));
  if (!operands) return operands.error();
  Counterexample example;
  example.operands = ShownOperands(*operands);
  example.expected = ShownValue(type, mismatch.expected.code);
  example.actual = ShownValue(type, mismatch.actual);
  return std::optional<Counterexample>(std::move(example));
}

// Adds a shrunk counterexample to the record.
Status Illustrate(const Fault& fault, const CaseKey& key, uint64_t seed,
                  FaultRecord& record) {
  auto made = MakeCase(key, seed);
  if (!made) return made.error();
  const StoredCase stored{{made->model, made->inputs}, std::string(fault.sentence)};
  const std::unique_ptr<Backend> backend = MakeFaultyBackend(fault);
  const StillDeviates deviates = DeviatesOn(*backend);
  const auto still = deviates(stored);
  if (!still) return still.error();
  if (!*still) return Ok();  // it takes other cases of the cell as well
  const Shrunk small = Shrink(stored, deviates, kShrinkSteps);
  if (small.error) return *small.error;
  record.stored_case = StoredCaseText(small.stored);
  auto example = Describe(*backend, small.stored);
  if (!example) return example.error();
  record.example = *std::move(example);
  return Ok();
}

}  // namespace

FaultReportBuilder::FaultReportBuilder(const MatrixRequest& request) : request_(request) {
  for (const Fault* fault : request.faults) {
    Entry entry;
    entry.record.name = fault->name;
    entry.record.kind = "backend";
    entry.record.sentence = fault->sentence;
    entry.record.seen_in = fault->seen_in;
    entries_.push_back(std::move(entry));
  }
  for (const ComparisonFault* fault : request.comparison_faults) {
    Entry entry;
    entry.record.name = fault->name;
    entry.record.kind = "comparison";
    entry.record.sentence = fault->sentence;
    entry.record.seen_in = fault->seen_in;
    entry.record.witness = fault->witness;
    entries_.push_back(std::move(entry));
  }
}

void FaultReportBuilder::Add(const MatrixRow& row) {
  const Cell& cell = row.cell->cell;
  for (size_t i = 0; i < row.faults.size(); ++i) {
    Add(*row.cell, Declare(*request_.faults[i], cell), row.faults[i], entries_[i]);
  }
  for (size_t i = 0; i < row.comparison_faults.size(); ++i) {
    Add(*row.cell, Declare(*request_.comparison_faults[i], cell),
        row.comparison_faults[i], entries_[row.faults.size() + i]);
  }
}

void FaultReportBuilder::Add(const SelectedCell& cell, const Declaration& declared,
                             const FaultOutcome& outcome, Entry& entry) {
  FaultRecord& record = entry.record;
  const std::string contradiction = Contradiction(declared, outcome);
  switch (declared.kind) {
    case Declaration::Kind::kDeviates:
      ++record.deviates.declared;
      record.deviates.confirmed += contradiction.empty() ? 1 : 0;
      break;
    case Declaration::Kind::kAdmissible:
      ++record.admissible.declared;
      record.admissible.confirmed += contradiction.empty() ? 1 : 0;
      break;
    case Declaration::Kind::kEquivalent:
      ++record.equivalent.declared;
      record.equivalent.confirmed +=
          outcome.kind == FaultOutcome::Kind::kNoDifference ? 1 : 0;
      break;
    case Declaration::Kind::kUnclaimed:
      break;
  }
  if (!contradiction.empty()) {
    ++record.contradiction_count;
    if (record.contradictions.size() < kMostContradictions) {
      std::string text(DeclarationKindName(declared.kind));
      if (!declared.reading.empty()) text += ":" + declared.reading;
      record.contradictions.push_back(
          {CellId(cell.cell), std::move(text), contradiction});
    }
  }
  if (outcome.kind != FaultOutcome::Kind::kCaught) return;
  ++record.first_generators[outcome.key->generator];
  record.most_elements = std::max(record.most_elements, outcome.elements);
  if (entry.first_sequence >= 0 && entry.first_sequence < cell.sequence) return;
  entry.first_sequence = cell.sequence;
  entry.first_key = outcome.key;
  record.first_case = CaseId(*outcome.key);
  record.first_generator = outcome.key->generator;
  record.first_elements = outcome.elements;
}

Result<std::vector<FaultRecord>> FaultReportBuilder::Finish(
    const AnsweredNodeTests& node_tests) {
  std::vector<FaultRecord> records;
  for (Entry& entry : entries_) {
    FaultRecord& record = entry.record;
    std::sort(record.contradictions.begin(), record.contradictions.end(),
              [](const auto& a, const auto& b) { return a.cell < b.cell; });
    const Fault* fault = FindFault(record.name);
    if (fault != nullptr) {
      FoundByNodeTests found = NodeTestsThatFind(*fault, node_tests);
      record.node_tests_with_tolerance = std::move(found.with_tolerance);
      record.node_tests_exactly = std::move(found.exactly);
      if (entry.first_key && !fault->has_state) {
        const Status done = Illustrate(*fault, *entry.first_key, request_.seed, record);
        if (!done) return done.error();
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace qconform
