#include "oracle/base/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "oracle/base/testing/temporary_directory.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(WriteFileAtomically, NewAndExistingFile_HaveTheTextAndNothingElseIsLeft) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "report.json", "one"));
  EXPECT_EQ(*ReadFile(directory / "report.json"), "one");
  ASSERT_TRUE(WriteFileAtomically(directory / "report.json", "two"));
  EXPECT_EQ(*ReadFile(directory / "report.json"), "two");
  EXPECT_THAT(directory.Names(), ElementsAre("report.json"));
}

TEST(WriteFileAtomically, ExistingFile_KeepsItsMode) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "report.json", "one"));
  ASSERT_EQ(::chmod((directory / "report.json").c_str(), 0604), 0);
  ASSERT_TRUE(WriteFileAtomically(directory / "report.json", "two"));
  struct stat status;
  ASSERT_EQ(::stat((directory / "report.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0604u);
}

TEST(WriteFileAtomically, SymbolicLink_StaysOneAndItsTargetIsReplaced) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "target", "one"));
  std::filesystem::create_symlink(directory / "target", directory / "link");
  ASSERT_TRUE(WriteFileAtomically(directory / "link", "two"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
  EXPECT_EQ(*ReadFile(directory / "target"), "two");
}

TEST(WriteFileAtomically, SymbolicLinkToNothing_StaysOneAndItsTargetIsMade) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "there");
  std::filesystem::create_symlink("there/target", directory / "one");  // relative
  std::filesystem::create_symlink(directory / "one", directory / "two");
  EXPECT_TRUE(CheckWritable(directory / "two"));
  ASSERT_TRUE(WriteFileAtomically(directory / "two", "text"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "one"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "two"));
  EXPECT_EQ(*ReadFile(directory / "there/target"), "text");
}

TEST(WriteFileAtomically, SymbolicLinkToItself_IsAnError) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("loop", directory / "loop");
  for (const Status& status : {CheckWritable(directory / "loop"),
                               WriteFileAtomically(directory / "loop", "text")}) {
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("cannot follow its links"));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "loop"));
}

// As where another program that has the pipe, too, made it one that does not block.
TEST(WriteWhole, PipeThatDoesNotBlock_GetsAllOfIt) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  bool written = false;
  std::thread writer([&] {
    written = WriteWhole(ends[1], text);
    ::close(ends[1]);
  });
  std::string read;
  std::array<char, 4096> chunk;
  for (ssize_t got = 0; (got = ::read(ends[0], chunk.data(), chunk.size())) > 0;) {
    read.append(chunk.data(), static_cast<size_t>(got));
  }
  writer.join();
  ::close(ends[0]);
  EXPECT_TRUE(written);
  EXPECT_EQ(read, text);
}

// Others take it for standard input or output; a file of that name helps nobody.
TEST(FileNames, Dash_IsNone) {
  for (const Status& status :
       {CheckWritable("-"), WriteFileAtomically("-", "text"), CheckFileName("-")}) {
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("/dev/stdout"));
  }
  EXPECT_THAT(ReadFile("-").error().message, HasSubstr("/dev/stdin"));
  EXPECT_TRUE(CheckFileName("./-"));
}

struct BadPath {
  const char* name;
  const char* path;  // below the directory, where it does not start with a slash
  const char* words;
};

class UnwritablePath : public ::testing::TestWithParam<BadPath> {};

TEST_P(UnwritablePath, IsFoundBeforeAndWhileWriting) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "file", "untouched"));
  const std::filesystem::path path =
      directory / GetParam().path;  // an absolute path wins
  const Status checked = CheckWritable(path);
  if (std::string_view(GetParam().path) !=
      "/dev/full") {  // which opens, and then is full
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message,
                AllOf(HasSubstr(path.string()), HasSubstr(GetParam().words)));
  }
  const Status written = WriteFileAtomically(path, "text");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message,
              AllOf(HasSubstr(path.string()), HasSubstr(GetParam().words)));
  EXPECT_THAT(directory.Names(), ElementsAre("file"));
  EXPECT_EQ(*ReadFile(directory / "file"), "untouched");
}

INSTANTIATE_TEST_SUITE_P(
    All, UnwritablePath,
    ::testing::Values(BadPath{"NoDirectory", "none/report.json",
                              "No such file or directory"},
                      BadPath{"ThroughAFile", "file/report.json", "Not a directory"},
                      BadPath{"ADirectory", ".", "got a directory"},
                      BadPath{"EndsInASlash", "none/", "got a directory"},
                      BadPath{"FullDevice", "/dev/full", "No space left on device"}),
    [](const auto& tested) { return tested.param.name; });

TEST(WriteFileAtomically, EmptyPath_IsAnError) {
  EXPECT_FALSE(WriteFileAtomically("", "text"));
  EXPECT_FALSE(CheckWritable(""));
}

TEST(CheckWritable, LeavesNothingBehindAndAnExistingFileAsItIs) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(CheckWritable(directory / "report.json"));
  EXPECT_THAT(directory.Names(), IsEmpty());
  ASSERT_TRUE(WriteFileAtomically(directory / "report.json", "one"));
  const auto before = std::filesystem::last_write_time(directory / "report.json");
  EXPECT_TRUE(CheckWritable(directory / "report.json"));
  EXPECT_EQ(*ReadFile(directory / "report.json"), "one");
  EXPECT_EQ(std::filesystem::last_write_time(directory / "report.json"), before);
  EXPECT_THAT(directory.Names(), ElementsAre("report.json"));
}

TEST(ReadFile, MissingFileOrDirectory_NamesThePathAndTheReason) {
  const TemporaryDirectory directory;
  EXPECT_THAT(ReadFile(directory / "none").error().message,
              AllOf(HasSubstr("none"), HasSubstr("No such file or directory")));
  EXPECT_THAT(ReadFile(directory.path()).error().message, HasSubstr("got a directory"));
}

TEST(ReadFile, LongFile_IsAnErrorBeforeItIsRead) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "key", std::string(65'537, 'k')));
  EXPECT_THAT(ReadFile(directory / "key", kMostKeyBytes).error().message,
              HasSubstr("key: expected a file of at most 64 KiB, got a longer one"));
  EXPECT_EQ(ReadFile(directory / "key", 65'537)->size(), 65'537u);
}

// A pipe waits for its writer, a device may never end, and a file of one hole costs its
// owner nothing.
TEST(ReadFile, PipeDeviceAndHole_AreErrors) {
  const TemporaryDirectory directory;
  const std::filesystem::path pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(pipe).error().message,
              HasSubstr("pipe: expected a file, got a named pipe"));
  EXPECT_FALSE(CheckWritable(pipe));
  EXPECT_THAT(WriteFileAtomically(pipe, "text").error().message,
              HasSubstr("pipe: expected a file, got a named pipe"));
  EXPECT_THAT(ReadFile("/dev/zero").error().message,
              HasSubstr("/dev/zero: expected a file, got a device"));
  ASSERT_TRUE(WriteFileAtomically(directory / "hole", "{}"));
  std::filesystem::resize_file(directory / "hole", size_t{8} << 20);
  EXPECT_THAT(ReadFile(directory / "hole").error().message, HasSubstr("holes"));
}

// What the process was started with may be a pipe: `qconform report <(zcat r.json.gz)`.
TEST(ReadFile, PipeThatWasHandedOver_IsRead) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "text", 4), 4);
  ::close(ends[1]);
  EXPECT_EQ(*ReadFile("/dev/fd/" + std::to_string(ends[0])), "text");
  ::close(ends[0]);
}

}  // namespace
}  // namespace qconform
