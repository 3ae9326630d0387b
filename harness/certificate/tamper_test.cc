// Every kind of tampering that we could think of, done by somebody who has this
// program: everything that follows from the change is made again, so that digests
// agree and only the change itself can be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/judged_anew.h"
#include "harness/certificate/statement.h"
#include "harness/certificate/testing/packages.h"
#include "harness/certificate/testing/tamperings.h"
#include "harness/certificate/verify.h"
#include "harness/runner/selection.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

VerifyOptions Quick(const std::string& key = "") {
  VerifyOptions options;
  options.public_key = key;
  options.recount = false;
  return options;
}

VerifyOptions Asking(const AskedBackend& backend, double share) {
  VerifyOptions options = Quick();
  options.backend = backend;
  options.share = share;
  return options;
}

std::vector<std::string> Kinds(const Verification& verification) {
  std::vector<std::string> kinds;
  for (const Finding& finding : verification.findings) kinds.push_back(finding.kind);
  return kinds;
}

std::string Sentences(const Verification& verification) {
  std::string text;
  for (const Finding& finding : verification.findings) {
    text += finding.kind + ": " + finding.sentence + "\n";
  }
  return text;
}

// Gives no answer in time, so that after some cells the others are not asked.
class HangingBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return right_->info(); }
  PrepareResult Prepare(const Model&) override {
    return BackendError{BackendError::Kind::kTimedOut, "no answer within 1 s"};
  }

 private:
  std::unique_ptr<Backend> right_ = MakeOracleBackend();
};

TEST(Verify, PackageWithCellsThatWereNotAsked_HasNoFindings) {
  HangingBackend backend;
  const MadePackage made = MakePackageOf(backend, "", "");
  EXPECT_GT(
      std::ranges::count(made.report.cells, Verdict::kUntested, &CellRecord::verdict), 0);
  const Verification verification = VerifyPackage(made.files, {});
  EXPECT_EQ(Sentences(verification), "");
  EXPECT_EQ(verification.result, "does_not_conform");
}

TEST(Verify, PackagesAsTheyWereMade_HaveNoFindings) {
  EXPECT_EQ(Sentences(VerifyPackage(Right().files, {})), "");
  EXPECT_EQ(VerifyPackage(Right().files, {}).result, "conforms");
  EXPECT_EQ(Sentences(VerifyPackage(Wrong().files, {})), "");
  EXPECT_EQ(VerifyPackage(Wrong().files, {}).result, "does_not_conform");
  EXPECT_EQ(Sentences(VerifyPackage(Waived().files, {})), "");
  EXPECT_EQ(VerifyPackage(Waived().files, {}).result, "conforms_with_waivers");
}

TEST(Verify, PackageOfSeveralSettings_NamesThem) {
  const Verification verification = VerifyPackage(Varied().files, {});
  EXPECT_EQ(Sentences(verification), "");
  EXPECT_EQ(verification.result, "does_not_conform");
  EXPECT_EQ(verification.statement,
            "Example Inc., kernels 2.1: profile microscaling, level smoke, at "
            "answer=flawed,right, seed 1 as every certificate, suite 0.1.0, 2026-08-01");
  const std::string& statement = Varied().files.at(std::string(kStatementFile));
  EXPECT_THAT(statement, HasSubstr("\"answer=flawed\",\n    \"answer=right\""));
  EXPECT_EQ(SchemaViolations(StatementSchema(), statement), "");
  EXPECT_THAT(Varied().files.at(std::string(kAttestationFile)),
              HasSubstr("\"settings\": \"answer=flawed,right\""));
}

// The cells of Right() under a profile of the vendor's own.
MadePackage OwnPackage() {
  MadePackage made = Right();
  std::string text = made.profile.text;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"\"microscaling\"", "\"full-blocks\""},
        {"\"" + made.profile.title + "\"", "\"Blocks of ours\""},
        {"\"declinable\": []", "\"declinable\": [\"*-INT8/blocked\"]"}}) {
    text.replace(text.find(from), from.size(), to);
  }
  made.profile = ParseOwnProfile(text, "p").value();
  made.report.run.selection.profile = SelectionName(made.profile);
  TakeSamplesAgain(made, *MakeOracleBackend());
  made.Reseal();
  return made;
}

