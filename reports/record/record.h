// The records of a run: its circumstances (RunInfo), and one record per cell and
// per ONNX node test. They are plain structs; journal and report store them.
//
// Each field belongs either to the report's `results`, which are equal bytes
// for equal runs, or to its `run`, which holds times, machine and command.
#ifndef QCONFORM_REPORTS_RECORD_RECORD_H_
#define QCONFORM_REPORTS_RECORD_RECORD_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/tensor/data_type.h"
#include "oracle/tensor/tensor.h"
#include "reports/record/operator_record.h"
#include "reports/record/verdict.h"

namespace qconform {

// --- The run -----------------------------------------------------------------

struct ToolRecord {  // run
  std::string name = "qconform";
  std::string version;
  std::string commit;

  friend bool operator==(const ToolRecord&, const ToolRecord&) = default;
};

// The questions. Reports are comparable cell by cell if these agree.
struct SuiteRecord {  // results
  std::string version;
  std::string digest;        // SHA-256 over generators, clauses and contents
  std::string onnx_version;  // of the library that the lattice was derived from
  std::string level;         // "smoke", "standard", "exhaustive"
  uint64_t seed = 0;

  friend bool operator==(const SuiteRecord&, const SuiteRecord&) = default;
};

// One of several runs that share the work.
struct ShardRecord {  // results
  int64_t index = 0;  // 0 to count - 1
  int64_t count = 1;
  int64_t cells = 0;  // the number of the selection's cells in this shard

  friend bool operator==(const ShardRecord&, const ShardRecord&) = default;
};

// A part of a model that is not judged, and why.
struct NotJudgedPart {  // results
  std::string name;
  std::string reason;

  friend bool operator==(const NotJudgedPart&, const NotJudgedPart&) = default;
};

// The model whose parts are judged in place of cells.
struct ModelRecord {   // results
  std::string name;    // of the file, without its folder
  std::string sha256;  // of the file; external data is not part of it
  std::vector<NotJudgedPart> not_judged{};
  // What a run of the whole model gave, in sentences on lines; empty: it was not run.
  std::string whole_run{};

  friend bool operator==(const ModelRecord&, const ModelRecord&) = default;
};

// The part of the lattice that was asked for.
struct SelectionRecord {                   // results
  std::vector<std::string> operators;      // op_types; rows come in this order
  std::vector<std::string> cell_patterns;  // empty: all cells
  std::string profile;                     // empty: none
  int64_t cells = 0;  // in the lattice under this selection: the denominator
  std::optional<ShardRecord> shard;  // of a run that is one of several
  // Of a run whose rows are parts of this model; `cells` is their number.
  std::optional<ModelRecord> model{};

  friend bool operator==(const SelectionRecord&, const SelectionRecord&) = default;
};

struct BackendRecord {  // results, but for the last two
  std::string kind;     // "simd"
  std::string name;     // "simd:AVX2"
  std::string version;
  std::string vendor;
  std::string device;
  std::string digest;  // run: SHA-256 of the program or libraries; empty: not known
  std::map<std::string, std::string> details;  // run

  friend bool operator==(const BackendRecord&, const BackendRecord&) = default;
};

// The key of the details for the SHA-256 of the library that answers.
inline constexpr const char* kLibraryDetail = "library_sha256";

// Returns the digest of the library in a backend's details, or "".
std::string LibraryDigest(const std::map<std::string, std::string>& details);

// Returns the name without the folder of a plugin's library or of a Python module:
// "plugin:./build/mine.so" becomes "plugin:mine.so", and "py:./src/mine:Class" becomes
// "py:mine:Class", wherever they are kept. Other names do not change.
std::string WithoutFolder(const std::string& backend);

struct MachineRecord {  // run
  std::string cpu_model;
  // Instruction sets by which kernels are chosen, as /proc/cpuinfo names them: a backend
  // may give other bits if one is missing. Empty: not known.
  std::vector<std::string> cpu_features;
  int cores = 0;
  std::vector<std::string> simd_targets_compiled;   // best first
  std::vector<std::string> simd_targets_supported;  // by this CPU, of those compiled
  std::string os;

  friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};

// Makes `machine` that of a run on both: "several" where they differ.
void AddMachine(MachineRecord& machine, const MachineRecord& other);

struct RunInfo {
  ToolRecord tool;
  SuiteRecord suite;
  SelectionRecord selection;
  BackendRecord backend;
  MachineRecord machine;
  std::vector<OperatorRecord> operators;  // run; since report 2.1
  std::vector<std::string> command_line;  // run; one string per argument
  std::string start_time;                 // run; UTC, "2026-08-01T12:00:00Z"
  double duration_s = 0;                  // run; known when all is done
  int jobs = 1;                           // run

  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

// --- One cell ------------------------------------------------------------------

// A number as evidence shows it: its code, and the meaning of the code.
struct ValueRecord {
  std::string bits;   // "0x3f000001"
  std::string value;  // "0x1.000002p-1", "-3", "NaN"

