// The results folder: nothing is lost in it.
#include "run/results_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "hawser/error.h"
#include "hawser/run.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

namespace fs = std::filesystem;

TEST(ResultsFolder, IsMadeWithItsParents) {
  const TemporaryFolder folder;
  prepare_folder(folder / "results/pendulum", false);
  EXPECT_TRUE(fs::is_directory(folder / "results/pendulum"));
  prepare_folder(folder / "results/pendulum", false);  // empty: free to use
}

TEST(ResultsFolder, WithResultsIsLeftAlone) {
  const TemporaryFolder folder;
  write_file(folder / "run/channels.csv", "time [s]\n");
  EXPECT_EQ(error_of([&] { prepare_folder(folder / "run", false); }),
            folder / "run" +
                ": found the results of an earlier run; expected a new or empty folder. Choose "
                "another one with -o, or add --overwrite to replace the results in this one.");
  EXPECT_EQ(read_text(folder / "run/channels.csv"), "time [s]\n");
}

TEST(ResultsFolder, WithOtherFilesIsLeftAlone) {
  const TemporaryFolder folder;
  write_file(folder / "home/thesis.tex", "text");
  EXPECT_NE(error_of([&] {
              prepare_folder(folder / "home", false);
            }).find("found a folder with files in it"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              prepare_folder(folder / "home/thesis.tex", false);
            }).find("found a file of that name"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "home/thesis.tex"), "text");
}

TEST(ResultsFolder, OverwritingRemovesTheFilesOfTheRunAlone) {
  const TemporaryFolder folder;
  const std::vector<std::string> own = {"channels.csv",        "results.h5",   "report.html",
                                        "results.vtkhdf",      "summary.json", "checkpoint.bin",
                                        "checkpoint.bin.part", "scene.yaml"};
  const std::vector<std::string> others = {"notes.txt", "old.csv", "mine.vtkhdf"};
  prepare_folder(folder / "run", false);
  begin_folder(folder / "run", {"channels.csv", "results.h5", "report.html", "results.vtkhdf"},
               "a scene");
  for (const std::string& name : own)
    if (name != "scene.yaml") write_file(folder / ("run/" + name), name);
  for (const std::string& name : others) write_file(folder / ("run/" + name), name);
  prepare_folder(folder / "run", true);
  for (const std::string& name : own) EXPECT_FALSE(fs::exists(folder / ("run/" + name))) << name;
  for (const std::string& name : others) EXPECT_EQ(read_text(folder / ("run/" + name)), name);
  EXPECT_TRUE(files_of_run(folder / "run").empty());
}

/// Writes the file into a folder where a run wrote channels.csv; what --overwrite says to that.
std::string overwriting_beside(const TemporaryFolder& folder, const std::string& name) {
  prepare_folder(folder / name, true);
  begin_folder(folder / name, {"channels.csv"}, "a scene");
  write_file(folder / (name + "/channels.csv"), "time [s]\n");
  write_file(folder / (name + "/" + name), "mine");
  const std::string said = error_of([&] { prepare_folder(folder / name, true); });
  EXPECT_EQ(read_text(folder / (name + "/" + name)), "mine");
  EXPECT_EQ(read_text(folder / (name + "/channels.csv")), "time [s]\n") << "nothing is removed";
  return said;
}

TEST(ResultsFolder, OverwritingLeavesFilesOfOthersAlone) {
  const TemporaryFolder folder;
  EXPECT_EQ(overwriting_beside(folder, "results.h5"),
            folder / "results.h5/results.h5" +
                ": found a file that was not written by Hawser; expected only files of an earlier "
                "run, which --overwrite replaces. Move it away, or choose another folder with -o.");
  EXPECT_NE(overwriting_beside(folder, "scene.yaml").find("scene that was changed after the run"),
            std::string::npos);
}

TEST(ResultsFolder, OverwritingTakesNoFolderWithoutARunForItsOwn) {
  const TemporaryFolder folder;
  for (const std::string name : {"scene.yaml", "channels.csv", "results.vtkhdf"}) {
    write_file(folder / ("mine/" + name), name);
    EXPECT_NE(
        error_of([&] { prepare_folder(folder / "mine", true); }).find("not written by Hawser"),
        std::string::npos);
    EXPECT_EQ(read_text(folder / ("mine/" + name)), name);
    fs::remove_all(folder / "mine");
  }
  write_file(folder / "mine/notes.txt", "mine");
  prepare_folder(folder / "mine", true);
  EXPECT_EQ(read_text(folder / "mine/notes.txt"), "mine");
}

TEST(ResultsFolder, BelongsToOneRunAtATime) {
  const TemporaryFolder folder;
  {
    const FolderLock first = prepare_folder(folder / "run", false);
    for (const bool overwrite : {false, true})
      EXPECT_NE(error_of([&] {
                  prepare_folder(folder / "run", overwrite);
                }).find("another run that is writing to it"),
                std::string::npos);
    EXPECT_THROW(FolderLock(folder / "run"), Error);
  }
  EXPECT_NO_THROW(FolderLock(folder / "run"));
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock kept(folder / "run");
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(FolderLock(folder / "run")) << "the one who held it is dead";
}

TEST(ResultsFolder, ThatCannotBeWrittenIsAnErrorBeforeTheWork) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  EXPECT_NE(error_of([&] { prepare_folder(folder / "file/run", false); }).find("cannot be written"),
            std::string::npos);
  if (geteuid() == 0) return;  // root may write anywhere
  fs::create_directory(folder / "shut");
  ASSERT_EQ(chmod((folder / "shut").c_str(), 0500), 0);
  EXPECT_NE(error_of([&] { prepare_folder(folder / "shut", false); }).find("cannot be written"),
            std::string::npos);
}

TEST(ResultsFolder, UnusedNamesCountUp) {
  const TemporaryFolder folder;
  EXPECT_EQ(unused_directory(folder / "a"), folder / "a");
  write_file(folder / "a/channels.csv", "");
  EXPECT_EQ(unused_directory(folder / "a"), folder / "a-2");
  write_file(folder / "a-2/anything", "");
  EXPECT_EQ(unused_directory(folder / "a"), folder / "a-3");
  fs::create_directory(folder / "a-3");
  EXPECT_EQ(unused_directory(folder / "a"), folder / "a-3") << "empty";
}

TEST(ReplaceFile, UsesTheRoomThatWasReserved) {
  const TemporaryFolder folder;
  reserve_file(folder / "x", 10000);
  EXPECT_EQ(fs::file_size(folder / "x.part"), 10000U);
  struct stat before {};
  stat((folder / "x.part").c_str(), &before);
  replace_file(folder / "x", "short");
  EXPECT_EQ(read_text(folder / "x"), "short");
  EXPECT_FALSE(fs::exists(folder / "x.part"));
  struct stat after {};
  stat((folder / "x").c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST(ReplaceFile, LeavesNoUnfinishedFile) {
  const TemporaryFolder folder;
  replace_file(folder / "x", "one");
  replace_file(folder / "x", "two");
  EXPECT_EQ(read_text(folder / "x"), "two");
  EXPECT_FALSE(fs::exists(folder / "x.part"));
  EXPECT_NE(error_of([&] { replace_file(folder / "none/x", "two"); }).find("cannot be written"),
            std::string::npos);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
