// A folder for each test of the program.
#ifndef QCONFORM_HARNESS_CLI_TESTING_CLI_FOLDER_H_
#define QCONFORM_HARNESS_CLI_TESTING_CLI_FOLDER_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace qconform {

class CliFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("qconform_" + std::string(test->test_suite_name()) + "_" +
                  std::to_string(getpid()) + "_" + test->name());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  std::string Text(const std::string& name) const {
    std::ifstream file(Path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path directory_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_TESTING_CLI_FOLDER_H_