  friend bool operator==(const ValueRecord&, const ValueRecord&) = default;
};

struct OperandRecord {
  std::string name;  // "x", "y_scale", ...
  DataType type = DataType::kUndefined;
  ValueRecord value;

  friend bool operator==(const OperandRecord&, const OperandRecord&) = default;
};

// One step of the computation of an element, as text with bits and values.
struct WorkedStep {
  std::string step;      // "q = x / y_scale, rounded to FLOAT"
  std::string expected;  // by the specification's canonical readings
  std::string actual;    // by the wrong model or the reading; empty if none is named

  friend bool operator==(const WorkedStep&, const WorkedStep&) = default;
};

// The circumstance that changed when a case was asked again.
inline constexpr const char* kChangedAlignment =
    "alignment";  // inputs elsewhere in memory
inline constexpr const char* kChangedThreads = "threads";
inline constexpr const char* kChangedPosition = "position";  // elements at other indices
// The same prepared model had run other inputs before, or it ran other inputs.
inline constexpr const char* kChangedPreparedModel = "prepared_model";
inline constexpr const char* kChangedInputs = "inputs";
// A model whose dimensions have names, or half of the case.
inline constexpr const char* kChangedNamedDimensions = "named_dimensions";
inline constexpr const char* kChangedSize = "size";
inline constexpr const char* kChangedOpsetVersion = "opset_version";
// Nothing changed: the backend itself reported different answers to the same inputs.
inline constexpr const char* kChangedRepetition = "repetition";

// The failure of a case that was asked again: an element that got other bits, or
// (without an index) no usable answer.
struct SecondAnswer {
  std::string changed;   // one of kChanged...
  std::string output{};  // as that of a counterexample
  std::optional<Shape> index{};
  ValueRecord first{};
  ValueRecord second{};

  friend bool operator==(const SecondAnswer&, const SecondAnswer&) = default;
};

// One element that differs, or (if `message` is set; then `index` may be
// absent) one case that gave no elements to compare.
struct Counterexample {
  std::string case_id;
  std::string tier;
  std::string operand_form;
  // The output; empty if it is the only one and is called y.
  std::string output{};
  std::optional<Shape> index;  // into the output; [] for a scalar
  std::vector<OperandRecord> operands;
  ValueRecord expected;
  ValueRecord actual;
  std::string clause;   // its id
  std::string message;  // such as "y: expected shape [3], got [2]"; may be empty
  // If the element by itself is not a deviation: the reading that it follows, "canonical"
  // or "CLAUSE:READING". Two of these that exclude each other show mixed readings.
  std::string reading{};
  std::vector<WorkedStep> steps{};  // the computation; only for the simplest example
  std::optional<SecondAnswer>
      second_answer{};  // only if a single answer does not show it
  std::string replay;   // the command line that reruns the case

  friend bool operator==(const Counterexample&, const Counterexample&) = default;
};

struct TierRecord {
  std::string tier;  // "regular", "subnormal", ...
  Verdict verdict = Verdict::kUntested;

  friend bool operator==(const TierRecord&, const TierRecord&) = default;
};

// The counts of one tier, all operand forms together.
struct TierCounts {
  std::string tier;
  int64_t elements = 0;    // that were compared
  int64_t mismatches = 0;  // of them, those that no reading allows

  friend bool operator==(const TierCounts&, const TierCounts&) = default;
};

// The verdicts of one operand form; only tiers that had elements.
struct FormRecord {
  std::string form;  // "inputs", "initializers", "parameters"
  std::vector<TierRecord> tiers;

  friend bool operator==(const FormRecord&, const FormRecord&) = default;
};

// The verdict of the cases of one variant, such as "saturate=1,precision=FLOAT": the
// attributes and optional operands by which cases of a cell differ, as case ids name
// them.
struct VariantRecord {
  std::string variant;
  Verdict verdict = Verdict::kUntested;

  friend bool operator==(const VariantRecord&, const VariantRecord&) = default;
};

struct OpsetRecord {
  int opset_version = 0;
  Verdict verdict = Verdict::kUntested;

  friend bool operator==(const OpsetRecord&, const OpsetRecord&) = default;
};

inline constexpr size_t kDefaultCounterexamples = 3;

// The behaviour of a backend where a clause leaves it free: recorded, never judged.
struct Observation {
  std::string clause;                   // its id
  std::string input_class;              // "NaN to an integer"
  std::vector<std::string> behaviours;  // "qmin", ...; sorted
  // The changes that gave other bits when a case was asked again: "alignment" (elsewhere
  // in memory), "position" (at another index), "repetition" (nothing was changed),
  // "threads"; sorted. Empty: the bits were the same each time.
  std::vector<std::string> varies_with;

