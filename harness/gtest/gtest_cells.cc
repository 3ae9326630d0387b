#include "harness/gtest/gtest_cells.h"

#include <gtest/gtest.h>

#include <cctype>
#include <memory>
#include <utility>

namespace qconform {
namespace {

// Of all tests that are registered at once.
struct Shared {
  KernelFunction kernel;
  CellTestOptions options;
};

class CellTest : public testing::Test {
 public:
  CellTest(std::string cell, std::shared_ptr<const Shared> shared)
      : cell_(std::move(cell)), shared_(std::move(shared)) {}

  void TestBody() override {
    const auto records = RunCellsOn({cell_}, shared_->kernel, shared_->options);
    ASSERT_TRUE(records.ok()) << records.error().message;
    ASSERT_EQ(records->size(), 1u);
    const CellRecord& record = records->front();
    if (PassesCell(record)) return;
    if (record.verdict == Verdict::kUnsupported)
      GTEST_SKIP() << DescribeDeviation(record);
    ADD_FAILURE() << DescribeDeviation(record);
  }

 private:
  std::string cell_;
  std::shared_ptr<const Shared> shared_;
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
  const auto shared = std::make_shared<const Shared>(Shared{std::move(kernel), options});
  for (const std::string& cell : *cells) {
    testing::RegisterTest(
        shared->options.suite.c_str(), TestName(cell).c_str(), nullptr, nullptr, __FILE__,
        __LINE__,
        [cell, shared]() -> testing::Test* { return new CellTest(cell, shared); });
  }
  return Ok();
}

}  // namespace qconform
