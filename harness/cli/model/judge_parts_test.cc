// qconform model FILE --backend: the parts of a model are judged, reported, shown,
// stored, and compared.
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cases/arrays/npy.h"
#include "cases/corpus/stored_case.h"
#include "cases/model/serialize.h"
#include "oracle/base/file.h"
#include "oracle/formats/codes.h"
#include "reports/report/report.h"
#include "testing/judged_model.h"

namespace qconform {
namespace {

class JudgeParts : public JudgedModel {};

TEST_F(JudgeParts, ARightBackend_Passes) {
  const Ran ran = Judge("--backend simd --compose");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "PASS  2 of 2 supported parts pass")) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->run.selection.model.has_value());
  EXPECT_EQ(report->run.selection.model->name, "net.onnx");
  ASSERT_EQ(report->cells.size(), 2u);
  EXPECT_EQ(report->cells[0].part->name, "codes");
  EXPECT_EQ(report->cells[1].part->name, "product");
  EXPECT_TRUE(report->complete);
}

TEST_F(JudgeParts, AWrongKernel_IsFoundNamedAndStored) {
  const Ran ran =
      Judge("--backend faulty:ties_away --part codes --store " + Path("smallest"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "! codes (QuantizeLinear")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "diagnosis ties_away")) << ran.output;
  const std::string again = " --part codes --backend faulty:ties_away --seed 1";
  EXPECT_TRUE(Has(ran.output, again)) << ran.output;
  const Ran replay =
      RunTool("replay " + Path("smallest/codes.json") + " --backend faulty:ties_away");
  EXPECT_EQ(replay.exit_code, 1) << replay.output;
  const auto stored = ParseStoredCase(Text("smallest/codes.json"), "codes.json");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->inputs.front().shape, Shape{1});
}

TEST_F(JudgeParts, RealInputs_AreAskedToo) {
  std::filesystem::create_directory(Path("inputs"));
  Tensor x = Tensor::Zeros(DataType::kFloat, {3, 20});
  const std::string file = Path("inputs/x.npy");
  ASSERT_TRUE(WriteFileAtomically(file, SerializeNpy(x)));
  const std::string flags = " --inputs " + Path("inputs");
  const Ran ran = Judge("--backend oracle" + flags);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "2 of 2 parts get the values of this run")) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->run.selection.model->whole_run,
            "The whole model was not run on oracle: it does not run whole models");
  const Ran wrong = Judge("--backend faulty:ties_away --part codes" + flags);
  EXPECT_EQ(wrong.exit_code, 1) << wrong.output;
  EXPECT_TRUE(Has(wrong.output, "--part codes" + flags)) << wrong.output;

  x = Tensor::Zeros(DataType::kFloat, {3, 21});
  ASSERT_TRUE(WriteFileAtomically(file, SerializeNpy(x)));
  const Ran refused = Judge("--backend oracle" + flags);
  EXPECT_EQ(refused.exit_code, 2) << refused.output;
  EXPECT_TRUE(Has(refused.output, "expected FLOAT [3,20], got FLOAT [3,21]"))
      << refused.output;
  std::filesystem::remove(file);
  EXPECT_TRUE(Has(Judge("--backend oracle" + flags).output,
                  "input 'x': expected FLOAT [3,20], got no file"));
  EXPECT_TRUE(Has(Judge(flags).output, "--inputs: expected --backend too"));
}

TEST_F(JudgeParts, SeveralBackends_AreShownSideBySide) {
  const Ran ran = Judge("--backend oracle --backend faulty:ties_away");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "ok oracle")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "! faulty:ties_away")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "the backends differ about")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "bits        other than those of oracle in")) << ran.output;
  EXPECT_TRUE(ReadReport(Path("r.1.json")));
  EXPECT_TRUE(ReadReport(Path("r.2.json")));
  EXPECT_FALSE(std::filesystem::exists(Path("r.json")));
  // What changed between two releases.
  const Ran diff = RunTool("diff " + Path("r.1.json") + " " + Path("r.2.json"));
  EXPECT_EQ(diff.exit_code, 1) << diff.output;
  EXPECT_TRUE(Has(diff.output, "#codes")) << diff.output;
  EXPECT_TRUE(Has(diff.output, "regressed")) << diff.output;
  EXPECT_TRUE(Has(Judge("--backend oracle --backend simd --compose").output,
                  "the backends give the same bits for all cases of 2 parts"));
}

// What shards give together is what one run gives.
TEST_F(JudgeParts, Shards_AreMerged) {
  std::string shards;
  for (const char* shard : {"0/2", "1/2"}) {
    const std::string path = Path(std::string("shard") + shard[0] + ".json");
    const Ran ran = RunTool("model " + Path("net.onnx") + " --backend oracle --shard " +
                            shard + " --no-progress -o " + path);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_TRUE(Has(ran.output, "1 of 1 supported part")) << ran.output;
    shards += " " + path;
  }
  const Ran merged = RunTool("merge" + shards + " -o " + Path("merged.json"));
  EXPECT_EQ(merged.exit_code, 0) << merged.output;
  ASSERT_EQ(Judge("--backend oracle").exit_code, 0);
  const auto whole = ReadReport(Path("r.json"));
  const auto both = ReadReport(Path("merged.json"));
  ASSERT_TRUE(whole && both);
  EXPECT_EQ(both->results_digest, whole->results_digest);
  // Reports of some parts each are no shards.
  ASSERT_EQ(Judge("--backend oracle --part codes").exit_code, 0);
  const Ran halves = RunTool("merge " + Path("r.json") + " -o " + Path("merged.json"));
  EXPECT_EQ(halves.exit_code, 2) << halves.output;
  EXPECT_TRUE(Has(halves.output, "expected the report of a shard")) << halves.output;
}

