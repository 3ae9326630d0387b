// The parts of certificates: base64, envelopes, packages on disk, judgement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/lattice/lattice.h"
#include "harness/backends/mapped_code.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/base64.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/identity.h"
#include "harness/certificate/libraries.h"
#include "harness/certificate/testing/packages.h"
#include "harness/certificate/testing/tamperings.h"
#include "harness/certificate/verify.h"
#include "oracle/base/file.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;

// RFC 4648, section 10.
TEST(Base64, GivesWhatTheRfcLists) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(Base64(bytes), text);
    EXPECT_EQ(FromBase64(text), bytes);
  }
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(FromBase64(Base64(all)), all);
}

TEST(Base64, OtherTexts_AreRefused) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==",
                           "Z g=", "Zm9v\n", "Zm-v"}) {
    EXPECT_EQ(FromBase64(text), std::nullopt) << text;
  }
}

// The example of DSSE's protocol document.
TEST(Envelope, EncodesAsDsseSays) {
  EXPECT_EQ(PreAuthenticationEncoding("http://example.com/HelloWorld", "hello world"),
            "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
}

TEST(Envelope, WhatIsNoKey_IsSaid) {
  const auto signed_text = SignEnvelope("{}", "no key");
  ASSERT_FALSE(signed_text);
  EXPECT_THAT(
      signed_text.error().message,
      testing::AnyOf(HasSubstr("expected a private key"), HasSubstr("without OpenSSL")));
}

TEST(Envelope, OtherThanItIsWritten_IsRefused) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  const std::string envelope = SignEnvelope("{}", Key()).value();
  const std::string key = PublicKeyOf(Key()).value();
  EXPECT_EQ(OpenEnvelope(envelope, key).value(), "{}");
  const auto error = [&](const auto& change) {
    auto json = nlohmann::ordered_json::parse(envelope);
    change(json);
    const auto opened = OpenEnvelope(json.dump(2) + "\n", key);
    return opened ? "no error" : opened.error().message;
  };
  EXPECT_EQ(error([](auto&) {}), "no error");
  EXPECT_THAT(
      error([](auto& json) { json["signatures"].push_back(json["signatures"][0]); }),
      HasSubstr("with one signature"));
  EXPECT_THAT(error([](auto& json) { json["payloadType"] = "text/plain"; }),
              HasSubstr("expected a DSSE envelope of an in-toto statement"));
  EXPECT_THAT(error([](auto& json) { json["note"] = "unsigned"; }),
              HasSubstr("expected the form in which qconform writes envelopes"));
}

