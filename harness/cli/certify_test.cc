// certify, verify and badges, as their users run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/testing/packages.h"
#include "harness/certificate/testing/tamperings.h"
#include "oracle/base/file.h"
#include "reports/report/journal.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Writes what a killed run of the package's cells leaves: the first lines of its journal,
// the last cut off.
void LeaveJournalOfAKilledRun(const std::string& package, const std::string& path) {
  const auto whole = ReadJournal(package + "/journal.jsonl");
  ASSERT_TRUE(whole.ok());
  {
    auto journal = JournalWriter::Create(path, whole->run);
    ASSERT_TRUE(journal.ok());
    for (size_t i = 0; i < whole->cells.size() / 3; ++i) {
      ASSERT_TRUE(journal->Append(whole->cells[i]).ok());
    }
  }
  fs::resize_file(path, fs::file_size(path) - 40);
}

class Certify : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() /
                 ("qconform_certify_test_" + std::to_string(getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  std::string Arguments(const std::string& package) const {
    return "certify --backend simd --profile microscaling --level smoke --vendor V "
           "--product P --no-progress -o " +
           Path(package);
  }

  std::string Write(const std::string& package, const MadePackage& made) const {
    EXPECT_TRUE(WritePackage(Path(package), made.files));
    return "verify " + Path(package);
  }

  fs::path directory_;
};

TEST_F(Certify, Package_IsVerified_AndABadgeMadeOfIt) {
  const auto [code, output] = RunTool(Arguments("p.qcert"));
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("UNSIGNED"));
  EXPECT_FALSE(fs::exists(Path("p.qcert.journal")));
  const auto [verified, words] = RunTool("verify " + Path("p.qcert") + " --backend simd");
  EXPECT_EQ(verified, 0) << words;
  EXPECT_THAT(words, HasSubstr("VERIFIED: V, P: profile microscaling, level smoke"));
  const auto [badge, told] =
      RunTool("report " + Path("p.qcert/report.json") + " --badge " + Path("b.svg"));
  EXPECT_EQ(badge, 0) << told;
  const std::string cells = std::to_string(CountCells("--profile microscaling"));
  EXPECT_THAT(ReadFile(Path("b.svg")).value(),
              HasSubstr(cells + " of " + cells + " cells"));
}

TEST_F(Certify, WhatDoesNotConform_IsCountedAndPointedTo) {
  const Ran made = RunTool(
      "certify --backend faulty:ties_away --profile microscaling --level smoke --vendor "
      "V "
      "--product P --no-progress -o " +
      Path("bad.qcert"));
  EXPECT_EQ(made.exit_code, 1) << made.output;
  EXPECT_THAT(made.output, HasSubstr("result        does_not_conform"));
  EXPECT_THAT(made.output,
              HasSubstr(" of " + std::to_string(CountCells("--profile microscaling")) +
                        " pass, "));
  EXPECT_THAT(made.output, HasSubstr(" nonconformant; 'qconform report " +
                                     Path("bad.qcert/report.json") + "' shows them"));
}

// Declined is no deviation, and no conformance either.
TEST_F(Certify, ProductThatDeclinesCells_IsIncomplete) {
  const Ran made =
      RunTool("certify --backend plugin:" QCONFORM_PLUGINS
              "/qconform_example_plugin.so --profile int8-core --level smoke --vendor V "
              "--product P --no-progress -o " +
              Path("some.qcert"));
  EXPECT_EQ(made.exit_code, 3) << made.output;
  EXPECT_THAT(made.output, HasSubstr("result        incomplete"));
  const Ran verified = RunTool("verify --no-recount " + Path("some.qcert"));
  EXPECT_EQ(verified.exit_code, 3) << verified.output;
  EXPECT_THAT(verified.output, HasSubstr("VERIFIED: V, P: profile int8-core"));
  EXPECT_THAT(verified.output, HasSubstr(": incomplete"));
}

// Its report and its samples are of different answers: nobody could verify them.
TEST_F(Certify, ProductThatAnswersOtherwiseTheNextTime_GetsNoPackage) {
  const Ran made = RunTool(
      "certify --backend faulty:random_ties --profile microscaling --level smoke "
      "--vendor V --product P --no-progress -o " +
      Path("random.qcert"));
  EXPECT_EQ(made.exit_code, 1) << made.output;
  EXPECT_THAT(made.output, HasSubstr("WRONG "));
  EXPECT_THAT(made.output, HasSubstr("No package was written"));
  EXPECT_FALSE(fs::exists(Path("random.qcert")));
}