TEST(Verify, OwnProfile_IsNamedInWordsThatNobodyTakesForMore) {
  const MadePackage made = OwnPackage();
  const Verification verification = VerifyPackage(made.files, Quick());
  EXPECT_EQ(Sentences(verification), "");
  EXPECT_EQ(verification.result, "conforms");
  EXPECT_TRUE(verification.own_profile);
  const std::string cells = std::to_string(made.report.cells.size());
  const std::string lattice = std::to_string(LatticeIds(OperatorsInUse()).size());
  const std::string declinable =
      std::to_string(SelectCells({"*-FLOAT8E8M0-INT8/blocked"})->size());
  const std::string covers = "covers " + cells + " of the " + lattice +
                             " cells of the lattice and lets " + declinable +
                             " of them be declined";
  const std::string words =
      "the vendor's own profile full-blocks, which is none of "
      "qconform's, " +
      covers + " (\"Blocks of ours\", sha256:" + made.profile.digest + ")";
  EXPECT_EQ(verification.statement,
            "Example Inc., kernels 2.1: " + words +
                ", level smoke, seed 1 as every certificate, suite 0.1.0, 2026-08-01");
  ASSERT_EQ(verification.notes.size(), 1u);
  EXPECT_THAT(verification.notes[0], HasSubstr("the vendor's own"));
  const std::string& statement = made.files.at(std::string(kStatementFile));
  for (const std::string& part :
       {std::string("\"own\": true"), "\"cells\": " + cells,
        "\"lattice_cells\": " + lattice, std::string("\"title\": \"Blocks of ours\""),
        "It " + covers, "\"sha256\": \"" + made.profile.digest + "\""}) {
    EXPECT_THAT(statement, HasSubstr(part));
  }
  EXPECT_EQ(SchemaViolations(StatementSchema(), statement), "");
  EXPECT_THAT(made.files.at(std::string(kAttestationFile)),
              HasSubstr("the vendor's own profile full-blocks"));
}

TEST(Verify, OwnProfile_IsTheGivenOneOrNot) {
  const MadePackage made = OwnPackage();
  VerifyOptions options = Quick();
  options.profile = made.profile;
  const Verification same = VerifyPackage(made.files, options);
  EXPECT_EQ(Sentences(same), "");
  EXPECT_TRUE(same.notes.empty());
  options.profile = FindProfile("microscaling").value();
  EXPECT_THAT(Sentences(VerifyPackage(made.files, options)),
              HasSubstr("profile: the package is of the profile own:full-blocks "));
  EXPECT_EQ(Sentences(VerifyPackage(Right().files, options)), "");
}

TEST(Verify, OwnProfile_SoldAsMore_IsFound) {
  const std::pair<void (*)(MadePackage&), const char*> kRows[] = {
      {[](MadePackage& made) { made.report.run.selection.profile = "microscaling"; },
       "profile.json is not the profile microscaling of this program"},
      {[](MadePackage& made) { made.report.run.selection.profile = "full-blocks"; },
       "expected one of int8-core"},
      {[](MadePackage& made) { made.report.run.selection.profile = "own:full"; },
       "the report is of the profile own:full, and profile.json is own:full-blocks"},
      {[](MadePackage& made) {
         const std::string name = "\"full-blocks\"";
         made.profile.text.replace(made.profile.text.find(name), name.size(),
                                   "\"microscaling\"");
       },
       "name: expected another name than those of the built-in profiles"},
      {[](MadePackage& made) {
         const std::string cells = "\"cells\": [";
         made.profile.text.replace(made.profile.text.find(cells), cells.size(),
                                   cells + "\"QuantizeLinear/10/*\",");
       },
       "the report's selection is not that of the profile full-blocks"},
      {[](MadePackage& made) {
         const std::string cells = "\"cells\": [";
         made.profile.text.replace(made.profile.text.find(cells), cells.size(),
                                   cells + "\"NoSuchOperator/*\",");
       },
       "profile.json: cell pattern: expected"},
  };
  for (const auto& [tamper, words] : kRows) {
    MadePackage made = OwnPackage();
    tamper(made);
    made.Reseal();
    const std::string sentences = Sentences(VerifyPackage(made.files, Quick()));
    EXPECT_THAT(sentences, HasSubstr("profile: "));
    EXPECT_THAT(sentences, HasSubstr(words));
  }
  // Without the words, sealed again by hand.
  MadePackage made = OwnPackage();
  std::string& statement = made.files.at(std::string(kStatementFile));
  const size_t own = statement.find("    \"own\": true,\n");
  ASSERT_NE(own, std::string::npos);
  statement.erase(own, statement.find('\n', own) + 1 - own);
  made.files[std::string(kManifestFile)] = ManifestText(made.files);
  EXPECT_THAT(Sentences(VerifyPackage(made.files, Quick())),
              HasSubstr("STATEMENT.json is not what the report, the profile and"));
}