  // "CLAUSE NaN to an integer: 0, qmin; varies with position"
  std::string Text() const;

  friend bool operator==(const Observation&, const Observation&) = default;
};

// Between the names of a diagnosis that several models give equally: "a or b+c".
inline constexpr const char* kOtherModel = " or ";

// A deviating element that the nearest model does not reproduce.
struct NotReproduced {
  std::string case_id;
  std::string output{};        // as that of a counterexample
  std::optional<Shape> index;  // into the output
  std::vector<OperandRecord> operands;
  ValueRecord expected;
  ValueRecord actual;
  ValueRecord model;  // what the nearest model gives

  friend bool operator==(const NotReproduced&, const NotReproduced&) = default;
};

// The diagnosis of a cell whose deviations no combination of readings explains. The
// name of the wrong model that reproduces every output is CellRecord::diagnosis.
struct Deviation {
  // The behaviour of that model; if none is named, of the nearest one.
  std::string model;
  // Models that give the same bits for every input of the cell, as a proof shows.
  std::vector<std::string> indistinguishable_from;
  // If several models reproduced every output, all of them, sorted: other inputs would
  // distinguish them, and none is preferred. CellRecord::diagnosis is "a or b" then.
  std::vector<std::string> also_explained_by;
  std::string nearest;                            // if none reproduces every output
  std::optional<NotReproduced> not_reproduced{};  // by the nearest; since report 2.1
  // The combination of readings that the rest of the tiers with mismatches follows;
  // mismatches are counted from it. Empty: the canonical one.
  std::string follows{};
  int64_t elements_deviating = 0;    // from what is followed
  int64_t elements_explained = 0;    // of them, by the model or by the nearest one
  int64_t elements_confirmed = 0;    // predicted beyond the cell's cases, and confirmed
  std::vector<std::string> pattern;  // features that the deviating elements share
  // The line that reruns the cell in one job, if a deviating case was not reproduced
  // alone in a fresh process: what it gives depends on what ran before. Nothing else is
  // said then of the cause, unless it is a model with a state.
  std::string rerun{};
  // Readings that explain one element each, and exclude each other.
  std::vector<std::string> mixed_readings;

  friend bool operator==(const Deviation&, const Deviation&) = default;
};

// The readings of a tier's parts, if no single combination of readings explains all.
inline constexpr const char* kMixedByOperandForm = "operand_form";
inline constexpr const char* kMixedByRows = "M";

struct MixedPart {
  std::string part;     // "initializers", "M = 1"
  std::string reading;  // "canonical", "CLAUSE:READING"

  friend bool operator==(const MixedPart&, const MixedPart&) = default;
};

// A tier that is admissible because each of its parts follows one combination.
struct MixedTier {
  std::string tier;
  std::string by;  // one of kMixedBy...
  std::vector<MixedPart> parts;

  friend bool operator==(const MixedTier&, const MixedTier&) = default;
};

// A tier that only a derived bound explains, although each element also follows one of
// two readings.
struct BoundOnlyTier {
  std::string tier;
  std::vector<std::string> readings;  // two

  // "regular: explained by a bound only; each element also follows A or B"
  std::string Text() const;

  friend bool operator==(const BoundOnlyTier&, const BoundOnlyTier&) = default;
};

// The verdict of a cell at one setting of options that were varied (run --vary). Each
// setting is judged on its own (GR-08).
struct VariedRecord {
  std::string setting;  // "opt_level=all"; of several options "opt_level=all,threads=2"
  Verdict verdict = Verdict::kUntested;
  std::string reading;    // as CellRecord::reading
  std::string diagnosis;  // as CellRecord::diagnosis
  // The smallest set of optimizers without which the backend passes at this setting.
  // Empty: it passes anyway, or none was found.
  std::vector<std::string> without;
  // Why no such set was found; empty: one was, or none was looked for.
  std::string not_found;
  std::optional<Counterexample> example;  // the first counterexample of a deviation

  friend bool operator==(const VariedRecord&, const VariedRecord&) = default;
};

inline constexpr const char* kDynamicShapesAnswered = "answered";
inline constexpr const char* kDynamicShapesDeclined = "declined";

// The part of a model that a row is about: a node, or a small graph.
struct PartRecord {
  std::string name;      // unique in the model
  int64_t position = 0;  // in the file, from 0; rows come in this order
  std::string graph;     // "DQ,DQ-Conv-Relu-Q"; empty: one node
  std::string
      asked_as{};  // how it was changed so that it can be asked; empty: it was not

