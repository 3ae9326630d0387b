#include "harness/certificate/testing/tamperings.h"

#include <cassert>
#include <utility>
#include <vector>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/asked_again.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/samples.h"
#include "harness/runner/ask/further_cases.h"

namespace qconform {
namespace {

// Made with 'openssl genpkey -algorithm ed25519'; of no use elsewhere.
constexpr char kKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIF4DiSEq4MZ+86cr/bWg2tjd0SVEM4wwsxGcQuOIQ086\n"
    "-----END PRIVATE KEY-----\n";
constexpr char kOtherKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJl4BAdhPmKQ+sy4laz9gh17YxBJLm7Y5ql7ChXSACvE\n"
    "-----END PRIVATE KEY-----\n";

CellRecord& RowOf(MadePackage& made, DataType output) {
  return *made.FindRow(
      [&](const CellRecord& row) { return row.output_type() == output; });
}

CellRecord& Nonconformant(MadePackage& made) {
  return RowOf(made, DataType::kFloat4E2M1);
}

// Makes a row claim that everything conforms.
void Whitewash(CellRecord& row) {
  row.verdict = Verdict::kConformant;
  for (FormRecord& form : row.forms) {
    for (TierRecord& tier : form.tiers) tier.verdict = Verdict::kConformant;
  }
  for (OpsetRecord& opset : row.opset_versions) opset.verdict = Verdict::kConformant;
  for (TierCounts& tier : row.tiers) tier.mismatches = 0;
  row.counterexamples.clear();
  row.declined = 0;
  row.reason.clear();
  row.diagnosis.clear();
}

void Replace(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  assert(at != std::string::npos);
  text.replace(at, from.size(), to);
}

// VariedBackends by these names.
AskedBackend BackendsAt(const char* flawed, const char* right) {
  AskedBackend backends = VariedBackends();
  backends.settings[0].name = flawed;
  backends.settings[1].name = right;
  return backends;
}

std::vector<Tampering> MakeTamperings() {
  return {
      // --- the claim
      {"VendorWithALineOfItsOwn", Right,
       [](MadePackage& made) { made.claim.vendor = "V\nVERIFIED: W"; }, "statement",
       "\"vendor\": expected one line of UTF-8 text without control characters, got "
       "'V\\nVERIFIED: W'"},
      {"ProductThatClearsTheScreen", Right,
       [](MadePackage& made) { made.claim.product = "P\x1b[2J"; }, "statement",
       "\"product\": expected one line of UTF-8 text without control characters, got "
       "'P\\x1b[2J'"},
      {"VendorWithoutAName", Right, [](MadePackage& made) { made.claim.vendor = ""; },
       "statement", "\"vendor\": expected a name, got an empty text"},
      // --- rows of the report
      {"CellDeleted", Right,
       [](MadePackage& made) {
         made.report.cells.pop_back();
         --made.report.run.selection.cells;
       },
       "lattice", "has no row"},
      {"CellOfAnotherProfile", Right,
       [](MadePackage& made) {
         made.report.cells[0].cell = "QuantizeLinear/13/FLOAT-FLOAT-INT8/per_tensor";
       },
       "lattice", "does not belong to a cell of the profile"},
      {"TypesOfARow", Right,
       [](MadePackage& made) { made.report.cells[0].types[0] = DataType::kInt32; }, "row",
       "not those of its id"},
      {"HeadlineRaised", Wrong,
       [](MadePackage& made) { Nonconformant(made).verdict = Verdict::kConformant; },
       "verdict", "its parts make it nonconformant"},
      {"HeadlineRaisedToAdmissible", Wrong,
       [](MadePackage& made) { Nonconformant(made).verdict = Verdict::kAdmissible; },
       "verdict", "its parts make it nonconformant"},
      {"VerdictsRaised", Wrong,
       [](MadePackage& made) {
         const auto before = Nonconformant(made);
         Whitewash(Nonconformant(made));
         Nonconformant(made).tiers = before.tiers;
       },
       "verdict", "mismatch, but it is conformant"},
      {"VerdictMadeMistrusted", Wrong,
       [](MadePackage& made) {
         CellRecord& row = Nonconformant(made);
         row.verdict = Verdict::kMistrusted;
         row.counterexamples.clear();
       },
       "verdict", "is mistrusted, but its parts make it nonconformant"},
      {"OpsetVersionsRaised", Wrong,
       [](MadePackage& made) {
         for (OpsetRecord& opset : Nonconformant(made).opset_versions) {
           opset.verdict = Verdict::kConformant;
         }
       },
       "verdict", "verdicts per opset_version do not agree with those per tier"},
      {"RowWhitewashed_SamplesLeft", Wrong,
       [](MadePackage& made) { Whitewash(Nonconformant(made)); }, "sample",
       "none of the cases that the suite's digest selects"},
      {"RowWhitewashed_SamplesTakenAgain", Wrong,
       [](MadePackage& made) {
         Whitewash(Nonconformant(made));
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "sample", "but the row says conformant for that tier"},
      {"UnsupportedWhitewashed", Wrong,
       [](MadePackage& made) {
         Whitewash(RowOf(made, DataType::kInt8));
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "sample", "was declined, but the row counts no declined case"},
      {"MismatchesHidden", Wrong,
       [](MadePackage& made) {
         for (TierCounts& tier : Nonconformant(made).tiers) tier.mismatches = 0;
       },
       "verdict", "no mismatch is counted"},
      {"MismatchesBeyondElements", Wrong,
       [](MadePackage& made) { Nonconformant(made).tiers[0].mismatches = 1'000'000'000; },
       "verdict", "more mismatches than elements"},
      {"AdmissibleWithoutReading", Wrong,
       [](MadePackage& made) {
         Whitewash(Nonconformant(made));
         Nonconformant(made).verdict = Verdict::kAdmissible;
         for (FormRecord& form : Nonconformant(made).forms) {
           form.tiers[0].verdict = Verdict::kAdmissible;
         }
       },
       "verdict", "without a reading"},
      {"AdmissibleWithAReadingThatDoesNotExplain", Wrong,
       [](MadePackage& made) {
         CellRecord& row = Nonconformant(made);
         Whitewash(row);
         row.verdict = Verdict::kAdmissible;
         row.reading = "regular: QL-24:zero_point_ignored";
         for (FormRecord& form : row.forms) {
           for (TierRecord& tier : form.tiers) tier.verdict = Verdict::kAdmissible;
         }
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "sample", "deviates in tier regular, but the row says admissible"},
      {"ReadingOnAConformantRow", Right,
       [](MadePackage& made) { made.report.cells[3].reading = "QL-24:round_then_add"; },
       "verdict", "names a reading"},
      {"CounterexampleRemoved", Wrong,
       [](MadePackage& made) { Nonconformant(made).counterexamples.clear(); },
       "counterexample", "without a counterexample"},
      {"CounterexampleOfAnotherCell", Wrong,
       [](MadePackage& made) {
         RowOf(made, DataType::kFloat8E5M2).counterexamples =
             Nonconformant(made).counterexamples;
       },
       "counterexample", "has a counterexample, but is conformant"},
      {"CounterexampleExpectsOtherBits", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         std::swap(example.expected, example.actual);
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other bits than the oracle"},
      // Each field is changed by itself: a correct one does not excuse another.
      {"CounterexampleExpectsWhatWasAnswered", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.expected = example.actual;
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other bits than the oracle"},
      {"CounterexampleAnswersWhatWasExpected", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.actual = example.expected;
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other bits than the oracle"},
      {"CounterexampleOfAnotherTier", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.tier = example.tier == "regular" ? "subnormal" : "regular";
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other bits than the oracle"},
      {"CounterexampleOfAnotherOperandForm", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.operand_form =
             example.operand_form == "inputs" ? "initializers" : "inputs";
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other bits than the oracle"},
      {"CounterexampleOfAFailureThatWasNone", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.index.reset();
         example.message = "signal 11";
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "says that the case failed, but its sample does not"},
      // Words are not evidence that the case was asked twice.
      {"CounterexampleInTheWordsOfASecondAnswer", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.index.reset();
         example.message = "asked again: not the same bits for the same inputs";
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "says that the case failed, but its sample does not"},
      {"SecondAnswerWithoutBits", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.index.reset();
         example.second_answer = SecondAnswer{.changed = kChangedAlignment};
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "claims other bits the second time, but shows none"},
      {"SecondAnswerAfterAnotherFirstOne", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.second_answer =
             SecondAnswer{kChangedThreads, example.output, example.index,
                          example.expected, example.actual};
         example.index.reset();
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "shows another first answer than its sample"},
      {"SecondAnswerLikeTheFirst", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.second_answer =
             SecondAnswer{kChangedPosition, example.output, example.index, example.actual,
                          example.actual};
         example.index.reset();
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "shows two answers that may both be given"},
      {"SecondAnswerOutOfRange", Wrong,
       [](MadePackage& made) {
         Counterexample& example = Nonconformant(made).counterexamples[0];
         example.index->back() = 1'000'000;
         example.second_answer =
             SecondAnswer{kChangedPreparedModel, example.output, example.index,
                          example.actual, example.expected};
         example.index.reset();
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "an element that the second answer does not have"},
      {"ExampleOfAReadingExpectsOtherBits", Wrong,
       [](MadePackage& made) {
         CellRecord& row = Nonconformant(made);
         row.example = row.counterexamples[0];
         std::swap(row.example->expected, row.example->actual);
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other bits than the oracle"},
      {"CounterexampleOfOtherOperands", Wrong,
       [](MadePackage& made) {
         Nonconformant(made).counterexamples[0].operands[0].value = {"0x00000000", "0"};
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "other operands"},
      {"CounterexampleThatIsRight", Wrong,
       [](MadePackage& made) {
         // Only the first element has the flaw.
         for (Counterexample& example : Nonconformant(made).counterexamples) {
           example.index->back() += 1;
         }
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "shows a correct answer"},
      {"CounterexampleOutOfRange", Wrong,
       [](MadePackage& made) {
         Nonconformant(made).counterexamples[0].index->back() = 1'000'000;
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "counterexample", "element that the answer does not have"},
      {"FewerCases", Right, [](MadePackage& made) { made.report.cells[5].cases -= 1; },
       "row", "are asked at this level"},
      {"MoreElements", Right,
       [](MadePackage& made) { made.report.cells[5].tiers[0].elements += 7; }, "recount",
       "elements"},
      {"FreeElementsForged", Right,
       [](MadePackage& made) { made.report.cells[5].free += 7; }, "recount",
       "free elements"},
      {"CoverageForged", Right,
       [](MadePackage& made) { made.report.cells[5].coverage["tie"] += 7; }, "recount",
       "coverage"},
      {"ReadingThatIsToldApart", Right,
       [](MadePackage& made) {
         CellRecord& row = *made.FindRow(TellsReadingsByItsCases);
         row.not_told_apart.push_back("QL-99:whatever");
       },
       "recount", "not_told_apart"},
      {"OpsetVersionDropped", Right,
       [](MadePackage& made) { made.report.cells[5].opset_versions.clear(); }, "row",
       "opset_versions"},
      {"OpsetVersionAdded", Right,
       [](MadePackage& made) {
         std::vector<OpsetRecord>& opsets = made.report.cells[5].opset_versions;
         opsets.push_back(opsets.back());
         ++opsets.back().opset_version;
       },
       "row", "has other opset_versions than the cases of this level"},
      {"OperandFormDropped", Right,
       [](MadePackage& made) { made.report.cells[5].forms.pop_back(); }, "row",
       "operand forms"},
      {"DeclinedCasesHidden", Wrong,
       [](MadePackage& made) { RowOf(made, DataType::kInt8).declined = 0; }, "verdict",
       "no case was declined"},
      {"DeclinedInsteadOfWrong", Wrong,
       [](MadePackage& made) {
         CellRecord& row = Nonconformant(made);
         Whitewash(row);
         row.verdict = Verdict::kUnsupported;
         row.declined = row.cases;
         row.tiers.clear();
         for (OpsetRecord& opset : row.opset_versions)
           opset.verdict = Verdict::kUnsupported;
         for (FormRecord& form : row.forms)
           form.tiers = {{"regular", Verdict::kUnsupported}};
         TakeSamplesAgain(made, *MakeFlawedBackend());
       },
       "sample", "was answered, but the row counts every case as declined"},
      // --- what was asked
      {"OtherSeed", Right, [](MadePackage& made) { made.report.run.suite.seed = 2; },
       "suite", "seed: expected 1, which every certificate has, got 2"},
      {"HigherLevel", Right,
       [](MadePackage& made) { made.report.run.suite.level = "standard"; }, "row",
       "are asked at this level"},
      {"NoLevel", Right,
       [](MadePackage& made) { made.report.run.suite.level = "utmost"; }, "suite",
       "expected smoke, standard or exhaustive, got 'utmost'"},
      {"OtherSuite", Right,
       [](MadePackage& made) { made.report.run.suite.digest = std::string(64, '0'); },
       "suite", "verify it with the program that made it, qconform "},
      {"OtherOnnx", Right,
       [](MadePackage& made) { made.report.run.suite.onnx_version = "9.9.9"; }, "suite",
       "9.9.9"},
      {"WiderProfileClaimed", Right,
       [](MadePackage& made) {
         made.profile = FindProfile("full").value();
         made.report.run.selection.profile = "full";
         made.report.run.selection.cell_patterns = made.profile.cells;
       },
       "lattice", "has no row"},
      {"ProfileLoosened", Wrong,
       [](MadePackage& made) {
         Replace(made.profile.text, "\"declinable\": []", "\"declinable\": [\"*\"]");
         made.profile = ParseProfile(made.profile.text, "p").value();
       },
       "profile", "were changed"},
      {"PatternsOfTheSelection", Right,
       [](MadePackage& made) { made.report.run.selection.cell_patterns = {"*"}; },
       "profile", "selection is not that of the profile"},
      {"ShardSoldAsAWhole", Right,
       [](MadePackage& made) {
         made.report.run.selection.shard =
             ShardRecord{0, 2, made.report.run.selection.cells};
       },
       "profile", "selection"},
      {"NodeTestsAdded", Right,
       [](MadePackage& made) {
         made.report.node_tests.push_back(
             {"test_x", "1.20.0", "QuantizeLinear", 21, NodeVerdict::kPass, "", ""});
       },
       "report", "node tests"},
      {"IncompleteRun", Right, [](MadePackage& made) { made.report.complete = false; },
       "report", "did not end"},
      // --- samples
      {"SampleBitFlipped", Right,
       [](MadePackage& made) { made.samples[9].outputs.front().data[0] ^= std::byte{1}; },
       "sample", "deviates"},
      {"SamplesOfTwoCellsSwapped", Right,
       [](MadePackage& made) {
         Sample& a = made.samples.front();
         Sample& b = made.samples.back();
         std::swap(a.outputs, b.outputs);
         std::swap(a.inputs, b.inputs);
       },
       "sample", "inputs that are not those of the case"},
      {"SampleDeleted", Right, [](MadePackage& made) { made.samples.pop_back(); },
       "sample", "is missing"},
      {"SampleTwice", Right,
       [](MadePackage& made) { made.samples.push_back(made.samples.back()); }, "sample",
       "stored twice"},
      {"SampleAdded", Right,
       [](MadePackage& made) {
         Sample more = made.samples.back();
         more.case_id += "9";
         made.samples.push_back(more);
       },
       "sample", "none of the cases"},
      {"SampleOutputOfAnotherShape", Right,
       [](MadePackage& made) {
         Sample* sample = made.FindSample([](const Sample& one) {
           return !one.outputs.empty() && !one.outputs.front().data.empty();
         });
         sample->outputs.front().shape.push_back(1);
       },
       "sample", "shape"},
      {"SamplesWithoutBytes", Right,
       [](MadePackage& made) {
         for (Sample& sample : made.samples) {
           for (Tensor& output : sample.outputs) output.data.clear();
         }
       },
       "sample", "bytes"},
      {"SampleCutShort", Right,
       [](MadePackage& made) { made.samples[9].outputs.front().data.pop_back(); },
       "sample", "bytes"},
      {"SampleOfAnotherType", Right,
       [](MadePackage& made) { made.samples[9].outputs.front().type = DataType::kFloat; },
       "sample", "type"},
      {"SamplesOfCounterexamplesWithoutBytes", Wrong,
       [](MadePackage& made) {
         for (Sample& sample : made.samples) {
           for (Tensor& output : sample.outputs) output.data.clear();
         }
       },
       "sample", "bytes"},
      {"SampleDeclined", Right,
       [](MadePackage& made) {
         made.samples[4].kind = Sample::Kind::kDeclined;
         made.samples[4].words = "no";
       },
       "sample", "declined"},
      {"SampleRefused", Right,
       [](MadePackage& made) {
         made.samples[4].kind = Sample::Kind::kRefused;
         made.samples[4].words = "no";
       },
       "sample", "was refused as invalid, but the row is conformant"},
      {"SampleFailed", Right,
       [](MadePackage& made) {
         made.samples[4].kind = Sample::Kind::kFailed;
         made.samples[4].words = "no";
       },
       "sample", "failed, but the row is conformant"},
      // --- settings of varied options
      {"SettingLeftOutOfARow", Varied,
       [](MadePackage& made) { made.report.cells[5].varied.pop_back(); }, "setting",
       "has verdicts at 'answer=flawed', but other rows at 'answer=flawed answer=right'"},
      {"SettingRenamed", Varied,
       [](MadePackage& made) {
         for (CellRecord& row : made.report.cells) row.varied[0].setting = "answer=best";
         TakeSamplesAgain(made, BackendsAt("answer=best", "answer=right"));
       },
       "setting",
       "the rows were judged at 'answer=best answer=right', but the report's backend has "
       "'answer=flawed,right'"},
      {"SettingAddedToTheBackend", Varied,
       [](MadePackage& made) {
         made.report.run.backend.details["answer"] = "flawed,right,other";
       },
       "setting", "but the report's backend has 'answer=flawed,right,other'"},
      {"VerdictOfASettingRaised", Varied,
       [](MadePackage& made) {
         Nonconformant(made).varied[0].verdict = Verdict::kConformant;
       },
       "verdict", "but the worst of its settings is conformant"},
      {"WorseSettingWhitewashed", Varied,
       [](MadePackage& made) {
         CellRecord& row = Nonconformant(made);
         Whitewash(row);
         row.varied[0].verdict = Verdict::kConformant;
         row.varied[0].example.reset();
         TakeSamplesAgain(made, VariedBackends());
       },
       "sample", "at answer=flawed: "},
      {"BetterSettingBlackened", Varied,
       [](MadePackage& made) {
         CellRecord& row = Nonconformant(made);
         row.varied[1].verdict = row.varied[0].verdict;
         row.varied[1].example = row.varied[0].example;
         TakeSamplesAgain(made, VariedBackends());
       },
       "counterexample", "shows other bits than the oracle and the sample have"},
      {"SampleOfAnotherSetting", Varied,
       [](MadePackage& made) {
         made.FindSample(
                 [](const Sample& sample) { return sample.setting == "answer=flawed"; })
             ->setting = "answer=right";
       },
       "sample", "at answer=right"},
      {"SettingsOfTheStatement", Varied,
       [](MadePackage& made) {
         Replace(File(made, kStatementFile), "\"answer=flawed\"", "\"answer=best\"");
       },
       "statement", "not what the report", false},
      // --- files that follow from others; only the manifest is made again
      {"ReportWithAFieldOfItsOwn", Right,
       [](MadePackage& made) {
         std::string& report = File(made, kReportFile);
         report.replace(report.find("\"jobs\":"), 7, "\"note\":\"\",\n\"jobs\":");
       },
       "report", "is not in the form in which qconform writes it", /*reseal=*/false},
      {"JournalOfAnotherRun", Right,
       [](MadePackage& made) {
         File(made, kJournalFile) = Wrong().files.at(std::string(kJournalFile));
       },
       "journal", "another run", false},
      {"JournalWithoutFooter", Right,
       [](MadePackage& made) {
         std::string& journal = File(made, kJournalFile);
         journal.resize(journal.rfind("{\"footer\""));
       },
       "journal", "no footer", false},
      {"JournalLineChanged", Right,
       [](MadePackage& made) {
         Replace(File(made, kJournalFile), "conformant", "admissible");
       },
       "journal", "was changed", false},
      {"ResultRaised", Wrong,
       [](MadePackage& made) {
         Replace(File(made, kStatementFile), "does_not_conform", "conforms");
       },
       "statement", "not what the report", false},
      {"StatementCountsMore", Right,
       [](MadePackage& made) {
         Replace(File(made, kStatementFile), "\"cases\": ", "\"cases\": 1");
       },
       "statement", "not what the report", false},
      {"UndeclaredWaivers", Wrong,
       [](MadePackage& made) { made.files[std::string(kKnownFile)] = WaiversOfFlawed(); },
       "statement", "waivers", false},
      {"WaiversHidden", Waived,
       [](MadePackage& made) { made.files.erase(std::string(kKnownFile)); }, "statement",
       "waivers", false},
      {"WaiverWithoutOwner", Waived,
       [](MadePackage& made) {
         auto known = ParseKnownDifferences(made.known, "known").value();
         known[0].owner.clear();
         made.known = KnownDifferencesText(known);
       },
       "known_differences", "has no \"owner\"; a waiver"},
      {"WaiverWithoutLastDay", Waived,
       [](MadePackage& made) {
         auto known = ParseKnownDifferences(made.known, "known").value();
         known[1].expires.clear();
         made.known = KnownDifferencesText(known);
       },
       "known_differences", "entries[1] (not built yet) has no \"expires\"; a waiver"},
      {"WaiverReworded", Waived,
       [](MadePackage& made) {
         Replace(File(made, kKnownFile), "off by one code", "harmless");
       },
       "statement", "waivers", false},
      {"BytesBehindAStatement", Right,
       [](MadePackage& made) {
         File(made, kStatementFile) += std::string(1, '\0') + "and more";
       },
       "statement", "byte 0", false},
      {"LibraryDigest", Right,
       [](MadePackage& made) {
         Replace(File(made, kEnvironmentFile), "\"sha256\": \"", "\"sha256\": \"0");
       },
       "statement", "not what the report", false},
      {"MachineOfTheEnvironment", Right,
       [](MadePackage& made) {
         Replace(File(made, kEnvironmentFile), "a CPU", "no CPU");
       },
       "environment", "does not agree", false},
      {"FailedTestsOfTheAttestation", Wrong,
       [](MadePackage& made) {
         Replace(File(made, kAttestationFile), "FAILED", "PASSED");
       },
       "attestation", "not what the package implies", false},
      {"ManifestForgetsAFile", Right,
       [](MadePackage& made) {
         PackageFiles fewer = made.files;
         fewer.erase(std::string(kSamplesFile));
         File(made, kManifestFile) = ManifestText(fewer);
       },
       "manifest", "is not listed", false},
      {"ForeignFile", Right,
       [](MadePackage& made) { made.files["README.md"] = "all is well"; }, "files",
       "expected only the files of a package, got another", false},
  };
}

}  // namespace

std::string Key() { return HasSignatures() ? kKey : ""; }
std::string OtherKey() { return HasSignatures() ? kOtherKey : ""; }

const MadePackage& Right() {
  static const MadePackage made = MakePackageOf(*MakeOracleBackend(), "", Key());
  return made;
}
const MadePackage& Wrong() {
  static const MadePackage made = MakePackageOf(*MakeFlawedBackend(), "", "");
  return made;
}
const MadePackage& Waived() {
  static const MadePackage made =
      MakePackageOf(*MakeFlawedBackend(), WaiversOfFlawed(), "");
  return made;
}

AskedBackend VariedBackends() {
  static const std::unique_ptr<Backend> flawed = MakeFlawedBackend();
  static const std::unique_ptr<Backend> right = MakeOracleBackend();
  AskedBackend backends(*right);
  backends.settings = {{"answer=flawed", flawed.get()}, {"answer=right", right.get()}};
  return backends;
}
const MadePackage& Varied() {
  static const MadePackage made = MakePackageOf(VariedBackends(), "", "");
  return made;
}

std::string& File(MadePackage& made, std::string_view name) {
  return made.files.at(std::string(name));
}

void TakeSamplesAgain(MadePackage& made, const AskedBackend& backend) {
  made.Reseal();
  const std::vector<SelectedCell> of_profile = SelectCells(made.profile.cells).value();
  std::vector<SelectedCell> cells;
  for (const CellRecord& row : made.report.cells) {
    for (const SelectedCell& cell : of_profile) {
      if (CellId(cell.cell) == row.cell) cells.push_back(cell);
    }
  }
  made.samples.clear();
  const auto plan = PlanSamples(made.report, cells, Level::kSmoke);
  assert(plan.ok());
  for (const PlannedSample& planned : *plan) {
    const OpCase op_case = MakeCase(planned.key, 1).value();
    Backend& at = *backend.At(planned.setting);
    made.samples.push_back(TakeSample(at, op_case, *AnswerCase(op_case).value()).value());
    made.samples.back().setting = planned.setting;
  }
}

std::span<const Tampering> Tamperings() {
  static const std::vector<Tampering> all = MakeTamperings();
  return all;
}

}  // namespace qconform