TEST_F(Certify, PackageSignedBySomebodyElse_IsNotVerified) {
  if (!HasSignatures()) GTEST_SKIP() << "built without OpenSSL";
  const std::string verify = Write("p.qcert", Right()) + " --no-recount --key ";
  ASSERT_TRUE(WriteFileAtomically(Path("own.pem"), PublicKeyOf(Key()).value()));
  ASSERT_TRUE(WriteFileAtomically(Path("other.pem"), PublicKeyOf(OtherKey()).value()));
  const Ran own = RunTool(verify + Path("own.pem"));
  EXPECT_EQ(own.exit_code, 0) << own.output;
  const Ran other = RunTool(verify + Path("other.pem"));
  EXPECT_EQ(other.exit_code, 1) << other.output;
  EXPECT_THAT(other.output, HasSubstr("NOT VERIFIED"));
}

// Only counting again finds what is wrong with it.
TEST_F(Certify, PackageThatCountsMoreElements_IsNotVerified) {
  MadePackage made = Right();
  made.report.cells[5].tiers[0].elements += 7;
  TakeSamplesAgain(made, *MakeOracleBackend());
  made.Reseal();
  const std::string verify = Write("more.qcert", made);
  const Ran ran = RunTool(verify);
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("WRONG recount: "));
  EXPECT_EQ(RunTool(verify + " --no-recount").exit_code, 0);
}

TEST_F(Certify, ShareOfTheCases_IsAskedAgain) {
  const std::string verify =
      Write("p.qcert", Right()) + " --no-recount --sample-seed 1 --backend ";
  const auto findings = [&](const std::string& share) {
    const Ran ran = RunTool(verify + "faulty:ties_away --sample " + share);
    EXPECT_EQ(ran.exit_code, 1) << ran.output;
    const std::string words = "NOT VERIFIED: ";
    const size_t at = ran.output.find(words);
    EXPECT_NE(at, std::string::npos) << ran.output;
    return std::atoi(ran.output.c_str() + at + words.size());
  };
  const int of_samples = findings("0%");
  const int of_a_tenth = findings("10%");
  EXPECT_GT(of_a_tenth, of_samples);
  EXPECT_GT(findings("100%"), of_a_tenth);
  const Ran same = RunTool(verify + "oracle --sample 10%");
  EXPECT_EQ(same.exit_code, 0) << same.output;
}

TEST_F(Certify, SeveralSettings_AreNamed_AndAskedAgain) {
  const Ran made = RunTool(Arguments("p.qcert") + " --vary threads=1,2");
  EXPECT_EQ(made.exit_code, 0) << made.output;
  EXPECT_THAT(made.output, HasSubstr("level smoke, at threads=1,2, "));
  const std::string verify = "verify " + Path("p.qcert") + " --no-recount";
  const Ran plain = RunTool(verify);
  EXPECT_EQ(plain.exit_code, 0) << plain.output;
  EXPECT_THAT(plain.output, HasSubstr("level smoke, at threads=1,2, "));
  const Ran asked = RunTool(verify + " --backend simd --vary threads=1,2");
  EXPECT_EQ(asked.exit_code, 0) << asked.output;
  // A package must not choose options, so they are given again.
  for (const auto& [flags, got] :
       {std::pair("", "none"),
        {" --vary threads=2,1", "threads=2 threads=1"},
        {" --vary threads=1,2,4", "threads=1 threads=2 threads=4"}}) {
    const Ran other = RunTool(verify + " --backend simd" + flags);
    EXPECT_EQ(other.exit_code, 2) << other.output;
    EXPECT_THAT(other.output,
                HasSubstr("--vary: expected the settings of the package, threads=1 "
                          "threads=2, got " +
                          std::string(got)));
  }
  const Ran no_backend = RunTool(verify + " --vary threads=1,2");
  EXPECT_EQ(no_backend.exit_code, 2) << no_backend.output;
  EXPECT_THAT(no_backend.output, HasSubstr("--vary: expected --backend too"));
}

TEST_F(Certify, ChangedPackage_IsNotVerified) {
  ASSERT_EQ(RunTool(Arguments("p.qcert")).exit_code, 0);
  const std::string statement = ReadFile(Path("p.qcert/STATEMENT.json")).value();
  std::string changed = statement;
  changed.replace(changed.find("\"P\""), 3, "\"Q\"");
  ASSERT_TRUE(WriteFileAtomically(Path("p.qcert/STATEMENT.json"), changed));
  const auto [code, output] = RunTool("verify --no-recount " + Path("p.qcert"));
  EXPECT_EQ(code, 1);
  EXPECT_THAT(output, HasSubstr("STATEMENT.json was changed"));
  EXPECT_THAT(output, HasSubstr("NOT VERIFIED"));
}