  friend bool operator==(const PartRecord&, const PartRecord&) = default;
};

struct CellRecord {
  // Its id; of a part of a model the id of the cell, "#", and the part's name.
  std::string cell;
  std::optional<PartRecord> part{};
  std::string op_type;
  int since_version = 0;
  std::vector<DataType> types;  // in the order of the id; the last is the output's
  std::string granularity;
  Verdict verdict = Verdict::kUntested;  // the headline: CellVerdict(forms), or worse
  // Ascending. An opset_version is left out if its cases do not show whether it has the
  // verdict of the one that was asked the whole list.
  std::vector<OpsetRecord> opset_versions;
  // The opset_version that was asked the whole list, if that is not the newest: the
  // backend declines every case of the newer ones. 0: the newest.
  int judged_at_opset_version = 0;
  std::vector<FormRecord> forms;
  // By name; only if some variants pass and others do not.
  std::vector<VariantRecord> variants{};
  // Whether that may be by chance: generators ask different variants, and too few cases
  // of one generator show that it is the variant that matters. Since report 2.1.
  bool variants_by_chance = false;
  // In the order of the settings; empty if no option was varied. The rest of the record
  // is that of the setting with the worst verdict, and of the last of these.
  std::vector<VariedRecord> varied{};

  std::vector<TierCounts> tiers;  // only tiers that had elements
  int64_t cases = 0;              // that were asked
  int64_t declined = 0;           // of them, those that the backend declined
  // Of them, legal ones that the backend refused as invalid, where no clause leaves that
  // open; since report 2.1.
  int64_t refused_legal = 0;
  int64_t free = 0;  // elements for which a clause allows any answer
  std::map<std::string, int64_t> coverage;  // feature -> elements that had it

  std::string reading;  // if admissible: the whole combination
  // Readings of single clauses, "CLAUSE:READING", that stand as well as the reading that
  // explains the answers: they are not known to give other bits if they replace the named
  // reading of their clause, or the canonical one.
  std::vector<std::string> not_told_apart{};
  std::vector<MixedTier> mixed{};
  std::vector<BoundOnlyTier> bound_only{};
  // By tier, only those that nothing narrower than a wider bound explains: how many of
  // its elements have another code than the oracle's.
  std::map<std::string, int64_t> by_wider_bound{};
  // The wrong model that explains a deviation, if one fits: "a"; of faults that are made
  // together "a+b", sorted; if several fit equally, "a or b+c", sorted.
  std::string diagnosis;
  std::string reason;                  // the backend's message if it declined or failed
  std::optional<Deviation> deviation;  // if a nonconformant cell was diagnosed
  // Why a nonconformant cell was not diagnosed: "the budget of 5 s was used". Its
  // verdicts and counts are then those from the canonical readings; since report 2.1.
  std::string not_explained{};
  std::vector<Observation> observed;  // by clause and input class
  // Whether models with named dimensions were answered: kDynamicShapesAnswered,
  // ...Declined, or "" if none was asked.
  std::string dynamic_shapes;
  std::vector<std::string> notes;               // of reports of version 1.0
  std::vector<Counterexample> counterexamples;  // a few, the simplest first
  // If a reading explains the differences: one element that shows it.
  std::optional<Counterexample> example;

  // The group of findings that its since_version belongs to (OperatorRecord::GroupOf),
  // when the row is part of a report. Not written: it follows from the run's operators.
  std::string finding_group{};

  double time_ms = 0;     // run
  double explain_ms = 0;  // run; the part of it for readings, diagnosis and observations

  DataType output_type() const {
    return types.empty() ? DataType::kUndefined : types.back();
  }
  int64_t elements() const;  // of all tiers
  int64_t mismatches() const;
  // The setting that the rest of the record is of; null if no option was varied.
  const VariedRecord* judged_setting() const;

  friend bool operator==(const CellRecord&, const CellRecord&) = default;
};

// Returns the worst verdict of all tiers and forms. A form that is unsupported
// throughout does not count if another is supported: a backend that takes only
// one form is judged on it. kUntested if there are no tiers.
Verdict CellVerdict(const std::vector<FormRecord>& forms);

// Returns the verdict of one tier by the same rule; nothing if no form has it.
std::optional<Verdict> TierVerdict(const CellRecord& cell, std::string_view tier);

// --- One of ONNX's own node tests ------------------------------------------------

struct NodeTestRecord {
  std::string name;     // "test_quantizelinear_axis"
  std::string release;  // the directory or release that it came from
  std::string op_type;
  int opset_version = 0;
  NodeVerdict verdict = NodeVerdict::kError;
  std::string reason;
  std::string digest;  // SHA-256 of its files

  friend bool operator==(const NodeTestRecord&, const NodeTestRecord&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_RECORD_H_