// Declines models without a zero point, and crashes on all others: its cells are
// abandoned before any case that it would decline.
class CrashingBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model& model) override {
    if (model.node.inputs.size() < 3) return Unsupported{"no zero point", ""};
    return std::make_unique<Crashing>();
  }

 private:
  class Crashing final : public PreparedModel {
    RunResult Run(std::span<const TensorView>) override {
      return BackendError{BackendError::Kind::kCrashed, "died"};
    }
  };
  BackendInfo info_ = {.kind = "test",
                       .name = "crashing",
                       .version = "1",
                       .vendor = "tests",
                       .device = "none",
                       .details = {}};
};

// If the files of a backend cannot be read any more, nobody knows which build answered.
TEST(Verify, CodeThatCannotBeRead_IsAnErrorAndNoFinding) {
  class Replaced final : public Backend {
   public:
    const BackendInfo& info() const override { return right_->info(); }
    PrepareResult Prepare(const Model& model) override { return right_->Prepare(model); }
    std::set<std::string> CodeFiles() override { return {"/no/such/library.so"}; }

   private:
    std::unique_ptr<Backend> right_ = MakeOracleBackend();
  };
  Replaced backend;
  const Verification verification = VerifyPackage(Right().files, Asking(backend, 0.001));
  EXPECT_EQ(Sentences(verification), "");
  ASSERT_TRUE(verification.error);
  EXPECT_THAT(verification.error->message, testing::HasSubstr("/no/such/library.so"));
}

// Older packages stay valid if they have the suite of this program.
TEST(Verify, PackageWithAReportOfVersion1_HasNoFindings) {
  MadePackage made = Waived();
  const auto of_old =
      BuildReport(made.report.run, made.report.cells, {}, true, {}, "1.3.0");
  ASSERT_TRUE(of_old);
  const auto backend = MakeFlawedBackend();
  const auto files =
      MakePackage(*backend, *of_old, {made.claim, made.profile, made.known, ""});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->at(std::string(kReportFile)).find("\"findings\""), std::string::npos);
  const Verification verification = VerifyPackage(*files, {});
  EXPECT_EQ(Sentences(verification), "");
  EXPECT_EQ(verification.result, "conforms_with_waivers");
}

TEST(Verify, CellsThatWereLeftAfterCrashes_HaveNoFindings) {
  CrashingBackend backend;
  MadePackage made = MakePackageOf(backend, "", "");
  ASSERT_NE(made.FindSample([](const Sample& sample) {
    return sample.kind == Sample::Kind::kDeclined;
  }),
            nullptr);
  EXPECT_EQ(made.FindRow([](const CellRecord& row) { return row.declined > 0; }),
            nullptr);
  const Verification verification = VerifyPackage(made.files, {});
  EXPECT_EQ(Sentences(verification), "");
  EXPECT_EQ(verification.result, "does_not_conform");
}