TEST(Samples, OfEachCell_AreAllOperandFormsAndContestedTiers) {
  const auto cells =
      *SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/*",
                    "QLinearMatMul/10/FLOAT-UINT8-INT8-UINT8/per_row-per_column"});
  Report report;
  report.run.suite.seed = 1;
  report.run.suite.digest = std::string(64, 'a');
  report.cells.resize(cells.size());
  for (CellRecord& row : report.cells) row.verdict = Verdict::kConformant;
  const auto plan = PlanSamples(report, cells, Level::kStandard);
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<std::set<OperandForm>> forms(cells.size());
  std::vector<std::set<std::string>> contested(cells.size());
  for (const PlannedSample& planned : *plan) {
    EXPECT_EQ(CellId(planned.key.cell), CellId(cells[planned.row].cell));
    forms[planned.row].insert(planned.key.form);
    if (planned.key.generator == "subnormal" || planned.key.generator == "degenerate" ||
        planned.key.generator == "overflow") {
      contested[planned.row].insert(planned.key.generator);
    }
  }
  for (size_t row = 0; row < cells.size(); ++row) {
    EXPECT_EQ(forms[row].size(), OperandFormsOf(cells[row].cell.op_type).size());
    const bool is_product = cells[row].cell.op_type == "QLinearMatMul";
    EXPECT_THAT(contested[row], is_product ? testing::Contains("overflow")
                                           : testing::Contains("subnormal"));
    EXPECT_THAT(contested[row], testing::Contains("degenerate"));
  }
  // No vendor can choose them: nothing of a report changes them but its suite.
  const auto ids = [&] {
    std::set<std::string> found;
    const auto planned = PlanSamples(report, cells, Level::kStandard);
    for (const PlannedSample& sample : *planned) found.insert(CaseId(sample.key));
    return found;
  };
  const std::set<std::string> before = ids();
  report.results_digest = std::string(64, 'b');
  report.run.backend.details["code_sha256"] = "of another build";
  EXPECT_EQ(ids(), before);
  report.run.suite.digest = std::string(64, 'b');
  EXPECT_NE(ids(), before);
}

TEST(CheckClaimed, Table) {
  const auto says = [](const std::string& text) {
    const Status checked = CheckClaimed("vendor", text);
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(says("Example & Söhne"), "");
  EXPECT_EQ(says(std::string(200, 'a')), "");
  EXPECT_EQ(says(std::string(201, 'a')), "vendor: expected at most 200 bytes, got 201");
  for (const char* hidden : {"Exa\u200bmple", "Example\u2060", "\ufeffExample",
                             "Exam\u00adple", "Example\U000e0041", "E\u3164"}) {
    EXPECT_THAT(says(hidden), HasSubstr("expected characters that are seen")) << hidden;
  }
}

// Under such a key one signature is good for many texts.
TEST(KeyId, OfSmallOrder_IsAnError) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  // Ed25519 public keys are these 12 bytes of DER and the point.
  constexpr std::string_view kHead("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00",
                                   12);
  const auto says = [&](const std::string& point) {
    const auto id =
        KeyId("-----BEGIN PUBLIC KEY-----\n" + Base64(std::string(kHead) + point) +
              "\n-----END PUBLIC KEY-----\n");
    return id ? "" : id.error().message;
  };
  EXPECT_THAT(says(std::string(32, '\0')), HasSubstr("got one of small order"));
  EXPECT_THAT(says('\1' + std::string(30, '\0') + '\x80'),
              HasSubstr("got one of small order"));
  EXPECT_THAT(says('\xed' + std::string(30, '\xff') + '\x7f'),
              HasSubstr("got one of small order"));
  EXPECT_EQ(says('\x58' + std::string(31, '\x66')), "");  // the base point
}

TEST(Samples, OfCellsThatWereNotAsked_AreNone) {
  const auto cells = *SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/*"});
  Report report;
  report.run.suite.seed = 1;
  report.cells.resize(cells.size());
  ASSERT_EQ(report.cells[0].verdict, Verdict::kUntested);
  EXPECT_TRUE(PlanSamples(report, cells, Level::kStandard)->empty());
}

TEST(Samples, DigestOfInputs_IsOfTypesShapesAndBits) {
  const auto digest = [](DataType type, Shape shape, uint8_t code) {
    OpCase op_case;
    Tensor operand = Tensor::Zeros(type, std::move(shape));
    operand.data.at(0) = std::byte(code);
    op_case.operands = {operand};
    return InputsDigest(op_case);
  };
  const std::string one = digest(DataType::kUint8, {2, 3}, 1);
  EXPECT_EQ(digest(DataType::kUint8, {2, 3}, 1), one);
  EXPECT_NE(digest(DataType::kInt8, {2, 3}, 1), one);
  EXPECT_NE(digest(DataType::kUint8, {3, 2}, 1), one);
  EXPECT_NE(digest(DataType::kUint8, {2, 3}, 2), one);
}

TEST(Samples, OfCounterexamples_AreAllThere) {
  const MadePackage made = MakePackageOf(*MakeFlawedBackend(), "", "");
  std::set<std::string> ids;
  for (const Sample& sample : made.samples) ids.insert(sample.case_id);
  int examples = 0;
  for (const CellRecord& row : made.report.cells) {
    for (const Counterexample& example : row.counterexamples) {
      EXPECT_TRUE(ids.contains(example.case_id)) << example.case_id;
      ++examples;
    }
  }
  EXPECT_GT(examples, 0);
}

// For a backend that says which files answer in its processes.
class ElsewhereBackend final : public Backend {
 public:
  explicit ElsewhereBackend(std::set<std::string> files) : files_(std::move(files)) {}
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model&) override { return Unsupported{"nothing", ""}; }
  std::set<std::string> CodeFiles() override { return files_; }

 private:
  BackendInfo info_;
  std::set<std::string> files_;
};

std::vector<std::string> NamesOf(const std::vector<LoadedFile>& files) {
  std::vector<std::string> names;
  for (const LoadedFile& file : files) names.push_back(file.name);
  return names;
}

TEST(LoadedCode, OfABackendElsewhere_IsApartFromOurs) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "libcore.so", "code"));
  ElsewhereBackend backend({(directory / "libcore.so").string()});
  const auto code = FindLoadedCode(backend, {});
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_THAT(NamesOf(code->backend), testing::ElementsAre("libcore.so"));
  EXPECT_THAT(NamesOf(code->harness), testing::Contains("harness_certificate_test"));
  const std::string before = CodeDigest(backend).value();
  EXPECT_EQ(before.size(), 64u);
  ASSERT_TRUE(WriteFileAtomically(directory / "libcore.so", "other code"));
  EXPECT_NE(CodeDigest(backend).value(), before);
}

TEST(LoadedCode, OfABuiltInBackend_IsThisProgram) {
  const auto oracle = MakeOracleBackend();
  const auto code = FindLoadedCode(*oracle, MappedCode(getpid()));
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_THAT(NamesOf(code->backend), testing::ElementsAre("harness_certificate_test"));
  EXPECT_THAT(NamesOf(code->harness), testing::Contains(HasSubstr("libc.so")));
  EXPECT_EQ(CodeDigest(*oracle).value(), "");
}

TEST(LoadedCode, ThatWasReplaced_IsAnError) {
  ElsewhereBackend backend({"/lib/libcore.so (deleted)"});
  EXPECT_THAT(FindLoadedCode(backend, {}).error().message,
              HasSubstr("/lib/libcore.so (deleted): cannot be read"));
}

TEST(Identity, OfTheSame_HasNothingToSay) {
  const BackendRecord record{.kind = "plugin",
                             .name = "plugin:./a.so",
                             .version = "1",
                             .vendor = "",
                             .device = "CPU",
                             .digest = "",
                             .details = {{"plugin", "mine"}, {"library_sha256", "a"}}};
  const BackendInfo info{.kind = "plugin",
                         .name = "plugin:/elsewhere/a.so",
                         .version = "1",
                         .vendor = "",
                         .device = "CPU",
                         .details = {{"plugin", "mine"}, {"library_sha256", "a"}}};
  const std::vector<LoadedFile> files = {{"a.so", "1"}};
  const Identity same = CompareIdentity(record, files, info, files);
  EXPECT_TRUE(same.others.empty());
  EXPECT_TRUE(same.notes.empty());

  BackendInfo other = info;
  other.details["plugin"] = "yours";
  EXPECT_THAT(
      CompareIdentity(record, files, other, files).others,
      testing::ElementsAre("the plugin: expected 'mine' as in the package, got 'yours'"));
  other = info;
  other.version = "2";
  other.details["threads"] = "4";
  const Identity later =
      CompareIdentity(record, files, other, {{"a.so", "2"}, {"libcore.so", "3"}});
  EXPECT_TRUE(later.others.empty());
  EXPECT_THAT(later.notes,
              testing::ElementsAre("the version: expected '1' as in the package, got '2'",
                                   "threads: expected none as in the package, got '4'",
                                   "files of another build than in the package: a.so",
                                   "files that the package does not have: libcore.so"));
}

TEST(Identity, OfAnotherCpu_SaysWhatDiffers) {
  const std::vector<std::string> vnni = {"avx2", "avx512_vnni", "fma"};
  EXPECT_EQ(CompareCpus(vnni, vnni), "");
  EXPECT_EQ(CompareCpus({}, vnni), "");
  EXPECT_THAT(CompareCpus(vnni, {"avx2", "avx_vnni", "fma"}),
              HasSubstr("it is without avx512_vnni, and with avx_vnni"));
  EXPECT_THAT(CompareCpus(vnni, {"avx2", "fma"}),
              testing::EndsWith("it is without avx512_vnni"));
}

TEST(Package, OnDisk_IsWhatWasWritten) {
  const TemporaryDirectory directory;
  const PackageFiles files = {{"a", "one\n"}, {"b", std::string("\0two", 4)}};
  ASSERT_TRUE(WritePackage(directory / "p.qcert/", files));
  EXPECT_EQ(ReadPackage(directory / "p.qcert").value(), files);
  EXPECT_FALSE(WritePackage(directory / "p.qcert", files));
  EXPECT_THAT(directory.Names(), testing::ElementsAre("p.qcert"));
  std::filesystem::create_symlink("a", directory / "p.qcert/c");
  EXPECT_THAT(ReadPackage(directory / "p.qcert").error().message,
              HasSubstr("expected a plain file"));
  EXPECT_THAT(ReadPackage(directory / "q.qcert").error().message,
              HasSubstr("expected the directory of a package"));
}

TEST(Package, UnderANameThatIsTooLong_IsAnError) {
  const TemporaryDirectory directory;
  const Status written = WritePackage(directory / std::string(300, 'x'), {{"a", "one"}});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("cannot be made: "));
}

TEST(Statement, FollowsItsSchema) {
  for (const std::string& known : {std::string(), WaiversOfFlawed()}) {
    const MadePackage made = MakePackageOf(*MakeFlawedBackend(), known, "");
    EXPECT_EQ(
        SchemaViolations(StatementSchema(), made.files.at(std::string(kStatementFile))),
        "");
  }
}

TEST(Attestation, IsATestResultOfInToto) {
  const MadePackage made = MakePackageOf(*MakeFlawedBackend(), WaiversOfFlawed(), "");
  const auto json = nlohmann::json::parse(made.files.at(std::string(kAttestationFile)));
  EXPECT_EQ(json["_type"], "https://in-toto.io/Statement/v1");
  EXPECT_EQ(json["predicateType"], "https://in-toto.io/attestation/test-result/v0.1");
  EXPECT_EQ(json["predicate"]["result"], "WARNED");
  EXPECT_EQ(
      json["predicate"]["passedTests"].size() + json["predicate"]["warnedTests"].size(),
      made.report.cells.size());
  EXPECT_GE(made.report.cells.size(), 32u);
  EXPECT_TRUE(json["predicate"]["failedTests"].empty());
  EXPECT_FALSE(json["predicate"]["configuration"].empty());
  ASSERT_GE(json["subject"].size(), 4u);
  for (const auto& subject : json["subject"]) {
    EXPECT_EQ(subject["digest"]["sha256"].get<std::string>().size(), 64u);
    EXPECT_FALSE(subject["name"].get<std::string>().empty());
  }
}

TEST(Judge, ExpiredAndUnexpectedWaivers_Conform_Not) {
  MadePackage made = MakePackageOf(*MakeFlawedBackend(), "", "");
  auto known = ParseKnownDifferences(WaiversOfFlawed(), "known").value();
  known[0].expires = "2026-07-31";  // the day before the run
  const KnownOutcome expired =
      ApplyKnownDifferences(known, made.report, DateOf(made.report));
  EXPECT_EQ(JudgementName(Judge(made.report, made.profile, &expired).result),
            "does_not_conform");
  const MadePackage right = MakePackageOf(*MakeOracleBackend(), "", "");
  known[0].expires.clear();
  const KnownOutcome needless =
      ApplyKnownDifferences(known, right.report, DateOf(right.report));
  EXPECT_EQ(JudgementName(Judge(right.report, right.profile, &needless).result),
            "does_not_conform");
}

// But cells outside of the profile are not a mistake.
TEST(Judge, WaiverThatMatchesNoCellOfTheLattice_Conforms_Not) {
  const auto result_under = [](const std::string& pattern) {
    KnownDifference entry;
    entry.cells = {pattern};
    entry.reason = "r";
    entry.owner = "somebody";
    entry.expires = "2030-12-31";
    const MadePackage made =
        MakePackageOf(*MakeOracleBackend(), KnownDifferencesText({entry}), "");
    const Verification verification = VerifyPackage(made.files, {});
    EXPECT_TRUE(verification.findings.empty());
    return verification.result;
  };
  EXPECT_EQ(result_under("QuantizeLinear/99/nonsense"), "does_not_conform");
  EXPECT_EQ(result_under("QuantizeLinear/*-INT16/*"), "conforms");
}

TEST(Judge, RunThatDidNotEnd_IsIncomplete) {
  const MadePackage& made = Right();
  EXPECT_EQ(JudgementName(Judge(made.report, made.profile, nullptr).result), "conforms");
  Report report = made.report;
  report.complete = false;
  EXPECT_EQ(JudgementName(Judge(report, made.profile, nullptr).result), "incomplete");
}

TEST(Judge, WhereNothingPassed_IsIncomplete) {
  const MadePackage& made = Wrong();
  Report report = made.report;
  report.cells.clear();
  EXPECT_EQ(JudgementName(Judge(report, made.profile, nullptr).result), "incomplete");
  report.cells = made.report.cells;
  std::erase_if(report.cells, [](const CellRecord& row) {
    return row.verdict != Verdict::kUnsupported;
  });
  ASSERT_FALSE(report.cells.empty());
  Profile profile = made.profile;
  profile.declinable = {"*"};
  const Judgement judgement = Judge(report, profile, nullptr);
  EXPECT_EQ(judgement.declined.size(), report.cells.size());
  EXPECT_EQ(JudgementName(judgement.result), "incomplete");
}

// A cell that may be declined and was answered is bound to be right.
TEST(Judge, DeclinableCellThatDeviates_DoesNotConform) {
  Profile profile = Wrong().profile;
  profile.declinable = {"*"};
  const Judgement judgement = Judge(Wrong().report, profile, nullptr);
  EXPECT_EQ(JudgementName(judgement.result), "does_not_conform");
  EXPECT_FALSE(judgement.failed.empty());
  Report report = Right().report;
  report.cells[0].verdict = Verdict::kUntested;
  EXPECT_EQ(JudgementName(Judge(report, profile, nullptr).result), "incomplete");
}

TEST(Judge, ReadingThatTheProfileDoesNotTake_DoesNotConform) {
  Report report = Right().report;
  report.cells[0].verdict = Verdict::kAdmissible;
  Profile profile = Right().profile;
  EXPECT_EQ(JudgementName(Judge(report, profile, nullptr).result), "conforms");
  profile.passes = {"conformant"};
  EXPECT_EQ(JudgementName(Judge(report, profile, nullptr).result), "does_not_conform");
}

TEST(Judge, WhatTheProfileRefuses_DoesNotConform) {
  Profile profile = Right().profile;
  const auto judged = [&](const CellRecord& cell) {
    Report report = Right().report;
    report.cells[0] = cell;
    return JudgementName(Judge(report, profile, nullptr).result);
  };
  CellRecord mixed = Right().report.cells[0];
  mixed.verdict = Verdict::kAdmissible;
  CellRecord bound = mixed;
  mixed.mixed = {{"regular", kMixedByRows, {}}};
  bound.bound_only = {{"regular", {"canonical", "MM-02:f64_chain"}}};
  EXPECT_EQ(judged(mixed), "conforms");
  EXPECT_EQ(judged(bound), "conforms");
  profile.refuse = {"mixed_by_operand_form"};
  EXPECT_EQ(judged(mixed), "conforms");
  profile.refuse = {"mixed_by_M"};
  EXPECT_EQ(judged(mixed), "does_not_conform");
  EXPECT_EQ(judged(bound), "conforms");
  profile.refuse = {"bound_only"};
  EXPECT_EQ(judged(bound), "does_not_conform");
}

TEST(MakePackage, OfLessThanARunOfTheProfile_IsRefused) {
  const MadePackage& made = Right();
  const auto backend = MakeOracleBackend();
  const auto error = [&](const auto& change) {
    Report report = made.report;
    change(report);
    const auto files = MakePackage(*backend, report, {made.claim, made.profile, "", ""});
    return files ? "no error" : files.error().message;
  };
  EXPECT_EQ(error([](Report&) {}), "no error");
  const std::string words = "report: expected a complete one of the profile microscaling";
  EXPECT_EQ(error([](Report& report) { report.complete = false; }), words);
  EXPECT_EQ(error([](Report& report) { report.cells.pop_back(); }), words);
  EXPECT_EQ(error([](Report& report) { report.run.suite.level = "utmost"; }), words);
  EXPECT_EQ(error([](Report& report) { report.run.selection.profile = "int16"; }), words);
}

TEST(Judge, WhatTheProfileLetsBeDeclined_IsNoFailure) {
  MadePackage made = MakePackageOf(*MakeFlawedBackend(), "", "");
  std::erase_if(made.report.cells, [](const CellRecord& row) {
    return row.output_type() == DataType::kFloat4E2M1;
  });
  EXPECT_EQ(JudgementName(Judge(made.report, made.profile, nullptr).result),
            "incomplete");
  made.profile.declinable = {"*-INT8/*"};
  const Judgement judgement = Judge(made.report, made.profile, nullptr);
  EXPECT_EQ(JudgementName(judgement.result), "conforms");
  EXPECT_EQ(judgement.declined.size(), NewestOpsetVersion() >= 28 ? 12u : 8u);
}

}  // namespace
}  // namespace qconform
