#include "harness/backends/registry/portable_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace qconform {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class PortableWords : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    folder_ =
        fs::temp_directory_path() / ("qconform_portable_" + std::to_string(getpid()));
    fs::create_directories(folder_ / "pack" / "sub");
    for (const char* file : {"mine.py", "worker.py", "libmine.so", "pack/__init__.py"}) {
      std::ofstream(folder_ / file) << "";
    }
    fs::current_path(folder_);
    here_ = fs::current_path().string();
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  fs::path before_, folder_;
  std::string here_;
};

TEST_F(PortableWords, ABackend_HasAbsolutePathsWhereItHasPaths) {
  const std::pair<const char*, std::string> kRows[] = {
      {"simd", "simd"},
      {"simd:AVX2", "simd:AVX2"},
      {"plugin:./libmine.so", "plugin:" + here_ + "/libmine.so"},
      {"plugin:libmine.so", "plugin:libmine.so"},  // the loader searches for it
      {"py:mine:Class", "py:" + here_ + "/mine:Class"},
      {"py:mine:Class,level=2,a=b", "py:" + here_ + "/mine:Class,level=2,a=b"},
      {"py:./mine.py:Class", "py:" + here_ + "/mine.py:Class"},
      {"py:pack/../mine:Class", "py:" + here_ + "/mine:Class"},
      {"py:pack.sub:Class", "py:" + here_ + "/pack.sub:Class"},
      {"py:onnx.reference", "py:onnx.reference"},
      {"py:onnxruntime,opt_level=basic", "py:onnxruntime,opt_level=basic"},
      {"process:python3 worker.py --x 'a b'",
       "process:python3 " + here_ + "/worker.py --x 'a b'"},
      {"process:mine --flag", "process:mine --flag"},
      {"process:./worker.py", "process:" + here_ + "/worker.py"},
      {"process:'", "process:'"},
      {"plugin:", "plugin:"},
  };
  for (const auto& [given, expected] : kRows) {
    EXPECT_EQ(PortableBackend(given), expected);
  }
}

TEST_F(PortableWords, OptionsAndTheInterpreter_AreAbsoluteIfTheyAreFiles) {
  EXPECT_EQ(PortableOption("library=./libmine.so"), "library=" + here_ + "/libmine.so");
  EXPECT_EQ(PortableOption("library=./missing.so"), "library=./missing.so");
  EXPECT_EQ(PortableOption("session.a/b=c"), "session.a/b=c");
  EXPECT_EQ(PortablePath("env/bin/python"), here_ + "/env/bin/python");
  EXPECT_EQ(PortablePath("python3.12"), "python3.12");
}

TEST_F(PortableWords, ACommandLine_IsOtherwiseKept) {
  EXPECT_THAT(
      PortableCommandLine({"qconform", "run", "--backend", "py:mine:C", "--python=./p",
                           "--cells", "mine", "--backend=plugin:./libmine.so"}),
      ElementsAre("qconform", "run", "--backend", "py:" + here_ + "/mine:C",
                  "--python=" + here_ + "/p", "--cells", "mine",
                  "--backend=plugin:" + here_ + "/libmine.so"));
}

}  // namespace
}  // namespace qconform