// Answers rightly, but holds models of INT8 to be invalid.
class RefusingBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return right_->info(); }
  PrepareResult Prepare(const Model& model) override {
    if (model.outputs[0].type == DataType::kInt8) return Refused{"INT8 is no type"};
    return right_->Prepare(model);
  }

 private:
  std::unique_ptr<Backend> right_ = MakeOracleBackend();
};

TEST(Verify, CellsThatRefuseLegalModels_AreIncompleteAndNotHidden) {
  RefusingBackend backend;
  MadePackage made = MakePackageOf(backend, "", "");
  CellRecord* row = made.FindRow(
      [](const CellRecord& cell) { return cell.verdict == Verdict::kRefusedLegal; });
  ASSERT_NE(row, nullptr);
  EXPECT_NE(made.FindSample([](const Sample& sample) {
    return sample.kind == Sample::Kind::kRefused;
  }),
            nullptr);
  Verification verification = VerifyPackage(made.files, Asking(backend, 0.001));
  EXPECT_EQ(Sentences(verification), "");
  EXPECT_EQ(verification.result, "incomplete");
  // Said to have no kernel.
  row->verdict = Verdict::kUnsupported;
  row->declined = row->cases;
  row->refused_legal = 0;
  row->counterexamples.clear();
  for (OpsetRecord& opset : row->opset_versions) opset.verdict = Verdict::kUnsupported;
  for (FormRecord& form : row->forms) form.tiers = {{"regular", Verdict::kUnsupported}};
  TakeSamplesAgain(made, backend);
  made.Reseal();
  EXPECT_THAT(Sentences(VerifyPackage(made.files, Quick())),
              HasSubstr("was refused as invalid, but the row is unsupported"));
}

// A directory in which no file can be made must not look like tampering.
TEST(Verify, WhereNoTemporaryFileCanBeMade_HasNoFindings) {
  const char* before = getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/proc", 1);
  EXPECT_EQ(Sentences(VerifyPackage(Right().files, Quick())), "");
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
}

// A version has many suites, so only the commit names the program that can verify it.
TEST(Verify, OfAnotherSuite_NamesTheCommitThatMadeIt) {
  MadePackage made = Right();
  made.report.run.suite.digest = std::string(64, '0');
  made.report.run.tool.commit = "0123456789ab";
  made.Reseal();
  const std::string found = Sentences(VerifyPackage(made.files, Quick()));
  EXPECT_NE(found.find("verify it with the program that made it, qconform "),
            std::string::npos)
      << found;
  EXPECT_NE(found.find(", commit 0123456789ab"), std::string::npos) << found;
}

TEST(Verify, SealingAgain_ChangesNoByte) {
  for (const MadePackage* made : {&Right(), &Wrong(), &Waived()}) {
    MadePackage again = *made;
    again.Reseal();
    EXPECT_EQ(again.files, made->files);
  }
}

TEST(Verify, MadeTwice_GivesTheSameBytes) {
  EXPECT_EQ(MakePackageOf(*MakeFlawedBackend(), WaiversOfFlawed(), "").files,
            Waived().files);
}

TEST(Verify, EveryFile_IsMissed) {
  int files = 0;
  for (const auto& [name, text] : Waived().files) {
    PackageFiles files_left = Waived().files;
    files_left.erase(name);
    EXPECT_NE(Sentences(VerifyPackage(files_left, Quick())).find(name), std::string::npos)
        << name;
    ++files;
  }
  EXPECT_EQ(files, 9);
}

TEST(Verify, AnyByteOfAnyFile_IsNoticed) {
  std::mt19937 random(1);
  int flipped = 0;
  for (const auto& [name, text] : Right().files) {
    for (int i = 0; i < 6; ++i) {
      PackageFiles files = Right().files;
      files[name][random() % text.size()] ^= static_cast<char>(1 << (random() % 7));
      if (files == Right().files) continue;
      EXPECT_FALSE(VerifyPackage(files, Quick()).findings.empty()) << name;
      ++flipped;
    }
  }
  EXPECT_GE(flipped, 40);
}

