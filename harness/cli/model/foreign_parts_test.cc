// Parts of a model on foreign code: what crashes, hangs or gives rubbish costs its own
// part.
#include <gtest/gtest.h>

#include <string>

#include "reports/report/report.h"
#include "testing/judged_model.h"

namespace qconform {
namespace {

class ForeignParts : public JudgedModel {
 protected:
  // Returns "codes VERDICT, product VERDICT" of the last report.
  std::string Verdicts() const {
    const auto report = ReadReport(Path("r.json"));
    if (!report) return report.error().message;
    std::string text;
    for (const CellRecord& part : report->cells) {
      text += (text.empty() ? "" : ", ") + part.part->name + " " +
              std::string(VerdictName(part.verdict));
    }
    return text;
  }
};

// It takes FLOAT to UINT8 alone, which is the first part.
TEST_F(ForeignParts, APluginThatMisbehaves_CostsItsPart) {
  struct Row {
    const char* fault;
    const char* verdict;
    int exit_code;
  };
  const Row kRows[] = {{"none", "conformant", 3},
                       {"crash", "crashed", 1},
                       {"hang", "timed_out", 1},
                       {"wrong_shape", "invalid_output", 1},
                       {"wrong_type", "invalid_output", 1},
                       {"write_behind", "crashed", 1},
                       {"crash_in_create", "crashed", 1},
                       {"refuse", "refused_legal", 3}};
  for (const Row& row : kRows) {
    const Ran ran = Judge("--backend plugin:" QCONFORM_PLUGINS
                          "/qconform_bad_plugin.so --timeout-per-case 0.5 "
                          "--backend-option fault=" +
                          std::string(row.fault));
    EXPECT_EQ(ran.exit_code, row.exit_code) << row.fault << ": " << ran.output;
    EXPECT_EQ(Verdicts(), "codes " + std::string(row.verdict) + ", product unsupported")
        << row.fault << ": " << ran.output;
  }
}

TEST_F(ForeignParts, AWorkerThatMisbehaves_GivesEachPartItsVerdict) {
  struct Row {
    const char* mode;
    const char* verdict;
    int exit_code;
  };
  const Row kRows[] = {{"right", "conformant", 0},
                       {"crashes", "crashed", 1},
                       {"hangs", "timed_out", 1},
                       {"hangs_in_prepare", "timed_out", 1},
                       {"wrong_shape", "invalid_output", 1},
                       {"garbage_inside", "failed", 1}};
  for (const Row& row : kRows) {
    const Ran ran = Judge("--backend 'process:" QCONFORM_FAUX_WORKER " " +
                          std::string(row.mode) + " 1' --timeout-per-case 0.5");
    EXPECT_EQ(ran.exit_code, row.exit_code) << row.mode << ": " << ran.output;
    EXPECT_EQ(Verdicts(),
              "codes " + std::string(row.verdict) + ", product " + row.verdict)
        << row.mode << ": " << ran.output;
  }
}

// As a foreign process, which gets each part as a model.
TEST_F(ForeignParts, OurOwnWorker_IsJudgedAsItsBackend) {
  const Ran right =
      Judge("--backend 'process:" QCONFORM_TOOL " worker --backend oracle'");
  EXPECT_EQ(right.exit_code, 0) << right.output;
  EXPECT_EQ(Verdicts(), "codes conformant, product conformant");
  const Ran one_node = Judge("--backend 'process:" QCONFORM_TOOL " worker'");
  EXPECT_EQ(one_node.exit_code, 3) << one_node.output;
  EXPECT_EQ(Verdicts(), "codes conformant, product unsupported");
  const Ran composed = Judge("--backend 'process:" QCONFORM_TOOL " worker' --compose");
  EXPECT_EQ(composed.exit_code, 0) << composed.output;
  EXPECT_EQ(Verdicts(), "codes conformant, product conformant");
  const Ran wrong = Judge("--backend 'process:" QCONFORM_TOOL
                          " worker --backend faulty:pairs_of_products_in_16_bits'");
  EXPECT_EQ(wrong.exit_code, 1) << wrong.output;
  EXPECT_EQ(Verdicts(), "codes conformant, product nonconformant");
  EXPECT_TRUE(Has(wrong.output, "diagnosis pairs_of_products_in_16_bits"))
      << wrong.output;
}

}  // namespace
}  // namespace qconform
