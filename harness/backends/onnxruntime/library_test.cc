#include "harness/backends/onnxruntime/library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/backends/onnxruntime/onnxruntime_backend.h"

namespace qconform::ort {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void SetVersion(const std::string& version) {
  setenv("QCONFORM_TEST_LIBRARY_VERSION", version.c_str(), 1);
}

// --- the version of the API --------------------------------------------------------

std::vector<uint32_t> g_asked;
uint32_t g_newest = 0;  // that the library has

const OrtApi* GetApi(uint32_t version) noexcept {
  static const OrtApi api{};
  g_asked.push_back(version);
  return version <= g_newest ? &api : nullptr;
}

// The API version that is taken from a library of that release with APIs up to `newest`;
// 0 if none is taken.
uint32_t Taken(const std::string& version, uint32_t newest) {
  g_asked.clear();
  g_newest = newest;
  OrtApiBase base{};
  base.GetApi = GetApi;
  uint32_t taken = 0;
  const OrtApi* api = NewestApi(base, version, &taken);
  EXPECT_EQ(api != nullptr, taken != 0);
  return taken;
}

TEST(NewestApiTest, OlderLibrary_GivesItsOwn) {
  EXPECT_EQ(Taken("1.15.1", 15), 15u);
  EXPECT_THAT(g_asked, ElementsAre(15u));  // it would complain of others
  EXPECT_EQ(Taken("1.22.0", 22), 22u);
  EXPECT_THAT(g_asked, ElementsAre(22u));
}

TEST(NewestApiTest, NewerLibrary_GivesTheHeaders) {
  EXPECT_EQ(Taken("1.99.0", 99), uint32_t{ORT_API_VERSION});
  EXPECT_THAT(g_asked, ElementsAre(uint32_t{ORT_API_VERSION}));
}

TEST(NewestApiTest, LibraryWithFewerThanItsRelease_GivesItsNewest) {
  EXPECT_EQ(Taken("1.20.0", 18), 18u);
  EXPECT_THAT(g_asked, ElementsAre(20u, 19u, 18u));
}

TEST(NewestApiTest, TooOldOrUnknown_GivesNone) {
  EXPECT_EQ(Taken("1.14.1", 14), 0u);
  EXPECT_THAT(g_asked, IsEmpty());
  EXPECT_EQ(Taken("0.5.0", 99), 0u);
  EXPECT_EQ(Taken("", 99), 0u);
}

// --- the choice of the library -----------------------------------------------------

std::string WhyNot(const std::map<std::string, std::string>& options) {
  const auto backend = MakeOnnxRuntimeBackend(options);
  return backend ? "made" : backend.error().message;
}

TEST(LibraryTest, Given_SaysWhatItIs) {
  SetVersion("1.15.1");
  const auto library = Library::Load(QCONFORM_TEST_LIBRARY);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ((*library)->version(), "1.15.1");
  EXPECT_EQ((*library)->api_version(), 15u);
  EXPECT_EQ((*library)->path(), QCONFORM_TEST_LIBRARY);
  EXPECT_EQ((*library)->FileName(), fs::path(QCONFORM_TEST_LIBRARY).filename());
  EXPECT_EQ((*library)->origin(), "option library");
}

TEST(LibraryTest, TooOld_IsAnErrorWithItsRelease) {
  SetVersion("1.14.1");
  EXPECT_THAT(WhyNot({{"library", QCONFORM_TEST_LIBRARY}}),
              AllOf(HasSubstr(QCONFORM_TEST_LIBRARY), HasSubstr("1.15 or newer"),
                    HasSubstr("ONNX Runtime 1.14.1")));
}

// It would report the models that are run, and write into the user's home.
TEST(LibraryTest, Loading_TurnsTelemetryOff) {
  unsetenv("ORT_DISABLE_TELEMETRY");
  SetVersion("1.15.1");
  ASSERT_TRUE(Library::Load(QCONFORM_TEST_LIBRARY));
  EXPECT_STREQ(getenv("ORT_DISABLE_TELEMETRY"), "1");
}

// Their table of functions is too short for the functions that these options need.
TEST(LibraryTest, ProviderLibraryBefore1_22_IsAnError) {
  SetVersion("1.21.1");
  EXPECT_THAT(WhyNot({{"library", QCONFORM_TEST_LIBRARY}, {"ep_library", "libep.so"}}),
              ::testing::StrEq("backend option ep_library=libep.so: expected ONNX "
                               "Runtime 1.22 or newer, got 1.21.1"));
}

TEST(LibraryTest, ProviderBefore1_16_IsAnError) {
  SetVersion("1.15.1");
  EXPECT_THAT(WhyNot({{"library", QCONFORM_TEST_LIBRARY}, {"provider", "Other"}}),
              ::testing::StrEq("backend option provider=Other: expected ONNX "
                               "Runtime 1.16 or newer, got 1.15.1"));
}

// A machine without libraries; the system's loader is the real one.
class SearchedLibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (dlopen("libonnxruntime.so.1", RTLD_LAZY) != nullptr ||
        dlopen("libonnxruntime.so", RTLD_LAZY) != nullptr) {
      GTEST_SKIP() << "not run, because the system's loader has ONNX Runtime";
    }
    const ::testing::TestInfo* test =
        ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / (std::string("library_") + test->name());
    fs::remove_all(root_);
    machine_ = {.environment = [](const std::string&) { return std::string(); },
                .program = root_ / "bin/qconform",
                .working_directory = root_,
                .python_path = [this] { return python_path_; }};
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path Folder(const std::string& path) const {
    fs::create_directories(root_ / path);
    return root_ / path;
  }

  fs::path root_;
  Machine machine_;
  std::vector<std::string> python_path_;
};

TEST_F(SearchedLibraryTest, None_SaysHowToGetOne) {
  const auto library = Library::Load(machine_);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message,
            "onnxruntime: expected libonnxruntime.so, ONNX Runtime's library of release "
            "1.15 or newer, got none; get it with 'script/bootstrap --with onnxruntime' "
            "or 'pip install onnxruntime', or give --backend-option library=PATH");
}

TEST_F(SearchedLibraryTest, OnesThatDoNotServe_AreNamed) {
  std::ofstream(Folder(".deps/onnxruntime/lib") / "libonnxruntime.so.1") << "not ELF\n";
  python_path_ = {root_.string()};
  Folder("onnxruntime/capi");  // a package without the library
  const auto library = Library::Load(machine_);
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().message,
              AllOf(HasSubstr("got none that serves ("),
                    HasSubstr("/.deps/onnxruntime/lib/libonnxruntime.so.1: "),
                    HasSubstr("/onnxruntime/capi/libonnxruntime.so: "),
                    HasSubstr("pip install"), Not(HasSubstr("\n"))));
}

TEST_F(SearchedLibraryTest, FirstThatServes_IsTaken) {
  SetVersion("1.99.0");
  std::ofstream(Folder(".deps/onnxruntime/lib") / "libonnxruntime.so.1") << "not ELF\n";
  python_path_ = {root_.string()};
  fs::create_symlink(QCONFORM_TEST_LIBRARY,
                     Folder("onnxruntime/capi") / "libonnxruntime.so.1.99.0");
  const auto library = Library::Load(machine_);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ((*library)->version(), "1.99.0");
  EXPECT_EQ((*library)->api_version(), uint32_t{ORT_API_VERSION});
  EXPECT_EQ((*library)->origin(), "Python package onnxruntime");
}

}  // namespace
}  // namespace qconform::ort