TEST_F(Certify, InterruptedRun_IsResumedIntoTheSameReport) {
  ASSERT_EQ(RunTool(Arguments("whole.qcert")).exit_code, 0);
  LeaveJournalOfAKilledRun(Path("whole.qcert"), Path("p.qcert.journal"));
  const auto [code, output] = RunTool(Arguments("p.qcert") + " --resume");
  EXPECT_EQ(code, 0) << output;
  const auto digest = [&](const std::string& package) {
    return ReadFile(Path(package + "/report.json")).value().substr(0, 120);
  };
  EXPECT_EQ(digest("p.qcert"), digest("whole.qcert"));
  EXPECT_EQ(ReadFile(Path("p.qcert/samples.jsonl")).value(),
            ReadFile(Path("whole.qcert/samples.jsonl")).value());
  EXPECT_EQ(RunTool("verify " + Path("p.qcert")).exit_code, 0);
}

// What answers is the library behind the plugin: it is listed, and a run does not go on
// with another build of it.
TEST_F(Certify, LibraryBehindAPlugin_IsListedAndBelongsToTheRun) {
  const std::string core = "libqconform_test_core.so";
  for (const std::string& name : {std::string("qconform_shim_plugin.so"), core}) {
    fs::copy_file(fs::path(QCONFORM_PLUGINS) / name, Path(name));
  }
  const std::string plugin = " --backend plugin:" + Path("qconform_shim_plugin.so") + " ";
  const std::string certify = "certify" + plugin +
                              "--profile microscaling --level smoke --vendor V "
                              "--product P --no-progress -o ";
  const Ran made = RunTool(certify + Path("p.qcert"));
  EXPECT_EQ(made.exit_code, 3) << made.output;  // it has no blocks
  const std::string statement = ReadFile(Path("p.qcert/STATEMENT.json")).value();
  EXPECT_THAT(statement, HasSubstr("\"name\": \"" + core + "\""));
  EXPECT_THAT(statement, HasSubstr("\"name\": \"qconform_shim_plugin.so\""));
  EXPECT_THAT(statement, testing::Not(HasSubstr("\"name\": \"qconform\"")));
  EXPECT_THAT(ReadFile(Path("p.qcert/environment.json")).value(),
              HasSubstr("\"name\": \"qconform\""));
  const std::string verify =
      "verify --no-recount --sample 0% " + Path("p.qcert") + plugin;
  const Ran same = RunTool(verify);
  EXPECT_EQ(same.exit_code, 3) << same.output;
  EXPECT_THAT(same.output, testing::Not(HasSubstr("note ")));

  LeaveJournalOfAKilledRun(Path("p.qcert"), Path("q.qcert.journal"));
  std::string rebuilt = ReadFile(Path(core)).value();
  ASSERT_TRUE(WriteFileAtomically(Path(core), rebuilt + "rebuilt"));
  const Ran resumed = RunTool(certify + Path("q.qcert") + " --resume");
  EXPECT_EQ(resumed.exit_code, 2) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("backend.details.code_sha256 is "));
  const Ran other = RunTool(verify);
  EXPECT_EQ(other.exit_code, 3) << other.output;
  EXPECT_THAT(other.output,
              HasSubstr("note  files of another build than in the package: " + core));
}

TEST_F(Certify, OwnProfile_IsCertifiedAsWhatItIs) {
  const std::string file = Path("mine.json");
  ASSERT_TRUE(WriteFileAtomically(file, R"({"profile_version": "1.0.0",
    "name": "mine", "title": "INT8 of ours", "means": "What our kernels cover.",
    "cells": ["QuantizeLinear/1?/FLOAT-FLOAT-INT8/per_tensor"],
    "passes": ["conformant", "admissible"], "declinable": []})"));
  const std::string certify =
      "certify --level smoke --vendor V --product P --no-progress -o ";
  const Ran made = RunTool(certify + Path("own.qcert") + " --profile " + file);
  EXPECT_EQ(made.exit_code, 0) << made.output;
  EXPECT_THAT(made.output, HasSubstr("profile own:mine, 3 cells"));
  EXPECT_THAT(made.output,
              HasSubstr("V, P: the vendor's own profile mine, which is none of "
                        "qconform's, covers 3 of the "));
  EXPECT_THAT(made.output, HasSubstr("cells of the lattice (\"INT8 of ours\", sha256:"));
  EXPECT_THAT(made.output,
              HasSubstr("result        conforms (the vendor's own profile)\n"));
  const std::string verify = "verify --no-recount " + Path("own.qcert");
  const Ran verified = RunTool(verify);
  EXPECT_EQ(verified.exit_code, 0) << verified.output;
  EXPECT_THAT(verified.output,
              HasSubstr("VERIFIED: V, P: the vendor's own profile mine"));
  EXPECT_THAT(verified.output, HasSubstr("note  the profile is the vendor's own"));
  EXPECT_EQ(RunTool(verify + " --profile " + file).exit_code, 0);
  const Ran other = RunTool(verify + " --profile int8-core");
  EXPECT_EQ(other.exit_code, 1) << other.output;
  EXPECT_THAT(other.output, HasSubstr("not of the given one, int8-core"));

  const Ran narrowed = RunTool(certify + Path("part.qcert") +
                               " --profile int8-core --cells "
                               "'QuantizeLinear/1?/*/per_tensor'");
  EXPECT_EQ(narrowed.exit_code, 0) << narrowed.output;
  EXPECT_THAT(narrowed.output, HasSubstr("the vendor's own profile int8-core-part"));
  EXPECT_EQ(RunTool("verify --no-recount " + Path("part.qcert")).exit_code, 0);
}