TEST_F(JudgeParts, AKnownDifference_IsForgiven) {
  const auto write = [&](const std::string& cells) {
    return WriteFileAtomically(
        Path("known.json"),
        R"({"known_differences_version": "1.0.0", "entries": [{"cells": [")" + cells +
            R"("], "verdict": "nonconformant", "reason": "rounds away", "owner": "us"}]})");
  };
  const std::string flags = "--backend faulty:ties_away --known " + Path("known.json");
  ASSERT_TRUE(write("*#codes"));
  const Ran all = Judge(flags);
  EXPECT_EQ(all.exit_code, 0) << all.output;
  // An entry for a part that is right is a problem with the file.
  ASSERT_TRUE(write("*#*"));
  const Ran right = Judge(flags);
  EXPECT_EQ(right.exit_code, 1) << right.output;
  EXPECT_TRUE(Has(right.output, "unexpected_pass: ")) << right.output;
  ASSERT_TRUE(write("*#nothing"));
  const Ran other = Judge(flags);
  EXPECT_EQ(other.exit_code, 1) << other.output;
  EXPECT_TRUE(Has(other.output, "*#nothing")) << other.output;
  EXPECT_EQ(Judge(flags + " --part codes").exit_code, 1);
  EXPECT_EQ(Judge(flags + " --fail-fast").exit_code, 2);
}

TEST_F(JudgeParts, ReportsHaveAllForms) {
  ASSERT_EQ(Judge("--backend faulty:ties_away").exit_code, 1);
  const Ran shown = RunTool("report " + Path("r.json") + " --junit " + Path("j.xml") +
                            " --html " + Path("p.html") + " --markdown " + Path("m.md"));
  EXPECT_EQ(shown.exit_code, 1) << shown.output;
  EXPECT_TRUE(Has(shown.output, "! codes (QuantizeLinear")) << shown.output;
  EXPECT_TRUE(Has(Text("j.xml"), "#codes"));
  EXPECT_TRUE(Has(Text("p.html"), "#codes"));
  EXPECT_TRUE(Has(Text("m.md"), "codes"));
}

// A backend that has no kernels for graphs, and one that takes nothing.
TEST_F(JudgeParts, WhatIsDeclined_IsSaidSo) {
  const Ran simd = Judge("--backend simd");
  EXPECT_EQ(simd.exit_code, 3) << simd.output;
  EXPECT_TRUE(Has(simd.output, "--compose")) << simd.output;
  EXPECT_EQ(Judge("--backend simd --allow-unsupported").exit_code, 0);
  EXPECT_EQ(Judge("--backend simd --part product").exit_code, 4);
}

TEST_F(JudgeParts, WrongFlags_AreRefused) {
  const Ran part = Judge("--backend simd --part nothing");
  EXPECT_EQ(part.exit_code, 2) << part.output;
  EXPECT_TRUE(Has(part.output, "--part: expected the name of a part")) << part.output;
  const Ran store = RunTool("model " + Path("net.onnx") + " --store " + Path("s"));
  EXPECT_EQ(store.exit_code, 2) << store.output;
  EXPECT_TRUE(Has(store.output, "--backend too")) << store.output;
}

// Only the part that reads a value of too many elements is left out. One that is merely
// larger than the memory is asked with other sizes.
TEST_F(JudgeParts, AHugePart_IsLeftOutAlone) {
  const auto write = [&](const Shape& huge) {
    Model model;
    model.opset_version = 21;
    model.ir_version = 10;
    model.node.op_type = kGraphOpType;
    model.node.inputs = {"x", "s", "z", "huge"};
    model.node.outputs = {"y", "other"};
    model.node.body = {MakeNode("QuantizeLinear", {"x", "s", "z"}, "y"),
                       MakeNode("QuantizeLinear", {"huge", "s", "z"}, "other")};
    model.inputs = {{"x", DataType::kFloat, {3, 20}}, {"huge", DataType::kFloat, huge}};
    model.outputs = {{"y", DataType::kUint8, {3, 20}}, {"other", DataType::kUint8, huge}};
    model.initializers = {{"s", Float(0.5F)}, {"z", Codes(DataType::kUint8, {}, {7})}};
    return WriteFileAtomically(Path("net.onnx"), SerializeModel(model));
  };
  for (const Shape& huge : {Shape{65536, 32768}, Shape{2147483648}}) {
    ASSERT_TRUE(write(huge));
    const Ran ran = Judge("--backend oracle");
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->cells.size(), 1u);
    EXPECT_EQ(report->cells[0].part->name, "y");
    const auto& left_out = report->run.selection.model->not_judged;
    ASSERT_EQ(left_out.size(), 1u);
    EXPECT_EQ(left_out[0].name, "other");
    EXPECT_TRUE(Has(left_out[0].reason, "expected at most 2147483647 elements"))
        << left_out[0].reason;
  }
  ASSERT_TRUE(write({65536, 32767}));
  const Ran ran = Judge("--backend oracle");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "2 of 2 supported parts pass")) << ran.output;
}

TEST_F(JudgeParts, ARunThatWasCutOff_IsResumed) {
  ASSERT_EQ(Judge("--backend oracle").exit_code, 0);
  // Without its footer, as a killed run leaves it.
  std::string journal = Text("r.json.journal");
  journal.erase(journal.rfind("{\"footer\""));
  ASSERT_TRUE(WriteFileAtomically(Path("r.json.journal"), journal));
  const Ran ran = Judge("--backend oracle --resume");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "2 of 2 supported parts pass")) << ran.output;
}

}  // namespace
}  // namespace qconform