bool Names(const Verification& verification, const Tampering& tampering) {
  return std::ranges::any_of(verification.findings, [&](const Finding& finding) {
    return finding.kind == tampering.kind &&
           finding.sentence.find(tampering.words) != std::string::npos;
  });
}

class Tampered : public testing::TestWithParam<Tampering> {};

TEST_P(Tampered, IsFoundAndNamed) {
  const Tampering& tampering = GetParam();
  MadePackage made = tampering.of();
  tampering.change(made);
  if (tampering.reseal) {
    made.Reseal();
  } else if (std::string_view(tampering.name) != "ManifestForgetsAFile") {
    File(made, kManifestFile) = ManifestText(made.files);
  }
  const Verification verification = VerifyPackage(made.files, {});
  EXPECT_THAT(Kinds(verification), testing::Contains(tampering.kind));
  EXPECT_TRUE(Names(verification, tampering)) << Sentences(verification);
  // Asking the backend reads the samples again, and excuses nothing.
  if (std::string_view(tampering.kind) == "recount") return;
  const auto backend = tampering.of == &Right ? MakeOracleBackend() : MakeFlawedBackend();
  const Verification asked = VerifyPackage(
      made.files,
      Asking(tampering.of == &Varied ? VariedBackends() : AskedBackend(*backend), 0));
  EXPECT_TRUE(Names(asked, tampering)) << Sentences(asked);
}

INSTANTIATE_TEST_SUITE_P(All, Tampered,
                         testing::ValuesIn(Tamperings().begin(), Tamperings().end()),
                         [](const auto& test) { return std::string(test.param.name); });

// --- days

TEST(Days, APackageOfTomorrow_IsNamed_AndOneOfTodayIsNot) {
  ASSERT_EQ(DateOf(Right().report), "2026-08-01");
  VerifyOptions options = Quick();
  for (const char* today : {"2026-07-31", "2026-08-01", "2030-01-01"}) {
    options.today = today;
    EXPECT_EQ(Sentences(VerifyPackage(Right().files, options)), "") << today;
  }
  options.today = "2026-07-30";
  EXPECT_EQ(Sentences(VerifyPackage(Right().files, options)),
            "date: the package was made on 2026-08-01, but today is 2026-07-30\n");
  MadePackage made = Right();
  made.report.run.start_time = "2026-13-01T12:00:00Z";
  made.Reseal();
  EXPECT_NE(Sentences(VerifyPackage(made.files, options)), "");
}

TEST(Days, AWaiverThatHasLapsedSince_IsTold) {
  VerifyOptions options = Quick();
  options.today = "2030-12-31";  // the last day of both
  EXPECT_TRUE(VerifyPackage(Waived().files, options).notes.empty());
  options.today = "2031-01-01";
  const Verification verification = VerifyPackage(Waived().files, options);
  EXPECT_EQ(Sentences(verification), "");  // it was right on its day
  EXPECT_EQ(verification.result, "conforms_with_waivers");
  ASSERT_EQ(verification.notes.size(), 2u);
  EXPECT_THAT(verification.notes[0],
              testing::HasSubstr("somebody waived 12 cells (the first element is off by "
                                 "one code) until 2030-12-31"));
}

// --- signatures

std::string Finds(const PackageFiles& files, const std::string& key) {
  return Sentences(VerifyPackage(files, Quick(key)));
}

TEST(Signature, OfTheGivenKey_IsGood) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  EXPECT_EQ(Finds(Right().files, PublicKeyOf(Key()).value()), "");
}

TEST(Signature, OfAnotherKey_IsNot) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  MadePackage made = Right();
  made.private_key = OtherKey();
  made.Reseal();
  EXPECT_EQ(Finds(made.files, ""), "");  // good, but nobody knows whose
  EXPECT_THAT(Finds(made.files, PublicKeyOf(Key()).value()),
              testing::HasSubstr("the signature is not that of the key"));
}

TEST(Signature, OfAnotherStatement_IsNot) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  MadePackage made = Right();
  const std::string envelope = File(made, kEnvelopeFile);
  made.claim.product = "kernels 3.0";
  made.Reseal();
  File(made, kEnvelopeFile) = envelope;
  EXPECT_THAT(Finds(made.files, ""), testing::HasSubstr("was signed instead of"));
}

