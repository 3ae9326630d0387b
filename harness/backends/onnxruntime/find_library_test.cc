#include "harness/backends/onnxruntime/find_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace qconform::ort {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

#if defined(__aarch64__)
const std::string kCpu = "arm64";
const std::string kOtherCpu = "x64";
#else
const std::string kCpu = "x64";
const std::string kOtherCpu = "arm64";
#endif

// A machine whose folders are in a temporary folder that is deleted afterwards.
class FindLibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo* test =
        ::testing::UnitTest::GetInstance()->current_test_info();
    root_ =
        fs::path(::testing::TempDir()) / (std::string("find_library_") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_ / "work/below");
    machine_ = {.environment = [this](const std::string& name) { return Variable(name); },
                .program = root_ / "build/bin/qconform",
                .working_directory = root_ / "work/below",
                .python_path =
                    [this] {
                      ++pythons_;
                      return python_path_;
                    }};
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string Variable(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? "" : found->second;
  }

  std::string In(const std::string& path) const { return (root_ / path).string(); }

  void Put(const std::string& path, const std::string& text = "") const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }

  // The paths that are tried if the one at `serving` serves, shown from the root; bare
  // names are left out.
  std::vector<std::string> Tried(const std::string& serving = "none") {
    std::vector<std::string> tried;
    found_ = FindLibrary(machine_, [&](const Candidate& candidate) {
      if (candidate.path.starts_with(root_.string())) {
        tried.push_back(candidate.path.substr(root_.string().size() + 1));
      }
      return candidate.path == In(serving);
    });
    return tried;
  }

  fs::path root_;
  Machine machine_;
  std::map<std::string, std::string> variables_;
  std::vector<std::string> python_path_;
  int pythons_ = 0;  // that were started
  bool found_ = false;
};

TEST_F(FindLibraryTest, EmptyMachine_OffersTheLoadersNames) {
  std::vector<std::string> paths;
  EXPECT_FALSE(FindLibrary(machine_, [&](const Candidate& candidate) {
    paths.push_back(candidate.path);
    EXPECT_EQ(candidate.origin, "system's loader");
    return false;
  }));
  EXPECT_THAT(paths, ElementsAre("libonnxruntime.so.1", "libonnxruntime.so"));
}

TEST_F(FindLibraryTest, AllPlaces_AreTriedInTheirOrder) {
  variables_ = {{"QCONFORM_DEPS_DIR", In("named")},
                {"VIRTUAL_ENV", In("venv")},
                {"CONDA_PREFIX", In("conda")},
                {"NODE_PATH", In("modules")},
                {"PATH", In("node/bin")}};
  python_path_ = {In("dist-packages")};
  const std::string napi = "onnxruntime-node/bin/napi-v6/linux/" + kCpu + "/";
  const std::vector<std::string> expected = {
      "named/onnxruntime/lib/libonnxruntime.so.1",
      "deps/onnxruntime/lib/libonnxruntime.so.1.32.0",
      "work/.deps/onnxruntime/lib/libonnxruntime.so.1",
      "venv/lib/python3.12/site-packages/onnxruntime/capi/libonnxruntime.so.1.32.0",
      "conda/lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.31.1",
      "dist-packages/onnxruntime/capi/libonnxruntime.so.1.30.0",
      "work/node_modules/" + napi + "libonnxruntime.so.1",
      "modules/" + napi + "libonnxruntime.so.1",
      "node/lib/node_modules/" + napi + "libonnxruntime.so.1",
  };
  for (const std::string& path : expected) Put(path);
  Put("build/qconform_deps_dir", In("deps"));
  Put("node/bin/node");
  EXPECT_EQ(Tried(), expected);
  EXPECT_FALSE(found_);
  // The first that serves ends the search.
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(Tried(expected[i]).size(), i + 1) << expected[i];
    EXPECT_TRUE(found_) << expected[i];
  }
}

TEST_F(FindLibraryTest, Python_IsStartedOnlyIfNothingElseServes) {
  const std::string library = "work/.deps/onnxruntime/lib/libonnxruntime.so.1";
  Put(library);
  Tried(library);
  EXPECT_TRUE(found_);
  EXPECT_EQ(pythons_, 0);
  Tried();
  EXPECT_EQ(pythons_, 1);
}

// Releases before 1.19: the error has to say that the package was looked at.
TEST_F(FindLibraryTest, PythonPackageWithoutLibrary_IsACandidate) {
  python_path_ = {In("a"), In("b")};
  Put("b/onnxruntime/capi/onnxruntime_pybind11_state.so");
  EXPECT_THAT(Tried(), ElementsAre("b/onnxruntime/capi/libonnxruntime.so"));
}

TEST_F(FindLibraryTest, OtherLibraries_AreNoCandidates) {
  python_path_ = {In("a")};
  Put("a/onnxruntime/capi/libonnxruntime_providers_shared.so");
  Put("a/onnxruntime/capi/libonnxruntime.so.1.32.0");
  EXPECT_THAT(Tried(), ElementsAre("a/onnxruntime/capi/libonnxruntime.so.1.32.0"));
}

TEST_F(FindLibraryTest, NodeModuleOfAnotherCpu_IsNoCandidate) {
  Put("work/node_modules/onnxruntime-node/bin/napi-v6/linux/" + kOtherCpu +
      "/libonnxruntime.so.1");
  EXPECT_THAT(Tried(), IsEmpty());
}

TEST_F(FindLibraryTest, PlaceThatIsNamedTwice_IsTriedOnce) {
  variables_ = {{"QCONFORM_DEPS_DIR", In("work/.deps")}};
  Put("work/.deps/onnxruntime/lib/libonnxruntime.so.1");
  EXPECT_THAT(Tried(), ElementsAre("work/.deps/onnxruntime/lib/libonnxruntime.so.1"));
}

TEST(ThisMachineTest, NamesTheProgramAndTheEnvironment) {
  const Machine machine = ThisMachine();
  EXPECT_EQ(machine.program.filename(), "harness_onnxruntime_test");
  EXPECT_EQ(machine.working_directory, fs::current_path());
  EXPECT_EQ(machine.environment("QCONFORM_NO_SUCH_VARIABLE"), "");
  EXPECT_NE(machine.environment("PATH"), "");
}

}  // namespace
}  // namespace qconform::ort
