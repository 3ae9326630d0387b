#include "reports/record/proof_record.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

// Chunks `first` to `last` of 8, of 10 inputs each.
ProofRecord PartOf(int64_t first, int64_t last) {
  ProofRecord proof;
  proof.tool_version = "0.1.0";
  proof.kind = "line";
  proof.identity = "line scale 0.1 by simd";
  proof.backend = "simd";
  proof.device = "AVX2";
  proof.ran = "the inner function";
  proof.question = {{"operator", "QuantizeLinear"}, {"scale", "0.1"}};
  proof.assumed = {"monotone"};
  proof.asked = "all 80 codes of x";
  proof.expected_inputs = 80;
  proof.chunks = 8;
  proof.chunks_selected = last - first + 1;
  proof.done = {{first, last}};
  proof.totals.inputs = 10 * static_cast<uint64_t>(last - first + 1);
  proof.totals.evaluations = proof.totals.inputs;
  proof.duration_s = 1;
  return proof;
}

ProofRecord WithMismatch(ProofRecord proof, const std::string& reading) {
  proof.totals.mismatches = 1;
  proof.totals.first = {
      {.x = static_cast<uint64_t>(proof.done[0].first), .expected = 3, .actual = 4}};
  proof.counterexample = "kept.json";
  if (!reading.empty()) proof.readings = {{reading, proof.totals.inputs, 0}};
  return proof;
}

std::string ErrorOf(std::vector<NamedProof> parts) {
  const auto merged = MergeProofs(std::move(parts));
  return merged ? "" : merged.error().message;
}

TEST(ProofRecord, Text_IsReadAsItWas) {
  ProofRecord proof = WithMismatch(PartOf(2, 4), "QL-04:f32_quotient");
  proof.done.push_back({6, 6});
  proof.totals.free = 2;
  const std::string text = ProofText(proof);
  EXPECT_TRUE(IsProofText(text));
  const auto read = ParseProof(text, "a.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(ProofText(*read), text);
  EXPECT_EQ(SpansText(read->done), "2-4, 6");
  EXPECT_FALSE(read->complete());
  EXPECT_TRUE(read->passes());
  EXPECT_EQ(ProofStatement(*read),
            "1 of 30 inputs differ from the oracle (a part of all 80 codes of x); any "
            "code is right for 2 of the inputs; by the reading QL-04:f32_quotient 0 of "
            "30 differ: admissible");
}

TEST(ProofRecord, TextThatContradictsItself_IsRefused) {
  const std::string text = ProofText(PartOf(2, 4));
  for (const auto& [from, to] :
       {std::pair("\"done\": 3", "\"done\": 4"), std::pair("\"last\": 4", "\"last\": 8"),
        std::pair("\"mismatches\": 0", "\"mismatches\": 1"),
        std::pair("\"qconform_proof\": 1", "\"qconform_proof\": 2")}) {
    std::string other = text;
    other.replace(other.find(from), std::string(from).size(), to);
    EXPECT_FALSE(ParseProof(other, "a.json")) << to;
  }
  EXPECT_FALSE(IsProofText("{\"report_version\": \"1.1.0\"}"));
}

TEST(MergeProofs, AllParts_GiveTheWhole) {
  ProofRecord gaps = PartOf(0, 1);
  gaps.done.push_back({5, 5});
  gaps.totals.inputs = 30;
  const auto merged =
      MergeProofs({{"b", PartOf(2, 4)}, {"a", gaps}, {"c", PartOf(6, 7)}});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(merged->complete());
  EXPECT_TRUE(merged->passes());
  EXPECT_EQ(ProofStatement(*merged),
            "0 of 80 inputs differ from the oracle (all 80 codes of x)");
  EXPECT_EQ(merged->duration_s, 3);
}

TEST(MergeProofs, MissingDoubledAndForeignParts_AreRefusedByName) {
  EXPECT_EQ(ErrorOf({{"a", PartOf(1, 2)}, {"b", PartOf(4, 6)}}),
            "proofs to merge: expected all 8 chunks, got all but 0, 3, 7");
  EXPECT_EQ(ErrorOf({{"a", PartOf(0, 4)}, {"b", PartOf(4, 7)}}),
            "b: expected each chunk once, got chunk 4, which a has, too");
  ProofRecord other = PartOf(4, 7);
  other.identity = "line scale 0.2 by simd";
  EXPECT_EQ(
      ErrorOf({{"a", PartOf(0, 3)}, {"b", other}}),
      "b: expected a part of the proof of a, with the question 'line scale 0.1 by simd', "
      "got 'line scale 0.2 by simd'");
  other = PartOf(4, 7);
  other.tool_version = "0.2.0";
  EXPECT_NE(ErrorOf({{"a", PartOf(0, 3)}, {"b", other}}), "");
  other = PartOf(4, 7);
  other.totals.inputs = 39;
  EXPECT_EQ(ErrorOf({{"a", PartOf(0, 3)}, {"b", other}}),
            "the parts visited 79 inputs instead of 80");
}

// A part without a mismatch may have inputs where the reading has another answer.
TEST(MergeProofs, Reading_CountsWhereEveryPartHasIt) {
  const std::string name = "QL-04:f32_quotient";
  const auto both = MergeProofs(
      {{"a", WithMismatch(PartOf(0, 3), name)}, {"b", WithMismatch(PartOf(4, 7), name)}});
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->passes());
  EXPECT_EQ(both->readings, (std::vector<ProofByReading>{{name, 80, 0}}));
  EXPECT_EQ(both->totals.mismatches, 2u);
  for (const ProofRecord& other :
       {PartOf(4, 7), WithMismatch(PartOf(4, 7), "QL-03:f64_division"),
        WithMismatch(PartOf(4, 7), "")}) {
    const auto merged =
        MergeProofs({{"a", WithMismatch(PartOf(0, 3), name)}, {"b", other}});
    ASSERT_TRUE(merged);
    EXPECT_FALSE(merged->passes());
    EXPECT_EQ(merged->counterexample, "kept.json");
  }
}

// Where there are more shards than chunks.
TEST(MergeProofs, PartWithoutChunks_SaysNothingAgainstAReading) {
  const std::string name = "QL-04:f32_quotient";
  ProofRecord none = PartOf(0, 0);
  none.done.clear();
  none.totals = {};
  const auto merged =
      MergeProofs({{"a", none}, {"b", WithMismatch(PartOf(0, 7), name)}, {"c", none}});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->readings, (std::vector<ProofByReading>{{name, 80, 0}}));
  EXPECT_TRUE(merged->passes());
}

}  // namespace
}  // namespace qconform