TEST(Signature, BesideAnotherPublicKey_IsNot) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  MadePackage made = Right();
  File(made, kPublicKeyFile) = PublicKeyOf(OtherKey()).value();
  EXPECT_THAT(Finds(made.files, PublicKeyOf(Key()).value()),
              testing::HasSubstr("public_key.pem is not the key that was given"));
}

// The digest covers only the first key: any other text in the file would look as if it
// were signed, too.
TEST(Signature, BesideAKeyWithMoreAroundIt_IsNot) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  const std::string key = PublicKeyOf(Key()).value();
  for (const std::string& text :
       {"verified by somebody\n" + key, key + PublicKeyOf(OtherKey()).value(),
        key + std::string(1, '\0') + "more", key + "\n"}) {
    MadePackage made = Right();
    File(made, kPublicKeyFile) = text;
    EXPECT_THAT(Finds(made.files, key),
                testing::HasSubstr("public_key.pem holds more than the key"));
  }
}

TEST(Signature, Removed_IsMissedWhereAKeyIsGiven) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  MadePackage made = Right();
  made.files.erase(std::string(kEnvelopeFile));
  EXPECT_THAT(Finds(made.files, ""),
              testing::HasSubstr("statement.dsse.json is missing"));
  made.files.erase(std::string(kPublicKeyFile));
  EXPECT_THAT(Finds(made.files, PublicKeyOf(Key()).value()),
              testing::HasSubstr("the package is unsigned"));
}

// --- asking the backend

TEST(Backend, SameAsInThePackage_HasNoFindings) {
  const auto flawed = MakeFlawedBackend();
  EXPECT_EQ(Sentences(VerifyPackage(Wrong().files, Asking(*flawed, 0.3))), "");
}

TEST(Backend, AtTheSettingsOfThePackage_HasNoFindings) {
  const Verification asked = VerifyPackage(Varied().files, Asking(VariedBackends(), 0.3));
  EXPECT_EQ(Sentences(asked), "");
  EXPECT_EQ(asked.notes, std::vector<std::string>());
}

TEST(Backend, AtOtherSettingsThanInThePackage_IsNamed) {
  const AskedBackend varied = VariedBackends();
  EXPECT_EQ(Sentences(VerifyPackage(Varied().files, Asking(*varied.backend, 0))),
            "backend: the settings of the backend: expected 'answer=flawed "
            "answer=right', got ''\n");
  // What is right at one setting deviates at the other.
  AskedBackend exchanged = varied;
  std::swap(exchanged.settings[0].backend, exchanged.settings[1].backend);
  EXPECT_THAT(Sentences(VerifyPackage(Varied().files, Asking(exchanged, 0))),
              HasSubstr("the backend's answer differs from that in the package"));
  EXPECT_THAT(Sentences(VerifyPackage(Varied().files, Asking(exchanged, 1))),
              HasSubstr("at answer=right: "));
}

TEST(Backend, OfAnotherKind_IsNamedThoughItAnswersAlike) {
  MadePackage made = Right();
  made.report.run.backend.kind = "simd";
  TakeSamplesAgain(made, *MakeOracleBackend());
  made.Reseal();
  EXPECT_EQ(Sentences(VerifyPackage(made.files, Asking(*MakeOracleBackend(), 0))),
            "backend: the kind of backend: expected 'simd' as in the package, got "
            "'oracle'\n");
}

TEST(Backend, OfAnotherVersionBuildOrCpu_IsNotedAndNoFinding) {
  MadePackage made = Right();
  made.report.run.backend.version = "0.1";
  TakeSamplesAgain(made, *MakeOracleBackend());
  made.loaded.backend[0].sha256 = std::string(64, '0');
  made.Reseal();
  const auto oracle = MakeOracleBackend();
  VerifyOptions options = Asking(*oracle, 0);
  options.cpu_features = {"avx2"};
  const Verification asked = VerifyPackage(made.files, options);
  EXPECT_EQ(Sentences(asked), "");
  ASSERT_EQ(asked.notes.size(), 3u);
  EXPECT_THAT(asked.notes[0], testing::HasSubstr("the version: expected '0.1'"));
  EXPECT_THAT(asked.notes[2], testing::HasSubstr("it is without fma"));
  EXPECT_THAT(asked.notes[1],
              testing::HasSubstr("of another build than in the package: " +
                                 made.loaded.backend[0].name));
}

