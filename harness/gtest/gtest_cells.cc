#include "harness/gtest/gtest_cells.h"

#include <gtest/gtest.h>

#include <cctype>
#include <utility>

namespace qconform {
namespace {

class CellTest : public testing::Test {
 public:
  CellTest(std::string cell, const KernelFunction& kernel, const CellTestOptions& options)
      : cell_(std::move(cell)), kernel_(kernel), options_(options) {}

  void TestBody() override {
    const auto records = RunCellsOn({cell_}, kernel_, options_);
    ASSERT_TRUE(records.ok()) << records.error().message;
    ASSERT_EQ(records->size(), 1u);
    const CellRecord& record = records->front();
    if (PassesCell(record)) return;
    if (record.verdict == Verdict::kUnsupported) GTEST_SKIP() << record.reason;
    ADD_FAILURE() << DescribeDeviation(record);
  }

 private:
  std::string cell_;
  const KernelFunction& kernel_;
  const CellTestOptions& options_;
};

std::string TestName(const std::string& id) {
  std::string name;
  for (const char c : id) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

}  // namespace

Status RegisterCellTests(const std::vector<std::string>& patterns, KernelFunction kernel,
                         const CellTestOptions& options) {
  const auto cells = CellIdsOf(patterns);
  if (!cells) return cells.error();
  // They live as long as the tests that refer to them: to the end of the process.
  struct Shared {
    KernelFunction kernel;
    CellTestOptions options;
  };
  auto* const shared = new Shared{std::move(kernel), options};
  for (const std::string& cell : *cells) {
    testing::RegisterTest(shared->options.suite.c_str(), TestName(cell).c_str(), nullptr,
                          nullptr, __FILE__, __LINE__,
                          [cell, shared]() -> testing::Test* {
                            return new CellTest(cell, shared->kernel, shared->options);
                          });
  }
  return Ok();
}

}  // namespace qconform