TEST_F(Certify, BadInput_IsNamedAndExitsWith2) {
  ASSERT_TRUE(WriteFileAtomically(Path("not_a_key.pem"), "nothing\n"));
  fs::create_directories(Path("there.qcert"));
  ASSERT_TRUE(WriteFileAtomically(Path("nobody.json"),
                                  R"({"known_differences_version":"1.0.0","entries":[
      {"cells":["*"],"verdict":"unsupported","reason":"not built yet"}]})"));
  ASSERT_TRUE(WriteFileAtomically(Path("cut.qcert.journal"), ""));
  const std::pair<std::string, std::string> rows[] = {
      {Arguments("p.qcert") + " --known " + Path("nobody.json"),
       "entries[0] (not built yet) has no \"owner\" and \"expires\"; a waiver"},
      {Arguments("cut.qcert") + " --resume", "start the run without --resume"},
      {"certify --profile int16 --vendor V --product P -o -", "/dev/stdout"},
      {"certify --profile int7 --vendor V --product P -o " + Path("p"), "int8-core"},
      {"certify --profile " + Path("nobody.json") + " --vendor V --product P -o " +
           Path("p"),
       "nobody.json: "},
      {"certify --profile int16 --cells '*-INT8/*' --vendor V --product P -o " +
           Path("p"),
       "--cells: expected a pattern that matches cells of the selection"},
      {"verify " + Path("there.qcert") + " --profile int7", "--profile: expected a FILE"},
      {Arguments("there.qcert"), "expected a path that does not exist yet"},
      {Arguments("p.qcert") + " --sign " + Path("not_a_key.pem"), "not_a_key.pem"},
      {Arguments("p.qcert") + " --sign " + Path("none.pem"), "none.pem"},
      {Arguments("p.qcert") + " --known " + Path("none.json"), "none.json"},
      {Arguments("p.qcert") + " --resume", "p.qcert.journal"},
      {"certify --backend nonsense --profile int16 --vendor V --product P -o " +
           Path("p.qcert"),
       "nonsense"},
      {"certify --profile int16 --vendor '' --product P -o " + Path("p.qcert"),
       "--vendor: expected a value, got an empty text"},
      {"certify --profile int16 --vendor V --product '  ' -o " + Path("p.qcert"),
       "--product: expected a name, got an empty text"},
      {"certify --profile int16 --vendor \"$(printf 'V\\nVERIFIED: W')\" --product P "
       "-o " +
           Path("p.qcert"),
       "without control characters, got 'V\\nVERIFIED: W'"},
      {"certify --profile int16 --vendor V --product \"$(printf 'P\\033[2J')\" -o " +
           Path("p.qcert"),
       "without control characters, got 'P\\x1b[2J'"},
      {"verify " + Path("none.qcert"), "expected the directory of a package"},
      {"verify " + Path("there.qcert") + " --sample 200%", "200%"},
      {"verify " + Path("there.qcert") + " --sample 5%",
       "--sample: expected --backend too"},
      {"verify " + Path("there.qcert") + " --sample-seed 1",
       "--sample-seed: expected --backend"},
      {"certify --profile int16 --vendor V --product P -o ''",
       "--output: expected a value, got an empty text"},
      {"verify " + Path("there.qcert") + " --key " + Path("not_a_key.pem"),
       "not_a_key.pem"}};
  for (const auto& [arguments, words] : rows) {
    const auto [code, output] = RunTool(arguments);
    EXPECT_EQ(code, 2) << arguments << "\n" << output;
    EXPECT_THAT(output, HasSubstr(words)) << arguments;
    EXPECT_FALSE(fs::exists(Path("p.qcert"))) << arguments;
  }
  EXPECT_EQ(RunTool("verify " + Path("there.qcert")).exit_code, 1);  // an empty directory
}

}  // namespace
}  // namespace qconform