TEST(Backend, StoredAnswerOfAWrongForm_IsNamedAndNotRead) {
  MadePackage made = Right();
  for (Sample& sample : made.samples) {
    for (Tensor& output : sample.outputs) output.data.clear();
  }
  made.Reseal();
  EXPECT_THAT(Sentences(VerifyPackage(made.files, Asking(*MakeOracleBackend(), 0))),
              testing::HasSubstr("the stored answer has a wrong form: y: expected "));
}

// Only the backend can expose somebody who invents the whole package.
TEST(Backend, OtherThanInThePackage_IsNamed) {
  const auto flawed = MakeFlawedBackend();
  const Verification verification = VerifyPackage(Right().files, Asking(*flawed, 0));
  EXPECT_THAT(
      Sentences(verification),
      testing::HasSubstr("the backend's answer differs from that in the package"));
  // It declines INT8.
  EXPECT_THAT(Sentences(verification),
              testing::HasSubstr(" was answered; now the backend behaves differently: "));
  const Verification shared = VerifyPackage(Right().files, Asking(*flawed, 1));
  EXPECT_GT(shared.findings.size(), verification.findings.size());
}

// Gives the outputs of its first run again where a model is run once more.
class FirstOutputs final : public PreparedModel {
 public:
  explicit FirstOutputs(std::unique_ptr<PreparedModel> right)
      : right_(std::move(right)) {}
  RunResult Run(std::span<const TensorView> inputs) override {
    if (!first_) first_ = right_->Run(inputs);
    return *first_;
  }

 private:
  std::unique_ptr<PreparedModel> right_;
  std::optional<RunResult> first_;
};

class KeepingBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return right_->info(); }
  PrepareResult Prepare(const Model& model) override {
    PrepareResult right = right_->Prepare(model);
    auto* prepared = std::get_if<std::unique_ptr<PreparedModel>>(&right);
    if (prepared == nullptr) return right;
    return std::make_unique<FirstOutputs>(std::move(*prepared));
  }

 private:
  std::unique_ptr<Backend> right_ = MakeOracleBackend();
};

// Each single case is answered right: only what a run asks besides shows the fault.
TEST(Backend, KeptFromTheFirstRun_IsFoundByAskingWholeCells) {
  KeepingBackend keeping;
  EXPECT_EQ(Sentences(VerifyPackage(Right().files, Asking(keeping, 0))), "");
  EXPECT_THAT(Sentences(VerifyPackage(Right().files, Asking(keeping, 0.01))),
              testing::HasSubstr("is conformant in the package; asked again as a run "
                                 "asks it, with seed 1, it is nonconformant"));
}

// A cell that is only partly supported claims that what it answers is right.
TEST(Backend, PartialCellThatDeviates_IsFound) {
  KeepingBackend keeping;
  const auto cells = *SelectCells({"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"});
  CellRecord row;
  row.cell = CellId(cells[0].cell);
  for (const Verdict before : {Verdict::kPartial, Verdict::kUnsupported}) {
    row.verdict = before;
    const JudgedAnew judged = JudgeAnew(keeping, {row}, cells, Level::kSmoke, 1, 1);
    ASSERT_EQ(judged.findings.size(), 1u) << VerdictName(before);
    EXPECT_THAT(judged.findings[0].sentence, testing::HasSubstr("it is nonconformant"));
  }
  row.verdict = Verdict::kNonconformant;
  EXPECT_TRUE(JudgeAnew(keeping, {row}, cells, Level::kSmoke, 1, 1).findings.empty());
}

}  // namespace
}  // namespace qconform
