// The parts of certificates: base64, envelopes, packages on disk, judgement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/base64.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/testing/packages.h"
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
  EXPECT_THAT(signed_text.error().message,
              testing::AnyOf(HasSubstr("no private key"), HasSubstr("without OpenSSL")));
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
              HasSubstr("no plain file"));
  EXPECT_THAT(ReadPackage(directory / "q.qcert").error().message,
              HasSubstr("no directory"));
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
      32u);
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
  EXPECT_EQ(judgement.declined.size(), 8u);
}

}  // namespace
}  // namespace qconform
