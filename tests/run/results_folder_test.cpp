// The results folder: nothing is lost in it.
#include "run/results_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hawser/error.h"
#include "temporary_folder.h"

namespace hawser {
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
                ": found the results of an earlier run; expected a new or empty folder. Name "
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
  const std::vector<std::string> own = {
      "channels.csv",           "results.h5",         "results.pvd",
      "summary.json",           "scene.yaml",         "checkpoint.bin",
      "vtk/results_000000.vtp", "checkpoint.bin.part"};
  const std::vector<std::string> others = {"notes.txt", "old.csv", "vtk/mine.vtp",
                                           "vtk/scene.yaml"};
  for (const std::string& name : own) write_file(folder / ("run/" + name), name);
  for (const std::string& name : others) write_file(folder / ("run/" + name), name);
  prepare_folder(folder / "run", true);
  for (const std::string& name : own) EXPECT_FALSE(fs::exists(folder / ("run/" + name))) << name;
  for (const std::string& name : others) EXPECT_EQ(read_text(folder / ("run/" + name)), name);
  EXPECT_EQ(files_of_run(folder / "run"), std::vector<std::string>{"vtk"});
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

TEST(ResultsFolder, FreeNamesCountUp) {
  const TemporaryFolder folder;
  EXPECT_EQ(free_folder(folder / "a"), folder / "a");
  write_file(folder / "a/channels.csv", "");
  EXPECT_EQ(free_folder(folder / "a"), folder / "a-2");
  write_file(folder / "a-2/anything", "");
  EXPECT_EQ(free_folder(folder / "a"), folder / "a-3");
  fs::create_directory(folder / "a-3");
  EXPECT_EQ(free_folder(folder / "a"), folder / "a-3") << "empty";
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
}  // namespace hawser
