// The page of the papers: rows by name, and what it says of them.
#include "bench/papers.h"

#include <gtest/gtest.h>

#include <set>

namespace hawser::HAWSER_FILE {
namespace {

BenchRow row(const char* name, double ours, double reference, std::optional<double> tolerance,
             Tolerance kind = Tolerance::relative) {
  BenchRow out;
  out.name = name;
  out.quantity = "height";
  out.unit = "m";
  out.ours = ours;
  out.reference = reference;
  out.tolerance = tolerance;
  out.kind = kind;
  return out;
}

std::vector<BenchReport> reports() {
  BenchReport report("swing", "hawser bench swing", "");
  report.add(row("rope, h=0.1", 1.02, 1, 0.04));
  report.add(row("rope, h=0.2", 1.001, 1, 0.1));
  report.add(row("rope, h=0.3", 7, 1, {}));
  report.add(row("rod", 2.5, 2, 0.25, Tolerance::absolute));
  report.add(row("exact", 3, 3, 0));
  return {report};
}

TEST(Papers, AgreementTellsTheWorstByItsTolerance) {
  EXPECT_EQ(agreement(reports(), {"swing", "rope"}),
            "2 of 2 rows within tolerance; largest deviation: 2 % of 4 % allowed; 1 more shown");
  EXPECT_EQ(agreement(reports(), {"swing", "rod", "hei"}),
            "0 of 1 row within tolerance; largest deviation: 0.5 m of 0.25 allowed");
  EXPECT_EQ(agreement(reports(), {"swing", "exact"}), "1 of 1 row within tolerance");
  EXPECT_EQ(agreement(reports(), {"swing", "rope, h=0.3"}), "1 row shown, nothing claimed");
}

TEST(Papers, RowsThatAreNotThereAreAnError) {
  EXPECT_THROW(agreement(reports(), {"swing", "chain"}), std::runtime_error);
  EXPECT_THROW(agreement(reports(), {"swing", "rope", "width"}), std::runtime_error);
  EXPECT_THROW(agreement(reports(), {"fall", "rope"}), std::runtime_error);
}

TEST(Papers, EveryItemIsShownOrSaidToBeMissing) {
  ASSERT_EQ(papers().size(), 5U);
  for (const Paper& paper : papers()) {
    std::set<std::string> seen;
    for (const PaperItem& item : paper.items) {
      EXPECT_TRUE(seen.insert(item.item).second) << item.item;
      EXPECT_STRNE(item.shown, "") << item.item;
      for (const char* text : {item.item, item.shown, item.note})
        EXPECT_EQ(std::string(text).find('|'), std::string::npos) << "breaks the table: " << text;
    }
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
